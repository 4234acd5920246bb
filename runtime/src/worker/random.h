// A generator of random numbers for one owner: xorshift64* (Vigna, "An experimental exploration of
// Marsaglia's xorshift generators"). Not for secrets. Each worker has one for victims and one for
// chaos.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_RANDOM_H
#define NOPAL_WORKER_RANDOM_H

#include <cstdint>

namespace nopal {

class Random {
 public:
  /// Any seed will do; different seeds give unrelated sequences.
  explicit Random(std::uint64_t seed) noexcept : state_(mix(seed)) {
    if (state_ == 0) state_ = 1;
  }

  std::uint64_t next() noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545f4914f6cdd1du;
  }

  /// Uniform in [0, bound), bound > 0; off by less than bound / 2^32.
  std::uint32_t below(std::uint32_t bound) noexcept {
    return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{bound}) >> 32);
  }

  /// True with the given probability.
  bool chance(double probability) noexcept {
    return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
  }

 private:
  // The finalizer of splitmix64: neighbouring seeds (worker numbers) come far apart.
  static std::uint64_t mix(std::uint64_t z) noexcept {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace nopal

#endif
