// A file that is written at once, at the program's end: a report.
//
// Used by the statistics, the span tool and the race detector. Checked by
// tests/unit/stats_test.cpp, tests/span and tests/race.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_WHOLE_FILE_H
#define NOPAL_PLATFORM_WHOLE_FILE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <tuple>

namespace nopal {

/// From the working directory of now, since the program may change it.
inline std::string absolute_path(const std::string &path) {
  if (path.empty() || path.front() == '/') return path;
  char *directory = getcwd(nullptr, 0);  // allocates
  std::string result = directory != nullptr ? std::string(directory) + "/" + path : path;
  std::free(directory);
  return result;
}

/// While it lives, a write beyond the limit on a file's size (ulimit -f) is an error, EFBIG, and
/// does not end the process.
class FileSizeSignalBlocked {
 public:
  FileSizeSignalBlocked() noexcept {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileSizeSignalBlocked() {
    const timespec now = {};
    if (sigismember(&before_, SIGXFSZ) == 0) sigtimedwait(&signal_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalBlocked(const FileSizeSignalBlocked &) = delete;
  FileSizeSignalBlocked &operator=(const FileSizeSignalBlocked &) = delete;

 private:
  sigset_t signal_, before_;
};

/// Writes to a new or emptied file, which is empty again after an error; 0 or the system's error.
inline int write_whole_file(const std::string &path, std::string_view text) noexcept {
  const FileSizeSignalBlocked blocked;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int error = 0;
  for (std::size_t done = 0; done < text.size() && error == 0;) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written >= 0)
      done += static_cast<std::size_t>(written);
    else if (errno != EINTR)
      error = errno;
  }
  if (error != 0) std::ignore = ftruncate(file, 0);  // a device has no length
  if (close(file) != 0 && error == 0) error = errno;
  return error;
}

/// Makes the file, empty, if it can be written: a path is refused before the work, not after it. A
/// pipe is left alone, whose reader would take this for the end. 0 or the system's error.
inline int make_empty_file(const std::string &path) noexcept {
  struct stat found;
  if (stat(path.c_str(), &found) == 0 && S_ISFIFO(found.st_mode)) return 0;
  return write_whole_file(path, "");
}

}  // namespace nopal

#endif
