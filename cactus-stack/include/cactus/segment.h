// Stack segments: the branches of a cactus stack. Reserved, guarded, recycled and counted here; what runs on them is not known
// here.
//
// A segment is a contiguous piece of reserved virtual memory, committed by touch, with a guard zone of its own below it. A worker
// takes segments from its SegmentCache (owner only, no lock), which falls back on the SegmentPool that all workers share (a
// mutex), which falls back on the system. How many bytes all of them hold: cactus/measure.h. Invariants, the trimming policy and
// the proof of its bound: cactus-stack/README.md. Checked by tests/unit/segment_test.cpp.
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
/// What a stack at rest keeps below its stack pointer while few segments are in use, and a worker's own below its loop: so much of
/// a child's stack is touched again soon, and costs no fault then. In bytes, whole pages of 4 KiB.
inline constexpr std::size_t kKeptBelowBytes = std::size_t{12} << 10;

class Account;
class TrimDebt;

/// How deep a place in the cactus is: bytes of stack from the root of its tree down to it, as the serial program would have them, between two
/// bounds. `most` is kUnknownDepth where there is none.
struct Depth {
  std::ptrdiff_t least = 0;
  std::ptrdiff_t most = 0;
};
/// More than any depth, and far from overflow.
inline constexpr std::ptrdiff_t kUnknownDepth = PTRDIFF_MAX / 4;

/// Page size of the system in bytes. Any thread; one system call at the first use.
std::size_t page_bytes() noexcept;

/// The size a segment has if nobody chooses one: the soft stack limit (getrlimit), 8 MiB if there is none, brought into
/// [kMinSegmentBytes, kMaxSegmentBytes] and up to whole pages. Any thread.
std::size_t default_segment_bytes() noexcept;

/// A size brought into [kMinSegmentBytes, kMaxSegmentBytes] and up to whole pages. Any thread.
std::size_t round_segment_bytes(std::size_t size_bytes) noexcept;

/// One segment. Made, recycled and destroyed by a SegmentPool only; its address stays valid (though perhaps in use by another
/// holder) while the process lives, so that a signal handler may look at it. The descriptor lies outside the segment's memory.
class alignas(64) Segment {
 public:
  enum class State : std::uint8_t { kUnmapped, kIdle, kRunning, kAtRest };

  Segment() = default;
  Segment(const Segment &) = delete;
  Segment &operator=(const Segment &) = delete;

  /// Lowest usable byte; the guard zone ends here.
  void *low() const noexcept { return low_.load(std::memory_order_relaxed); }
  /// One past the highest usable byte, on a page boundary: where a stack starts.
  void *top() const noexcept { return static_cast<char *>(low()) + size_bytes(); }
  /// Usable bytes between low() and top(), a multiple of the page size.
  std::size_t size_bytes() const noexcept { return size_bytes_.load(std::memory_order_relaxed); }
  /// Lowest byte of the guard zone [guard(), low()), which faults on every access.
  void *guard() const noexcept;
  /// Whether `address` is a usable byte of this segment.
  bool contains(const void *address) const noexcept;

  /// Gives the whole pages that lie more than `kept_bytes` below `stack_pointer` back to the system: what a finished child dirtied
  /// there. Who may call: the holder, on another stack (then nothing runs on this one) or on this one (then `stack_pointer` is of
  /// a frame that outlives the call, and `kept_bytes` covers what the caller and this function need: a page or more). The 128
  /// bytes below `stack_pointer` (the red zone) are kept in any case. The pages given back read as zero later. Exact: no page is
  /// overlooked, whatever holes the frames had. Cost: one madvise: 0.5 to 0.7 us if they are clean, else about 1 us more, and a
  /// fault for each page that is touched again.
  void give_back_below(const void *stack_pointer, std::size_t kept_bytes) noexcept;

