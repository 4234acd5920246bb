// A bounded queue of records: one writer, which never waits, and one reader.
//
// The writer is a worker's owner, the reader whoever drains (tracer.cpp, under a mutex). A record
// that finds the ring full is dropped and counted. Checked by tests/unit/trace_test.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [written] the writer's store-release -> the reader's load-acquire: records below it are whole.
//   [read]    the reader's store-release -> the writer's load-acquire: records below it were read,
//       and may be overwritten.
//   [dropped] relaxed: a number.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_RING_H
#define NOPAL_TRACE_RING_H

#include "record.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace nopal::trace {

class Ring {
 public:
  /// `capacity`: a power of two. `records` has as many.
  Ring(std::unique_ptr<Record[]> records, std::size_t capacity) noexcept
      : records_(std::move(records)), mask_(capacity - 1) {}

  /// Writer only. Cost: some stores; it never waits.
  void put(const Record &record) noexcept {
    const std::uint64_t written = written_.load(std::memory_order_relaxed);  // [written] its own
    if (written - known_read_ > mask_) {
      known_read_ = read_.load(std::memory_order_acquire);  // [read]
      if (written - known_read_ > mask_) {
        // [dropped]
        dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return;
      }
    }
    records_[written & mask_] = record;
    written_.store(written + 1, std::memory_order_release);  // [written]
  }

  /// Calls `visit` with each record that has come, oldest first. Reader only.
  template <class Visit>
  void drain(Visit visit) {
    const std::uint64_t written = written_.load(std::memory_order_acquire);  // [written]
    std::uint64_t read = read_.load(std::memory_order_relaxed);              // [read] its own
    for (; read != written; ++read) visit(records_[read & mask_]);
    read_.store(read, std::memory_order_release);  // [read]
  }

  /// Records that were dropped so far. Any thread.
  std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);  // [dropped]
  }

 private:
  const std::unique_ptr<Record[]> records_;
  const std::uint64_t mask_;
  // The writer's.
  alignas(64) std::atomic<std::uint64_t> written_{0};
  std::uint64_t known_read_ = 0;
  std::atomic<std::uint64_t> dropped_{0};
  // The reader's.
  alignas(64) std::atomic<std::uint64_t> read_{0};
};

}  // namespace nopal::trace

#endif
