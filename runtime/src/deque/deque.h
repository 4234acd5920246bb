// The work-stealing deque: the continuations that a worker has made stealable, oldest first.
//
// A growable array. A pointer holds the place of the newest element; it starts over at the array's
// start when the owner finds the deque empty, as in Cilk-5 (Frigo, Leiserson and Randall, PLDI
// 1998). An element is claimed in its slot: a thief marks the slot, fences, and confirms or
// withdraws; the owner's pop compares the slot with the frame that it pushed. So the owner's fast
// path has no read-modify-write, reads no word that thieves write when they take another element,
// and leaves its fence to the thieves. States, transitions and proof: README.md. Tests:
// tests/unit/deque_test.cpp, tests/model/deque_model.cpp. Included by runtime/fastpath (push_fast
// and pop_fast only, inlined into users' functions) and by the runtime.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [bottom] the owner's store-release of bottom -> a thief's load-acquire after the fence: slots
//       below it, and all that was written before their pushes (the frame's header and values), are
//       visible.
//   [slot] each change of a frame's slot but a push is a compare-exchange: an element is taken
//       once, by the thread that its slot names. The compare-exchange after a relaxed read checks
//       it.
//   [top] compare-exchange by a thread that finds the oldest element taken, or by the owner of an
//       empty deque into the next epoch -> a thief's load-acquire: the array and bottom are at
//       least as new.
//   [epoch] the owner's exchange of top, fence, store of a frame into a slot -> a thief's claim
//       that finds the frame, and its load-acquire of top: the epoch is not older than the frame.
//   [array] the owner's store-release of array, after that of bottom -> a thief's load-acquire:
//       capacity and slots are visible, bottom is in it.
//   [fence] the owner's store of bottom, fence, load of the slot || a thief's claim in the slot,
//       fence, load of bottom: at least one sees the other's. Asymmetric: light_fence in the owner,
//       heavy_fence in the thief. Full: full_fence in both. Adaptive: the one or the other, as
//       [mode] says.
//   [mode] the owner's store of full_pops || a thief's load of it after its claim and a full fence:
//       a thief that reads 1 sees bottom as of all pops before (release, acquire); the owner's
//       light pops after its store of 0 and a full fence see the claim of a thief that read 1.
//   [limit] relaxed: the owner stores what it may push fast, any thread kAlwaysSlow, and either may
//       be lost to the other; an empty deque that starts over lowers it by compare-exchange. It
//       only steers into the slow path; idle/README.md says who relies on that.
//   [own] relaxed: the owner reads what it alone writes.
//   [hint] relaxed: a value that is checked again after the fence.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>

#include "../../abi/nopal_abi.h"
#include "../platform/atoms.h"

namespace nopal {

// Which side pays for the fence between a pop's store of bottom and its load of the slot.
enum class FenceMode : uint8_t {
  kAsymmetric,  // the thief, by heavy_fence; a pop has a compiler barrier
  kFull,        // both sides, by full_fence; every pop takes the slow path
  kAdaptive,    // as kAsymmetric; as kFull for a while after a steal
};

enum class StealOutcome : uint8_t { kStolen, kEmpty, kLostRace };

template <class Frame>
struct StealResult {
  StealOutcome outcome;
  Frame *frame;  // null unless kStolen
};

struct StealSeveralResult {
  StealOutcome outcome;
  int64_t count;  // 0 unless kStolen
};

template <class Frame, class Atoms>
struct Deque {
  using Int64 = typename Atoms::Int64;

  static constexpr int64_t kDefaultCapacity = 256;
  static constexpr int64_t kSlotBytes = sizeof(Int64);
  static constexpr int64_t kAlwaysSlow = INT64_MIN;  // as limit: no push is fast

