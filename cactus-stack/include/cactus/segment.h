// Stack segments: the branches of a cactus stack. This library reserves, guards, recycles and
// counts them. It does not know what runs on them.
//
// A segment is a contiguous piece of reserved virtual memory with a guard zone below it. Touching a
// page commits it. A worker takes segments from its SegmentCache (owner only, no lock). The cache
// falls back on the SegmentPool that all workers share (a mutex), and the pool on the system. Bytes
// held by all of them: cactus/measure.h. Invariants, the trimming policy and the proof of its
// bound: cactus-stack/README.md. Test: tests/unit/segment_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef CACTUS_SEGMENT_H
#define CACTUS_SEGMENT_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace cactus {

/// Smallest size that a pool accepts, in bytes.
inline constexpr std::size_t kMinSegmentBytes = std::size_t{64} << 10;
/// Largest size that a pool accepts, in bytes.
inline constexpr std::size_t kMaxSegmentBytes = std::size_t{1} << 40;
/// Bytes that stay committed below the stack pointer of a suspended stack while few segments are in
/// use, and below a worker's loop on its own segment. The next child touches about this much again,
/// and pays no page fault for it. Whole pages of 4 KiB.
inline constexpr std::size_t kKeptBelowBytes = std::size_t{12} << 10;

class Account;
class DeferredTrim;

/// Bounds of the depth of a place in the cactus: bytes of stack from the root of the tree down to
/// the place, as the serial program would have them. `most` is kUnknownDepth where no bound is
/// known.
struct Depth {
  std::ptrdiff_t least = 0;
  std::ptrdiff_t most = 0;
};
/// Larger than any depth, and far from overflow.
inline constexpr std::ptrdiff_t kUnknownDepth = PTRDIFF_MAX / 4;

/// Page size of the system in bytes. Any thread. Cost: one system call at the first use.
std::size_t page_bytes() noexcept;

/// Default size of a segment: the soft stack limit (getrlimit), or 8 MiB if there is none, clamped
/// to [kMinSegmentBytes, kMaxSegmentBytes] and rounded up to whole pages. Any thread.
std::size_t default_segment_bytes() noexcept;

/// `size_bytes` clamped to [kMinSegmentBytes, kMaxSegmentBytes] and rounded up to whole pages. Any
/// thread.
std::size_t round_segment_bytes(std::size_t size_bytes) noexcept;

/// The descriptor of one segment. Only a SegmentPool makes, recycles and destroys segments. A
/// descriptor's address stays valid while the process lives (perhaps for another holder), so a
/// signal handler may read it. It lies outside the segment's memory.
class alignas(64) Segment {
 public:
  enum class State : std::uint8_t { kUnmapped, kIdle, kRunning, kSuspended };

  Segment() = default;
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  /// Lowest usable byte, where the guard zone ends.
  void *low() const noexcept { return low_.load(std::memory_order_relaxed); }
  /// One past the highest usable byte, on a page boundary. A stack starts here and grows down.
  void *top() const noexcept { return static_cast<char *>(low()) + size_bytes(); }
  /// Usable bytes between low() and top(), a multiple of the page size.
  std::size_t size_bytes() const noexcept { return size_bytes_.load(std::memory_order_relaxed); }
  /// Lowest byte of the guard zone [guard(), low()), which faults on every access.
  void *guard() const noexcept;
  /// Whether `address` is a usable byte of this segment.
  bool contains(const void *address) const noexcept;

  /// Decommits the whole pages that lie more than `kept_bytes` below `stack_pointer`, which a
  /// finished child touched. Their next read gives zero. The red zone (128 bytes below
  /// `stack_pointer`) always stays. No page is missed, whatever holes the frames had.
  /// Caller: the holder. It stands on another stack, and nothing runs on this one; or it stands on
  /// this one, `stack_pointer` belongs to a frame that outlives the call, and `kept_bytes` (a page
  /// or more) covers the stack of the caller and of this function. Cost: one madvise: 0.5 to 0.7 us
  /// if the pages are clean, else about 1 us more, and a page fault for each page that is touched
  /// again.
  void decommit_below(const void *stack_pointer, std::size_t kept_bytes) noexcept;

