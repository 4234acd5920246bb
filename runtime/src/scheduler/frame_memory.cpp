// Memory for clones: dynamic allocas of slow clones, and temporaries of spawned statements. Contracts: nopal_abi.h.
// Checked by tests/unit/frame_memory_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../abi/nopal_abi.h"
#include "../fatal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

/// Right before each piece of a frame's arena. The pieces form a list from frame->arena, youngest first.
struct Header {
  void *older;  // piece
  void *block;  // what is freed: the alignment may put room before the header
};

struct Memory {
  void *block;
  char *usable;  // aligned, `room_before` bytes or more behind the block's start
};

Memory allocate(std::size_t bytes, std::size_t alignment, std::size_t room_before, const char *what) noexcept {
  alignment = std::max(alignment, alignof(std::max_align_t));  // powers of two
  const std::size_t room = (room_before + alignment - 1) & ~(alignment - 1);
  void *block = nullptr;
  if (bytes > PTRDIFF_MAX - room || posix_memalign(&block, alignment, room + bytes) != 0)
    nopal::fatal("cannot allocate %zu bytes for %s: Cannot allocate memory; use less automatic storage", bytes, what);
  return {block, static_cast<char *>(block) + room};
}

}  // namespace

extern "C" {

void *nopal_arena_alloc(nopal_frame *frame, size_t bytes, size_t alignment) {
  const Memory memory = allocate(bytes, alignment, sizeof(Header), "a dynamic alloca");
  new (memory.usable - sizeof(Header)) Header{frame->arena, memory.block};
  return frame->arena = memory.usable;
}

void nopal_arena_free(nopal_frame *frame) {
  void *piece = frame->arena;
  frame->arena = nullptr;
  while (piece != nullptr) {
    const Header header = static_cast<Header *>(piece)[-1];
    std::free(header.block);
    piece = header.older;
  }
}

void *nopal_temporary_alloc(size_t bytes, size_t alignment) { return allocate(bytes, alignment, 0, "a temporary").usable; }

void nopal_temporary_free(void *memory) { std::free(memory); }

}  // extern "C"