  // What a slot holds: 0 (never used), a frame's address, a thief's address + kClaim, or one of the
  // last two.
  static constexpr int64_t kClaim = 1;
  static constexpr int64_t kTaken = 2;   // the element of this position was stolen
  static constexpr int64_t kMoved = 10;  // look in the newer array
  static bool is_frame(int64_t word) noexcept { return word != 0 && (word & 3) == 0; }
  // bottom and limit hold a slot's address as a number: Clang 22 compares that with memory in one
  // instruction, and a pointer in two.
  static int64_t address_of(const Int64 *slot) noexcept {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(slot));
  }
  static Int64 *slot_at(int64_t address) noexcept {
    return reinterpret_cast<Int64 *>(static_cast<intptr_t>(address));
  }
  static bool is_claim(int64_t word) noexcept { return (word & kClaim) != 0; }
  static int64_t word_of(const Frame *frame) noexcept {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(frame));
  }
  static Frame *frame_of(int64_t word) noexcept {
    return reinterpret_cast<Frame *>(static_cast<intptr_t>(word));
  }
  static int64_t claim_of(const void *thief) noexcept {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(thief)) + kClaim;
  }

  // top's low bits are a position, the others count epochs. So top has no value twice, except for a
  // thread that stands still between two neighbouring instructions while the owner finds its deque
  // empty 2^34 times, which takes hours.
  static constexpr int kPositionBits = 30;
  static constexpr int64_t kPositionMask = (int64_t{1} << kPositionBits) - 1;
  static constexpr int64_t kMostCapacity = int64_t{1} << (kPositionBits - 1);
  static int64_t position_of(int64_t top) noexcept { return top & kPositionMask; }
  static int64_t next_epoch(int64_t top) noexcept {
    return static_cast<int64_t>(static_cast<uint64_t>(top | kPositionMask) + 1);
  }

  // Slots at the positions -1 to `capacity`, of which the first and the last stay 0. In all modes
  // but the asymmetric one as many again follow, which all stay 0: a position's *blank*. A thief
  // may still hold an older array, so it stays until the deque is destroyed. Sizes double, so the
  // older ones together are smaller than the newest.
  struct Array {
    int64_t capacity;
    int64_t total_slots;
    Array *older;
    Int64 *slots() noexcept { return reinterpret_cast<Int64 *>(this + 1) + 1; }
    int64_t to_blank() const noexcept { return capacity + 2; }
    // For a value of bottom that points into this array; else some number.
    int64_t position_of(int64_t bottom) noexcept {
      const int64_t position = (bottom - address_of(slots())) / kSlotBytes;
      return position > capacity ? position - to_blank() : position;
    }
    static int64_t slots_for(int64_t capacity, FenceMode mode) noexcept {
      return mode == FenceMode::kAsymmetric ? capacity + 2 : 2 * (capacity + 2);
    }
    static size_t bytes_for(int64_t capacity, FenceMode mode) noexcept {
      return sizeof(Array) + static_cast<size_t>(slots_for(capacity, mode)) * sizeof(Int64);
    }
    // `memory`: bytes_for() of them from Atoms, or null: they are allocated here.
    static Array *create(int64_t capacity, FenceMode mode, Array *older, void *memory = nullptr);
    static void destroy_all(Array *newest) noexcept;
  };

  // ---- First line: the owner writes it at each push and pop; thieves read bottom alone. ----
  // Address of the slot of the next push; while pops fence that of its blank, so that no push and
  // no pop is fast. The owner writes, all read.
  Int64 bottom{0};
  // A push at an address from here on takes the slow path. The owner raises it, all may lower it.
  Int64 limit{kAlwaysSlow};
  Int64 *slots = nullptr;  // array->slots(); owner only, as the rest of the line
  int64_t capacity = 0;    // array->capacity
  int64_t fenced_pops_left =
      0;  // adaptive: after so many more without a steal pops are light again
  // ---- Second line: thieves write it. ----
  // Epoch and position: no element below is left. A thread that finds the one there taken moves it.
  alignas(64) Int64 top{0};
  typename Atoms::template Pointer<Array> array{nullptr};  // the owner writes when it grows
  Int64 full_pops{0};      // adaptive: 1 while all pops fence; the owner writes, thieves read
  Int64 claimed_at_ns{0};  // adaptive: when a thief last claimed; thieves write, the owner reads
  FenceMode mode = FenceMode::kAsymmetric;  // constant
  bool every_push_slow = false;             // limit stays at kAlwaysSlow; owner writes
  bool is_without_thieves = false;          // owner only
  // ---- Third line: cold; the owner writes. ----
  alignas(64) Int64 peak{0};  // most elements that were ever in here at once; statistics read
  uint32_t fence_scale = 1;   // adaptive: the windows are so many times longer; owner only

  // `capacity`: elements that have room to begin with. `memory`: for these, from allocate_first()
  // with the same mode and capacity; or null: then the process ends if there is no memory.
  explicit Deque(FenceMode mode, int64_t capacity = kDefaultCapacity, void *memory = nullptr);
  // Null if there is no memory, for a caller that can do without. Goes to a constructor, or to
  // Atoms::release.
  static void *allocate_first(FenceMode mode, int64_t capacity = kDefaultCapacity) noexcept {
    return Atoms::try_allocate(Array::bytes_for(capacity, mode));
  }
  // The deque of threads without a worker: shared, never written. Each push takes the slow path,
  // and no frame is popped.
  struct Outsider {};
  constexpr explicit Deque(Outsider) noexcept : every_push_slow(true) {}
  // No thread may use the deque any longer.
  ~Deque() { Array::destroy_all(array.load_relaxed()); }  // [own]
  Deque(const Deque &) = delete;
  Deque &operator=(const Deque &) = delete;

  class Local;
  class Steal;
  Local local() noexcept { return Local(*this); }
  Steal steal() noexcept { return Steal(*this); }

  // The owner's next push takes the slow path, unless it has read the limit already, or is raising
  // it. Any thread. Cost: a load, at most a store to a line that the owner uses at each push.
  void make_next_push_slow() noexcept {
    if (limit.load_relaxed() != kAlwaysSlow) limit.store_relaxed(kAlwaysSlow);  // [limit]
  }

  // Owner only: whether pops fence, so that no push and no pop is fast; and where the next push
  // goes, -1 inside a pop without its push.
  bool has_full_pops() const noexcept {
    return slot_at(bottom.load_relaxed()) > slots + capacity;  // [own]
  }
  int64_t bottom_position() const noexcept {
    return slot_at(bottom.load_relaxed()) - slots - (has_full_pops() ? to_blank() : 0);  // [own]
  }

 private:
  int64_t to_blank() const noexcept { return capacity + 2; }  // from a slot, as Array::to_blank()
  // Where the next push goes, and whether pops fence from here on. For a thief both places are the
  // same.
  void set_bottom(int64_t position, bool pops_fence) noexcept {
    bottom.store_release(address_of(slots + position + (pops_fence ? to_blank() : 0)));  // [bottom]
  }
};

