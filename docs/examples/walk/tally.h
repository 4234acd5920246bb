// Tally: what was counted in a file, a directory or a whole tree. Made by the children of walk.cpp,
// each its own, and merged by their parent after its sync, so that no two strands ever share one
// and no lock is needed. Checked by tests/programs/walk_test.py against find(1) and wc(1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "word_table.h"

// A file or directory that could not be read, or not to its end.
struct Problem {
  std::string path;
  std::string reason;
};

struct Tally {
  std::uint64_t directories = 0;
  std::uint64_t files = 0;  // regular files found, readable or not: what `find -type f` lists
  std::uint64_t lines = 0;  // newline characters
  std::uint64_t words = 0;  // see WordScanner; always the sum of the counts in word_counts
  std::uint64_t bytes = 0;
  WordTable word_counts;
  std::vector<Problem> problems;

  // Adds `other`, whose contents are used up.
  void merge(Tally &&other);

  // Counts the regular file at `path`. A failure is added to `problems`; what was read before it
  // stays counted, as in wc.
  void count_file(const std::string &path);
};
