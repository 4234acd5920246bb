// Messages on stderr: `nopal: fatal: WHAT: REASON; REMEDY`. Each message is one write, so messages
// of several threads do not mix. Not async-signal-safe (the overflow handler writes its own).
// Checked by tests/unit/config_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_FATAL_H
#define NOPAL_PLATFORM_FATAL_H

namespace nopal {

/// Exit status of a process whose configuration was refused.
inline constexpr int kRefusedStatus = 2;

/// Prints `nopal: fatal: ...` (printf format, no newline at the end) and aborts.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char *format, ...) noexcept;

/// Prints `nopal: fatal: ...` and ends the process with kRefusedStatus, without atexit handlers:
/// for a wrong configuration.
[[noreturn, gnu::format(printf, 1, 2)]] void refuse(const char *format, ...) noexcept;

/// Prints `nopal: warning: ...`.
[[gnu::format(printf, 1, 2)]] void warn(const char *format, ...) noexcept;

}  // namespace nopal

#endif
