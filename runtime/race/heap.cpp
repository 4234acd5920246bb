// The heap: a block that is freed has no accesses any more, and a report says who allocated it.
//
// free and realloc are defined here for the whole process. Calls of instrumented code come through
// __nopal_race_NAME first (runtime/abi/nopal_race.def), which know who calls. The 8 bytes before a
// block are glibc's, no program touches them: their shadow says that a block follows (kBlock), who
// allocated it, and the number of the stack there.
//
// Also the blocks that are thread-local variables (-femulated-tls): libgcc's function that finds
// them is defined here, too. Instrumented code then finds ThreadState::now by it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"
#include "races.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <vector>

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace nopal::race;

extern "C" {
void __libc_free(void *);
void *__libc_realloc(void *, std::size_t);
}

namespace {

constexpr std::size_t kHeader = 8;
constexpr std::size_t kLarge = std::size_t{64} << 10;  // how far a block is looked for

Address address_of(const void *pointer) { return reinterpret_cast<Address>(pointer); }

/// Blocks that are too large to look for their beginning. Never destroyed.
std::set<Address> &large_blocks() {
  static auto *const own = new std::set<Address>;
  return *own;
}

/// Clears the shadow of a block and of its header.
void forget_block(void *block) {
  if (!block || !is_shadow_mapped()) return;
  const std::size_t size = malloc_usable_size(block);
  Detector::forget(address_of(block) - kHeader, size + kHeader);
  if (size > kLarge && Detector::is_checked_thread()) large_blocks().erase(address_of(block));
}

using Callers = std::vector<Place>;

/// Without optimization, containers allocate below many functions of their own. Empty on a thread
/// that is not the checked one.
Callers callers_of(Here here) {
  constexpr std::size_t kMost = 16;
  Callers result;
  const void *const *frame = static_cast<const void *const *>(here.frame);
  while (result.size() != kMost && Detector::get().is_on_stack(address_of(frame))) {
    if (frame[0] <= frame || frame[1] == nullptr) break;
    result.push_back(static_cast<Place>(address_of(frame[1])));
    frame = static_cast<const void *const *>(frame[0]);
  }
  return result;
}

/// Each stack that has allocated, by its number from 1 on. Never destroyed.
std::deque<Callers> &all_callers() {
  static auto *const own = new std::deque<Callers>;
  return *own;
}

/// 0: no stack.
Place number_of(const Callers &callers) {
  struct Hash {
    std::size_t operator()(const Callers &stack) const {
      std::size_t result = 0;
      for (const Place place : stack) result = (result ^ place) * 0x9e3779b97f4a7c15u;
      return result ^ result >> 32;
    }
  };
  if (callers.empty()) return 0;
  static auto *const numbers = new std::unordered_map<Callers, Place, Hash>;
  const auto [known, is_new] =
      numbers->try_emplace(callers, static_cast<Place>(all_callers().size() + 1));
  if (is_new) all_callers().push_back(callers);
  return known->second;
}

/// Notes who allocated it: the caller, and the callers of that.
void *allocated(void *block, std::size_t size, Here here) {
  if (!block || !is_shadow_mapped() || !has_shadow(address_of(block), 1)) return block;
  if (size > kLarge && Detector::is_checked_thread()) large_blocks().insert(address_of(block));
  take_apart(address_of(block) - kHeader);
  Times *const times = times_of(address_of(block) - kHeader);
  times->write[0] = times->write[1] = kBlock;
  std::memcpy(times->read, &size, sizeof(size));
  const Places places = places_of(address_of(block) - kHeader);
  places.write[0] = static_cast<Place>(address_of(here.code));
  places.write[1] = number_of(callers_of(here));
  return block;
}

/// What describes an emulated thread-local variable. libgcc's emutls.c.
struct EmulatedVariable {
  std::size_t size, alignment;
  void *where;
  const void *initial;
};

/// What ThreadState::now is for a library that has libgcc's function of its own, since it was
/// linked without the detector: no time and no mark, so each access is told.
constexpr Time kTimeOfNone[2] = {kLastTime + 1, kLastTime + 1};

/// Of the checked thread: the end of each variable by its beginning. Never destroyed.
std::map<Address, Address> &emulated_variables() {
  static auto *const own = new std::map<Address, Address>;
  return *own;
}

/// A free is a write for those that use the block beside it.
void freeing(void *block, Here here) {
  if (block && own_state.now != 0)
    Detector::get().free_memory(address_of(block), malloc_usable_size(block), here);
}

}  // namespace

namespace nopal::race {

/// What is noted of that block, if the byte is in it.
static std::optional<Block> block_at(Address begin, Address byte) {
  std::size_t size;
  std::memcpy(&size, times_of(begin - kHeader)->read, sizeof(size));
  if (byte - begin >= size) return std::nullopt;
  const Places places = places_of(begin - kHeader);
  Callers allocated{places.write[0]};
  if (const Place number = places.write[1])
    allocated.insert(allocated.end(), all_callers()[number - 1].begin(),
                     all_callers()[number - 1].end());
  return Block{begin, size, allocated};
}

bool is_emulated_thread_local(Address address) {
  const auto after = emulated_variables().upper_bound(address);
  return after != emulated_variables().begin() && address < std::prev(after)->second;
}

std::optional<Block> block_of(Address byte) {
  const auto after = large_blocks().upper_bound(byte);
  if (after != large_blocks().begin())
    if (const auto block = block_at(*std::prev(after), byte)) return block;
  const Address first = byte / kGranule * kGranule;
  for (Address header = first; first - header < kLarge && has_shadow(header, 1); header -= kGranule)
    if (chunk_of(header).write == kApart && times_of(header)->write[0] == kBlock)
      return block_at(header + kHeader, byte);
  return std::nullopt;
}

}  // namespace nopal::race

