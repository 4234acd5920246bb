// The views of one strand: from the hyperobject's address to its view. Open addressing, linear
// probing, no tombstones.
//
// Owned by one strand at a time, or by a run (runs.h). Used by CurrentViews. Checked by
// tests/unit/hyper_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_HYPER_VIEW_MAP_H
#define NOPAL_HYPER_VIEW_MAP_H

#include <cstddef>
#include <cstdint>

namespace nopal::hyper {

struct ViewEntry {
  void *hyperobject = nullptr;
  void *view = nullptr;  // the hyperobject itself: it was made in this strand

  bool is_home() const noexcept { return view == hyperobject; }
};

class ViewMap {
 public:
  ViewMap() noexcept = default;
  ~ViewMap();
  ViewMap(const ViewMap &) = delete;
  ViewMap &operator=(const ViewMap &) = delete;

  std::size_t size() const noexcept { return size_; }
  /// The entry, until the map changes; or null.
  ViewEntry *find(const void *hyperobject) noexcept;
  /// The hyperobject has no entry yet. Ends the process without memory.
  void insert(ViewEntry entry) noexcept;
  /// Takes the entry out, if there is one; else the result's hyperobject is null.
  ViewEntry take(const void *hyperobject) noexcept;
  /// Takes any entry out. `cursor` is 0 at first. As long as the map gets no new entries, calls
  /// until it is empty cost O(capacity) in all; others may take entries meanwhile. Not empty.
  ViewEntry take_next(std::size_t &cursor) noexcept;

 private:
  std::size_t home_of(const void *hyperobject) const noexcept;
  void grow() noexcept;
  void put(ViewEntry entry) noexcept;
  void close_gap(std::size_t gap) noexcept;

  ViewEntry *table_ = nullptr;
  std::size_t capacity_ = 0;  // a power of two, or 0
  std::size_t size_ = 0;      // at most half of it
};

/// Spreads addresses over `bits` bits.
constexpr std::size_t hash_address(const void *address, unsigned bits) noexcept {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio
  return static_cast<std::size_t>((__builtin_bit_cast(std::uint64_t, address) * kGolden) >>
                                  (64 - bits));
}

}  // namespace nopal::hyper

#endif
