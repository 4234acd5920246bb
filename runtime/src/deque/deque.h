// The work-stealing deque: the continuations that a worker has made stealable, oldest first.
//
// A growable Chase-Lev deque (SPAA 2005) with the orders of Lê, Pop, Cohen and Zappa Nardelli (PPoPP 2013), with one change:
// the owner's fence may be moved to the thieves. States, transitions and the proof are in README.md; tests:
// tests/unit/deque_test.cpp, tests/model/deque_model.cpp.
// Included by runtime/fastpath (push_fast and pop_fast only, inlined into users' functions) and by the scheduler.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [bottom]  owner's store-release of bottom -> thief's load-acquire behind the fence: slots below it and all that was
//             written before their pushes (the frame's header and slots) are visible.
//   [top]     whoever takes the oldest element, by compare-exchange -> everybody: index i is taken once, by whom moved top from
//             i to i + 1. The acquiring owner sees that the thief has read its slot and array, so the slot may be used again.
//   [array]   owner's store-release of array -> thief's load-acquire: the array's mask and the copied slots are visible.
//   [slot]    relaxed on both sides: ordered by [bottom] for an element that is there; a thief that read a slot used again finds
//             top moved, and its compare-exchange fails.
//   [fence]   owner's store of bottom, fence, load of top || thief's load of top, fence, load of bottom: at least one sees the
//             other's. Asymmetric: light_fence in the owner, heavy_fence in the thief. Full: full_fence in both.
//   [own]     relaxed: the owner reads what it alone writes.
//   [hint]    relaxed: a value that is checked again behind the fence.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>

#include "atoms.h"

struct nopal_frame;

namespace nopal {

// Who pays for the fence between a pop's store of bottom and its load of top.
enum class FenceMode : uint8_t {
  kAsymmetric,  // the thief, by heavy_fence; a pop has a compiler barrier
  kFull,        // both sides, by full_fence; every pop takes the slow path
};

enum class StealOutcome : uint8_t { kStolen, kEmpty, kLostRace };

template <class Frame>
struct StealResult {
  StealOutcome outcome;
  Frame *frame;  // null unless kStolen
};

template <class Frame, class Atoms>
struct Deque {
  using Int64 = typename Atoms::Int64;
  using Slot = typename Atoms::template Pointer<Frame>;

  static constexpr int64_t kDefaultCapacity = 256;
  static constexpr int64_t kAlwaysSlow = INT64_MIN;  // as limit: no push is fast
  static constexpr int64_t kNeverFast = INT64_MAX;   // as top: no pop is fast

  // A circular array. An older array stays readable until the deque is destroyed: a thief may still hold it. Sizes double, so
  // all the older ones together are smaller than the newest.
  struct Array {
    int64_t capacity;  // a power of two
    Array *older;
    Slot *slots() noexcept { return reinterpret_cast<Slot *>(this + 1); }
    Slot &at(int64_t index) noexcept { return slots()[index & (capacity - 1)]; }
    static Array *create(int64_t capacity, Array *older);
  };

  // ---- First line: written by the owner at each push and pop; thieves read bottom alone. ----
  Int64 bottom;   // index of the next push; owner writes, all read
  int64_t limit;  // a push at an index from here on takes the slow path; owner only
  Slot *slots;    // array->slots(); owner only
  uint64_t mask;  // array->capacity - 1; owner only
  // ---- Second line: written by who takes the oldest element. ----
  alignas(64) Int64 top;  // what the fast pop reads. Asymmetric: index of the oldest element. Full: kNeverFast
  Int64 full_top;         // Full: index of the oldest element
  typename Atoms::template Pointer<Array> array;  // owner writes when it grows, thieves read
  FenceMode mode;                                 // constant
  bool every_push_slow;                           // limit stays at kAlwaysSlow; owner only
  // ---- Third line: cold, owner writes. ----
  alignas(64) Int64 peak;  // most elements that were ever in here at once; statistics read

  // `capacity`: slots to begin with, a power of two.
  explicit Deque(FenceMode mode, int64_t capacity = kDefaultCapacity);
  // The deque of threads that are no workers: shared, never written; each push takes the slow path, and none is popped.
  struct Outsider {};
  constexpr explicit Deque(Outsider) noexcept
      : bottom(0),
        limit(kAlwaysSlow),
        slots(nullptr),
        mask(0),
        top(0),
        full_top(0),
        array(nullptr),
        mode(FenceMode::kAsymmetric),
        every_push_slow(true),
        peak(0) {}
  // Nobody may use the deque any longer.
  ~Deque();
  Deque(const Deque &) = delete;
  Deque &operator=(const Deque &) = delete;

  Int64 &oldest() noexcept { return mode == FenceMode::kAsymmetric ? top : full_top; }

