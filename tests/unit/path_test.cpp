// runtime/src/frame/path.h: how deep the callees of a frame begin.
#include <gtest/gtest.h>

#include "frame/path.h"

namespace nopal {
namespace {

constexpr std::uint32_t kFrameBytes = 300;
alignas(8) char stack[4096];

struct FramePathTest : testing::Test {
  nopal_frame *frame_at(std::size_t offset, nopal_site &site) {
    auto *frame = new (stack + offset) nopal_frame{};
    frame->site = reinterpret_cast<std::uintptr_t>(&site) | NOPAL_SITE_SLOW;
    return frame;
  }
  FramePathTest() {
    known.frame_bytes = kFrameBytes;
    origin.site = reinterpret_cast<std::uintptr_t>(&known);
  }
  nopal_site known{}, unknown{};
  nopal_frame origin{};
};

void expect_depth(cactus::Depth depth, std::ptrdiff_t least, std::ptrdiff_t most) {
  EXPECT_EQ(depth.least, least);
  EXPECT_EQ(depth.most, most);
}

TEST_F(FramePathTest, OnAThreadsOwnStack) {
  const Path path{.low = stack, .begin = stack + sizeof stack, .depth = {0, 0}};
  expect_depth(path.depth_below(frame_at(4096 - 1000, known)), 1000, 1000 + kFrameBytes);
  expect_depth(path.depth_below(frame_at(4096 - 1000, unknown)), 1000, cactus::kUnknownDepth);
}

TEST_F(FramePathTest, OfAContinuation) {
  const Path path = Path::continuation_of(&origin, {5000, 6000}, stack, stack + 4096);
  expect_depth(path.depth_below(&origin), 5000, 6000);
  expect_depth(path.depth_below(frame_at(4096 - 1000, known)), 5000 - kFrameBytes + 1000,
               6000 + 1000 + kFrameBytes);
}

TEST_F(FramePathTest, WhatIsNotKnownStaysUnknown) {
  nopal_frame *const frame = frame_at(2048, known);
  EXPECT_EQ(Path{}.depth_below(frame).most, cactus::kUnknownDepth);
  EXPECT_EQ(Path::continuation_of(&origin, {0, cactus::kUnknownDepth}, stack, stack + 4096)
                .depth_below(frame)
                .most,
            cactus::kUnknownDepth);
  EXPECT_EQ(Path::continuation_of(&origin, {10, 10}, nullptr, stack + 4096).depth_below(frame).most,
            cactus::kUnknownDepth)
      << "no bounds";
  const Path elsewhere{.low = stack, .begin = stack + 1024, .depth = {0, 0}};
  expect_depth(elsewhere.depth_below(frame), 0, cactus::kUnknownDepth);
}

}  // namespace
}  // namespace nopal
