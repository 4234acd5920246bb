// Counts the words in all files of a directory tree that every rank can read.
//
//   mpirun -n 2 wordcount DIRECTORY
//
// A bag holds paths; a step lists one directory or counts one file. The counts are a map, which
// travels at the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "finish.h"

namespace {

using Counts = std::map<std::string, long>;

void count_words(const std::string &path, Counts &counts) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string word;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      ++counts[word];
      word.clear();
    }
  }
  if (!word.empty()) ++counts[word];
}

class Paths {
 public:
  using result_type = Counts;

  static Paths of(std::string root) {
    Paths bag;
    bag.paths_.push_back(std::move(root));
    return bag;
  }
  bool empty() const { return paths_.empty(); }
  std::size_t process(std::size_t steps, Counts &counts) {
    std::size_t made = 0;
    for (; made < steps && !paths_.empty(); ++made) {
      const std::string path = std::move(paths_.back());
      paths_.pop_back();
      std::error_code error;  // what cannot be read counts nothing
      const auto status = std::filesystem::symlink_status(path, error);
      if (std::filesystem::is_directory(status)) {
        for (const auto &entry : std::filesystem::directory_iterator(path, error))
          paths_.push_back(entry.path().string());
      } else if (std::filesystem::is_regular_file(status)) {
        count_words(path, counts);
      }
    }
    return made;
  }
  Paths split() {
    Paths half;
    const auto middle = paths_.begin() + static_cast<std::ptrdiff_t>(paths_.size() / 2);
    half.paths_.assign(std::make_move_iterator(paths_.begin()), std::make_move_iterator(middle));
    paths_.erase(paths_.begin(), middle);
    return half;
  }
  void merge(Paths other) {
    paths_.insert(paths_.begin(), std::make_move_iterator(other.paths_.begin()),
                  std::make_move_iterator(other.paths_.end()));
  }
  static void reduce(Counts &left, Counts &right) {
    if (left.size() < right.size()) left.swap(right);
    for (const auto &[word, count] : right) left[word] += count;
  }
  void save(cilk::wire &out) const { put(out, paths_); }
  void load(cilk::wire &in) { get(in, paths_); }

 private:
  std::vector<std::string> paths_;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]), 2;
  cilk::cluster ranks(argc, argv);
  const double begin = MPI_Wtime();
  const Counts counts = ranks.run(ranks.rank() == 0 ? Paths::of(argv[1]) : Paths());
  const double seconds = MPI_Wtime() - begin;
  long words = 0;
  std::uint64_t hash = 0;
  for (const auto &[word, count] : counts) {
    words += count;
    for (const char c : word) hash = hash * 31 + static_cast<unsigned char>(c);
    hash = hash * 31 + static_cast<std::uint64_t>(count);
  }
  return finish(ranks,
                std::to_string(words) + " words, " + std::to_string(counts.size()) +
                    " of them different, hash " + std::to_string(hash),
                true, seconds);
}
