// What the machine's operations cost in virtual time, and how such a table is read and written.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace nopal::sim {

/// What the user gave us is wrong; the message says what and what would be right.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All in ns. A list has an entry a level of the topology, nearest first; the last counts for all
/// farther ones.
struct Costs {
  std::uint64_t spawn = 0;                  // a push and its pop, and a child's frame
  std::vector<std::uint64_t> steal = {1};   // a successful one, to the first instruction stolen
  std::vector<std::uint64_t> failed = {1};  // a look at an empty deque; at least 1
  std::uint64_t membarrier = 0;  // a part of each steal; no other thief gets in meanwhile
  std::uint64_t resume = 0;      // the last child that joins goes on with its parent
  std::uint64_t wake = 0;        // from the call to the first attempt of who was asleep
  std::uint64_t call = 0;        // what waking somebody costs who does it
  std::uint64_t line = 0;        // a line that others change: a word of the policy, of sleep counts
  // What follows counts with --idle sleep alone.
  std::uint64_t pause = 40;      // of a spin; rounds of attempts have more and more between them
  std::uint64_t yield = 0;       // the processor, with nobody who wants it
  std::uint64_t hold = 0;        // the mutex of the parked, without a wake-up
  std::uint64_t slow_push = 0;   // over a fast one
  std::uint64_t fence = 0;       // of an owner's pop, where it fences itself
  std::uint64_t fence_each = 0;  // of membarrier, for each processor that it interrupts
  std::uint64_t interrupt = 0;   // what it costs that processor
  // How much longer each piece of work took, one after the other, and how long a piece is; then the
  // same of the next processor. Empty: processors do nothing else (noise.h).
  std::vector<std::uint64_t> noise = {};
  std::uint64_t noise_slice = 0;
  std::uint64_t noise_processors = 1;

  static std::uint64_t at(const std::vector<std::uint64_t> &list, std::uint32_t level) noexcept {
    return list[level < list.size() ? level : list.size() - 1];
  }
};

/// "unit": the theory's, where an attempt costs a unit and nothing else costs anything.
/// "unit-words": a line of a policy's word costs a unit, too. "default": typical of a server. Else
/// the name of a JSON file. Throws BadInput.
Costs read_costs(const std::string &name);
std::string to_json(const Costs &costs);

}  // namespace nopal::sim