  class Local;
  class Steal;
  Local local() noexcept { return Local(*this); }
  Steal steal() noexcept { return Steal(*this); }
};

// The owner's operations. The owner is the thread that runs on the worker the deque belongs to.
template <class Frame, class Atoms>
class Deque<Frame, Atoms>::Local {
 public:
  explicit Local(Deque &deque) noexcept : d_(deque) {}

  // Appends `frame`; `slow(frame)` does it instead when the limit is reached. All that the owner wrote before is visible to the
  // thief that takes it. Cost: four loads, two stores.
  template <class Slow>
  [[gnu::always_inline]] void push_fast(Frame *frame, Slow slow) noexcept {
    const int64_t index = d_.bottom.load_relaxed();  // [own]
    if (__builtin_expect(index >= d_.limit, 0)) return slow(frame);
    d_.slots[static_cast<uint64_t>(index) & d_.mask].store_relaxed(frame);  // [slot]
    d_.bottom.store_release(index + 1);                                     // [bottom]
  }

  // Takes back the newest element: true if it was there. `slow()` decides when it may not be. A pop that has no push, because the
  // frame's stack came here from another worker, finds the deque empty: false. Cost: two loads, one store.
  template <class Slow>
  [[gnu::always_inline]] bool pop_fast(Slow slow) noexcept {
    const int64_t index = d_.bottom.load_relaxed() - 1;  // [own]
    d_.bottom.store_release(index);                      // [bottom]: a thief that reads it relies on the pushes below
    Atoms::light_fence();                                // [fence]
    if (__builtin_expect(d_.top.load_relaxed() < index, 1)) return true;  // [fence]; decided on the value alone
    return slow();
  }

  // The slow push: records a new depth, grows, and sets the limit so that the next new depth comes here too.
  [[gnu::noinline, gnu::cold]] void push_slow(Frame *frame);
  // The slow pop: bottom is lowered already. Settles the race for the last element; if the element is gone the deque is empty.
  [[gnu::noinline, gnu::cold]] bool pop_slow() noexcept;

  void push(Frame *frame) noexcept {
    push_fast(frame, [this](Frame *f) { push_slow(f); });
  }
  bool pop() noexcept {
    return pop_fast([this] { return pop_slow(); });
  }

  // Takes the oldest element from our own deque as a thief would, against thieves; null if there is none.
  Frame *drain_oldest() noexcept;

  // Chaos: every push takes the slow path from now on.
  void make_every_push_slow() noexcept {
    d_.every_push_slow = true;
    d_.limit = kAlwaysSlow;
  }
  bool is_empty() const noexcept { return d_.bottom.load_relaxed() <= d_.oldest().load_relaxed(); }  // [own], [hint]

 private:
  void grow(int64_t oldest, int64_t bottom);

  Deque &d_;
};

// The thieves' operations. Any thread; the owner too, but it has cheaper ones.
template <class Frame, class Atoms>
class Deque<Frame, Atoms>::Steal {
 public:
  explicit Steal(Deque &deque) noexcept : d_(deque) {}

  // Whether there seems to be something; a hint. Cost: two loads.
  bool is_stealable() const noexcept {
    return d_.oldest().load_relaxed() < d_.bottom.load_relaxed();  // [hint]
  }
  // Takes the oldest element. kLostRace: another thief or the owner was faster; there may be more. Lock-free.
  // Cost: two loads if it seems empty; else a heavy or full fence and one compare-exchange.
  StealResult<Frame> steal() noexcept;

  // Most elements that were ever in the deque at once; exact when the owner rests.
  int64_t peak_depth() const noexcept { return d_.peak.load_relaxed(); }  // [hint]