  /// Marks the stack on this segment as suspended: it will be resumed. Defers in `trim` the
  /// decommit of what lies more than `kept_bytes` below its stack pointer; cancel_trim() cancels
  /// it. If the stack pointer lies elsewhere, as in a fiber that the program runs here, nothing is
  /// decommitted. Caller: the holder, on another stack, before another thread can learn that this
  /// one may be resumed; the caller owns `trim`. Cost: a few stores.
  void suspend(const void *stack_pointer, std::size_t kept_bytes, DeferredTrim &trim) noexcept;
  /// The same, and decommits at once. Cost: as decommit_below.
  void suspend(const void *stack_pointer, std::size_t kept_bytes) noexcept;
  /// Cancels a deferred trim, since this segment is about to run. Caller: the holder, before it
  /// stands there. Cost: nothing if there is none; else a compare-exchange, and the rest of a
  /// madvise if the trim is in progress.
  void cancel_trim() noexcept;
  /// The calling worker stands on this segment from now on. Its bytes count for `account`, which
  /// may be null. Caller: the holder. Cost: cancel_trim() and two stores.
  void run(Account *account) noexcept;

  /// A path at depth `depth` begins at `stack_pointer` on this segment, where others have ended.
  /// Decommits what they touched, as decommit_below, if that and the path together may exceed the
  /// serial program's stack by more than `spare_bytes`. Caller: the holder, on this segment. Cost:
  /// two comparisons, and rarely a madvise (README.md, "Trimming").
  void begin_path(Depth depth, const void *stack_pointer, std::size_t kept_bytes,
                  std::size_t spare_bytes) noexcept;
  /// No path runs here, and none may for a while. Decommits what paths have touched since the last
  /// decommit. Caller and cost: as above.
  void end_paths(const void *stack_pointer, std::size_t kept_bytes) noexcept;

  /// Says where in the cactus this segment's next frames belong: what is pushed at `stack_pointer`
  /// (on this segment) continues the stack that ends at `fork` (on any known stack). Only
  /// deepest_path() needs it, so call it only while measuring. Caller: the holder. Cost: a mutex,
  /// and a walk over all segments.
  void grow_from(const void *fork, const void *stack_pointer) noexcept;

 private:
  friend class Registry;
  friend class Meter;
  friend class SegmentCache;
  friend class SegmentPool;
  friend class DeferredTrim;

  static constexpr std::size_t kUnknown = ~std::size_t{0};
  static constexpr std::ptrdiff_t kNoPath = kUnknownDepth;
  void note_idle(std::size_t resident_bytes) noexcept;
  void check_in_use() const noexcept;

  // Written by the registry under its mutex while the segment is unmapped; read by anyone
  // (find_segment).
  std::atomic<char *> low_{nullptr};
  std::atomic<std::size_t> size_bytes_{0};
  Segment *next_registered_ = nullptr;  // set once, before the descriptor is published
  unsigned valgrind_id_ = 0;            // cactus/valgrind.h; under the registry's mutex
  // Written by the holder, or by the pool while the segment is idle.
  Segment *next_idle_ = nullptr;
  DeferredTrim *trim_ = nullptr;         // suspended: where its trim is deferred
  std::ptrdiff_t shallowest_ = kNoPath;  // least depth of a path here since the last decommit
  std::atomic<State> state_{State::kUnmapped};
  // For measurements. Written by the holder, read by the meter; relaxed.
  std::atomic<Account *> account_{nullptr};
  std::atomic<std::size_t> suspended_resident_{0};  // bytes; kUnknown: ask the system
  std::atomic<std::size_t> suspended_live_{0};      // bytes from the stack pointer up; kUnknown
  std::atomic<std::ptrdiff_t> depth_above_{0};      // bytes from the root to this segment's top
};

/// Numbers of segments in the process, over all pools. in_use + in_caches + in_pools == reserved
/// whenever no acquire or release is under way.
struct Accounting {
  std::size_t reserved;        // mapped now
  std::size_t in_use;          // acquired and not released yet
  std::size_t in_caches;       // idle in workers' caches
  std::size_t in_pools;        // idle in shared pools
  std::size_t peak_reserved;   // highest value of `reserved`
  std::size_t peak_in_use;     // highest value of `in_use`
  std::size_t reserved_bytes;  // usable bytes and guard zones of the mapped segments
  std::size_t peak_reserved_bytes;
  std::uint64_t maps;       // segments ever mapped
  std::uint64_t decommits;  // madvise calls that decommitted pages
};

/// Call the first before fork() and the second after it, in both processes: the child, which has
/// one thread, finds each list whole and each mutex free. Call nothing else of cactus in between.
/// Any thread; waits for a measurement.
void lock_for_fork() noexcept;
void unlock_after_fork() noexcept;

/// A snapshot. Any thread, at any time. Each number is exact, but they are not all read at one
/// instant. Cost: some loads.
Accounting accounting() noexcept;

/// accounting().in_use alone. Any thread. Cost: a load.
std::size_t segments_in_use() noexcept;

