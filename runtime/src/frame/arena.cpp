// Memory for clones: dynamic allocas of slow clones, and temporaries of spawned statements.
//
// Contracts: nopal_abi.h. Checked by tests/unit/arena_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../abi/nopal_abi.h"
#include "../platform/fatal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

/// Just before each piece of a frame's arena. The pieces form a list from frame->arena, youngest
/// first.
struct Header {
  void *older;      // piece
  void *block;      // what is freed: alignment may leave room before the header
  void *stack;      // of a mark: the fast clone's stack pointer; null: a piece of memory
  void *temporary;  // freed with the piece; or null
};

struct Memory {
  void *block;
  char *usable;  // aligned, `room_before` bytes or more after the block's start
};

Memory allocate(std::size_t bytes, std::size_t alignment, std::size_t room_before,
                const char *what) noexcept {
  alignment = std::max(alignment, alignof(std::max_align_t));  // powers of two
  const std::size_t room = (room_before + alignment - 1) & ~(alignment - 1);
  void *block = nullptr;
  if (bytes > PTRDIFF_MAX - room || posix_memalign(&block, alignment, room + bytes) != 0)
    nopal::fatal(
        "cannot allocate %zu bytes for %s: Cannot allocate memory; use less automatic storage",
        bytes, what);
  return {block, static_cast<char *>(block) + room};
}

Header &header_of(void *piece) noexcept { return static_cast<Header *>(piece)[-1]; }

void *push_piece(nopal_frame *frame, std::size_t bytes, std::size_t alignment, void *stack,
                 void *temporary) noexcept {
  const Memory memory = allocate(bytes, alignment, sizeof(Header), "a dynamic alloca");
  new (memory.usable - sizeof(Header)) Header{frame->arena, memory.block, stack, temporary};
  return frame->arena = memory.usable;
}

}  // namespace

extern "C" {

void *nopal_arena_alloc(nopal_frame *frame, size_t bytes, size_t alignment) {
  return push_piece(frame, bytes, alignment, nullptr, nullptr);
}

void *nopal_arena_mark(nopal_frame *frame, void *stack) {
  // A mark stays when the program returns to it, so a loop takes the same one in each round.
  if (frame->arena != nullptr && header_of(frame->arena).stack == stack) return frame->arena;
  return push_piece(frame, 0, 1, stack, nullptr);
}

void *nopal_arena_release(nopal_frame *frame, void *mark) {
  void *piece = frame->arena;
  while (piece != nullptr && piece != mark) {
    const Header header = header_of(piece);
    std::free(header.temporary);
    std::free(header.block);
    piece = header.older;
  }
  frame->arena = piece;
  return piece != nullptr ? header_of(piece).stack : mark;
}

void nopal_arena_keep(nopal_frame *frame, void *temporary) {
  if (temporary != nullptr) push_piece(frame, 0, 1, nullptr, temporary);
}

void nopal_arena_free(nopal_frame *frame) { nopal_arena_release(frame, nullptr); }

void *nopal_temporary_alloc(size_t bytes, size_t alignment) {
  return allocate(bytes, alignment, 0, "a temporary").usable;
}

void nopal_temporary_free(void *memory) { std::free(memory); }

}  // extern "C"