// The owner's operations. The owner is the thread that holds the deque's worker.
template <class Frame, class Atoms>
class Deque<Frame, Atoms>::Local {
 public:
  explicit Local(Deque &deque) noexcept : d_(deque) {}

  // Appends `frame`; `slow(frame)` does so if the limit is reached. All that the owner wrote before
  // is visible to the thief that takes it. Cost: two loads to compare with, two stores.
  template <class Slow>
  [[gnu::always_inline]] void push_fast(Frame *frame, Slow slow) noexcept {
    int64_t place, limit;
    if constexpr (Atoms::kLoadsPairs) {
      Atoms::load_pair(d_.bottom, place, limit);  // [own], [limit]
    } else {
      place = Atoms::load_predicted(d_.bottom);  // [own]
      limit = d_.limit.load_relaxed_operand();   // [limit]
    }
    if (__builtin_expect(place >= limit, 0)) return slow(frame);
    // [slot]: no element is here
    const int64_t next = Atoms::store_and_advance(*slot_at(place), word_of(frame));
    d_.bottom.store_release(Atoms::predict(next));  // [bottom]
  }

  // Takes back the newest element, which is `frame`: true if it was there. If it may not be,
  // `slow(frame)` decides. A pop without its push, whose frame's stack came from another worker,
  // finds the deque empty: false. Cost: two loads to compare with, one store.
  template <class Slow>
  [[gnu::always_inline]] bool pop_fast(Frame *frame, Slow slow) noexcept {
    const int64_t ours = Atoms::as_first_operand(word_of(frame));
    const int64_t place = Atoms::predict(Atoms::load_predicted(d_.bottom) - kSlotBytes);  // [own]
    d_.bottom.store_release(place);  // [bottom]: a thief that reads it relies on the pushes below
    Atoms::light_fence();            // [fence]
    const int64_t found = slot_at(place)->load_relaxed_operand();  // [slot], [fence]; compared only
    if (__builtin_expect(ours == found, 1)) return true;
    return slow(frame);
  }

