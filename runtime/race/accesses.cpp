// What Clang's ThreadSanitizerPass calls at plain accesses, and at the beginning and end of
// functions. Its interface: compiler-rt's tsan_interface.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"
#include "nopal_race.h"
#include "process.h"
#include "races.h"

#include <algorithm>
#include <cstring>

using namespace nopal::race;

namespace {

/// An access that reads a value and writes a new one: if it races, a reducer may be the remedy.
inline void note_update(const void *code) {
  // A small memory of places that are noted, by their low bits.
  static const void *noted[256];
  const void *&same = noted[reinterpret_cast<Address>(code) % 256];
  if (same == code) return;
  same = code;
  races().add_update(static_cast<Place>(reinterpret_cast<Address>(code)));
}

template <std::size_t Size>
inline void check_update(Address address, Here here) {
  if (own_state.now == 0) return;
  note_update(here.code);
  check<Size>(address, AccessKind::kReadWrite, here);
}

using IterationRows = nopal_race_iteration_rows;

AccessKind kind_of(std::uint64_t kind) {
  switch (kind) {
    case NOPAL_RACE_READ:
      return AccessKind::kRead;
    case NOPAL_RACE_WRITE:
      return AccessKind::kWrite;
    default:
      return AccessKind::kReadWrite;
  }
}

/// Addresses are less than 2^48, so differences and products of what lies in memory fit.
using Wide = __int128;
struct Span {
  Wide begin, end;
};

Span span_of(const IterationRows &rows) {
  const Wide last = static_cast<Wide>(rows.stride) * static_cast<Wide>(rows.count - 1);
  const Wide start = reinterpret_cast<Address>(rows.start);
  return {start + std::min<Wide>(last, 0),
          start + std::max<Wide>(last, 0) + static_cast<Wide>(rows.bytes)};
}

Wide rounded_down(Wide a, Wide b) { return a / b - (a % b < 0 ? 1 : 0); }

bool may_conflict(const IterationRows &a, const IterationRows &b, std::uint64_t iterations) {
  if (a.count == 0 || b.count == 0 || a.bytes == 0 || b.bytes == 0) return false;
  if (a.kind == NOPAL_RACE_READ && b.kind == NOPAL_RACE_READ) return false;
  const Span one = span_of(a), other = span_of(b);
  // Iterations that are k apart, k != 0, have a common byte if k * step is between the two.
  const Wide low = other.begin - one.end, high = other.end - one.begin;
  const Wide last = static_cast<Wide>(iterations) - 1;
  if (a.step == 0 && b.step == 0) return low < 0 && high > 0;
  if (a.step == b.step) {
    const Wide step = a.step < 0 ? -static_cast<Wide>(a.step) : a.step;
    if (-step <= low && high <= step) return false;
    const Wide least = std::max(-last, rounded_down(low, step) + 1);
    const Wide most = std::min(last, -rounded_down(-high, step) - 1);
    return least <= most && !(least == 0 && most == 0);
  }
  const auto whole = [&](const Span &span, std::ptrdiff_t step) {
    const Wide way = static_cast<Wide>(step) * last;
    return Span{span.begin + std::min<Wide>(way, 0), span.end + std::max<Wide>(way, 0)};
  };
  const Span all = whole(one, a.step), others = whole(other, b.step);
  return all.begin < others.end && others.begin < all.end;
}

}  // namespace

extern "C" {

#define ACCESSES(SIZE)                                                                    \
  void __tsan_read##SIZE(void *address) {                                                 \
    check<SIZE>(reinterpret_cast<Address>(address), AccessKind::kRead, NOPAL_RACE_HERE);  \
  }                                                                                       \
  void __tsan_write##SIZE(void *address) {                                                \
    check<SIZE>(reinterpret_cast<Address>(address), AccessKind::kWrite, NOPAL_RACE_HERE); \
  }                                                                                       \
  void __tsan_read_write##SIZE(void *address) {                                           \
    check_update<SIZE>(reinterpret_cast<Address>(address), NOPAL_RACE_HERE);              \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES

#define UNALIGNED(SIZE)                                                                   \
  void __tsan_unaligned_read##SIZE(void *address) {                                       \
    check<SIZE>(reinterpret_cast<Address>(address), AccessKind::kRead, NOPAL_RACE_HERE);  \
  }                                                                                       \
  void __tsan_unaligned_write##SIZE(void *address) {                                      \
    check<SIZE>(reinterpret_cast<Address>(address), AccessKind::kWrite, NOPAL_RACE_HERE); \
  }                                                                                       \
  void __tsan_unaligned_read_write##SIZE(void *address) {                                 \
    check_update<SIZE>(reinterpret_cast<Address>(address), NOPAL_RACE_HERE);              \
  }
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)
#undef UNALIGNED

// The same where instrumented code has found that this access may not be recorded already.
#define UNRECORDED(SIZE)                                                           \
  void __nopal_race_read##SIZE(void *address) {                                    \
    check_unrecorded<SIZE>(reinterpret_cast<Address>(address), AccessKind::kRead,  \
                           NOPAL_RACE_HERE);                                       \
  }                                                                                \
  void __nopal_race_write##SIZE(void *address) {                                   \
    check_unrecorded<SIZE>(reinterpret_cast<Address>(address), AccessKind::kWrite, \
                           NOPAL_RACE_HERE);                                       \
  }                                                                                \
  void __nopal_race_read_write##SIZE(void *address) {                              \
    check_update<SIZE>(reinterpret_cast<Address>(address), NOPAL_RACE_HERE);       \
  }
UNRECORDED(4)
UNRECORDED(8)
#undef UNRECORDED

void __tsan_read_range(void *address, std::size_t size) {
  check_range(reinterpret_cast<Address>(address), size, AccessKind::kRead, NOPAL_RACE_HERE);
}

void __tsan_write_range(void *address, std::size_t size) {
  check_range(reinterpret_cast<Address>(address), size, AccessKind::kWrite, NOPAL_RACE_HERE);
}

void __nopal_race_rows(void *start, std::uint64_t bytes, std::int64_t stride, std::uint64_t count,
                       std::uint32_t kind) {
  if (own_state.now == 0 || bytes == 0 || count == 0) return;
  const Here here = NOPAL_RACE_HERE;
  const AccessKind access = kind_of(kind);
  if (access == AccessKind::kReadWrite) note_update(here.code);
  Detector::get().access_rows(reinterpret_cast<Address>(start), bytes, stride, count, access, here);
}

std::uint32_t __nopal_race_may_conflict(const IterationRows *first, std::uint64_t rows,
                                        std::uint64_t iterations) {
  if (iterations <= 1 || own_state.now == 0) return 0;
  for (std::uint64_t i = 0; i != rows; ++i)
    for (std::uint64_t j = 0; j <= i; ++j)
      if (may_conflict(first[i], first[j], iterations)) return 1;
  return 0;
}

void __nopal_race_lane(void *address, std::uint64_t size, std::uint32_t is_set,
                       std::uint32_t kind) {
  if (is_set) check_range(reinterpret_cast<Address>(address), size, kind_of(kind), NOPAL_RACE_HERE);
}

/// A constructor or destructor that writes what is there changes nothing.
void __tsan_vptr_update(void **address, void *value) {
  if (*address != value)
    check<8>(reinterpret_cast<Address>(address), AccessKind::kWrite, NOPAL_RACE_HERE);
}

void __tsan_vptr_read(void **address) {
  check<8>(reinterpret_cast<Address>(address), AccessKind::kRead, NOPAL_RACE_HERE);
}

void *__tsan_memcpy(void *to, const void *from, std::size_t size) {
  check_range(reinterpret_cast<Address>(from), size, AccessKind::kRead, NOPAL_RACE_HERE);
  check_range(reinterpret_cast<Address>(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, std::size_t size) {
  check_range(reinterpret_cast<Address>(from), size, AccessKind::kRead, NOPAL_RACE_HERE);
  check_range(reinterpret_cast<Address>(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, std::size_t size) {
  check_range(reinterpret_cast<Address>(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memset(to, value, size);
}

void __tsan_init() {
  Detector::start();
  note_instrumented(__builtin_return_address(0));
}

void __tsan_func_entry(void *call) {
  begin_frame(call, __builtin_return_address(0), NOPAL_RACE_HERE.frame);
}
void __tsan_func_exit() { end_frame(NOPAL_RACE_HERE.frame); }
void __nopal_race_func_entry(const void *call, const void *function) {
  begin_frame(call, function, NOPAL_RACE_HERE.frame);
}

void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}
