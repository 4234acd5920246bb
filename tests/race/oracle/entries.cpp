// What instrumented code calls at its plain accesses, and the heap: each says to the oracle which
// bytes are read, written, or of another variable from now on.
#include "detector.h"

#include "nopal_race.h"
#include "nopal_race_memory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace nopal::race;

extern "C" {
void __libc_free(void *);
void *__libc_realloc(void *, std::size_t);
}

namespace {

Address address_of(const void *pointer) { return reinterpret_cast<Address>(pointer); }

void freeing(void *block, Here here) {
  if (block) check_range(address_of(block), malloc_usable_size(block), AccessKind::kFree, here);
}

void forget_block(void *block) {
  if (block) forget(address_of(block) - 8, address_of(block) + malloc_usable_size(block));
}

/// A thread that is not checked may have freed it: the oracle was not told.
void *fresh(void *block) {
  forget_block(block);
  return block;
}

}  // namespace

extern "C" {

#define ACCESS(NAME, SIZE, KIND)                                               \
  void __tsan_##NAME##SIZE(void *address) {                                    \
    check_range(address_of(address), SIZE, AccessKind::KIND, NOPAL_RACE_HERE); \
  }
// What instrumented code asks before it calls: all is to be checked, and no shadow memory says that
// an access is recorded.
thread_local constinit std::uint64_t always_checked[8] __asm__(NOPAL_RACE_NOW) = {1};
static constexpr std::uint64_t kAlwaysChecked = 1;
extern const void *emulated_always_checked[4] __asm__("__emutls_v." NOPAL_RACE_NOW);
const void *emulated_always_checked[4] = {reinterpret_cast<void *>(sizeof(kAlwaysChecked)),
                                          reinterpret_cast<void *>(alignof(std::uint64_t)), nullptr,
                                          &kAlwaysChecked};
[[gnu::constructor]] static void map_empty_shadow_memory() {
  constexpr std::size_t size =
      (std::size_t{NOPAL_RACE_MASK} + 1) / NOPAL_RACE_CHUNK * NOPAL_RACE_CHUNK_RECORD;
  if (syscall(SYS_mmap, NOPAL_RACE_CHUNKS, size, PROT_READ,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == -1)
    abort();
  __libc_single_threaded = 0;
}
#define UNRECORDED(NAME, KIND)                                              \
  void __nopal_race_##NAME##4(void *address) {                              \
    check_range(address_of(address), 4, AccessKind::KIND, NOPAL_RACE_HERE); \
  }                                                                         \
  void __nopal_race_##NAME##8(void *address) {                              \
    check_range(address_of(address), 8, AccessKind::KIND, NOPAL_RACE_HERE); \
  }
UNRECORDED(read, kRead)
UNRECORDED(write, kWrite)
UNRECORDED(read_write, kReadWrite)