 private:
  Deque &d_;
};

template <class Frame, class Atoms>
typename Deque<Frame, Atoms>::Array *Deque<Frame, Atoms>::Array::create(int64_t capacity, Array *older) {
  void *memory = Atoms::allocate(sizeof(Array) + static_cast<size_t>(capacity) * sizeof(Slot));
  Array *array = new (memory) Array{capacity, older};
  for (int64_t i = 0; i < capacity; ++i) new (array->slots() + i) Slot();
  return array;
}

template <class Frame, class Atoms>
Deque<Frame, Atoms>::Deque(FenceMode fence_mode, int64_t capacity)
    : bottom(0),
      limit(0),
      slots(nullptr),
      mask(static_cast<uint64_t>(capacity - 1)),
      top(fence_mode == FenceMode::kAsymmetric ? 0 : kNeverFast),
      full_top(0),
      array(Array::create(capacity, nullptr)),
      mode(fence_mode),
      every_push_slow(false),
      peak(0) {
  assert(capacity > 0 && (capacity & (capacity - 1)) == 0);
  slots = array.load_relaxed()->slots();  // [own]
}

template <class Frame, class Atoms>
Deque<Frame, Atoms>::~Deque() {
  for (Array *a = array.load_relaxed(); a != nullptr;) {  // [own]: nobody else is left
    Array *older = a->older;
    for (int64_t i = 0; i < a->capacity; ++i) a->slots()[i].~Slot();
    Atoms::release(a);
    a = older;
  }
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::grow(int64_t oldest, int64_t bottom) {
  Array *from = d_.array.load_relaxed();  // [own]
  Array *to = Array::create(from->capacity * 2, from);
  for (int64_t i = oldest; i < bottom; ++i) to->at(i).store_relaxed(from->at(i).load_relaxed());  // [slot], [own]
  d_.slots = to->slots();
  d_.mask = static_cast<uint64_t>(to->capacity - 1);
  d_.array.store_release(to);  // [array]
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::push_slow(Frame *frame) {
  const int64_t index = d_.bottom.load_relaxed();     // [own]
  const int64_t oldest = d_.oldest().load_acquire();  // [top]: slots below may be used again
  if (index - oldest > static_cast<int64_t>(d_.mask)) grow(oldest, index);
  const int64_t depth = index + 1 - oldest;
  if (depth > d_.peak.load_relaxed()) d_.peak.store_relaxed(depth);  // [own]; a counter
  // Depths up to the peak are fast. They fit: the peak never exceeds the capacity, and a stale `oldest` only errs towards slow.
  if (!d_.every_push_slow) d_.limit = oldest + d_.peak.load_relaxed();    // [own]
  d_.slots[static_cast<uint64_t>(index) & d_.mask].store_relaxed(frame);  // [slot]
  d_.bottom.store_release(index + 1);                                     // [bottom]
}

template <class Frame, class Atoms>
bool Deque<Frame, Atoms>::Local::pop_slow() noexcept {
  const int64_t index = d_.bottom.load_relaxed();        // [own]
  if (d_.mode == FenceMode::kFull) Atoms::full_fence();  // [fence]; asymmetric: pop_fast's light fence stands
  Int64 &top = d_.oldest();
  int64_t oldest = top.load_acquire();  // [top], [fence]
  if (oldest < index) return true;
  if (oldest == index) {
    // The last element: whoever moves top from it has it.
    const bool won = top.compare_exchange_seq_cst(oldest, index + 1);  // [top]
    d_.bottom.store_release(index + 1);                                // [bottom]: empty, top is index + 1 now
    return won;
  }
  d_.bottom.store_release(index + 1);  // [bottom]: empty, top is index + 1 already
  return false;
}

template <class Frame, class Atoms>
Frame *Deque<Frame, Atoms>::Local::drain_oldest() noexcept {
  const int64_t bottom = d_.bottom.load_relaxed();  // [own]
  int64_t oldest = d_.oldest().load_acquire();      // [top]
  while (oldest < bottom) {
    Frame *frame = d_.slots[static_cast<uint64_t>(oldest) & d_.mask].load_relaxed();  // [own]
    if (d_.oldest().compare_exchange_seq_cst(oldest, oldest + 1)) return frame;       // [top]
  }
  return nullptr;
}

template <class Frame, class Atoms>
StealResult<Frame> Deque<Frame, Atoms>::Steal::steal() noexcept {
  Int64 &top = d_.oldest();
  int64_t oldest = top.load_acquire();                                             // [top], [fence]
  if (d_.bottom.load_relaxed() <= oldest) return {StealOutcome::kEmpty, nullptr};  // [hint]: spares the fence
  if (d_.mode == FenceMode::kAsymmetric) {
    Atoms::heavy_fence();  // [fence]
  } else {
    Atoms::full_fence();  // [fence]
  }
  if (d_.bottom.load_acquire() <= oldest) return {StealOutcome::kEmpty, nullptr};                    // [bottom], [fence]
  Frame *frame = d_.array.load_acquire()->at(oldest).load_relaxed();                                 // [array], [slot]
  if (!top.compare_exchange_seq_cst(oldest, oldest + 1)) return {StealOutcome::kLostRace, nullptr};  // [top]
  return {StealOutcome::kStolen, frame};
}

// The runtime's: the first member of each worker, which is how the inlined fast path finds it.
using ContinuationDeque = Deque<nopal_frame, HardwareAtoms>;
static_assert(offsetof(ContinuationDeque, bottom) == 0 && offsetof(ContinuationDeque, limit) == 8 &&
                  offsetof(ContinuationDeque, slots) == 16 && offsetof(ContinuationDeque, mask) == 24,
              "what a push touches lies on one line");
static_assert(offsetof(ContinuationDeque, top) == 64, "what thieves write lies on another line");
static_assert(offsetof(ContinuationDeque, peak) == 128 && sizeof(ContinuationDeque) == 192, "cold fields lie apart from both");

}  // namespace nopal
