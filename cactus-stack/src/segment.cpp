// Segments, the workers' caches and the shared pool. Specified in cactus/segment.h. Trimming policy
// and its reasons: cactus-stack/README.md. Test: tests/unit/segment_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "meter.h"
#include "registry.h"

#include <cactus/deferred_trim.h>

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace cactus {

namespace {

constexpr std::size_t kKeptIdleBytes = std::size_t{8} << 10;
constexpr std::size_t kRedZoneBytes = 128;
constexpr std::size_t kUnlimitedDefaultBytes = std::size_t{8} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
  return (bytes + unit - 1) / unit * unit;
}

/// Bytes at a cached segment's top that stay resident, since shallow stacks use them again and
/// again.
std::size_t kept_idle_bytes() noexcept { return round_up(kKeptIdleBytes, page_bytes()); }

/// Bytes from `low` up, in whole pages, that lie more than `kept_bytes` and the red zone below a
/// stack pointer `used_from` bytes above `low`.
std::size_t unused_bytes(std::size_t used_from, std::size_t kept_bytes) noexcept {
  if (used_from < kRedZoneBytes + kept_bytes) return 0;
  const std::size_t page = page_bytes();
  return (used_from - kRedZoneBytes - kept_bytes) / page * page;
}

[[noreturn]] void misused(const char *what, const void *segment) noexcept {
  std::fprintf(stderr, "cactus: fatal: %s: segment %p\n", what, segment);
  std::abort();
}

}  // namespace

std::size_t page_bytes() noexcept {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return page;
}

std::size_t round_segment_bytes(std::size_t size_bytes) noexcept {
  return round_up(std::clamp(size_bytes, kMinSegmentBytes, kMaxSegmentBytes), page_bytes());
}

std::size_t default_segment_bytes() noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return round_segment_bytes(kUnlimitedDefaultBytes);
  return round_segment_bytes(static_cast<std::size_t>(limit.rlim_cur));
}

// ---- Segment ----

void *Segment::guard() const noexcept { return static_cast<char *>(low()) - guard_bytes(); }

bool Segment::contains(const void *address) const noexcept {
  return address >= low() && address < top();
}

void Segment::decommit_below(const void *stack_pointer, std::size_t kept_bytes) noexcept {
  if (!contains(stack_pointer)) return;
  auto *base = static_cast<char *>(low());
  const std::size_t length = unused_bytes(
      static_cast<std::size_t>(static_cast<const char *>(stack_pointer) - base), kept_bytes);
  if (length != 0) Meter::decommit(base, length);
}

void Segment::suspend(const void *stack_pointer, std::size_t kept_bytes,
                      DeferredTrim &trim) noexcept {
  // Else a fiber of the program's runs here: what it uses of this stack is not known.
  const bool is_here = contains(stack_pointer);
  const auto used_from = static_cast<std::size_t>(static_cast<const char *>(stack_pointer) -
                                                  static_cast<const char *>(low()));
  suspended_live_.store(is_here ? size_bytes() - used_from : kUnknown, std::memory_order_relaxed);
  suspended_resident_.store(kUnknown, std::memory_order_relaxed);
  state_.store(State::kSuspended, std::memory_order_relaxed);
  if (!is_here) return;
  if (const std::size_t length = unused_bytes(used_from, kept_bytes); length != 0)
    trim_ = trim.defer(*this, length);
}

void Segment::suspend(const void *stack_pointer, std::size_t kept_bytes) noexcept {
  DeferredTrim at_once;
  suspend(stack_pointer, kept_bytes, at_once);
  at_once.perform();
  trim_ = nullptr;
}

void Segment::cancel_trim() noexcept {
  if (DeferredTrim *trim = std::exchange(trim_, nullptr)) trim->cancel(*this);
}

void Segment::run(Account *account) noexcept {
  cancel_trim();
  account_.store(account, std::memory_order_relaxed);
  state_.store(State::kRunning, std::memory_order_relaxed);
}

void Segment::begin_path(Depth depth, const void *stack_pointer, std::size_t kept_bytes,
                         std::size_t spare_bytes) noexcept {
  if (depth.most - shallowest_ > static_cast<std::ptrdiff_t>(spare_bytes))
    end_paths(stack_pointer, kept_bytes);
  shallowest_ = std::min(shallowest_, depth.least);
}

void Segment::end_paths(const void *stack_pointer, std::size_t kept_bytes) noexcept {
  if (shallowest_ == kNoPath) return;
  shallowest_ = kNoPath;
  decommit_below(stack_pointer, kept_bytes);
}

void Segment::grow_from(const void *fork, const void *stack_pointer) noexcept {
  const auto own = static_cast<char *>(top()) - static_cast<const char *>(stack_pointer);
  depth_above_.store(Meter::depth_of(fork) - own, std::memory_order_relaxed);
}