extern "C" {

/// What instrumented code asks for with -femulated-tls.
extern EmulatedVariable emulated_now __asm__("__emutls_v." NOPAL_RACE_NOW);
constinit EmulatedVariable emulated_now = {sizeof(kTimeOfNone), alignof(std::uint64_t), nullptr,
                                           kTimeOfNone};

[[gnu::visibility("default")]] void free(void *block) {
  const int saved = errno;
  forget_block(block);
  __libc_free(block);
  errno = saved;
}

[[gnu::visibility("default")]] void *realloc(void *block, std::size_t size) {
  forget_block(block);
  return __libc_realloc(block, size);
}

[[gnu::visibility("default")]] void *mmap(void *address, std::size_t size, int protection,
                                          int flags, int file, off_t offset) noexcept {
  void *const got =
      reinterpret_cast<void *>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
  if (got != MAP_FAILED) Detector::forget(address_of(got), size);
  return got;
}

[[gnu::visibility("default")]] int munmap(void *address, std::size_t size) noexcept {
  Detector::forget(address_of(address), size);
  return static_cast<int>(syscall(SYS_munmap, address, size));
}

[[gnu::visibility("default")]] void *__emutls_get_address(EmulatedVariable *variable) {
  if (variable == &emulated_now) return &own_state.now;
  static const auto original =
      reinterpret_cast<void *(*)(EmulatedVariable *)>(dlsym(RTLD_NEXT, "__emutls_get_address"));
  void *const got = original(variable);
  if (Detector::is_checked_thread())
    emulated_variables()[address_of(got)] = address_of(got) + variable->size;
  return got;
}

void *__nopal_race_malloc(std::size_t size) {
  return allocated(std::malloc(size), size, NOPAL_RACE_HERE);
}

void *__nopal_race_calloc(std::size_t count, std::size_t size) {
  return allocated(std::calloc(count, size), count * size, NOPAL_RACE_HERE);
}

void *__nopal_race_aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocated(std::aligned_alloc(alignment, size), size, NOPAL_RACE_HERE);
}

int __nopal_race_posix_memalign(void **block, std::size_t alignment, std::size_t size) {
  const Here here = NOPAL_RACE_HERE;
  const int error = posix_memalign(block, alignment, size);
  check_range(address_of(block), sizeof(*block), AccessKind::kWrite, here);
  if (error == 0) allocated(*block, size, here);
  return error;
}

void *__nopal_race_reallocarray(void *block, std::size_t count, std::size_t size) {
  const Here here = NOPAL_RACE_HERE;
  freeing(block, here);
  forget_block(block);
  return allocated(reallocarray(block, count, size), count * size, here);
}

void *__nopal_race_realloc(void *block, std::size_t size) {
  const Here here = NOPAL_RACE_HERE;
  freeing(block, here);
  return allocated(std::realloc(block, size), size, here);
}

void __nopal_race_free(void *block) {
  freeing(block, NOPAL_RACE_HERE);
  std::free(block);
}

void *__nopal_race__Znwm(std::size_t size) {
  return allocated(::operator new(size), size, NOPAL_RACE_HERE);
}
void *__nopal_race__Znam(std::size_t size) {
  return allocated(::operator new[](size), size, NOPAL_RACE_HERE);
}
void *__nopal_race__ZnwmSt11align_val_t(std::size_t size, std::align_val_t alignment) {
  return allocated(::operator new(size, alignment), size, NOPAL_RACE_HERE);
}
void *__nopal_race__ZnamSt11align_val_t(std::size_t size, std::align_val_t alignment) {
  return allocated(::operator new[](size, alignment), size, NOPAL_RACE_HERE);
}

void __nopal_race__ZdlPv(void *block) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete(block);
}
void __nopal_race__ZdlPvm(void *block, std::size_t size) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete(block, size);
}
void __nopal_race__ZdlPvSt11align_val_t(void *block, std::align_val_t alignment) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete(block, alignment);
}
void __nopal_race__ZdlPvmSt11align_val_t(void *block, std::size_t size,
                                         std::align_val_t alignment) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete(block, size, alignment);
}
void __nopal_race__ZdaPv(void *block) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete[](block);
}
void __nopal_race__ZdaPvm(void *block, std::size_t size) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete[](block, size);
}
void __nopal_race__ZdaPvSt11align_val_t(void *block, std::align_val_t alignment) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete[](block, alignment);
}
void __nopal_race__ZdaPvmSt11align_val_t(void *block, std::size_t size,
                                         std::align_val_t alignment) {
  freeing(block, NOPAL_RACE_HERE);
  ::operator delete[](block, size, alignment);
}
}
