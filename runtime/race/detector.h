// Checks each access against what is known of its bytes, and records it. README.md has the rules.
//
// The first lines of each check are inline: an access whose strand is recorded already, or that
// cannot race with anything, ends there. The rest is in detector.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_DETECTOR_H
#define NOPAL_RACE_DETECTOR_H

#include "history.h"
#include "locks.h"
#include "shadow.h"
#include "strands.h"
#include "trail.h"
#include "views.h"

#include <cstring>
#include <vector>

namespace nopal::race {

/// kValue: the value of a hyperobject is asked for, or set. kEnd: a hyperobject is destroyed.
enum class AccessKind : std::uint8_t { kRead, kWrite, kReadWrite, kFree, kValue, kEnd };

inline bool is_write(AccessKind kind) { return kind != AccessKind::kRead; }

/// Of the calling thread. The checked thread alone has other values than these.
struct ThreadState {
  std::uint64_t now = 0;         // the serial time, in both halves; 0: accesses are not checked
  Address lowest = ~Address{0};  // of the stack that has a record
  bool is_usual = false;         // no lock is held, nothing is ignored, and no view has been made
};
/// Instrumented code reads `now` (nopal_race_memory.h).
extern thread_local constinit ThreadState own_state __asm__(NOPAL_RACE_NOW);
static_assert(offsetof(ThreadState, now) == 0);

/// Where the program is: the place of the access, and the frame of the function that does it.
struct Here {
  const void *code;
  const void *frame;
};

/// In a function that instrumented code calls.
#define NOPAL_RACE_HERE                             \
  (::nopal::race::Here{__builtin_return_address(0), \
                       *static_cast<void *const *>(__builtin_frame_address(0))})

class Detector {
 public:
  /// Made before main, never destroyed.
  static Detector &get();
  static void start();

  /// The thread whose hooks and accesses count: the first that calls a hook.
  static bool is_checked_thread() { return is_checked_; }
  /// At each hook: makes the calling thread the checked one, if there is none.
  static bool begin_hook() { return is_checked_ || get().first_hook(); }
  void end_hook() { own_state.now = current(); }
  /// The same where something may run in parallel, and nothing is ignored.
  void end_parallel_hook() { own_state.now = both(strands.now()); }
  /// After a change of locks, of what is ignored, or of views.
  void update_usual() {
    own_state.is_usual = is_checked_ && ignored_ == 0 && held_.empty() && views.are_none();
  }

  Strands strands;
  Trail trail;
  Views views;

  /// An aligned access of 8 bytes, of 4, and any. The first two are in each entry point.
  void access8(Address address, AccessKind kind, Here here);
  void access4(Address address, AccessKind kind, Here here);
  void access(Address address, std::size_t size, AccessKind kind, Here here);
  /// `count` rows of `bytes`, neither 0, `stride` bytes apart. `here` by reference: passed in
  /// memory it would be copied by a load that waits for all stores before it.
  void access_rows(Address start, std::size_t bytes, std::ptrdiff_t stride, std::size_t count,
                   AccessKind kind, const Here &here);
  /// The same with a lock that all atomic accesses hold.
  void atomic(Address address, std::size_t size, AccessKind kind, Here here);

  /// The memory is about to be freed: parallel accesses race with that. Records nothing.
  void free_memory(Address begin, std::size_t size, Here here);

  /// A race if the strand's view of the hyperobject depends on the schedule.
  void value_of(const void *hyperobject, Here here);

  /// A view of the hyperobject is looked up. One use is kept, as one reader of a byte is.
  void use_of(const void *hyperobject, Here here);
  /// It is destroyed: uses that may run at the same time race with that.
  void end_of(const void *hyperobject, Here here);
  /// What is known of that memory is of hyperobjects that have died unseen.
  void forget_uses(Address begin, std::size_t size);

  /// All below that address of the stack is dead. It saves all registers: most hooks never call it.
  [[clang::preserve_most]] void leave_frames(Address end);
  /// The memory has another owner now: earlier accesses, and the locks in it, are another's.
  static void forget(Address begin, std::size_t size) {
    clear(begin, size);
    if (!is_checked_) return;
    forget_locks(begin, size);
    if (get().has_uses_) get().forget_uses(begin, size);
  }
  /// The same of that frame and all below it.
  static void leave_frame(const void *frame) {
    const Address end = reinterpret_cast<Address>(frame) + 2 * sizeof(void *);
    if (own_state.lowest < end) get().leave_frames(end);
  }

  /// Of the checked thread; before there is one, of the first thread.
  bool is_on_stack(Address address) const { return address - stack_begin_ < stack_size_; }

  void lock(Address lock, bool is_shared = false);
  void unlock(Address lock);
  /// Accesses until the end hold the lock of atomic ones.
  void begin_atomic() { hold(kAtomic, false); }
  void end_atomic() { release(kAtomic); }
  /// Something is spawned: locks that are held from before do not order it and what follows.
  void share_locks() {
    if (!held_.empty()) number_acquisitions();
  }
  void ignore(bool begins);
  bool ignores() const noexcept { return ignored_ != 0; }
  /// A static variable is initialised, as its guard orders, or std::call_once runs its function.
  /// The strand holds the guard as a lock until this ends.
  void begin_initialisation(Address guard);
  void end_initialisation(Address guard) { unlock(guard); }
  /// The strand has seen that this was done: it and what comes after it come after what was done.
  void pass(Address guard);