  /// The stack on this segment was left and will be resumed: what lies more than `kept_bytes` below its stack pointer is to be given back, when
  /// `debt` is paid; keep_pages() before that cancels it. Who may call: the holder, when it stands on another stack and before anybody else can
  /// learn that this one may be resumed; `debt` is the caller's. Cost: some stores.
  void come_to_rest(const void *stack_pointer, std::size_t kept_bytes, TrimDebt &debt) noexcept;
  /// The same, and pays at once. Cost: as give_back_below.
  void come_to_rest(const void *stack_pointer, std::size_t kept_bytes) noexcept;
  /// This segment is about to run: trimming that was put off does not happen any more. The holder, before it stands there. Cost: nothing if none was,
  /// else a compare-exchange, and if somebody is at it just then, the rest of a madvise.
  void keep_pages() noexcept;
  /// The calling worker stands on this segment from now on; its bytes count for `account` (which may be null). The holder. Cost: keep_pages, two stores.
  void run(Account *account) noexcept;

  /// A path that lies `depth` deep begins at `stack_pointer` on this segment, where others have ended. Gives back what they dirtied, as
  /// give_back_below, if that and the path may together be more than `spare_bytes` deeper than the serial program's stack. The holder,
  /// standing on this segment. Cost: two comparisons, and seldom a madvise (README.md, trimming).
  void begin_path(Depth depth, const void *stack_pointer, std::size_t kept_bytes, std::size_t spare_bytes) noexcept;
  /// No path runs here, and none may for a while: gives back what they dirtied, if any has begun since that was done last. As above.
  void end_paths(const void *stack_pointer, std::size_t kept_bytes) noexcept;

  /// Says where in the cactus this segment's next frames belong: what is pushed at `stack_pointer` (on this segment) continues the
  /// stack that ends at `fork` (on any stack known here). Needed for deepest_path() only, so call it only while measuring. The
  /// holder. Cost: a mutex, and a walk over all segments.
  void grow_from(const void *fork, const void *stack_pointer) noexcept;

 private:
  friend class Registry;
  friend class Meter;
  friend class SegmentCache;
  friend class SegmentPool;
  friend class TrimDebt;

  static constexpr std::size_t kUnknown = ~std::size_t{0};
  static constexpr std::ptrdiff_t kNoPath = kUnknownDepth;
  void note_idle(std::size_t resident_bytes) noexcept;
  void check_in_use() const noexcept;

  // Written by the registry under its mutex while the segment is unmapped; read by anyone (find_segment).
  std::atomic<char *> low_{nullptr};
  std::atomic<std::size_t> size_bytes_{0};
  Segment *next_registered_ = nullptr;  // set once, before the descriptor is published
  unsigned valgrind_id_ = 0;  // see cactus/valgrind.h; under the registry's mutex
  // Written by the holder, or by the pool while the segment is idle.
  Segment *next_idle_ = nullptr;
  TrimDebt *debt_ = nullptr;           // at rest: who owes its trimming
  std::ptrdiff_t shallowest_ = kNoPath;  // least depth of a path that began here since the last giving back
  std::atomic<State> state_{State::kUnmapped};
  // For measuring. Written by the holder, read by whoever measures; relaxed.
  std::atomic<Account *> account_{nullptr};
  std::atomic<std::size_t> resident_at_rest_{0};      // kUnknown: to be asked of the system
  std::atomic<std::size_t> live_at_rest_{0};          // from the stack pointer up
  std::atomic<std::ptrdiff_t> depth_above_{0};        // bytes of the path from the root to this segment's top
};

/// Numbers of segments in the process, over all pools. in_use + idle == reserved once every acquire and release has returned.
struct Accounting {
  std::size_t reserved;        // mapped now
  std::size_t in_use;          // acquired and not released yet
  std::size_t in_caches;       // idle in workers' caches
  std::size_t in_pools;        // idle in shared pools
  std::size_t peak_reserved;   // highest value of `reserved`
  std::size_t peak_in_use;     // highest value of `in_use`
  std::size_t reserved_bytes;  // usable bytes and guard zones of the mapped segments
  std::size_t peak_reserved_bytes;
  std::uint64_t maps;          // segments ever mapped
  std::uint64_t give_backs;    // times that pages were given back by madvise
};

/// Around fork(), before it and behind it in both processes: so the new one, which has one thread, finds each list whole and each mutex
/// free. In between nothing of cactus may be called. Any thread; waits for a measurement.
void lock_for_fork() noexcept;
void unlock_after_fork() noexcept;

