// WordTable: how often each word occurs. A hash table that is cheap to fill and, above all, cheap
// to merge into another: on the way up a tree of directories each word is moved several times. Not
// shared: each strand fills its own (see tally.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

class WordTable {
 public:
  struct Entry {
    std::string_view word;  // lives as long as the table
    std::uint64_t hash;
    std::uint64_t count;
  };

  // Adds `count` occurrences of `word`, which is copied if it is new.
  void add(std::string_view word, std::uint64_t count = 1);

  // Adds all words of `other`, which is used up. The smaller table goes into the larger one, so
  // that on its way to the root of a tree with n different words an entry is moved at most log2(n)
  // times.
  void merge(WordTable &&other);

  std::size_t size() const { return entries_.size(); }
  // All words in no particular order.
  const std::vector<Entry> &entries() const { return entries_; }

 private:
  // Where an entry is, with as much of its hash as there is room for, to pass by others without
  // looking at them.
  struct Slot {
    std::uint32_t tag;
    std::uint32_t number;  // the entry's index, plus 1; 0 is a free slot
  };

  void add(std::string_view word, std::uint64_t hash, std::uint64_t count);
  void grow(std::size_t slots);
  std::size_t first_slot(std::uint64_t hash) const { return hash & (slots_.size() - 1); }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::string_view keep(std::string_view word);

  std::vector<Slot> slots_;  // open addressing with linear probing; the size is a power of two, at
                             // least twice that of entries_
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<char[]>> blocks_;  // the text of the words
  std::size_t block_size_ = 0,
              used_ = 0;  // of the last block; nothing if there is none (a moved-from table)
};
