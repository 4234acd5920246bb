// Where the calling thread's own stack lies, as the thread library knows it.
//
// Used by AdoptedStack, and by the runtime for native stacks and overflows. Test:
// tests/unit/measure_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_OWN_STACK_H
#define CACTUS_OWN_STACK_H

#include <pthread.h>

#include <cerrno>
#include <cstddef>

namespace cactus {

/// Null and zeros: the thread library does not know it.
struct OwnStack {
  char *low = nullptr;
  std::size_t size_bytes = 0;
  std::size_t guard_bytes = 0;  // the lowest pages, or those below them, that are inaccessible
};

/// Keeps errno. Cost: some microseconds; 50 us for a process's first thread, since the library
/// reads /proc/self/maps. The library allocates memory.
inline OwnStack own_stack() noexcept {
  const int error = errno;
  OwnStack found;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void *low = nullptr;
    pthread_attr_getstack(&attributes, &low, &found.size_bytes);
    pthread_attr_getguardsize(&attributes, &found.guard_bytes);
    pthread_attr_destroy(&attributes);
    found.low = static_cast<char *>(low);
  }
  errno = error;
  return found;
}

}  // namespace cactus

#endif
