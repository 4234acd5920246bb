// A simulated program: a tree of function instances that is made as it runs, so that memory grows
// with live frames and not with the program.
//
// programs.cpp has the programs; simulator.cpp runs them. A program says nothing about schedules:
// its work and span are the same with any number of workers, and each run checks that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "costs.h"
#include "timing_wheel.h"

namespace nopal::sim {

/// What a program knows about an instance; the meaning is the program's.
struct Node {
  std::uint64_t a = 0, b = 0;
  std::uint32_t c = 0, d = 0;
};

/// A strand and what ends it. A function instance is a row of these, and the last one returns.
struct Step {
  enum class Kind : std::uint8_t { kSpawn, kCall, kSync, kReturn };  // kReturn syncs first
  Kind kind;
  Time work;  // of the strand before
};

/// Work that is there at the start.
struct Root {
  std::uint32_t worker;  // runs it first, and owns it
  Node node;
};

class Program {
 public:
  virtual ~Program() = default;

  /// The step number `pc` of an instance. Fills `child` if it spawns or calls. Depends on its
  /// arguments alone.
  virtual Step step(const Node &node, std::uint32_t pc, Node &child) const noexcept = 0;

  /// Stack bytes of an instance.
  virtual std::uint32_t frame_bytes(const Node &) const noexcept { return 128; }

  /// One root on worker 0, unless each owner has its own.
  virtual std::vector<Root> roots() const { return {{0, first_}}; }

  /// Whether roots belong to their workers for ever, as in the paper on localized work stealing.
  virtual bool has_owners() const noexcept { return false; }

 protected:
  Node first_;
};

/// `description` is a word of the list, then values: "tree:depth=20,leaf=100". Throws BadInput that
/// names what is wrong and the valid words.
std::unique_ptr<Program> make_program(std::string_view description, std::uint32_t workers,
                                      const Costs &costs);

/// A line a program: word, parameters with their defaults, what it is.
std::string describe_programs();

}  // namespace nopal::sim