/// A snapshot. Any thread, at any time; each number is exact, but they are not all read at one instant. Cost: some loads.
Accounting accounting() noexcept;

/// accounting().in_use alone. Any thread. Cost: a load.
std::size_t segments_in_use() noexcept;

/// Resident bytes of all segments, as mincore tells: exact for segments at rest, an estimate for running ones.
struct Resident {
  std::size_t in_use_bytes;
  std::size_t idle_bytes;
};

/// Any thread but a signal handler. Cost: takes the registry's mutex, and one mincore for each 1024 pages of each mapped segment
/// (some microseconds for 8 MiB): for tests and reports only. Peaks, live bytes and other stacks: cactus/measure.h.
Resident resident() noexcept;

/// What find_segment found.
struct Found {
  const Segment *segment;  // nullptr if the address belongs to no segment
  bool in_guard;           // the address lies in the guard zone below the segment
};

/// Which segment, mapped now, an address belongs to. Async-signal-safe, any thread. Cost: linear in the number of segments that
/// were ever mapped at once.
Found find_segment(const void *address) noexcept;

/// The segments that all workers share, of one size. Must outlive its caches.
class SegmentPool {
 public:
  struct Options {
    std::size_t segment_bytes = 0;  // 0: default_segment_bytes(); else see round_segment_bytes()
    std::size_t max_idle = 64;      // idle segments kept mapped; 4 per worker is a good choice
  };

  explicit SegmentPool(Options options) noexcept;
  /// Unmaps the idle segments. Every segment must have been released.
  ~SegmentPool();
  SegmentPool(const SegmentPool &) = delete;
  SegmentPool &operator=(const SegmentPool &) = delete;

  std::size_t segment_bytes() const noexcept { return segment_bytes_; }

  /// A segment whose contents are unspecified. Any thread. Returns nullptr if the system has no memory or no mapping left, with
  /// errno as mmap, mprotect or the allocation of the descriptor left it, so that the caller can degrade. Cost: a mutex; if no
  /// segment is idle, three system calls (about 10 us).
  Segment *acquire() noexcept;
  /// Any thread, when nobody runs on the segment any more. Gives all its pages back; unmaps it if the pool is full.
  /// Cost: a mutex, one system call.
  void release(Segment *segment) noexcept;
  /// Unmaps the idle segments. Any thread.
  void clear() noexcept;
  /// Idle segments now. Any thread.
  std::size_t idle() const noexcept;
  /// The pool's mutex, for who forks: beside lock_for_fork(). Nothing else of the pool may be called in between.
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

/// A worker's own few segments. Owner only: one thread at a time; handing the cache to another thread needs a happens-before
/// edge. Segments may be released into another cache of the same pool than the one they were acquired from.
class SegmentCache {
 public:
  /// Idle segments that a cache keeps at most.
  static constexpr std::size_t kCapacity = 4;

  explicit SegmentCache(SegmentPool &pool) noexcept : pool_(&pool) {}
  /// Hands the cached segments to the pool.
  ~SegmentCache() { flush(); }
  SegmentCache(const SegmentCache &) = delete;
  SegmentCache &operator=(const SegmentCache &) = delete;

  /// A segment whose contents are unspecified: the one released last, if there is one. Owner only. Returns nullptr as
  /// SegmentPool::acquire does. Cost: two atomic operations on process-wide counters, else as SegmentPool::acquire.
  Segment *acquire() noexcept;
  /// Makes sure that a segment is idle here. Owner only. Returns false, with errno, if the system has none. Cost: as acquire.
  bool reserve() noexcept;
  /// Takes a segment on which nobody runs any more (a thread cannot release the segment it stands on), and gives back all but what
  /// shallow stacks use again. Owner only. Cost: one atomic operation and one madvise (see README.md, trimming).
  void release(Segment *segment) noexcept;
  /// Hands the cached segments to the pool. Owner only.
  void flush() noexcept;

  /// Idle segments now. Owner only, as are the next two.
  std::size_t idle() const noexcept { return count_; }
  /// Segments acquired through this cache, ever.
  std::uint64_t acquired() const noexcept { return acquired_; }
  /// Those of them for which the pool had to be asked.
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