  // While pops fence no push is fast: does the fast push's work, or returns false.
  [[gnu::always_inline]] bool push_out_of_line(Frame *frame) noexcept {
    if (!d_.has_full_pops()) return false;
    Int64 &slot = *(slot_at(d_.bottom.load_relaxed()) - d_.to_blank());  // [own]
    if (address_of(&slot) >= d_.limit.load_relaxed()) return false;      // [limit]
    slot.store_relaxed(word_of(frame));                                  // [slot]
    d_.bottom.store_release(address_of(&slot + d_.to_blank() + 1));      // [bottom]
    return true;
  }
  // The slow push: records a new depth, grows, and sets the limit so that the next new depth comes
  // here too.
  [[gnu::noinline, gnu::cold]] void push_slow(Frame *frame);
  // The slow pop: bottom is lowered already. Settles with a thief that has claimed the element; if
  // it is gone the deque is empty.
  [[gnu::noinline, gnu::cold]] bool pop_slow(Frame *frame) noexcept;

  void push(Frame *frame) noexcept {
    push_fast(frame, [this](Frame *f) {
      if (!push_out_of_line(f)) push_slow(f);
    });
  }
  bool pop(Frame *frame) noexcept {
    return pop_fast(frame, [this](Frame *f) { return pop_slow(f); });
  }

  // Takes the oldest element from our own deque, against thieves; null if there is none.
  Frame *drain_oldest() noexcept;
  // Takes back the newest element, whichever it is; null if there is none, and then the deque has
  // started over. Caller: between two paths, when what is left was pushed for others' paths. Waits
  // for a thief with a claim on it, as drain_oldest.
  Frame *pop_newest() noexcept;

  // Chaos: every push takes the slow path from now on.
  void make_every_push_slow() noexcept {
    d_.every_push_slow = true;
    d_.limit.store_relaxed(kAlwaysSlow);  // [limit]
  }
  // Adaptive: a thief will come soon, so the next pops fence and it needs no heavy fence. Each of
  // them costs some ten nanoseconds more.
  void expect_thief() noexcept {
    if (d_.mode == FenceMode::kAdaptive && !d_.has_full_pops()) fence_pops(Atoms::kExpectantPops);
  }
  // Adaptive: kFencedPops is `scale` times as many from now on; and whether the deque begins with
  // fenced pops. Before the first push, and between two holds.
  void fence_longer(uint32_t scale) noexcept { d_.fence_scale = scale; }
  void begin_fenced() noexcept {
    if (d_.mode == FenceMode::kAdaptive) fence_pops(Atoms::kFencedPops * d_.fence_scale);
  }
  // After fork no thief is left to settle a claim: `grow` copies it unchanged, and the owner's pop
  // takes the element back.
  void lose_thieves() noexcept { d_.is_without_thieves = true; }
  bool is_empty() const noexcept {
    return d_.bottom_position() <= position_of(d_.top.load_relaxed());  // [hint]
  }

 private:
  // Changes `slot` from a frame to `to` and returns the frame's word; or returns kTaken or 0, if it
  // holds that. Waits for a thief with a claim on it: for a fence, or until that thread runs again.
  int64_t replace(Int64 &slot, int64_t to) noexcept;
  void grow();
  // The deque is empty: from now on at its array's start, in the next epoch. `top`: as read last.
  void start_over(int64_t top) noexcept;
  // The highest place below which pushes may be fast, if the oldest element is at `oldest`: no
  // deeper than the peak, and with room.
  int64_t limit_above(int64_t oldest) const noexcept {
    const int64_t position = oldest + d_.peak.load_relaxed();  // [own]
    return address_of(d_.slots + (position < d_.capacity ? position : d_.capacity));
  }
  // Adaptive. The owner noticed a steal, or a claim that would have been one if fences were light
  // for thieves: the next kFencedPops * fence_scale pops fence.
  void notice_steal() noexcept;
  // Adaptive. So many pops fence from now on.
  void fence_pops(int64_t count) noexcept;
  // Adaptive. This pop took its element back, from a thief if it is a tie.
  void notice_return(bool is_tie) noexcept;
  // Whether what a pop has found in its slot, instead of its frame, says that the frame was stolen.
  // It does, unless another push or pop came between two steps of one of ours (README.md, "What an
  // interrupted operation leaves").
  static bool says_stolen(int64_t position, int64_t found, int64_t top) noexcept;
  // Likewise whether `frame` may be pushed at `position`: the deque is whole, and no two neighbours
  // among its newest frames overlap.
  bool may_push(int64_t position, int64_t oldest, const Frame *frame) const noexcept;

