// Reading files and counting: see tally.h.
#include "tally.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace {

// The classes that wc (GNU coreutils 9.1) makes of bytes in the C locale: a word is a longest run
// of bytes without white space, if at least one of them is printable.
enum class ByteClass : unsigned char { kPrintable, kSpace, kOther };

constexpr std::array<ByteClass, 256> kByteClasses = [] {
  std::array<ByteClass, 256> classes{};
  for (std::size_t byte = 0; byte < classes.size(); ++byte) {
    classes[byte] = byte >= '!' && byte <= '~' ? ByteClass::kPrintable : ByteClass::kOther;
  }
  for (unsigned char space : {' ', '\t', '\n', '\v', '\f', '\r'})
    classes[space] = ByteClass::kSpace;
  return classes;
}();

// Cuts a sequence of blocks into words. A word that a block's end cuts in two is kept until the
// next block.
class WordScanner {
 public:
  explicit WordScanner(Tally &tally) : tally_(tally) {}

  void scan(std::string_view block) {
    std::size_t word_begin = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      switch (kByteClasses[static_cast<unsigned char>(block[i])]) {
        case ByteClass::kPrintable:
          is_word_ = true;
          break;
        case ByteClass::kOther:
          break;
        case ByteClass::kSpace:
          tally_.lines += block[i] == '\n';
          if (is_word_ || !begun_.empty()) end_word(block.substr(word_begin, i - word_begin));
          word_begin = i + 1;
          break;
      }
    }
    begun_ += block.substr(word_begin);
  }

  void finish() { end_word({}); }

 private:
  void end_word(std::string_view rest) {
    if (is_word_) {
      ++tally_.words;
      if (begun_.empty()) {
        tally_.word_counts.add(rest);
      } else {
        tally_.word_counts.add(begun_ += rest);
      }
    }
    begun_.clear();
    is_word_ = false;
  }

  Tally &tally_;
  std::string begun_;     // the part of the current word that lay in earlier blocks
  bool is_word_ = false;  // has the current run a printable byte?
};

// Closes a descriptor at the end of a scope.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileDescriptor(const FileDescriptor &) = delete;
  FileDescriptor &operator=(const FileDescriptor &) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

void Tally::merge(Tally &&other) {
  directories += other.directories;
  files += other.files;
  lines += other.lines;
  words += other.words;
  bytes += other.bytes;
  word_counts.merge(std::move(other.word_counts));
  for (Problem &problem : other.problems) problems.push_back(std::move(problem));
  other = Tally{};
}

void Tally::count_file(const std::string &path) {
  ++files;
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file.get() < 0) {
    problems.push_back({path, std::strerror(errno)});
    return;
  }
  WordScanner scanner(*this);
  std::array<char, 64 * 1024> buffer;
  for (;;) {
    ssize_t size = read(file.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) problems.push_back({path, std::strerror(errno)});
    if (size <= 0) break;
    bytes += static_cast<std::uint64_t>(size);
    scanner.scan({buffer.data(), static_cast<std::size_t>(size)});
  }
  scanner.finish();
}