#define ACCESSES(PREFIX, SIZE)        \
  ACCESS(PREFIX##read, SIZE, kRead)   \
  ACCESS(PREFIX##write, SIZE, kWrite) \
  ACCESS(PREFIX##read_write, SIZE, kReadWrite)
ACCESSES(, 1)
ACCESSES(, 2)
ACCESSES(, 4)
ACCESSES(, 8)
ACCESSES(, 16)
ACCESSES(unaligned_, 2)
ACCESSES(unaligned_, 4)
ACCESSES(unaligned_, 8)
ACCESSES(unaligned_, 16)

void __tsan_read_range(void *address, std::size_t size) {
  check_range(address_of(address), size, AccessKind::kRead, NOPAL_RACE_HERE);
}
void __tsan_write_range(void *address, std::size_t size) {
  check_range(address_of(address), size, AccessKind::kWrite, NOPAL_RACE_HERE);
}
void __nopal_race_rows(void *start, std::uint64_t bytes, std::int64_t stride, std::uint64_t count,
                       std::uint32_t kind) {
  constexpr AccessKind kinds[] = {AccessKind::kRead, AccessKind::kWrite, AccessKind::kReadWrite};
  static_assert(NOPAL_RACE_READ == 0 && NOPAL_RACE_WRITE == 1 && NOPAL_RACE_UPDATE == 2);
  for (std::size_t row = 0; row != count; ++row)
    check_range(address_of(start) + row * static_cast<std::size_t>(stride), bytes, kinds[kind],
                NOPAL_RACE_HERE);
}
/// Each iteration for itself.
std::uint32_t __nopal_race_may_conflict(const nopal_race_iteration_rows *, std::uint64_t,
                                        std::uint64_t iterations) {
  return iterations > 1;
}
void __nopal_race_lane(void *address, std::uint64_t size, std::uint32_t is_set,
                       std::uint32_t kind) {
  if (is_set)
    check_range(address_of(address), size,
                kind == NOPAL_RACE_WRITE ? AccessKind::kWrite : AccessKind::kRead, NOPAL_RACE_HERE);
}
void __tsan_vptr_update(void **address, void *value) {
  if (*address != value) check_range(address_of(address), 8, AccessKind::kWrite, NOPAL_RACE_HERE);
}
void __tsan_vptr_read(void **address) {
  check_range(address_of(address), 8, AccessKind::kRead, NOPAL_RACE_HERE);
}
void *__tsan_memcpy(void *to, const void *from, std::size_t size) {
  check_range(address_of(from), size, AccessKind::kRead, NOPAL_RACE_HERE);
  check_range(address_of(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, std::size_t size) {
  check_range(address_of(from), size, AccessKind::kRead, NOPAL_RACE_HERE);
  check_range(address_of(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, std::size_t size) {
  check_range(address_of(to), size, AccessKind::kWrite, NOPAL_RACE_HERE);
  return std::memset(to, value, size);
}
void __tsan_init() {}
void __tsan_func_entry(void *) { forget_frames(address_of(NOPAL_RACE_HERE.frame) + 16); }
void __tsan_func_exit() { forget_frames(address_of(NOPAL_RACE_HERE.frame) + 16); }
void __nopal_race_func_entry(const void *, const void *) {
  forget_frames(address_of(NOPAL_RACE_HERE.frame) + 16);
}
void __nopal_race_enter(const void *, const void *, nopal_hook_site *site) {
  forget_frames(address_of(NOPAL_RACE_HERE.frame) + 16);
  nopal_hook_enter(site);
}
void __nopal_race_leave(nopal_hook_site *site) {
  nopal_hook_sync(site);
  nopal_hook_leave(site);
  forget_frames(address_of(NOPAL_RACE_HERE.frame) + 16);
}
void __nopal_race_spawn(nopal_hook_site *site, const void *) {
  forget_frames(address_of(__builtin_frame_address(0)) + 16);
  nopal_hook_spawn(site);
}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

void free(void *block) {
  const int saved = errno;
  forget_block(block);
  __libc_free(block);
  errno = saved;
}
void *realloc(void *block, std::size_t size) {
  forget_block(block);
  return __libc_realloc(block, size);
}
void *mmap(void *address, std::size_t size, int protection, int flags, int file,
           off_t offset) noexcept {
  void *const got =
      reinterpret_cast<void *>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
  if (got != MAP_FAILED) forget(address_of(got), address_of(got) + size);
  return got;
}
int munmap(void *address, std::size_t size) noexcept {
  forget(address_of(address), address_of(address) + size);
  return static_cast<int>(syscall(SYS_munmap, address, size));
}

void *__nopal_race_malloc(std::size_t size) { return fresh(malloc(size)); }
void *__nopal_race_calloc(std::size_t count, std::size_t size) {
  return fresh(calloc(count, size));
}
void *__nopal_race_aligned_alloc(std::size_t alignment, std::size_t size) {
  return fresh(aligned_alloc(alignment, size));
}
int __nopal_race_posix_memalign(void **block, std::size_t alignment, std::size_t size) {
  check_range(address_of(block), sizeof(*block), AccessKind::kWrite, NOPAL_RACE_HERE);
  const int status = posix_memalign(block, alignment, size);
  if (status == 0) fresh(*block);
  return status;
}
void *__nopal_race_reallocarray(void *block, std::size_t count, std::size_t size) {
  freeing(block, NOPAL_RACE_HERE);
  forget_block(block);
  return reallocarray(block, count, size);
}
void *__nopal_race_realloc(void *block, std::size_t size) {
  freeing(block, NOPAL_RACE_HERE);
  return realloc(block, size);
}
void __nopal_race_free(void *block) {
  freeing(block, NOPAL_RACE_HERE);
  free(block);
}
using Alignment = std::align_val_t;
void *__nopal_race__Znwm(std::size_t size) { return fresh(::operator new(size)); }
void *__nopal_race__Znam(std::size_t size) { return fresh(::operator new[](size)); }
void *__nopal_race__ZnwmSt11align_val_t(std::size_t size, Alignment alignment) {
  return fresh(::operator new(size, alignment));
}
void *__nopal_race__ZnamSt11align_val_t(std::size_t size, Alignment alignment) {
  return fresh(::operator new[](size, alignment));
}
#define DELETE(NAME, ARRAY, PARAMETERS, ARGUMENTS) \
  void __nopal_race_##NAME PARAMETERS {            \
    freeing(block, NOPAL_RACE_HERE);               \
    ::operator delete ARRAY ARGUMENTS;             \
  }
DELETE(_ZdlPv, , (void *block), (block))
DELETE(_ZdlPvm, , (void *block, std::size_t size), (block, size))
DELETE(_ZdlPvSt11align_val_t, , (void *block, Alignment a), (block, a))
DELETE(_ZdlPvmSt11align_val_t, , (void *block, std::size_t size, Alignment a), (block, size, a))
DELETE(_ZdaPv, [], (void *block), (block))
DELETE(_ZdaPvm, [], (void *block, std::size_t size), (block, size))
DELETE(_ZdaPvSt11align_val_t, [], (void *block, Alignment a), (block, a))
DELETE(_ZdaPvmSt11align_val_t, [], (void *block, std::size_t size, Alignment a), (block, size, a))
}
