// The simulator's event queue: each of n parties has at most one event, and the earliest comes
// first.
//
// A wheel of wheels (Varghese and Lauck, SOSP 1987) with 256 slots each: an event lies at the level
// of the highest byte in which its time differs from now's, so it moves once a level at most, and
// insert and pop cost a few instructions whatever n is. Events of the same time come in an order
// that depends on the calls alone. Memory: 12 bytes a party, 30 KiB. Checked by
// tests/sim/wheel_test.cpp.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace nopal::sim {

using Time = std::uint64_t;  // virtual, in ns
using PartyId = std::uint32_t;
inline constexpr Time kNever = ~Time{0};

class TimingWheel {
 public:
  explicit TimingWheel(std::uint32_t parties) : next_(parties, kNone), time_(parties, 0) {
    for (Level &level : levels_) level.heads.fill(kNone);
  }

  Time now() const noexcept { return now_; }

  /// `party` has no event. time >= now().
  void insert(PartyId party, Time time) noexcept {
    assert(time >= now_);
    time_[party] = time;
    const std::uint32_t number = level_of(time ^ now_);
    link(levels_[number], digit(time, number), party);
  }

  /// Takes the earliest event out; now() is its time from then on. False if there is none.
  bool pop(PartyId &party) noexcept {
    while (true) {
      Level &lowest = levels_[0];
      if (const std::uint32_t slot = lowest.first_from(digit(now_, 0)); slot < kSlots) {
        party = lowest.heads[slot];
        lowest.heads[slot] = next_[party];
        if (next_[party] == kNone) lowest.clear(slot);
        now_ = (now_ & ~Time{kSlots - 1}) | slot;
        return true;
      }
      if (!descend()) return false;
    }
  }

  /// The party whose event comes after the one popped last, if that is known without work.
  PartyId peek() const noexcept {
    const std::uint32_t slot = levels_[0].first_from(digit(now_, 0));
    return slot < kSlots ? levels_[0].heads[slot] : kNone;
  }

  /// Goes on to `time` and returns true if no event is at it or before it. May return false
  /// although there is none.
  bool advance(Time time) noexcept {
    for (std::uint32_t number = 0; number < kLevels; ++number) {
      const std::uint32_t slot = levels_[number].first_from(digit(now_, number));
      if (slot == kSlots) continue;
      const Time first = base(number) | Time{slot} << 8 * number;
      if (first <= time) return false;
      break;
    }
    now_ = time;
    return true;
  }

  static constexpr PartyId kNone = ~PartyId{0};

 private:
  static constexpr std::uint32_t kSlots = 256, kLevels = 7;  // 2^56 ns are two years

  struct Level {
    std::array<PartyId, kSlots> heads;
    std::array<std::uint64_t, kSlots / 64> is_used{};

    void set(std::uint32_t slot) noexcept { is_used[slot / 64] |= std::uint64_t{1} << slot % 64; }
    void clear(std::uint32_t slot) noexcept {
      is_used[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    }
    /// The first used slot at or after `slot`, or kSlots.
    std::uint32_t first_from(std::uint32_t slot) const noexcept {
      std::uint32_t word = slot / 64;
      std::uint64_t bits = is_used[word] & ~std::uint64_t{0} << slot % 64;
      while (bits == 0) {
        if (++word == is_used.size()) return kSlots;
        bits = is_used[word];
      }
      return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    }
  };

  static std::uint32_t level_of(Time difference) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(difference | 1) - 1) / 8;
  }
  static std::uint32_t digit(Time time, std::uint32_t number) noexcept {
    return time >> 8 * number & (kSlots - 1);
  }
  /// The part of now_ above the digit of that level.
  Time base(std::uint32_t number) const noexcept { return now_ & ~Time{0} << 8 * (number + 1); }

  void link(Level &level, std::uint32_t slot, PartyId party) noexcept {
    next_[party] = level.heads[slot];
    level.heads[slot] = party;
    level.set(slot);
  }

  /// Goes on to the first slot that is used above level 0, and spreads it over the levels below.
  bool descend() noexcept {
    for (std::uint32_t number = 1; number < kLevels; ++number) {
      Level &level = levels_[number];
      const std::uint32_t slot = level.first_from(digit(now_, number));
      if (slot == kSlots) continue;
      now_ = base(number) | Time{slot} << 8 * number;
      PartyId party = level.heads[slot];
      level.heads[slot] = kNone;
      level.clear(slot);
      while (party != kNone) {
        const PartyId after = next_[party];
        const std::uint32_t lower = level_of(time_[party] ^ now_);
        link(levels_[lower], digit(time_[party], lower), party);
        party = after;
      }
      return true;
    }
    return false;
  }

  std::array<Level, kLevels> levels_;
  std::vector<PartyId> next_;
  std::vector<Time> time_;
  Time now_ = 0;
};

}  // namespace nopal::sim
