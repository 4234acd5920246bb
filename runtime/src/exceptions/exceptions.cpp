// See exceptions.h; rules in README.md.
#include "exceptions.h"

#include "../join/join.h"

#include <cxxabi.h>
#include <unwind.h>

#include <cstring>
#include <exception>

namespace nopal {
namespace {

// __cxa_eh_globals of the Itanium C++ ABI, section 2.2.2; libstdc++ and libc++abi have this layout.
struct Globals {
  void *caught_exceptions;
  unsigned uncaught_exceptions;
};

/// The header says that the address is constant in a function; after a switch of stacks it is not. Not inlined, so that no caller keeps it.
[[gnu::noinline]] Globals &globals() noexcept {
  Globals *found = reinterpret_cast<Globals *>(abi::__cxa_get_globals());
  asm volatile("" : "+r"(found) : : "memory");
  return *found;
}

_Unwind_Exception *as_exception(void *exception) noexcept { return static_cast<_Unwind_Exception *>(exception); }

// While an exception is kept nobody unwinds, and the two words that belong to the unwinder are ours. _Unwind_RaiseException sets both.
void set_order(_Unwind_Exception *exception, ExceptionOrder order) noexcept {
  exception->private_1 = static_cast<_Unwind_Word>(order);
}
ExceptionOrder order_of(const _Unwind_Exception *exception) noexcept { return static_cast<ExceptionOrder>(exception->private_1); }
void set_next(_Unwind_Exception *exception, void *next) noexcept { exception->private_2 = reinterpret_cast<_Unwind_Word>(next); }
_Unwind_Exception *next_of(const _Unwind_Exception *exception) noexcept {
  return reinterpret_cast<_Unwind_Exception *>(exception->private_2);
}

/// Whether the C++ runtime counts it in `uncaught_exceptions`: the last byte of the class tells the kind (primary 0, dependent 1).
bool is_cxx(const _Unwind_Exception *exception) noexcept {
  // In memory the class reads "\0++CCUNG": a big-endian word.
  constexpr std::uint64_t kGnu = 0x474e5543432b2b00u;   // "GNUCC++\0"
  constexpr std::uint64_t kClang = 0x434c4e47432b2b00u; // "CLNGC++\0"
  const std::uint64_t language = exception->exception_class & ~std::uint64_t{0xff};
  return language == kGnu || language == kClang;
}

/// Removes the exception of the lowest order from the list that starts at `head`.
_Unwind_Exception *take_first(_Unwind_Exception *&head) noexcept {
  _Unwind_Exception *first = head, *before_first = nullptr;
  for (_Unwind_Exception *before = head; before != nullptr; before = next_of(before)) {
    _Unwind_Exception *candidate = next_of(before);
    if (candidate != nullptr && order_of(candidate) < order_of(first)) {
      first = candidate;
      before_first = before;
    }
  }
  if (before_first == nullptr)
    head = next_of(first);
  else
    set_next(before_first, next_of(first));
  return first;
}

} // namespace

void keep_exception(nopal_frame *frame, void *unwind_exception, ExceptionOrder order) noexcept {
  _Unwind_Exception *exception = as_exception(unwind_exception);
  if (is_cxx(exception)) --globals().uncaught_exceptions; // no longer in flight in this thread
  set_order(exception, order);
  FrameJoin::add_exception(frame, exception, [exception](void *head) { set_next(exception, head); });
}

void raise_kept(nopal_frame *frame) {
  _Unwind_Exception *list = as_exception(FrameJoin::take_exceptions_and_reset(frame));
  if (list == nullptr) return;
  _Unwind_Exception *first = take_first(list);
  while (list != nullptr) {
    _Unwind_Exception *other = list;
    list = next_of(other);
    _Unwind_DeleteException(other);
  }
  if (is_cxx(first)) ++globals().uncaught_exceptions;
  _Unwind_RaiseException(first); // comes back only if there is no handler
  abi::__cxa_begin_catch(first); // std::terminate's handler may ask for the current exception
  std::terminate();
}

ExceptionGlobals exchange_exception_globals(ExceptionGlobals next) noexcept {
  Globals &here = globals();
  const ExceptionGlobals previous{here.caught_exceptions, here.uncaught_exceptions};
  here.caught_exceptions = next.caught;
  here.uncaught_exceptions = next.uncaught;
  return previous;
}

} // namespace nopal
