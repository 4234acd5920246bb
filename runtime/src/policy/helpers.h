// For each owner the list of who works on his work: what the paper on localized work stealing calls
// his list. For localized, hashing and mugging.
//
// Any worker adds a name to any list and takes it off again; all of it is hints, so every order is
// relaxed. A name that is lost costs a steal-back, and a name too many a failed one. Frames change
// hands through the deque alone. Checked by tests/unit/policy_localized_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <memory>

#include "policy.h"

namespace nopal::policy {

/// A list has a fixed number of places. A worker's name has one place in each list: its number
/// modulo the places. So a name stands once at most, and with fewer places than workers a later
/// name may replace an earlier one.
template <Environment Env>
class HelperLists {
 public:
  static constexpr std::uint32_t kMostPlaces = 1024;

  /// `memory_places` bounds the memory: lists are shortened until all have no more together.
  explicit HelperLists(std::uint32_t workers, std::uint64_t memory_places = 1u << 24)
      : places_(places_for(workers, memory_places)),
        words_((places_ + 63) / 64),
        present_(std::make_unique<Word64[]>(std::size_t{workers} * words_)),
        names_(places_ < workers ? std::make_unique<Word32[]>(std::size_t{workers} * places_)
                                 : nullptr) {}

  void add(WorkerId owner, WorkerId helper) noexcept {
    const std::uint32_t place = helper % places_;
    if (names_) names_[index(owner, place)].store_relaxed(helper);
    Word64 &word = present_[std::size_t{owner} * words_ + place / 64];
    if (!(word.load_relaxed() & bit(place))) word.fetch_or_relaxed(bit(place));
  }

  /// Does nothing if the name is not there.
  void remove(WorkerId owner, WorkerId helper) noexcept {
    const std::uint32_t place = helper % places_;
    if (names_ && names_[index(owner, place)].load_relaxed() != helper) return;
    Word64 &word = present_[std::size_t{owner} * words_ + place / 64];
    if (word.load_relaxed() & bit(place)) word.fetch_and_relaxed(~bit(place));
  }

  bool is_empty(WorkerId owner) const noexcept {
    for (std::uint32_t i = 0; i < words_; ++i)
      if (present_[std::size_t{owner} * words_ + i].load_relaxed() != 0) return false;
    return true;
  }

  /// One of the owner's helpers, uniformly, but never `self`; kNobody if there is no other.
  /// Cost: a word for each 64 places.
  template <class Random>
  WorkerId draw(WorkerId owner, WorkerId self, Random &random) const noexcept {
    const Word64 *const words = &present_[std::size_t{owner} * words_];
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < words_; ++i)
      count += static_cast<std::uint32_t>(std::popcount(without(words[i], i, owner, self)));
    if (count == 0) return kNobody;
    std::uint32_t skip = random.below(count);
    for (std::uint32_t i = 0; i < words_; ++i) {
      std::uint64_t left = without(words[i], i, owner, self);
      const auto here = static_cast<std::uint32_t>(std::popcount(left));
      if (skip >= here) {
        skip -= here;
        continue;
      }
      for (; skip > 0; --skip) left &= left - 1;
      const WorkerId name =
          name_at(owner, i * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
      return name == self ? kNobody : name;  // changed meanwhile
    }
    return kNobody;  // some have gone meanwhile
  }

 private:
  using Word64 = typename Env::template Word<std::uint64_t>;
  using Word32 = typename Env::template Word<std::uint32_t>;

  static std::uint32_t places_for(std::uint32_t workers, std::uint64_t memory_places) noexcept {
    std::uint32_t places = std::min(workers, kMostPlaces);
    while (places > 64 && std::uint64_t{places} * workers > memory_places) places /= 2;
    return places;
  }
  static constexpr std::uint64_t bit(std::uint32_t place) noexcept {
    return std::uint64_t{1} << place % 64;
  }
  std::size_t index(WorkerId owner, std::uint32_t place) const noexcept {
    return std::size_t{owner} * places_ + place;
  }
  WorkerId name_at(WorkerId owner, std::uint32_t place) const noexcept {
    return names_ ? names_[index(owner, place)].load_relaxed() : place;
  }
  std::uint64_t without(const Word64 &word, std::uint32_t number, WorkerId owner,
                        WorkerId self) const noexcept {
    const std::uint64_t bits = word.load_relaxed();
    const std::uint32_t place = self % places_;
    return place / 64 == number && name_at(owner, place) == self ? bits & ~bit(place) : bits;
  }

  std::uint32_t places_, words_;
  std::unique_ptr<Word64[]> present_;  // a bit a place
  std::unique_ptr<Word32[]> names_;    // null if each worker has a place of its own
};

}  // namespace nopal::policy