 private:
  struct Request {
    AccessKind kind;
    Here here;
    Address begin;  // of the whole access
    std::size_t size;
  };

  /// Most accesses that are not recorded already: of one history, in a chunk that is apart. `Whole`
  /// is both halves, or one. False: it takes more.
  template <class Whole>
  bool access_at_once(Address address, AccessKind kind, Here here);
  void access8_in_steps(Address address, AccessKind kind, Here here);
  void access4_in_steps(Address address, AccessKind kind, Here here);
  void hold(Lock lock, bool is_shared);
  void release(Lock lock);
  bool first_hook();
  void find_stack();
  void number_acquisitions();
  std::uint64_t current() const {
    return ignored_ == 0 && strands.can_race() ? both(strands.now()) : 0;
  }
  static std::uint64_t both(Time time) { return time * std::uint64_t{0x100000001}; }
  enum class Outcome : std::uint8_t { kKnown, kRead, kWrite, kOther };
  [[gnu::always_inline]] Outcome outcome_of(Time write, Time read, AccessKind kind);
  void record(Outcome outcome, Times *times, Places places, std::size_t granules, Time write,
              Place place);
  /// Granules of one chunk, one after another. False: some may have another history now.
  [[gnu::always_inline]] bool access_granules(Address address, std::size_t granules,
                                              AccessKind kind, Here here);
  /// Of any number of chunks.
  void access_run(Address address, std::size_t granules, AccessKind kind, Here here);
  void update_plain() { is_plain_ = locks_ == kNoLocks && !is_freeing_; }
  bool is_after_initialisation(LockSet locks);
  void check_half(Address half, unsigned mask, const Request &request);
  void check_list(Times *times, unsigned half, Address address, unsigned mask,
                  const Request &request);
  void check_plain(Times *times, Places places, unsigned half, Address address,
                   const Request &request);
  void note_stack(Address address) {
    if (address < own_state.lowest && is_on_stack(address)) own_state.lowest = address;
  }
  void report(Time time, Place place, bool was_write, Address address, const Request &request);

  /// Whether what was written at `write` and then read at `read` was written by a strand that may
  /// run beside this one. If the reader may not, nor may the writer, which comes before the reader
  /// unless they have raced. Much data was written by many strands and read by one.
  [[gnu::always_inline]] bool is_write_parallel(Time write, Time read, bool is_read_parallel) {
    if (write == kNever || (read != kNever && !is_read_parallel && !has_raced_)) return false;
    return strands.is_parallel(write);
  }

  bool is_plain_ = true;    // no lock is held, and accesses are recorded
  bool has_raced_ = false;  // a race was found, or one that is not to be reported
  LockSet locks_ = kNoLocks;
  LockSet not_atomic_ = kNoLocks, atomic_ = kNoLocks;  // the last such set, and with kAtomic
  Address stack_begin_ = 0;
  std::size_t stack_size_ = 0;
  unsigned ignored_ = 0;
  bool is_freeing_ = false;  // accesses are checked, and not recorded
  bool reports_atomics_ = false;
  bool has_uses_ = false;  // of hyperobjects
  std::vector<Held> held_;
  std::uint32_t acquisitions_ = 0;  // that have a number

  static bool is_started_;
  static thread_local constinit bool is_checked_;
  static bool is_thread_chosen_;
};

/// Nothing destroys it: accesses are checked to the end of the process.
union DetectorMemory {
  Detector detector;
  constexpr DetectorMemory() : detector() {}
  ~DetectorMemory() {}
};
extern constinit DetectorMemory the_detector;
inline Detector &Detector::get() { return the_detector.detector; }

inline std::uint64_t both_halves(const Time (&times)[2]) {
  std::uint64_t value;
  __builtin_memcpy(&value, times, sizeof(value));  // inline, although the library has -fno-builtin
  return value;
}

inline bool is_mark(Time time) { return time > kLastTime; }
inline Place place_of(const Here &here) {
  return static_cast<Place>(reinterpret_cast<Address>(here.code));
}

/// Whether an access says nothing new of bytes that were last written at `write` and then read at
/// `read`, both by the strand of `now` or not. A child may have read what its parent wrote before.
template <class Time>
inline bool is_known(Time write, Time read, AccessKind kind, Time now) {
  return is_write(kind) ? write == now && read == kNever : write == now || read == now;
}

/// What a history is read from and written to.
struct Both {
  static Time write(const Times *times, Address) { return equal(times->write); }
  static Time read(const Times *times, Address) { return equal(times->read); }
  static void set_write(Times *times, Places places, Address, Time now, Place place) {
    *times = {{now, now}, {kNever, kNever}};
    places.write[0] = places.write[1] = place;
  }
  static void set_read(Times *times, Places places, Address, Time now, Place place) {
    times->read[0] = times->read[1] = now;
    places.read[0] = places.read[1] = place;
  }

