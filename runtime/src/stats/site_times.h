// Times by spawn site, in a table of the process: how long stolen continuations ran, and how long
// one worker ran alone.
//
// Written by workers (worker/activity.h), read by stats/snapshot.cpp. Entries are never removed, so
// a site of a module that was closed stays, and its address may mean another site then; modules
// with functions that spawn stay loaded (runtime/README.md). Checked by tests/unit/busy_test.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [key] compare-exchange from null: an entry belongs to one site for ever. Relaxed: the times
//       publish nothing.
//   [sum] relaxed: sums of many writers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_STATS_SITE_TIMES_H
#define NOPAL_STATS_SITE_TIMES_H

#include "../../abi/nopal_abi.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nopal::stats {

/// What a time of a site is.
enum class SiteTime : std::uint8_t {
  kStolen,             // its stolen continuations ran
  kWork,               // processor time after a sampled spawn there, until the next
  kAloneChild,         // one worker alone worked, until a child that it had spawned ended
  kAloneContinuation,  // the same, until a continuation of it came to its sync
  kAloneBefore,        // the same, until its continuation was stolen
  kAloneLongest,       // the longest of its strands: children and continuations
};
inline constexpr std::size_t kSiteTimes = 6;

class SiteTimes {
 public:
  static constexpr std::size_t kCapacity = 4096;

  /// Adds to a time of `site`; null: of no site. Any thread. Cost: some loads and an addition.
  void add(const nopal_site *site, SiteTime time, std::uint64_t ns) noexcept {
    if (Entry *entry = find(site, true))
      entry->ns[index(time)].fetch_add(ns, std::memory_order_relaxed);  // [sum]
  }
  /// One worker alone has worked for `ns`, until a strand of `site` of the given kind ended.
  void add_alone_strand(const nopal_site *site, SiteTime kind, std::uint64_t ns) noexcept {
    Entry *entry = find(site, true);
    if (entry == nullptr) return;
    entry->ns[index(kind)].fetch_add(ns, std::memory_order_relaxed);  // [sum]
    std::atomic<std::uint64_t> &longest = entry->ns[index(SiteTime::kAloneLongest)];
    std::uint64_t before = longest.load(std::memory_order_relaxed);  // [sum]
    // [sum]
    while (before < ns && !longest.compare_exchange_weak(before, ns, std::memory_order_relaxed)) {
    }
  }
  /// Any thread.
  std::uint64_t read(const nopal_site *site, SiteTime time) const noexcept {
    const Entry *entry = const_cast<SiteTimes *>(this)->find(site, false);
    return entry == nullptr ? 0 : entry->ns[index(time)].load(std::memory_order_relaxed);  // [sum]
  }

  /// The sum of the three kinds of time that one worker was alone. Any thread.
  std::uint64_t alone_ns(const nopal_site *site) const noexcept {
    return read(site, SiteTime::kAloneChild) + read(site, SiteTime::kAloneContinuation) +
           read(site, SiteTime::kAloneBefore);
  }

 private:
  struct Entry {
    std::atomic<const nopal_site *> key{nullptr};
    std::array<std::atomic<std::uint64_t>, kSiteTimes> ns{};
  };
  static constexpr std::size_t kMostLooks = 32;  // then the time is lost

  static std::size_t index(SiteTime time) noexcept { return static_cast<std::size_t>(time); }
  static std::size_t place_of(const nopal_site *site) noexcept {
    return (reinterpret_cast<std::uintptr_t>(site) * 0x9e3779b97f4a7c15u) >> 52;
  }

  Entry *find(const nopal_site *site, bool makes) noexcept {
    if (site == nullptr) return &of_no_site_;
    for (std::size_t look = 0, place = place_of(site); look < kMostLooks; ++look, ++place) {
      Entry &entry = entries_[place % kCapacity];
      const nopal_site *key = entry.key.load(std::memory_order_relaxed);  // [key]
      if (key == nullptr) {
        if (!makes) return nullptr;
        // [key]
        if (entry.key.compare_exchange_strong(key, site, std::memory_order_relaxed)) return &entry;
      }
      if (key == site) return &entry;
    }
    return nullptr;
  }

  std::array<Entry, kCapacity> entries_{};
  Entry of_no_site_;
};

/// The process's.
inline constinit SiteTimes the_site_times;
inline SiteTimes &site_times() noexcept { return the_site_times; }

}  // namespace nopal::stats

#endif