  Deque &d_;
};

// The thieves' operations. Any thread that is not the owner.
template <class Frame, class Atoms>
class Deque<Frame, Atoms>::Steal {
 public:
  explicit Steal(Deque &deque) noexcept : d_(deque) {}

  // Whether there seems to be something; a hint. Cost: four loads.
  bool is_stealable() const noexcept {
    const int64_t oldest = position_of(d_.top.load_relaxed());                         // [hint]
    Array *array = d_.array.load_acquire();                                            // [array]
    return array != nullptr && oldest < array->position_of(d_.bottom.load_relaxed());  // [hint]
  }
  // About how many elements there are; a hint. Cost: four loads.
  int64_t depth() const noexcept {
    const int64_t oldest = position_of(d_.top.load_relaxed());  // [hint]
    Array *array = d_.array.load_acquire();                     // [array]
    if (array == nullptr) return 0;
    const int64_t count = array->position_of(d_.bottom.load_relaxed()) - oldest;  // [hint]
    return count > 0 ? count : 0;
  }
  // Takes the oldest element. kLostRace: another thief or the owner was faster; there may be more.
  // Lock-free. `thief`: any address with which no other thread steals at the same time.
  // `inspect(frame)` is called after the claim and before the confirmation, and may refuse
  // (kLostRace). If the element is then taken, the owner stayed on the stack from which it pushed
  // until the claim was settled, so what it published before the push is still valid. Cost: four
  // loads if the deque seems empty; else a heavy or full fence and three compare-exchanges.
  template <class Inspect>
  StealResult<Frame> steal(const void *thief, Inspect inspect) noexcept;
  StealResult<Frame> steal(const void *thief) noexcept {
    return steal(thief, [](Frame *) { return true; });
  }
  // Takes up to `wanted(there)` of the oldest elements, oldest first, into `taken`, which has room
  // for `room`; `there` is about how many there are. As steal() for the rest: one fence for all,
  // and `inspect(frame)` is asked for the oldest and speaks for all. kStolen: one at least. Cost:
  // as steal(), and for each further element three compare-exchanges.
  template <class Wanted, class Inspect>
  StealSeveralResult steal_several(const void *thief, Frame **taken, int64_t room, Wanted wanted,
                                   Inspect inspect) noexcept;

  // Most elements that were ever in the deque at once; exact when the owner rests.
  int64_t peak_depth() const noexcept { return d_.peak.load_relaxed(); }  // [hint]

 private:
  void fence(const Int64 &claimed, int64_t claim, uint64_t since_ns) noexcept;

  Deque &d_;
};

