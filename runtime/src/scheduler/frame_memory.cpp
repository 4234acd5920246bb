// Memory for clones: dynamic allocas of slow clones, and temporaries of spawned statements. Contracts: nopal_abi.h.
// Checked by tests/unit/frame_memory_test.cpp.
#include "../../abi/nopal_abi.h"
#include "../fatal.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

/// Before each piece of a frame's arena: the pieces form a list from frame->arena, youngest first. The block is what is freed.
struct Piece {
  void *older;
};

constexpr std::size_t kMinAlignment = alignof(std::max_align_t);

/// `header_bytes` of room below the result, which is aligned to `alignment`, a power of two.
char *allocate(std::size_t bytes, std::size_t alignment, std::size_t header_bytes, const char *what) noexcept {
  if (alignment < kMinAlignment) alignment = kMinAlignment;
  const std::size_t room = (header_bytes + alignment - 1) & ~(alignment - 1);
  void *block = nullptr;
  if (bytes > PTRDIFF_MAX - room || posix_memalign(&block, alignment, room + bytes) != 0)
    nopal::fatal("cannot allocate %zu bytes for %s: Cannot allocate memory; use less automatic storage", bytes, what);
  return static_cast<char *>(block) + room;
}

} // namespace

extern "C" {

void *nopal_arena_alloc(nopal_frame *frame, size_t bytes, size_t alignment) {
  // The header holds the older piece and the block's own start, which the alignment hides.
  char *memory = allocate(bytes, alignment, 2 * sizeof(Piece), "a dynamic alloca");
  const std::size_t step = alignment < kMinAlignment ? kMinAlignment : alignment;
  auto *header = reinterpret_cast<Piece *>(memory) - 2;
  header[0].older = frame->arena;
  header[1].older = memory - ((2 * sizeof(Piece) + step - 1) & ~(step - 1));
  frame->arena = memory;
  return memory;
}

void nopal_arena_free(nopal_frame *frame) {
  void *memory = frame->arena;
  frame->arena = nullptr;
  while (memory != nullptr) {
    const Piece *header = static_cast<Piece *>(memory) - 2;
    void *older = header[0].older;
    std::free(header[1].older);
    memory = older;
  }
}

void *nopal_temporary_alloc(size_t bytes, size_t alignment) { return allocate(bytes, alignment, 0, "a temporary"); }

void nopal_temporary_free(void *memory) { std::free(memory); }

} // extern "C"
