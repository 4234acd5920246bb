// Writes what cilk-gdb.py must know of the runtime's structures, as JSON: the build runs it, and
// installs the file beside the script.
//
// Checked by tests/tools.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../src/stack/switch.h"

#include <cstddef>
#include <cstdio>

int main() {
  std::printf("{\"Stack::kTag\": %llu,\n", static_cast<unsigned long long>(nopal::Stack::kTag));
  std::printf(" \"Stack::tag\": %zu,\n", offsetof(nopal::Stack, tag));
  std::printf(" \"Stack::continues\": %zu,\n", offsetof(nopal::Stack, continues));
  std::printf(" \"SuspendedStack::context\": %zu,\n", offsetof(nopal::SuspendedStack, context));
  std::printf(" \"nopal_frame::context\": %zu,\n", offsetof(nopal_frame, context));
  std::printf(" \"NOPAL_CONTEXT_THREAD\": %zu}\n", static_cast<std::size_t>(NOPAL_CONTEXT_THREAD));
}
