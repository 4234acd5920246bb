// See thread_wait.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_wait.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>

namespace nopal {

std::uint64_t thread_wait_ns(int thread) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", thread);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[96];  // three numbers: ran, waited, how often
  const ssize_t length = read(file, text, sizeof text);
  close(file);
  if (length <= 0) return 0;
  const char *end = text + length;
  const auto *blank = static_cast<const char *>(std::memchr(text, ' ', sizeof text));
  std::uint64_t waited = 0;
  if (blank != nullptr && blank < end) std::from_chars(blank + 1, end, waited);
  return waited;
}

long thread_waits() noexcept {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

}  // namespace nopal
