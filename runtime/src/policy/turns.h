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

/// Whether `one` goes before `other`: it has used less; or it fills more of what it is given; or it
/// came earlier. A strict order of all programs.
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

/// How much a program uses of what it is given: a mean over the last 64 to 128 ms in which it was
/// given something. All, until there are 24 ms.
class Filled {
 public:
  static constexpr std::uint8_t kAll = 64;

  explicit Filled(std::uint32_t processors) noexcept : processors_(processors) {}

  /// For a while it worked for `working_ns`, summed over workers, of `given_ns`, summed over
  /// processors.
  void add(std::uint64_t working_ns, std::uint64_t given_ns) noexcept {
    working_ns_ += working_ns;
    given_ns_ += given_ns;
    if (given_ns_ >= kShortestNs * processors_) say(kAll * working_ns_ / given_ns_);
    if (given_ns_ < kLongestNs * processors_) return;
    working_ns_ /= 2;
    given_ns_ /= 2;
  }
  /// In 64ths. Changes by an eighth or more, so that programs which are alike keep their order.
  std::uint8_t said() const noexcept { return said_; }

 private:
  static constexpr std::uint64_t kShortestNs = 24'000'000, kLongestNs = 128'000'000;

  void say(std::uint64_t now) noexcept {
    const std::uint64_t difference = now > said_ ? now - said_ : said_ - now;
    if (difference >= kAll / 8)
      said_ = static_cast<std::uint8_t>(std::min<std::uint64_t>(now, kAll));
  }

  std::uint64_t processors_;
  std::uint64_t working_ns_ = 0, given_ns_ = 0;
  std::uint8_t said_ = kAll;
};

}  // namespace nopal::policy
