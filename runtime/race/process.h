// What the process has beside the code that is checked: libraries that were built without the
// option, other threads, and the end of the stack. The report names what it met, so that nobody
// takes it for checked.
//
// Tests: tests/race/report_test.py.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_PROCESS_H
#define NOPAL_RACE_PROCESS_H

#include "shadow.h"

#include <string>
#include <vector>

namespace nopal::race {

/// The executable or the library that has this code is instrumented.
void note_instrumented(const void *code);
/// The program spawns on a thread that is not the checked one.
void note_spawning_thread();
/// A spawn of code that was compiled without the option, and so runs in parallel. Any thread.
void note_unseen_spawn(const char *file, unsigned line, unsigned column);
/// Of a child of fork: those were its parent's.
void forget_unseen_spawn();
/// The place of the first; empty if there was none.
std::string unseen_spawn();
/// The paths of the executable and the libraries that are not instrumented.
std::vector<std::string> unchecked_modules();
/// A line for each thing that is not checked; system libraries are not named.
std::string unchecked();

/// The program runs on one stack. Where that is full, the process ends with a message, if the
/// program has no handler of its own for the signal. Once.
void watch_stack(Address begin, std::size_t size);

}  // namespace nopal::race

#endif
