// Live function instances, the deques that hold their continuations, and the memory of both.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "policy/policy.h"
#include "program.h"

namespace nopal::sim {

/// A stack segment, which any worker may run.
inline constexpr std::uint32_t kSegment = ~std::uint32_t{0};

struct Frame {
  Node node;
  Frame *parent = nullptr;
  Time prefix = 0;   // the longest path from its beginning to here, without children not synced
  Time longest = 0;  // ... that ends in a child which has joined since the last sync
  Time base = 0;     // the parent's prefix when it spawned this one
  std::uint64_t stack = 0;  // bytes of the path from the root down to here
  std::uint32_t bytes = 0;
  std::uint32_t pc = 0;             // the next step
  std::uint32_t outstanding = 0;    // children that a thief left running
  policy::Mark mark;                // written by the first thief, as nopal_frame::owner
  std::uint32_t thread = kSegment;  // on whose stack it is: an attached thread's, or kSegment
  const Frame *origin = nullptr;    // the path there continues it; null: none
  Step::Kind pending = Step::Kind::kSync;  // where it waits
  bool is_called = false;                  // not spawned
  bool is_waiting = false;                 // at a sync, for outstanding children
  bool is_resumed = false;                 // is about to do its pending step
  bool was_stolen = false;
  // With --idle sleep.
  bool is_slow = false;         // a thief runs it on another stack, until the sync
  bool is_first_child = false;  // of a parent that was not slow: the parent is on its stack
  bool is_left = false;         // nobody is on its stack, and it waits
};

class FramePool {
 public:
  Frame *take() {
    if (free_ == nullptr) grow();
    Frame *const frame = free_;
    free_ = frame->parent;
    return frame;
  }
  void put_back(Frame *frame) noexcept {
    frame->parent = free_;
    free_ = frame;
  }

 private:
  static constexpr std::size_t kChunk = 1024;

  void grow() {
    chunks_.push_back(std::make_unique<Frame[]>(kChunk));
    for (std::size_t i = kChunk; i > 0; --i) put_back(&chunks_.back()[i - 1]);
  }

  Frame *free_ = nullptr;
  std::vector<std::unique_ptr<Frame[]>> chunks_;
};

/// Oldest first; thieves take from the beginning, the owner from the end.
class FrameDeque {
 public:
  std::uint32_t size() const noexcept { return end_ - begin_; }
  bool is_empty() const noexcept { return begin_ == end_; }
  Frame *oldest() const noexcept { return items_[begin_]; }
  Frame *youngest() const noexcept { return items_[end_ - 1]; }

  void push(Frame *frame) {
    if (end_ == capacity_) grow();
    items_[end_++] = frame;
  }
  void pop_youngest() noexcept {
    if (--end_ == begin_) begin_ = end_ = 0;
  }
  Frame *take_oldest() noexcept {
    Frame *const frame = items_[begin_];
    if (++begin_ == end_) begin_ = end_ = 0;
    return frame;
  }

 private:
  void grow() {
    const std::uint32_t size = end_ - begin_;
    // At least half of it is free at the beginning, or it doubles.
    const std::uint32_t wanted = capacity_ == 0         ? 16
                                 : size * 2 > capacity_ ? capacity_ * 2
                                                        : capacity_;
    auto items = std::make_unique<Frame *[]>(wanted);
    for (std::uint32_t i = 0; i < size; ++i) items[i] = items_[begin_ + i];
    items_ = std::move(items);
    capacity_ = wanted;
    begin_ = 0;
    end_ = size;
  }

  std::unique_ptr<Frame *[]> items_;
  std::uint32_t begin_ = 0, end_ = 0, capacity_ = 0;
};

}  // namespace nopal::sim
