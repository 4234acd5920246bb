// Which of several programs goes first, and how many processors that leaves to the others
// (CILK_ADAPT=turns).
//
// A-STEAL says how many workers a program can use (a_steal.h); this is the job scheduler, which
// gives them. Rule, reasons and figures: README.md, "Turns". Used by idle/turns.cpp. Checked by
// tests/unit/policy_turns_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace nopal::policy {

/// What a program says of itself to the others.
struct Program {
  std::uint8_t level = 0;      // level_of() the processor time that it has used
  std::uint8_t filled = 0;     // Filled::said()
  std::uint16_t wanted = 0;    // workers that work or look for work, and do not stand still
  std::uint64_t begun_ns = 0;  // when it came; the clock is the same for all
  std::int32_t process = 0;

  bool operator==(const Program &) const noexcept = default;
};

/// 0 below a second of processor time; then one more for each factor of ten.
inline std::uint8_t level_of(std::uint64_t processor_ns) noexcept {
  std::uint8_t level = 0;
  for (std::uint64_t ns = processor_ns; ns >= 1'000'000'000; ns /= 10) ++level;
  return level;
}

/// Whether `one` goes before `other`: it has used less; or it fills more of the machine; or it came
/// earlier. A strict order of all programs.
inline bool goes_before(const Program &one, const Program &other) noexcept {
  const auto key = [](const Program &program) {
    return std::tuple(program.level, -program.filled, program.begun_ns, program.process);
  };
  return key(one) < key(other);
}

/// The allotment of the program that goes first.
inline constexpr std::uint32_t kUnlimited = ~std::uint32_t{0};

/// How many of `processors` those of `others` that go before `self` leave to it.
template <class Programs>
std::uint32_t allotment(const Program &self, const Programs &others,
                        std::uint32_t processors) noexcept {
  std::uint32_t taken = 0;
  for (const Program &other : others)
    if (goes_before(other, self)) taken += other.wanted;
  return taken == 0 ? kUnlimited : processors - std::min(processors, taken);
}

/// How much a program uses of the machine: a mean over the last 64 to 128 ms that count. Only times
/// in which it had the whole machine count, since each program fills what others leave. Unknown,
/// which is said as all: before 24 ms of these, and after a second without any. What happens if one
/// of these times is four times off: benchmarks/policies/adapt/README.md.
class Filled {
 public:
  static constexpr std::uint8_t kAll = 64;

  explicit Filled(std::uint32_t processors) noexcept : processors_(processors) {}

  /// For `elapsed_ns` it had all processors, and worked for `working_ns`, summed over workers.
  void add(std::uint64_t working_ns, std::uint64_t elapsed_ns) noexcept {
    held_up_ns_ = 0;
    working_ns_ += std::min(working_ns, elapsed_ns * processors_);
    elapsed_ns_ += elapsed_ns;
    if (elapsed_ns_ >= kShortestNs) say(kAll * working_ns_ / (elapsed_ns_ * processors_));
    if (elapsed_ns_ < kLongestNs) return;
    working_ns_ /= 2;
    elapsed_ns_ /= 2;
  }
  /// For `elapsed_ns` others went before it.
  void hold_up(std::uint64_t elapsed_ns) noexcept {
    held_up_ns_ += elapsed_ns;
    if (held_up_ns_ >= kRememberedNs) *this = Filled(processors_);
  }
  /// In 64ths, whole quarters: programs that are alike are equal, and keep their order.
  std::uint8_t said() const noexcept { return said_; }

 private:
  static constexpr std::uint64_t kShortestNs = 24'000'000, kLongestNs = 128'000'000;
  static constexpr std::uint64_t kRememberedNs = 1'000'000'000;

  void say(std::uint64_t now) noexcept {
    constexpr std::uint64_t kQuarter = kAll / 4;
    const std::uint64_t difference = now > said_ ? now - said_ : said_ - now;
    if (difference < kQuarter * 3 / 4) return;  // between two quarters it stays as it is
    said_ = static_cast<std::uint8_t>((now + kQuarter / 2) / kQuarter * kQuarter);
  }

  std::uint32_t processors_;
  std::uint64_t working_ns_ = 0, elapsed_ns_ = 0, held_up_ns_ = 0;
  std::uint8_t said_ = kAll;
};

}  // namespace nopal::policy
