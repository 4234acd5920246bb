// The views of the strand that a worker runs: look-up, creation, merge.
//
// One in each Worker. Owner only. States: README.md, "Strands and their views". Checked by
// tests/unit/hyper_test.cpp, tests/stress/hyper_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_HYPER_CURRENT_H
#define NOPAL_HYPER_CURRENT_H

#include "../../abi/nopal_abi.h"
#include "../stats/counters.h"
#include "view.h"
#include "view_map.h"

#include <cilk/views.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace nopal::hyper {

/// What nopal_tls_strand points to in a thread that holds no worker: each hyperobject is its own
/// view.
extern nopal_strand no_strand;

struct Void;

/// A strand's views while no worker runs it. Whoever has it has the map.
struct Views {
  bool is_leftmost = false;
  ViewMap *map = nullptr;      // null if leftmost, or if there are none
  Void *void_since = nullptr;  // the views do not count: README.md, "Exceptions"

  static constexpr Views leftmost() noexcept { return {.is_leftmost = true}; }
  static constexpr Views none() noexcept { return {}; }
  bool are_none() const noexcept { return !is_leftmost && map == nullptr; }
};

/// Where what a strand does has ceased to count, and its views before that.
struct Void {
  const nopal_frame *frame;
  Views before;
};

/// What a program's look-up reads (cilk/views.h) is the base.
class CurrentViews : public nopal_strand {
 public:
  explicit CurrentViews(stats::WorkerCounters &counters) noexcept
      : nopal_strand{table()}, counters_(counters) {}
  CurrentViews(const CurrentViews &) = delete;
  CurrentViews &operator=(const CurrentViews &) = delete;

  /// The worker takes up a strand. It runs none.
  void enter(Views views) noexcept;
  /// Puts the strand aside. Ends the process within a callback.
  Views leave() noexcept;
  /// Whether the strand could be put aside and forgotten.
  bool are_none() const noexcept { return !is_leftmost_ && map_ == nullptr; }

  /// The strand's view, created if there is none. Passes on what the callback throws.
  void *view(void *hyperobject, const Origin &origin);
  /// Where the strand's view is, if it was looked up lately: an entry of this hyperobject, or of
  /// another one, or none. For the entry points.
  const ViewEntry &recent(const void *hyperobject) const noexcept {
    return recent_[slot_of(hyperobject)];
  }
  /// The hyperobject was made in this strand.
  void begin(void *hyperobject) noexcept;
  /// It dies in this strand.
  void end(void *hyperobject) noexcept;

  /// What the strand does from now on does not count, until end_void(): an exception of `frame`
  /// waits for a sync of an outer region. Nothing, if that is so already.
  void begin_void(const nopal_frame *frame) noexcept;
  /// Discards the views since begin_void() of this frame, if there was one, and takes up those
  /// before it. Calls user code.
  void end_void(const nopal_frame *frame) noexcept;

  /// Reduces `right` into `left`, on a worker that runs no strand. Calls user code.
  Views merge(Views left, Views right) noexcept;
  /// `views` go, without being reduced. As merge.
  void discard(Views views) noexcept;

 private:
  static_assert(sizeof(ViewEntry) == sizeof(nopal_recent_view) &&
                offsetof(ViewEntry, hyperobject) == offsetof(nopal_recent_view, hyperobject) &&
                offsetof(ViewEntry, view) == offsetof(nopal_recent_view, view));

  static std::size_t slot_of(const void *hyperobject) noexcept {
    const auto address = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, hyperobject));
    return (address * NOPAL_RECENT_VIEW_FACTOR) >> (32 - NOPAL_RECENT_VIEW_BITS);
  }
  void work_begins(Views left, ViewMap *right) noexcept;
  Views work_ends() noexcept;
  void merge_entry(ViewEntry right) noexcept;
  void remember(ViewEntry entry) noexcept;
  void forget(const void *hyperobject) noexcept;
  void forget_all() noexcept;
  void discard_entry(ViewEntry entry) noexcept;
  void set_stolen() noexcept { stolen = is_leftmost_ && right_ == nullptr ? nullptr : table(); }
  const nopal_is_stolen *table() const noexcept {
    return reinterpret_cast<const nopal_is_stolen *>(recent_.data());
  }

  ViewMap *map_ = nullptr;
  ViewMap *right_ = nullptr;  // during a merge: the right side
  Void *void_since_ = nullptr;
  bool is_leftmost_ = false;
  std::uint32_t callbacks_ = 0;                         // that run now
  std::uint64_t used_ = 0;                              // the slots of `recent_` that are not empty
  std::array<ViewEntry, NOPAL_RECENT_VIEWS> recent_{};  // compiled code reads it, too
  stats::WorkerCounters &counters_;
};

}  // namespace nopal::hyper

#endif
