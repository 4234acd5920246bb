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

/// While it lives, the operations of the calling thread do not trap, and round to nearest; after it
/// all is as before, flags included. For the runtime's own arithmetic. (The x87 unit is not used.)
/// Cost: some tens of cycles.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() noexcept {
    constexpr std::uint32_t kDefault = 0x1f80;
    asm volatile("stmxcsr %0" : "=m"(before_));
    asm volatile("ldmxcsr %0" : : "m"(kDefault) : "memory");
  }
  ~DefaultFloatingPoint() { asm volatile("ldmxcsr %0" : : "m"(before_) : "memory"); }
  DefaultFloatingPoint(const DefaultFloatingPoint &) = delete;
  DefaultFloatingPoint &operator=(const DefaultFloatingPoint &) = delete;

 private:
  std::uint32_t before_;
};

/// What a switch of stacks (Boost.Context) leaves to us: nothing.
struct SwitchedFloatingPoint {
  void save() noexcept {}
  void restore() const noexcept {}
};

#elif defined(__aarch64__)

/// FPCR, which has no flags. Cost: some cycles.
inline std::uint64_t floating_point_control() noexcept {
  std::uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}

/// Sets `control` in the calling thread. Cost: some cycles; some tens if it is another.
inline void set_floating_point_control(std::uint64_t control) noexcept {
  if (control != floating_point_control()) asm volatile("msr fpcr, %0" : : "r"(control));
}

/// While it lives, the operations of the calling thread do not trap, and round to nearest; after it
/// all is as before, flags included. For the runtime's own arithmetic. Cost: some tens of cycles.
class DefaultFloatingPoint {
 public:
  DefaultFloatingPoint() noexcept : control_(floating_point_control()) {
    asm volatile("mrs %0, fpsr" : "=r"(flags_));
    set_floating_point_control(0);
  }
  ~DefaultFloatingPoint() {
    asm volatile("msr fpsr, %0" : : "r"(flags_) : "memory");
    set_floating_point_control(control_);
  }
  DefaultFloatingPoint(const DefaultFloatingPoint &) = delete;
  DefaultFloatingPoint &operator=(const DefaultFloatingPoint &) = delete;

 private:
  std::uint64_t control_, flags_;
};

/// What a switch of stacks leaves to us: all, since Boost.Context saves no FPCR here.
class SwitchedFloatingPoint {
 public:
  void save() noexcept { control_ = floating_point_control(); }
  void restore() const noexcept { set_floating_point_control(control_); }

 private:
  std::uint64_t control_ = 0;
};

#else
#error "nopal: the floating point environment is written for x86-64 and AArch64"
#endif

}  // namespace nopal

#endif
