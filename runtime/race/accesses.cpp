// What Clang's ThreadSanitizerPass calls at plain accesses, and at the beginning and end of
// functions. Its interface: compiler-rt's tsan_interface.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"
#include "races.h"

#include <cstring>

using namespace nopal::race;

namespace {

/// An access that reads a value and writes a new one: if it races, a reducer may be the remedy.
[[gnu::noinline, gnu::cold]] void note_update(const void *code) {
  races().add_update(static_cast<Place>(reinterpret_cast<Address>(code)));
}

template <std::size_t Size>
inline void check_update(Address address, Here here) {
  if (own_state.now == 0) return;
  // A small memory of places that are noted, by their low bits.
  static const void *noted[256];
  const void *&same = noted[reinterpret_cast<Address>(here.code) % 256];
  if (same != here.code) {
    same = here.code;
    note_update(here.code);
  }
  check<Size>(address, AccessKind::kReadWrite, here);
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

void __tsan_read_range(void *address, std::size_t size) {
  check_range(reinterpret_cast<Address>(address), size, AccessKind::kRead, NOPAL_RACE_HERE);
}

void __tsan_write_range(void *address, std::size_t size) {
  check_range(reinterpret_cast<Address>(address), size, AccessKind::kWrite, NOPAL_RACE_HERE);
}

/// A lane of a vector, if its bit of the mask is set.
void __nopal_race_lane(void *address, std::size_t size, bool is_set, bool writes) {
  if (is_set)
    check_range(reinterpret_cast<Address>(address), size,
                writes ? AccessKind::kWrite : AccessKind::kRead, NOPAL_RACE_HERE);
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

void __tsan_init() { Detector::start(); }

/// Records below the frame are of functions that longjmp has left.
void __tsan_func_entry(void *call) {
  if (own_state.now != 0) Detector::get().trail.enter(call, __builtin_return_address(0));
  const Address end = reinterpret_cast<Address>(NOPAL_RACE_HERE.frame) + 2 * sizeof(void *);
  if (own_state.lowest < end) Detector::get().leave_frames(end);
}

void __tsan_func_exit() {
  if (own_state.now != 0) Detector::get().trail.leave();
  const Address end = reinterpret_cast<Address>(NOPAL_RACE_HERE.frame) + 2 * sizeof(void *);
  if (own_state.lowest < end) Detector::get().leave_frames(end);
}

void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}
