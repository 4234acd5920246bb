// See report.h.
#include "report.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace {

std::vector<WordTable::Entry> most_frequent(const WordTable &table, std::size_t top) {
  std::vector<WordTable::Entry> words(std::min(top, table.size()));
  std::partial_sort_copy(table.entries().begin(), table.entries().end(), words.begin(), words.end(),
                         [](const WordTable::Entry &a, const WordTable::Entry &b) {
                           return a.count != b.count ? a.count > b.count : a.word < b.word;
                         });
  return words;
}

std::vector<const Problem *> sorted_by_path(const std::vector<Problem> &problems) {
  std::vector<const Problem *> sorted;
  for (const Problem &problem : problems) sorted.push_back(&problem);
  std::sort(sorted.begin(), sorted.end(),
            [](const Problem *a, const Problem *b) { return a->path < b->path; });
  return sorted;
}

// 1234567 as 1,234,567.
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

// A word as it may be shown on a terminal: bytes that are not printable ASCII as \xNN.
std::string printable(std::string_view word) {
  std::string text;
  for (unsigned char byte : word) {
    char escape[5];
    if (byte >= ' ' && byte <= '~') {
      text += static_cast<char>(byte);
    } else {
      std::snprintf(escape, sizeof escape, "\\x%02x", byte);
      text += escape;
    }
  }
  return text;
}

std::string quoted(std::string_view string) {
  std::string text = "\"";
  for (unsigned char byte : string) {
    char escape[7];
    if (byte == '"' || byte == '\\') {
      text += '\\';
      text += static_cast<char>(byte);
    } else if (byte >= ' ' && byte <= '~') {
      text += static_cast<char>(byte);
    } else {
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      text += escape;
    }
  }
  return text += '"';
}

}  // namespace

void print_report(const std::string &path, const Tally &tally, std::size_t top) {
  std::printf("%s\n", path.c_str());
  const std::pair<const char *, std::uint64_t> rows[] = {
      {"directories", tally.directories},
      {"files", tally.files},
      {"lines", tally.lines},
      {"words", tally.words},
      {"bytes", tally.bytes},
      {"different words", tally.word_counts.size()},
      {"not readable", tally.problems.size()},
  };
  for (const auto &[name, value] : rows) std::printf("  %-16s%16s\n", name, grouped(value).c_str());

  const std::vector<WordTable::Entry> words = most_frequent(tally.word_counts, top);
  if (!words.empty()) std::printf("\nmost frequent words\n");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::printf("  %3zu.%14s  %s\n", i + 1, grouped(words[i].count).c_str(),
                printable(words[i].word).c_str());
  }

  if (!tally.problems.empty()) std::printf("\nnot readable\n");
  for (const Problem *problem : sorted_by_path(tally.problems)) {
    std::printf("  %s: %s\n", printable(problem->path).c_str(), problem->reason.c_str());
  }
}

void print_json(const std::string &path, const Tally &tally, std::size_t top) {
  std::printf(
      "{\"path\": %s, \"directories\": %ju, \"files\": %ju, \"lines\": %ju, \"words\": %ju, "
      "\"bytes\": %ju,\n",
      quoted(path).c_str(), std::uintmax_t{tally.directories}, std::uintmax_t{tally.files},
      std::uintmax_t{tally.lines}, std::uintmax_t{tally.words}, std::uintmax_t{tally.bytes});
  std::printf(" \"different_words\": %zu,\n \"top_words\": [", tally.word_counts.size());
  const char *separator = "";
  for (const WordTable::Entry &entry : most_frequent(tally.word_counts, top)) {
    std::printf("%s\n  [%s, %ju]", separator, quoted(entry.word).c_str(),
                std::uintmax_t{entry.count});
    separator = ",";
  }
  std::printf("],\n \"not_readable\": [");
  separator = "";
  for (const Problem *problem : sorted_by_path(tally.problems)) {
    std::printf("%s\n  [%s, %s]", separator, quoted(problem->path).c_str(),
                quoted(problem->reason).c_str());
    separator = ",";
  }
  std::printf("]}\n");
}