 private:
  /// A mark if the halves differ.
  static Time equal(const Time (&of)[2]) {
    const std::uint64_t both = both_halves(of);
    const auto low = static_cast<Time>(both);
    return both >> 32 == low ? low : kSplit;
  }
};

struct Half {
  static Time write(const Times *times, Address at) { return times->write[half(at)]; }
  static Time read(const Times *times, Address at) { return times->read[half(at)]; }
  static void set_write(Times *times, Places places, Address at, Time now, Place place) {
    times->write[half(at)] = now;
    times->read[half(at)] = kNever;
    places.write[half(at)] = place;
  }
  static void set_read(Times *times, Places places, Address at, Time now, Place place) {
    times->read[half(at)] = now;
    places.read[half(at)] = place;
  }

 private:
  static unsigned half(Address at) { return at / kHalf % 2; }
};

template <class Whole>
[[gnu::always_inline]] inline bool Detector::access_at_once(Address address, AccessKind kind,
                                                            Here here) {
  if (chunk_of(address).write != kApart) return false;
  Times *const times = times_of(address);
  const Time write = Whole::write(times, address), read = Whole::read(times, address);
  if (!is_plain_ || is_mark(write) || is_mark(read)) return false;
  const Time now = strands.now();
  if (is_known(write, read, kind, now)) return true;
  const bool is_read_parallel = read != kNever && strands.is_parallel(read);
  if (is_write_parallel(write, read, is_read_parallel)) return false;
  if (is_read_parallel) return !is_write(kind);
  note_stack(address);
  if (is_write(kind))
    Whole::set_write(times, places_of(address), address, now, place_of(here));
  else
    Whole::set_read(times, places_of(address), address, now, place_of(here));
  return true;
}

[[gnu::always_inline]] inline void Detector::access8(Address address, AccessKind kind, Here here) {
  if (!access_at_once<Both>(address, kind, here)) access8_in_steps(address, kind, here);
}

[[gnu::always_inline]] inline void Detector::access4(Address address, AccessKind kind, Here here) {
  if (!access_at_once<Half>(address, kind, here)) access4_in_steps(address, kind, here);
}

/// The bytes, of one half or of both, were written by this strand, or read by it and it reads
/// again.
inline bool is_recorded8(Address address, AccessKind kind, std::uint64_t now) {
  const Chunk &chunk = chunk_of(address);
  if (chunk.write != kApart) {
    const auto time = static_cast<Time>(now);
    return is_known(chunk.write, chunk.read, kind, time);
  }
  const Times *const times = times_of(address);
  return is_known(both_halves(times->write), both_halves(times->read), kind, now) &&
         times->write[0] != kSplit && times->write[1] != kSplit;
}
inline bool is_recorded4(Address address, AccessKind kind, std::uint64_t now) {
  const auto time = static_cast<Time>(now);
  const Chunk &chunk = chunk_of(address);
  if (chunk.write != kApart) return is_known(chunk.write, chunk.read, kind, time);
  const Times *const times = times_of(address);
  const unsigned half = address / kHalf % 2;
  return is_known(times->write[half], times->read[half], kind, time) &&
         times->write[half] != kSplit;
}

/// A function begins: it returns after `call`, and `inside` is in it. Records below its frame are
/// of functions that longjmp has left.
inline void begin_frame(const void *call, const void *inside, const void *frame) {
  if (own_state.now != 0) Detector::get().trail.enter(call, inside);
  Detector::leave_frame(frame);
}
/// It ends.
inline void end_frame(const void *frame) {
  if (own_state.now != 0) Detector::get().trail.leave();
  Detector::leave_frame(frame);
}

/// An access of one half or of both that is_recorded has denied.
template <std::size_t Size>
[[gnu::always_inline]] inline void check_unrecorded(Address address, AccessKind kind, Here here) {
  if (address % Size != 0)
    Detector::get().access(address, Size, kind, here);
  else if constexpr (Size == 8)
    Detector::get().access8(address, kind, here);
  else
    Detector::get().access4(address, kind, here);
}

/// What the entry points call.
template <std::size_t Size>
[[gnu::always_inline]] inline void check(Address address, AccessKind kind, Here here) {
  const std::uint64_t now = own_state.now;
  if (now == 0) return;
  if constexpr (Size == 8 || Size == 4) {
    if (address % Size == 0 &&
        (Size == 8 ? is_recorded8(address, kind, now) : is_recorded4(address, kind, now)))
      return;
    check_unrecorded<Size>(address, kind, here);
    return;
  } else if constexpr (Size == 16) {
    if (address % 8 == 0) {
      check<8>(address, kind, here);
      check<8>(address + 8, kind, here);
      return;
    }
  } else if (address / kHalf == (address + Size - 1) / kHalf && is_recorded4(address, kind, now)) {
    return;
  }
  Detector::get().access(address, Size, kind, here);
}

inline void check_range(Address address, std::size_t size, AccessKind kind, Here here) {
  if (own_state.now != 0 && size != 0) Detector::get().access(address, size, kind, here);
}

}  // namespace nopal::race

#endif
