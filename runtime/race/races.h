// The races that were found: one entry for a pair of places in the program.
//
// The detector adds them, the report reads them at exit.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_RACES_H
#define NOPAL_RACE_RACES_H

#include "detector.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace nopal::race {

/// What the detector knows of a race.
struct Finding {
  bool was_write;  // the earlier access
  Place former;
  AccessKind kind;  // of the later access
  Here here;
  Address begin;  // of the later access
  std::size_t size;
  Address byte;  // the first that both touch
  bool is_on_stack;
  Time time;  // of the earlier access
  Parting parting;
  const Strands *strands;
};

struct Block {
  Address begin;
  std::size_t size;
  std::vector<Place> allocated;  // by that code, and its callers
};

/// The function whose frame has the byte, on the stack.
struct Owner {
  Address code;  // in that function; 0: the byte is not on the stack
  long offset;   // from its frame pointer
  // The same of the function that it has called, whose arguments lie there; 0: none.
  Address callee;
  long callee_offset;
};

struct Race {
  Finding what;
  bool was_update;                  // the earlier access reads and writes
  const nopal_hook_site *function;  // in which they part; null: outside of all that spawn
  bool parts_in_loop;
  Address later;               // the code of that function that is, or leads to, the later
  std::vector<Frame> stack;    // of the later, up to that function
  std::vector<Frame> earlier;  // the same of the earlier; empty: not known any more
  std::optional<Block> block;  // of the heap
  Owner owner;
  std::uint64_t count = 1;  // bytes and times, about
};

class Races {
 public:
  void add(const Finding &finding);
  /// A place whose access reads and writes.
  void add_update(Place place) { updates_.insert(place); }
  /// In a child of fork: the parent reports those that it has.
  void forget() {
    known_.clear();
    races_.clear();
  }
  const std::deque<Race> &all() const { return races_; }

 private:
  std::deque<Race> races_;
  std::map<std::tuple<Place, bool, Place, bool>, Race *> known_;
  std::set<Place> updates_;
};

Races &races();

/// heap.cpp: whether it is in a variable of -femulated-tls.
bool is_emulated_thread_local(Address address);
/// heap.cpp: the block that has this byte.
std::optional<Block> block_of(Address byte);

}  // namespace nopal::race

#endif
