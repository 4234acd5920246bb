// The control words of the floating point units: rounding, precision, exception masks, flush to
// zero.
//
// A stolen continuation runs with those of its victim (worker/README.md). The sticky exception
// flags are not carried.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_FLOATING_POINT_H
#define NOPAL_PLATFORM_FLOATING_POINT_H

#include <cstdint>

namespace nopal {

#if defined(__x86_64__)

/// MXCSR without its flags in the low half, the x87 control word above. Cost: some cycles.
inline std::uint64_t floating_point_control() noexcept {
  constexpr std::uint32_t kFlags = 0x3f;
  std::uint32_t mxcsr;
  std::uint16_t x87;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(x87));
  return (mxcsr & ~kFlags) | (std::uint64_t{x87} << 32);
}

/// Sets `control` in the calling thread; clears the sticky flags of MXCSR. Cost: some tens of
/// cycles.
inline void set_floating_point_control(std::uint64_t control) noexcept {
  const auto mxcsr = static_cast<std::uint32_t>(control);
  const auto x87 = static_cast<std::uint16_t>(control >> 32);
  asm volatile("ldmxcsr %0" : : "m"(mxcsr));
  asm volatile("fldcw %0" : : "m"(x87));
}

#else
#error "nopal: the floating point environment is written for x86-64"
#endif

}  // namespace nopal

#endif
