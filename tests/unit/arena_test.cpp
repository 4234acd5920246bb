// Memory for clones: pieces of an arena live until their scope ends or the arena is freed;
// alignments hold; temporaries are freed one by one.
#include "nopal_abi.h"

#include <gtest/gtest.h>
#include <cstdint>
#include <cstring>

namespace {

bool is_aligned(const void *memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment == 0;
}

TEST(ArenaTest, Empty) {
  nopal_frame frame{};
  nopal_arena_free(&frame);
  EXPECT_EQ(frame.arena, nullptr);
}

TEST(ArenaTest, PiecesAreApartAndAligned) {
  nopal_frame frame{};
  char *pieces[64];
  for (int i = 0; i < 64; ++i) {
    const std::size_t alignment = std::size_t{1} << (i % 9);
    pieces[i] = static_cast<char *>(nopal_arena_alloc(&frame, 100, alignment));
    ASSERT_TRUE(is_aligned(pieces[i], alignment));
    std::memset(pieces[i], i, 100);
  }
  for (int i = 0; i < 64; ++i)
    for (int byte = 0; byte < 100; ++byte) ASSERT_EQ(pieces[i][byte], i);
  nopal_arena_free(&frame);
  EXPECT_EQ(frame.arena, nullptr);
}

TEST(ArenaTest, NoBytes) {
  nopal_frame frame{};
  EXPECT_NE(nopal_arena_alloc(&frame, 0, 1), nullptr);
  nopal_arena_free(&frame);
}

// Stack pointers of a fast clone, as a function that never runs would save them.
char stack[4];

TEST(ArenaTest, ReleaseEndsAScope) {
  nopal_frame frame{};
  void *outer = nopal_arena_alloc(&frame, 8, 8);
  void *mark = nopal_arena_mark(&frame, &stack[1]);
  EXPECT_EQ(nopal_arena_release(&frame, mark), &stack[1]);  // with nothing in it
  nopal_arena_alloc(&frame, 8, 8);
  nopal_arena_alloc(&frame, 8, 8);
  EXPECT_EQ(nopal_arena_release(&frame, mark), &stack[1]);
  EXPECT_EQ(frame.arena, mark);
  EXPECT_EQ(nopal_arena_release(&frame, mark), &stack[1]);  // a mark lasts
  EXPECT_NE(frame.arena, outer);
  nopal_arena_free(&frame);
}

TEST(ArenaTest, AScopeThatBeganOnTheStackFreesAll) {
  nopal_frame frame{};
  nopal_arena_alloc(&frame, 8, 8);
  nopal_arena_mark(&frame, &stack[1]);
  EXPECT_EQ(nopal_arena_release(&frame, &stack[2]), &stack[2]);
  EXPECT_EQ(frame.arena, nullptr);
  EXPECT_EQ(nopal_arena_release(&frame, &stack[3]), &stack[3]);
}

TEST(ArenaTest, ALoopTakesOneMark) {
  nopal_frame frame{};
  void *first = nopal_arena_mark(&frame, &stack[1]);
  nopal_arena_alloc(&frame, 8, 8);
  nopal_arena_release(&frame, first);
  EXPECT_EQ(nopal_arena_mark(&frame, &stack[1]), first);
  void *deeper = nopal_arena_mark(&frame, &stack[0]);
  EXPECT_NE(deeper, first);
  EXPECT_EQ(nopal_arena_release(&frame, deeper), &stack[0]);
  EXPECT_EQ(nopal_arena_release(&frame, first), &stack[1]);
  EXPECT_EQ(frame.arena, first);
  nopal_arena_free(&frame);
}

TEST(ArenaTest, KeepsTemporaries) {  // the address sanitizer finds what is not freed, or used
  nopal_frame frame{};
  void *mark = nopal_arena_mark(&frame, &stack[1]);
  void *temporary = nopal_temporary_alloc(24, 8);
  nopal_arena_keep(&frame, temporary);
  nopal_arena_keep(&frame, nullptr);
  std::memset(temporary, 1, 24);
  nopal_arena_release(&frame, mark);
  EXPECT_EQ(frame.arena, mark);
  nopal_arena_free(&frame);
}

TEST(ArenaDeathTest, AnOverflow) {
  nopal_frame frame{};
  EXPECT_DEATH(nopal_arena_alloc(&frame, SIZE_MAX, 16),
               "cannot allocate .* bytes for a dynamic alloca");
}

TEST(ArenaDeathTest, MoreThanThereIs) {
  nopal_frame frame{};
  EXPECT_DEATH(nopal_arena_alloc(&frame, PTRDIFF_MAX, 16),
               "cannot allocate .* bytes for a dynamic alloca");
}

TEST(TemporaryTest, Aligned) {
  for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    void *memory = nopal_temporary_alloc(24, alignment);
    EXPECT_TRUE(is_aligned(memory, alignment));
    std::memset(memory, 1, 24);
    nopal_temporary_free(memory);
  }
}

}  // namespace
