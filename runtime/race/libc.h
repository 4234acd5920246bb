// What the functions in place of those of the C library share: they say which memory is touched.
// For libc.cpp and libc_text.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_LIBC_H
#define NOPAL_RACE_LIBC_H

#include "detector.h"

#include <cstring>

namespace nopal::race {

inline void read_by(const void *memory, std::size_t size, Here here) {
  check_range(reinterpret_cast<Address>(memory), size, AccessKind::kRead, here);
}

inline void write_by(const void *memory, std::size_t size, Here here) {
  check_range(reinterpret_cast<Address>(memory), size, AccessKind::kWrite, here);
}

inline void read_string(const char *text, Here here) { read_by(text, std::strlen(text) + 1, here); }

/// How many bytes a comparison of strings reads of each.
inline std::size_t compared(const char *a, const char *b, std::size_t most) {
  std::size_t size = 0;
  while (size < most && a[size] == b[size] && a[size] != '\0') ++size;
  return size < most ? size + 1 : most;
}

#define HERE const Here here = NOPAL_RACE_HERE

}  // namespace nopal::race

#endif
