// The file of a trace: whole entries only.
//
// Used by the thread that drains (tracer.cpp). Checked by tests/trace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_FILE_H
#define NOPAL_TRACE_FILE_H

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace nopal::trace {

class File {
 public:
  /// Creates or empties the file. Returns 0 or the system's error: EWOULDBLOCK if another process
  /// writes a trace there, EEXIST if the file is that of the path `other`, which may be "".
  int open(const char *path, const char *other) noexcept;
  /// `entry` will be in the file after the next flush(), as a whole or not at all.
  void append(std::string_view entry);
  /// Writes what was appended. If the system refuses, the file is cut back to what it had before,
  /// and nothing is written any more. Returns 0 or the system's error, once.
  int flush() noexcept;
  void close() noexcept;

 private:
  static constexpr std::size_t kBufferBytes = 64 << 10;

  int write_buffer() noexcept;
  bool is_ours() const noexcept;

  int file_ = -1;
  dev_t device_ = 0;  // which file it is
  ino_t inode_ = 0;
  int error_ = 0;  // not returned yet
  std::uint64_t whole_bytes_ = 0;
  std::string buffer_;
};

}  // namespace nopal::trace

#endif