/// Resident bytes of all segments, from mincore: exact for suspended and idle segments, an estimate
/// for running ones.
struct Resident {
  std::size_t in_use_bytes;
  std::size_t idle_bytes;
};

/// Any thread but a signal handler. Cost: the registry's mutex, and one mincore for each 1024 pages
/// of each mapped segment (some microseconds for 8 MiB). For tests and reports only. Peaks, live
/// bytes and other stacks: cactus/measure.h.
Resident resident() noexcept;

/// The result of find_segment.
struct Found {
  const Segment *segment;  // nullptr if the address belongs to no segment
  bool in_guard;           // the address lies in the guard zone below the segment
};

/// The mapped segment that an address belongs to. Any thread, async-signal-safe. Cost: linear in
/// the peak number of mapped segments.
Found find_segment(const void *address) noexcept;

/// The segments that all workers share, all of one size. Must outlive its caches.
class SegmentPool {
 public:
  struct Options {
    std::size_t segment_bytes = 0;  // 0: default_segment_bytes(); else see round_segment_bytes()
    std::size_t max_idle = 64;      // idle segments kept mapped; 4 per worker is a good choice
  };

  explicit SegmentPool(Options options) noexcept;
  /// Unmaps the idle segments. Release every segment first.
  ~SegmentPool();
  SegmentPool(const SegmentPool &) = delete;
  SegmentPool &operator=(const SegmentPool &) = delete;

  std::size_t segment_bytes() const noexcept { return segment_bytes_; }

  /// A segment with unspecified contents. Any thread. Returns nullptr if the system has no memory
  /// or no mapping left, with the errno of mmap, mprotect or the descriptor's allocation; the
  /// caller can degrade. Cost: a mutex; if no segment is idle, three system calls (about 10 us).
  Segment *acquire() noexcept;
  /// Decommits all pages of the segment; unmaps it if the pool is full. Any thread, when nothing
  /// runs on the segment any more. Cost: a mutex and one system call.
  void release(Segment *segment) noexcept;
  /// Unmaps the idle segments. Any thread.
  void clear() noexcept;
  /// Idle segments now. Any thread.
  std::size_t idle() const noexcept;
  /// The pool's mutex, for fork(), as lock_for_fork(). Call nothing else of the pool in between.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  friend class SegmentCache;
  Segment *take() noexcept;             // acquire() without the counting of use
  void put(Segment *segment) noexcept;  // release() without the counting of use

  const std::size_t segment_bytes_;
  const std::size_t max_idle_;
  mutable std::mutex mutex_;
  Segment *idle_ = nullptr;  // guarded by mutex_
  std::size_t idle_count_ = 0;
};

/// A worker's own few segments. Owner only: one thread at a time. Handing the cache to another
/// thread needs a happens-before edge. A segment may be released into another cache of the same
/// pool.
class SegmentCache {
 public:
  /// Most idle segments that a cache keeps.
  static constexpr std::size_t kCapacity = 4;

  explicit SegmentCache(SegmentPool &pool) noexcept : pool_(&pool) {}
  /// Hands the cached segments to the pool.
  ~SegmentCache() { flush(); }
  SegmentCache(const SegmentCache &) = delete;
  SegmentCache &operator=(const SegmentCache &) = delete;

  /// A segment with unspecified contents: the last released one, if there is one. Owner only.
  /// Returns nullptr as SegmentPool::acquire does. Cost: two atomic operations on process-wide
  /// counters; if the cache is empty, as SegmentPool::acquire.
  Segment *acquire() noexcept;
  /// Makes sure that a segment is idle here. Owner only. Returns false, with errno, if the system
  /// has none. Cost: as acquire.
  bool reserve() noexcept;
  /// Takes a segment on which nothing runs any more, and decommits all but what shallow stacks use
  /// again. A thread cannot release the segment that it stands on. Owner only. Cost: one atomic
  /// operation and one madvise (README.md, "Trimming").
  void release(Segment *segment) noexcept;
  /// Hands the cached segments to the pool. Owner only.
  void flush() noexcept;

  /// Idle segments now. Owner only, as the next two.
  std::size_t idle() const noexcept { return count_; }
  /// Segments ever acquired through this cache.
  std::uint64_t acquired() const noexcept { return acquired_; }
  /// Those of them that came from the pool.
  std::uint64_t misses() const noexcept { return misses_; }

 private:
  SegmentPool *pool_;
  std::array<Segment *, kCapacity> segments_{};
  std::size_t count_ = 0;
  std::uint64_t acquired_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace cactus

#endif
