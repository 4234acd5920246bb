// The races in words: what report.cpp prints and json.cpp writes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_REPORT_H
#define NOPAL_RACE_REPORT_H

#include "places.h"
#include "races.h"

namespace nopal::race {

/// A line of a stack.
struct Step {
  Line line;
  std::string note;  // "child of the spawn at a.cpp:3:5"; may be empty
};

struct Described {
  std::string former_kind, later_kind;  // "read", "write", "update", "free"
  Line former, later;
  std::string former_code, later_code;  // MODULE+0xOFFSET, after the access
  std::string memory;                   // "`total`, 8 bytes"
  std::string parting;                  // why both may run at once
  Line spawn;                           // the spawn or the loop that makes them parallel
  std::string remedy;
  std::vector<Step> stack;           // of the later access, up to where they part
  std::vector<Step> former_stack;    // of the earlier; empty: not known
  std::vector<std::string> strands;  // the tree of both, a line each
  std::uint64_t count;
};

/// Those that no suppression takes out.
std::vector<Described> describe(const std::deque<Race> &races);
std::string as_text(const std::vector<Described> &races);
std::string as_json(const std::vector<Described> &races);
std::string as_sarif(const std::vector<Described> &races);
std::string text_of(const Line &line);  // FILE:LINE:COLUMN

}  // namespace nopal::race

#endif