template <class Frame, class Atoms>
typename Deque<Frame, Atoms>::Array *Deque<Frame, Atoms>::Array::create(int64_t capacity,
                                                                        FenceMode mode,
                                                                        Array *older,
                                                                        void *memory) {
  const int64_t total_slots = slots_for(capacity, mode);
  if (memory == nullptr) memory = Atoms::allocate(bytes_for(capacity, mode));
  Array *array = new (memory) Array{capacity, total_slots, older};
  for (int64_t i = 0; i < total_slots; ++i) new (array->slots() - 1 + i) Int64(0);
  return array;
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Array::destroy_all(Array *newest) noexcept {
  for (Array *a = newest; a != nullptr;) {
    Array *older = a->older;
    for (int64_t i = 0; i < a->total_slots; ++i) a->slots()[i - 1].~Int64();
    Atoms::release(a);
    a = older;
  }
}

template <class Frame, class Atoms>
Deque<Frame, Atoms>::Deque(FenceMode fence_mode, int64_t first_capacity, void *memory)
    : capacity(first_capacity),
      array(Array::create(first_capacity, fence_mode, nullptr, memory)),
      mode(fence_mode) {
  assert(capacity > 0 && capacity <= kMostCapacity);
  slots = array.load_relaxed()->slots();  // [own]
  set_bottom(0, /*pops_fence=*/fence_mode == FenceMode::kFull);
  limit.store_relaxed(address_of(slots));  // [limit]
}

template <class Frame, class Atoms>
int64_t Deque<Frame, Atoms>::Local::replace(Int64 &slot, int64_t to) noexcept {
  for (int64_t found = slot.load_acquire();;) {  // [slot]
    if (found == 0 || found == kTaken) return found;
    if (is_claim(found)) {
      Atoms::yield();
      found = slot.load_acquire();                          // [slot]
    } else if (slot.compare_exchange_seq_cst(found, to)) {  // [slot]
      return found;
    }
  }
}

// Freezes the old array slot by slot, so that no claim in it can be confirmed any more, and copies
// its elements. Until then bottom stays in it: a thief with a claim compares it with that.
template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::grow() {
  Array *from = d_.array.load_relaxed();  // [own]
  if (from->capacity >= kMostCapacity) Atoms::refuse(from->capacity);
  Array *to = Array::create(from->capacity * 2, d_.mode, from);
  for (int64_t i = 0; i < from->capacity; ++i) {
    Int64 &slot = from->slots()[i];
    // [own]: without thieves; [slot]
    const int64_t word = d_.is_without_thieves ? slot.load_relaxed() : replace(slot, kMoved);
    to->slots()[i].store_relaxed(word);  // [slot]: `to` is ours until it is published
  }
  const int64_t position = d_.bottom_position();
  const bool pops_fence = d_.has_full_pops();
  d_.slots = to->slots();
  d_.capacity = to->capacity;
  d_.set_bottom(position, pops_fence);
  d_.array.store_release(to);  // [array]
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::start_over(int64_t top) noexcept {
  d_.set_bottom(0, d_.has_full_pops());  // first, so that it is empty for a thief that sees either
  while (!d_.top.compare_exchange_seq_cst(top, next_epoch(top))) {  // [top]
  }
  Atoms::epoch_fence();  // [epoch]
  // Depths count from here, so that the peak stays exact. Not a plain store, which could undo a
  // make_next_push_slow().
  int64_t limit = d_.limit.load_relaxed();                                               // [limit]
  if (limit > limit_above(0)) d_.limit.compare_exchange_seq_cst(limit, limit_above(0));  // [limit]
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::push_slow(Frame *frame) {
  if (d_.bottom_position() == d_.capacity) grow();
  const int64_t position = d_.bottom_position();
  const int64_t oldest = position_of(d_.top.load_acquire());  // [top]: if stale, too low
  if (!may_push(position, oldest, frame)) Atoms::refuse_push();
  const int64_t depth = position + 1 - oldest;
  if (depth > d_.peak.load_relaxed()) d_.peak.store_relaxed(depth);      // [own]; a counter
  if (!d_.every_push_slow) d_.limit.store_relaxed(limit_above(oldest));  // [limit]
  d_.slots[position].store_relaxed(word_of(frame));                      // [slot]
  d_.set_bottom(position + 1, d_.has_full_pops());
}

template <class Frame, class Atoms>
bool Deque<Frame, Atoms>::Local::pop_slow(Frame *frame) noexcept {
  const int64_t position = d_.bottom_position();
  if (position < -1 || position >= d_.capacity) Atoms::refuse_pop();
  if (d_.has_full_pops()) Atoms::full_fence();  // [fence]; else pop_fast's light fence stands
  Int64 &slot = d_.slots[position];
  const int64_t ours = word_of(frame);
  int64_t found = slot.load_acquire();  // [slot], [fence]
  for (;;) {
    const bool is_tie = is_claim(found);
    if (found != ours && !is_tie) break;
    if (is_tie && !slot.compare_exchange_seq_cst(found, ours)) continue;  // [slot]: a tie is ours
    if (d_.mode == FenceMode::kAdaptive) notice_return(is_tie);
    return true;
  }
  const int64_t top = d_.top.load_acquire();  // [top]
  if (!says_stolen(position, found, top)) Atoms::refuse_pop();
  start_over(top);
  if (d_.mode == FenceMode::kAdaptive) notice_steal();
  return false;
}

template <class Frame, class Atoms>
bool Deque<Frame, Atoms>::Local::says_stolen(int64_t position, int64_t found,
                                             int64_t top) noexcept {
  const int64_t above = position_of(top) - position;
  return position < 0 ? found == 0 && above == 1 : found == kTaken && (above == 0 || above == 1);
}

template <class Frame, class Atoms>
bool Deque<Frame, Atoms>::Local::may_push(int64_t position, int64_t oldest,
                                          const Frame *frame) const noexcept {
  if (position < oldest || position >= d_.capacity) return false;
  const auto bytes = static_cast<int64_t>(sizeof(Frame));
  const int64_t least = position > Atoms::kLooksBelow ? position - Atoms::kLooksBelow : 0;
  int64_t newer = word_of(frame);
  for (int64_t i = position - 1; i >= oldest && i >= least; --i) {
    const int64_t older = d_.slots[i].load_relaxed();  // [slot]: compared only
    const int64_t apart = newer - older;
    if (is_frame(newer) && is_frame(older) && apart < bytes && apart > -bytes) return false;
    newer = older;
  }
  return true;
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::notice_steal() noexcept {
  fence_pops(Atoms::kFencedPops * d_.fence_scale);
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::fence_pops(int64_t count) noexcept {
  d_.fenced_pops_left = count;
  if (d_.has_full_pops()) return;
  d_.set_bottom(d_.bottom_position(), /*pops_fence=*/true);  // from here on no pop is light,
  d_.full_pops.store_release(1);  // [mode]: and a thread that reads this sees all pops before
}

template <class Frame, class Atoms>
void Deque<Frame, Atoms>::Local::notice_return(bool is_tie) noexcept {
  if (is_tie) {
    // [hint]: another thief may have written it since
    const auto claimed_at = static_cast<uint64_t>(d_.claimed_at_ns.load_relaxed());
    if (Atoms::now_ns() - claimed_at >= Atoms::kStaleClaimNs) return notice_steal();
  }
  if (!d_.has_full_pops() || --d_.fenced_pops_left > 0) return;
  d_.full_pops.store_release(0);  // [mode]
  Atoms::switch_fence();          // [mode]: between this and the next pop's look at its slot
  d_.set_bottom(d_.bottom_position(), /*pops_fence=*/false);
}

template <class Frame, class Atoms>
Frame *Deque<Frame, Atoms>::Local::pop_newest() noexcept {
  for (;;) {
    const int64_t position = d_.bottom_position() - 1;
    if (position < 0) return nullptr;
    const int64_t found = d_.slots[position].load_acquire();  // [slot]: checked by the pop
    if (is_claim(found)) {
      Atoms::yield();
      continue;
    }
    if (found != kTaken) return pop(frame_of(found)) ? frame_of(found) : nullptr;
    d_.set_bottom(position, d_.has_full_pops());  // as a pop that fails, which starts over
    pop_slow(nullptr);
    return nullptr;
  }
}

template <class Frame, class Atoms>
Frame *Deque<Frame, Atoms>::Local::drain_oldest() noexcept {
  const int64_t bottom = d_.bottom_position();
  int64_t oldest = d_.top.load_acquire();  // [top]
  while (position_of(oldest) < bottom) {
    const int64_t found = replace(d_.slots[position_of(oldest)], kTaken);  // [slot]
    if (d_.top.compare_exchange_seq_cst(oldest, oldest + 1)) ++oldest;     // [top]
    if (found != kTaken) return frame_of(found);
  }
  return nullptr;
}

}  // namespace nopal

#include "steal.h"

namespace nopal {

// The runtime's: the first member of each worker, which is how the inlined fast path finds it.
using ContinuationDeque = Deque<nopal_frame, HardwareAtoms>;
static_assert(offsetof(ContinuationDeque, bottom) == 0 && offsetof(ContinuationDeque, limit) == 8 &&
                  offsetof(ContinuationDeque, fenced_pops_left) < 64,
              "what a push and a pop touch lies on one line");
static_assert(offsetof(ContinuationDeque, top) == 64, "what thieves write lies on another line");
static_assert(offsetof(ContinuationDeque, peak) == 128 && sizeof(ContinuationDeque) == 192,
              "cold fields lie apart from both");

}  // namespace nopal
