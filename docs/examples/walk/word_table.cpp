// See word_table.h.
#include "word_table.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace {

constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kFirstBlock = 1024, kLargestBlock = 1024 * 1024;

}  // namespace

void WordTable::add(std::string_view word, std::uint64_t count) {
  add(word, std::hash<std::string_view>{}(word), count);
}

void WordTable::add(std::string_view word, std::uint64_t hash, std::uint64_t count) {
  if (2 * entries_.size() >= slots_.size()) grow(std::max(kFirstSlots, 2 * slots_.size()));
  std::size_t i = first_slot(hash);
  for (; slots_[i].number != 0; i = (i + 1) & (slots_.size() - 1)) {
    if (slots_[i].tag != tag_of(hash)) continue;
    Entry &entry = entries_[slots_[i].number - 1];
    if (entry.hash == hash && entry.word == word) {
      entry.count += count;
      return;
    }
  }
  if (entries_.size() >= std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("more than 2^32 different words");
  entries_.push_back({keep(word), hash, count});
  slots_[i] = {tag_of(hash), static_cast<std::uint32_t>(entries_.size())};
}

void WordTable::merge(WordTable &&other) {
  if (entries_.size() < other.entries_.size()) std::swap(*this, other);
  for (const Entry &entry : other.entries_) add(entry.word, entry.hash, entry.count);
  other = WordTable();
}

void WordTable::grow(std::size_t slots) {
  slots_.assign(slots, {0, 0});
  for (std::size_t number = 1; number <= entries_.size(); ++number) {
    const std::uint64_t hash = entries_[number - 1].hash;
    std::size_t i = first_slot(hash);
    while (slots_[i].number != 0) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = {tag_of(hash), static_cast<std::uint32_t>(number)};
  }
}

std::string_view WordTable::keep(std::string_view word) {
  if (blocks_.empty() || word.size() > block_size_ - used_) {
    block_size_ = std::max(std::clamp(2 * block_size_, kFirstBlock, kLargestBlock), word.size());
    used_ = 0;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_size_));
  }
  char *kept = blocks_.back().get() + used_;
  std::memcpy(kept, word.data(), word.size());
  used_ += word.size();
  return {kept, word.size()};
}
