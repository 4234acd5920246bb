// Messages of the runtime. Specified in fatal.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fatal.h"

#include <unistd.h>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace nopal {

namespace {

constexpr std::size_t kLongestMessage = 2048;  // what is longer is cut

void print(const char *severity, const char *format, std::va_list arguments) noexcept {
  char message[kLongestMessage];
  int used = std::snprintf(message, sizeof message, "nopal: %s: ", severity);
  auto length = static_cast<std::size_t>(used);
  used = std::vsnprintf(message + length, sizeof message - length - 1, format, arguments);
  if (used > 0) length += static_cast<std::size_t>(used);
  if (length > sizeof message - 2) length = sizeof message - 2;
  message[length++] = '\n';
  // stderr is unbuffered, so nothing of the program's own waits there; one write keeps the message
  // in one piece.
  for (std::size_t done = 0; done < length;) {
    const ssize_t written = write(STDERR_FILENO, message + done, length - done);
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

void fatal(const char *format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  print("fatal", format, arguments);
  va_end(arguments);
  std::abort();
}

void refuse(const char *format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  print("fatal", format, arguments);
  va_end(arguments);
  std::_Exit(kRefusedStatus);
}

void warn(const char *format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  print("warning", format, arguments);
  va_end(arguments);
}

}  // namespace nopal
