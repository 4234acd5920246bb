// Stack segments: the branches of a cactus stack. Reserved, guarded, recycled and counted here; what runs on them is not known
// here.
//
// A segment is a contiguous piece of reserved virtual memory, committed by touch, with a guard zone of its own below it. A worker
// takes segments from its SegmentCache (owner only, no lock), which falls back on the SegmentPool that all workers share (a
// mutex), which falls back on the system. Invariants and the trimming policy: cactus-stack/README.md. Checked by
// tests/unit/segment_test.cpp.
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
  enum class State : std::uint8_t { kUnmapped, kIdle, kInUse };

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

  /// Gives the whole pages below `stack_pointer` back to the system, for a segment that stays suspended for long: what a finished
  /// child dirtied there. Who may call: the holder, while nobody runs on the segment. `stack_pointer` is the suspended stack's;
  /// the 128 bytes below it (the red zone) are kept. The pages given back read as zero later. Cost: one madvise: below a
  /// microsecond if they are clean, else about 50 ns a dirty page, and a fault when touched again.
  void give_back_below(const void *stack_pointer) noexcept;

 private:
  friend class Registry;
  friend class SegmentCache;
  friend class SegmentPool;

  // Written by the registry under its mutex while the segment is unmapped; read by anyone (find_segment).
  std::atomic<char *> low_{nullptr};
  std::atomic<std::size_t> size_bytes_{0};
  Segment *next_registered_ = nullptr;  // set once, before the descriptor is published
  // Written by the holder, or by the pool while the segment is idle.
  Segment *next_idle_ = nullptr;
  std::uint32_t releases_ = 0;  // for the trimming policy
  std::atomic<State> state_{State::kUnmapped};
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
  std::uint64_t maps;          // segments ever mapped
  std::uint64_t give_backs;    // times that pages were given back by madvise
};

/// A snapshot. Any thread, at any time; each number is exact, but they are not all read at one instant. Cost: some loads.
Accounting accounting() noexcept;

/// Resident bytes of all segments, as mincore tells: exact for segments at rest, an estimate for running ones.
struct Resident {
  std::size_t in_use_bytes;
  std::size_t idle_bytes;
};

/// Any thread but a signal handler. Cost: takes the registry's mutex, and one mincore for each 256 pages of each mapped segment
/// (some microseconds for 8 MiB): for tests and reports only.
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
  /// Takes a segment on which nobody runs any more (a thread cannot release the segment it stands on). Owner only.
  /// Cost: one atomic operation and a look at one page; one system call if it was dirtied deeply (see README.md, trimming).
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
