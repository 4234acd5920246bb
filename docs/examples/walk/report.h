// What the program prints: for people, and for machines (--json).
#pragma once

#include <cstddef>
#include <string>

#include "tally.h"

// Prints to stdout the totals, the `top` most frequent words (equally frequent ones in the order of
// their bytes) and the problems, in the order of their paths: the same text for the same tree,
// whatever the number of workers.
void print_report(const std::string &path, const Tally &tally, std::size_t top);

// The same as one JSON object. A byte that is not ASCII is written as \u00XX, since neither words
// nor paths need be UTF-8.
void print_json(const std::string &path, const Tally &tally, std::size_t top);
