// Segments, the workers' caches and the shared pool. Specified in cactus/segment.h; the trimming policy and its reasons stand in
// cactus-stack/README.md; tests/unit/segment_test.cpp checks both.
#include "registry.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace cactus {

namespace {

constexpr std::size_t kKeptBytes = std::size_t{64} << 10;
constexpr std::uint32_t kReleasesPerForcedTrim = 16;
constexpr std::size_t kRedZoneBytes = 128;
constexpr std::size_t kUnlimitedDefaultBytes = std::size_t{8} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept { return (bytes + unit - 1) / unit * unit; }

/// Bytes at a cached segment's top that stay resident: what shallow stacks use again and again.
std::size_t kept_bytes(std::size_t segment_bytes) noexcept {
  return round_up(std::min(kKeptBytes, segment_bytes / 4), page_bytes());
}

/// Whether a page holds anything but zeros: whether a stack came down to it since it was given back. A frame writes at least its
/// return address, so only a frame with a hole as large as a page can hide. Reads memory that nobody uses, whatever sanitizers
/// think of it.
__attribute__((no_sanitize("address", "thread", "memory"))) bool is_dirty(const char *page, std::size_t size_bytes) noexcept {
  const auto *words = reinterpret_cast<const std::uint64_t *>(page);
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < size_bytes / sizeof(std::uint64_t); ++i) any |= words[i];
  return any != 0;
}

void give_back(char *low, std::size_t size_bytes) noexcept {
  const int error = errno;
  madvise(low, size_bytes, MADV_DONTNEED);
  errno = error;
  totals.give_backs.fetch_add(1, std::memory_order_relaxed);
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
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return round_segment_bytes(kUnlimitedDefaultBytes);
  return round_segment_bytes(static_cast<std::size_t>(limit.rlim_cur));
}

// ---- Segment ----

void *Segment::guard() const noexcept { return static_cast<char *>(low()) - guard_bytes(); }

bool Segment::contains(const void *address) const noexcept { return address >= low() && address < top(); }

void Segment::give_back_below(const void *stack_pointer) noexcept {
  if (!contains(stack_pointer)) return;
  auto *base = static_cast<char *>(low());
  const auto used_from = static_cast<std::size_t>(static_cast<const char *>(stack_pointer) - base);
  if (used_from < kRedZoneBytes) return;
  const std::size_t page = page_bytes();
  const std::size_t length = (used_from - kRedZoneBytes) / page * page;
  if (length != 0) give_back(base, length);
}

// ---- SegmentPool ----

SegmentPool::SegmentPool(Options options) noexcept
    : segment_bytes_(options.segment_bytes == 0 ? default_segment_bytes() : round_segment_bytes(options.segment_bytes)),
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
  if (segment->size_bytes() != segment_bytes_) misused("release into a pool of another segment size", segment);
  bool is_full = false;
  {
    const std::lock_guard lock(mutex_);
    is_full = idle_count_ >= max_idle_;
  }
  // Outside the lock: the pages of one segment must not hold up all workers. Two workers may pass the check at once, so it is
  // repeated.
  if (!is_full) {
    give_back(static_cast<char *>(segment->low()), segment->size_bytes());
    const std::lock_guard lock(mutex_);
    is_full = idle_count_ >= max_idle_;
    if (!is_full) {
      segment->next_idle_ = idle_;
      idle_ = segment;
      ++idle_count_;
      totals.in_pools.fetch_add(1, std::memory_order_relaxed);
    }
  }
  if (is_full) Registry::unmap(segment);
}

Segment *SegmentPool::acquire() noexcept {
  Segment *segment = take();
  if (segment == nullptr) return nullptr;
  segment->state_.store(Segment::State::kInUse, std::memory_order_relaxed);
  count_up(totals.in_use, totals.peak_in_use);
  return segment;
}

void SegmentPool::release(Segment *segment) noexcept {
  if (segment->state_.exchange(Segment::State::kIdle, std::memory_order_relaxed) != Segment::State::kInUse) {
    misused("released twice", segment);
  }
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
  segment->state_.store(Segment::State::kInUse, std::memory_order_relaxed);
  count_up(totals.in_use, totals.peak_in_use);
  return segment;
}

void SegmentCache::release(Segment *segment) noexcept {
  if (segment->state_.load(std::memory_order_relaxed) != Segment::State::kInUse) misused("released twice", segment);
  if (segment->size_bytes() != pool_->segment_bytes()) misused("release into a cache of another segment size", segment);
  segment->state_.store(Segment::State::kIdle, std::memory_order_relaxed);
  totals.in_use.fetch_sub(1, std::memory_order_relaxed);
  if (count_ == kCapacity) {
    pool_->put(segment);
    return;
  }
  const std::size_t page = page_bytes();
  const std::size_t kept = kept_bytes(segment->size_bytes());
  if (kept + page <= segment->size_bytes()) {
    auto *low = static_cast<char *>(segment->low());
    const std::size_t deep = segment->size_bytes() - kept;
    ++segment->releases_;
    if (segment->releases_ % kReleasesPerForcedTrim == 0 || is_dirty(low + deep - page, page)) give_back(low, deep);
  }
  segments_[count_++] = segment;
}

void SegmentCache::flush() noexcept {
  while (count_ != 0) pool_->put(segments_[--count_]);
}

}  // namespace cactus
