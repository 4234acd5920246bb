// Words that one thread changes together and others read together, without a lock.
//
// Used by path.h. Checked by tests/model (ArmVersioned, ArmOrders), with two words, and by
// tests/unit/path_test.cpp.
//
// Edges
//   [version] the owner's store of an odd number, fence, stores, store-release of the next even one
//       || a reader's load-acquire, loads, fence, load: if both are the same even number, what was
//       read is what one set() has written.
//   [words] relaxed: as the version says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_VERSIONED_H
#define NOPAL_FRAME_VERSIONED_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace nopal {

template <class Atoms, std::size_t kWords>
class VersionedWords {
 public:
  using Values = std::array<std::int64_t, kWords>;

  constexpr explicit VersionedWords(const Values &values) noexcept
      : VersionedWords(values, std::make_index_sequence<kWords>{}) {}

  /// The owner. Cost: a store for each word, two for the version.
  void set(const Values &values) noexcept {
    const std::uint32_t version = version_.load_relaxed();                        // [version]
    version_.store_relaxed(version + 1);                                          // [version]
    Atoms::release_fence();                                                       // [version]
    for (std::size_t i = 0; i < kWords; ++i) words_[i].store_relaxed(values[i]);  // [words]
    version_.store_release(version + 2);                                          // [version]
  }
  /// What one set() has written, or the first values; false if the owner writes. Any thread. Cost:
  /// a load for each word, two of the version.
  bool get(Values &values) const noexcept {
    const std::uint32_t version = version_.load_acquire();                          // [version]
    for (std::size_t i = 0; i < kWords; ++i) values[i] = words_[i].load_relaxed();  // [words]
    Atoms::acquire_fence();                                                         // [version]
    return version % 2 == 0 && version_.load_relaxed() == version;                  // [version]
  }
  /// One word; a hint. Any thread.
  std::int64_t hint(std::size_t index) const noexcept {
    return words_[index].load_relaxed();  // [words]
  }

 private:
  template <std::size_t... kIndex>
  constexpr VersionedWords(const Values &values, std::index_sequence<kIndex...>) noexcept
      : words_{{Word(values[kIndex])...}} {}

  using Word = typename Atoms::template WordOf<std::int64_t>;
  typename Atoms::template WordOf<std::uint32_t> version_{0};  // odd while the owner writes
  std::array<Word, kWords> words_;
};

}  // namespace nopal

#endif
