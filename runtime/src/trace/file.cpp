// See file.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace nopal::trace {

namespace {

/// Locks the file until it is closed. 0, also where there are no locks, or EWOULDBLOCK.
int claim(int file) noexcept {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(file, F_SETLK, &lock) == 0 || (errno != EACCES && errno != EAGAIN)) return 0;
  return EWOULDBLOCK;
}

}  // namespace

int File::open(const char *path, const char *other) noexcept {
  file_ = ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) return errno;
  struct stat own, others;
  if (fstat(file_, &own) != 0) return errno;
  device_ = own.st_dev;
  inode_ = own.st_ino;
  if (!S_ISREG(own.st_mode)) return 0;
  int error = claim(file_);
  if (error == 0 && stat(other, &others) == 0 && own.st_dev == others.st_dev &&
      own.st_ino == others.st_ino)
    error = EEXIST;
  if (error == 0 && ftruncate(file_, 0) != 0) error = errno;
  if (error != 0) close();
  return error;
}

void File::append(std::string_view entry) {
  if (file_ < 0) return;
  if (buffer_.size() + entry.size() > kBufferBytes && error_ == 0) error_ = write_buffer();
  if (file_ >= 0) buffer_ += entry;
}

int File::flush() noexcept {
  if (file_ >= 0 && error_ == 0) error_ = write_buffer();
  return std::exchange(error_, 0);
}

/// False if the program has closed the descriptor, which may be a file of its own now.
bool File::is_ours() const noexcept {
  struct stat now;
  return fstat(file_, &now) == 0 && now.st_dev == device_ && now.st_ino == inode_;
}

int File::write_buffer() noexcept {
  if (!is_ours()) {
    file_ = -1;
    buffer_.clear();
    return EBADF;
  }
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      const int error = errno;
      // A device has no length: what it took it took.
      static_cast<void>(::ftruncate(file_, static_cast<off_t>(whole_bytes_)));
      close();
      return error;
    }
  }
  whole_bytes_ += done;
  buffer_.clear();
  return 0;
}

void File::close() noexcept {
  if (file_ >= 0 && is_ours()) ::close(file_);
  file_ = -1;
  buffer_.clear();
}

}  // namespace nopal::trace