void Segment::check_in_use() const noexcept {
  const State state = state_.load(std::memory_order_relaxed);
  if (state != State::kRunning && state != State::kSuspended) misused("released twice", this);
}

void Segment::note_idle(std::size_t resident_bytes) noexcept {
  suspended_resident_.store(resident_bytes, std::memory_order_relaxed);
  suspended_live_.store(0, std::memory_order_relaxed);
  depth_above_.store(0, std::memory_order_relaxed);
  shallowest_ = kNoPath;
}

// ---- SegmentPool ----

SegmentPool::SegmentPool(Options options) noexcept
    : segment_bytes_(options.segment_bytes == 0 ? default_segment_bytes()
                                                : round_segment_bytes(options.segment_bytes)),
      max_idle_(options.max_idle) {}

SegmentPool::~SegmentPool() { clear(); }

Segment *SegmentPool::take() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (Segment *segment = idle_) {
      idle_ = segment->next_idle_;
      segment->next_idle_ = nullptr;
      --idle_count_;
      totals.in_pools.fetch_sub(1, std::memory_order_relaxed);
      return segment;
    }
  }
  return Registry::map(segment_bytes_);
}

void SegmentPool::put(Segment *segment) noexcept {
  if (segment->size_bytes() != segment_bytes_)
    misused("release into a pool of another segment size", segment);
  bool is_full = false;
  {
    const std::lock_guard lock(mutex_);
    is_full = idle_count_ >= max_idle_;
  }
  // Outside the lock: decommitting one segment must not hold up all workers. Two workers may pass
  // the check at once, so it is repeated.
  if (!is_full) {
    Meter::decommit(static_cast<char *>(segment->low()), segment->size_bytes());
    segment->note_idle(0);
    segment->state_.store(Segment::State::kIdle, std::memory_order_relaxed);
    segment->account_.store(nullptr, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    is_full = idle_count_ >= max_idle_;
    if (!is_full) {
      segment->next_idle_ = idle_;
      idle_ = segment;
      ++idle_count_;
      totals.in_pools.fetch_add(1, std::memory_order_relaxed);
    }
  }
  if (!is_full) return;
  if (is_measuring()) Meter::measure_before_decommit();
  Registry::unmap(segment);
}

Segment *SegmentPool::acquire() noexcept {
  Segment *segment = take();
  if (segment == nullptr) return nullptr;
  segment->state_.store(Segment::State::kRunning, std::memory_order_relaxed);
  count_up(totals.in_use, totals.peak_in_use);
  return segment;
}

void SegmentPool::release(Segment *segment) noexcept {
  segment->check_in_use();
  totals.in_use.fetch_sub(1, std::memory_order_relaxed);
  put(segment);
}

void SegmentPool::clear() noexcept {
  Segment *list = nullptr;
  {
    const std::lock_guard lock(mutex_);
    list = idle_;
    totals.in_pools.fetch_sub(idle_count_, std::memory_order_relaxed);
    idle_ = nullptr;
    idle_count_ = 0;
  }
  while (list != nullptr) {
    Segment *segment = list;
    list = segment->next_idle_;
    segment->next_idle_ = nullptr;
    Registry::unmap(segment);
  }
}

std::size_t SegmentPool::idle() const noexcept {
  const std::lock_guard lock(mutex_);
  return idle_count_;
}

// ---- SegmentCache ----

Segment *SegmentCache::acquire() noexcept {
  Segment *segment = nullptr;
  if (count_ != 0) {
    segment = segments_[--count_];
  } else {
    segment = pool_->take();
    if (segment == nullptr) return nullptr;
    ++misses_;
  }
  ++acquired_;
  segment->state_.store(Segment::State::kRunning, std::memory_order_relaxed);
  count_up(totals.in_use, totals.peak_in_use);
  return segment;
}

bool SegmentCache::reserve() noexcept {
  if (count_ != 0) return true;
  Segment *segment = pool_->take();
  if (segment == nullptr) return false;
  segments_[count_++] = segment;
  return true;
}

void SegmentCache::release(Segment *segment) noexcept {
  segment->check_in_use();
  if (segment->size_bytes() != pool_->segment_bytes())
    misused("release into a cache of another segment size", segment);
  totals.in_use.fetch_sub(1, std::memory_order_relaxed);
  if (count_ == kCapacity) {
    pool_->put(segment);
    return;
  }
  const std::size_t deep = segment->size_bytes() - kept_idle_bytes();
  Meter::decommit(static_cast<char *>(segment->low()), deep);
  segment->note_idle(is_measuring() ? touched(*segment).resident_bytes : Segment::kUnknown);
  segment->state_.store(Segment::State::kIdle, std::memory_order_relaxed);
  segments_[count_++] = segment;
}

void SegmentCache::flush() noexcept {
  while (count_ != 0) pool_->put(segments_[--count_]);
}

}  // namespace cactus
