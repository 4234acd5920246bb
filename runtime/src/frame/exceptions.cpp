// See exceptions.h; rules in README.md, "Kept exceptions".
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exceptions.h"

#include "join.h"
#include "pedigree.h"

#include <cxxabi.h>
#include <unwind.h>

#include <cstring>
#include <exception>
#include <utility>

namespace nopal {
namespace {

// __cxa_eh_globals of the Itanium C++ ABI, section 2.2.2; libstdc++ and libc++abi have this layout.
struct Globals {
  void *caught_exceptions;
  unsigned uncaught_exceptions;
};

/// The header says that the address is constant in a function; after a switch of stacks it is not.
/// Not inlined, so that no caller keeps it.
[[gnu::noinline]] Globals &globals() noexcept {
  Globals *found = reinterpret_cast<Globals *>(abi::__cxa_get_globals());
  asm volatile("" : "+r"(found) : : "memory");
  return *found;
}

_Unwind_Exception *as_exception(void *exception) noexcept {
  return static_cast<_Unwind_Exception *>(exception);
}

// While an exception is kept, the unwinder does not work on it, and its two private words are ours.
// The first holds the order above 24 bits of region.
void set_order(_Unwind_Exception *exception, ExceptionOrder order, std::uint32_t region) noexcept {
  exception->private_1 = static_cast<_Unwind_Word>(order) << 24 | region;
}
ExceptionOrder order_of(const _Unwind_Exception *exception) noexcept {
  return static_cast<ExceptionOrder>(exception->private_1 >> 24);
}
void set_next(_Unwind_Exception *exception, void *next) noexcept {
  exception->private_2 = reinterpret_cast<_Unwind_Word>(next);
}
_Unwind_Exception *next_of(const _Unwind_Exception *exception) noexcept {
  return reinterpret_cast<_Unwind_Exception *>(exception->private_2);
}

/// Whether the C++ runtime counts it in `uncaught_exceptions`. The last byte of the class tells the
/// kind (primary 0, dependent 1).
bool is_cxx(const _Unwind_Exception *exception) noexcept {
  // In memory the class reads "\0++CCUNG": a big-endian word.
  constexpr std::uint64_t kGnu = 0x474e5543432b2b00u;    // "GNUCC++\0"
  constexpr std::uint64_t kClang = 0x434c4e47432b2b00u;  // "CLNGC++\0"
  const std::uint64_t language = exception->exception_class & ~std::uint64_t{0xff};
  return language == kGnu || language == kClang;
}

std::uint32_t region_of(const _Unwind_Exception *exception) noexcept {
  return static_cast<std::uint32_t>(exception->private_1 & NOPAL_ALL_REGIONS);
}

void destroy(_Unwind_Exception *exception) noexcept {
  pedigree::forget(exception);
  _Unwind_DeleteException(exception);
}

/// Of two exceptions for one region the serially first; destroys the other. `known` may be null.
_Unwind_Exception *first_of(_Unwind_Exception *known, _Unwind_Exception *exception) noexcept {
  if (known == nullptr) return exception;
  if (order_of(exception) < order_of(known)) std::swap(known, exception);
  destroy(exception);
  return known;
}

}  // namespace

/// The first of each other region goes back into the frame, before all that will be kept there
/// later.
TakenExceptions take_kept(nopal_frame *frame, std::uint32_t region) noexcept {
  _Unwind_Exception *first = nullptr, *others = nullptr;
  for (auto *list = as_exception(FrameJoin::take_exceptions_and_reset(frame)); list != nullptr;) {
    _Unwind_Exception *exception = list;
    list = next_of(exception);
    if (region == NOPAL_ALL_REGIONS || region_of(exception) == region) {
      first = first_of(first, exception);
      continue;
    }
    _Unwind_Exception *before = nullptr, *same = others;
    for (; same != nullptr && region_of(same) != region_of(exception); same = next_of(same))
      before = same;
    _Unwind_Exception *const after = same != nullptr ? next_of(same) : nullptr;
    exception = first_of(same, exception);
    set_next(exception, same != nullptr ? after : nullptr);
    if (before != nullptr)
      set_next(before, exception);
    else
      others = exception;
  }
  if (others == nullptr) return {.first = first, .leaves_some = false};
  for (auto *other = others; other != nullptr; other = next_of(other))
    set_order(other, kLeftByASync, region_of(other));
  FrameJoin::put_exceptions_back(frame, others);
  return {.first = first, .leaves_some = true};
}

void keep_exception(nopal_frame *frame, void *unwind_exception, ExceptionOrder order,
                    std::uint32_t region) noexcept {
  _Unwind_Exception *exception = as_exception(unwind_exception);
  if (is_cxx(exception)) --globals().uncaught_exceptions;  // no longer in flight in this thread
  pedigree::keep(exception);
  set_order(exception, order, region);
  FrameJoin::add_exception(frame, exception,
                           [exception](void *head) { set_next(exception, head); });
}

void raise_taken(void *exception) {
  _Unwind_Exception *first = as_exception(exception);
  if (is_cxx(first)) ++globals().uncaught_exceptions;
  pedigree::restore(first);
  // As when it was thrown. _Unwind_RaiseException sets both, but not if there is no handler; then
  // a `throw;` of std::terminate's handler would call the first as a forced unwinding's function.
  first->private_1 = first->private_2 = 0;
  _Unwind_RaiseException(first);  // comes back only if there is no handler
  abi::__cxa_begin_catch(first);  // std::terminate's handler may ask for the current exception
  std::terminate();
}

void destroy_taken(void *exception) noexcept { destroy(as_exception(exception)); }

ExceptionGlobals exchange_exception_globals(ExceptionGlobals next) noexcept {
  Globals &here = globals();
  const ExceptionGlobals previous{here.caught_exceptions, here.uncaught_exceptions};
  here.caught_exceptions = next.caught;
  here.uncaught_exceptions = next.uncaught;
  return previous;
}

}  // namespace nopal
