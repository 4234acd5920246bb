// The list of the programs of a user that take turns: a page of shared memory in which each says of
// itself what the others must know.
//
// A program writes its own entry alone. An entry whose program has ended, or has been stopped, says
// nothing new: it counts only if it was written a moment ago, so nobody waits for the dead. Used by
// turns.cpp. Checked by tests/unit/programs_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_PROGRAMS_H
#define NOPAL_IDLE_PROGRAMS_H

#include "../policy/turns.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>

namespace nopal {

class Programs {
 public:
  static constexpr std::size_t kMost = 64;
  // An entry that was not written for so long does not count, or may be taken.
  static constexpr std::uint64_t kSilentNs = 50'000'000, kForgottenNs = 10'000'000'000;

  /// Programs that find each other: of one user, with the same processors.
  static std::string default_name();

  Programs() noexcept = default;
  ~Programs();
  Programs(const Programs &) = delete;
  Programs &operator=(const Programs &) = delete;

  /// Opens the list of that name, and makes it if need be; once, then it keeps that list. Returns 0
  /// or the system's error.
  int open(const std::string &name) noexcept;
  /// Writes what the caller says of itself; one thread at a time. False: the list is full, and the
  /// others do not know of it. Cost: some stores; the first time, some compare-exchanges.
  bool say(policy::Program self, std::uint64_t now_ns) noexcept;
  /// Those of the others that have said something lately, in a buffer of this object. Cost: some
  /// loads.
  std::span<const policy::Program> others(std::uint64_t now_ns) noexcept;
  /// Takes the entry back. Any thread, also while others look; not while the caller says something.
  void leave() noexcept;

 private:
  struct Entry {
    std::atomic<std::int32_t> process{0};  // 0: free
    std::atomic<std::uint32_t> said{0};    // level, filled, wanted
    std::atomic<std::uint64_t> begun_ns{0};
    std::atomic<std::uint64_t> said_at_ns{0};
  };
  struct Page {
    std::array<Entry, kMost> entries;
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared by processes");

  Entry *take_entry(std::int32_t process, std::uint64_t now_ns) noexcept;

  Page *page_ = nullptr;
  Entry *own_ = nullptr;
  std::int32_t process_ = 0;
  std::array<policy::Program, kMost> others_;
};

}  // namespace nopal

#endif
