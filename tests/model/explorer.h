// An exhaustive explorer of small concurrent programs under x86-TSO or under a model of ARMv8, and
// the words that put the runtime's lock-free code into it.
//
// Used by *_model.cpp, which run the shipped deque.h and join.h with ModelAtoms for HardwareAtoms.
// What is explored, what is not, and why the reductions are sound: README.md. That it can fail:
// mutants_model.cpp, arm_orders_model.cpp. The memory of ARMv8 against litmus tests:
// litmus_model.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nopal::model {

// The steps at which the explorer may switch to another thread.
enum class Step : uint8_t {
  kStart,
  kLoad,
  kReadModifyWrite,
  kDrain,
  kLoadFence,
  kRoom,
  kLightFence,
  kHeavyFence,
  kAwait,
  kSpin,
  kChoose,
  kDone
};

// Whose order a run has.
enum class Memory : uint8_t { kTso, kArm };

// How an access is ordered against the others of its thread; TSO does not look.
enum Orders : uint8_t {
  kRelaxed = 0,
  kAcquires = 1,       // before all that follow (ldapr)
  kAfterReleases = 2,  // and after the thread's stores that release (with kAcquires: ldar)
  kReleases = 4,       // after all before it (stlr)
  kFences = 8,         // a fence
  kFencesOthers = 16   // a heavy fence's part in the other threads
};
// Where the code under test orders something.
using Site = std::source_location;

class WordBase;

// ---- What a scenario may call in its threads and in its last check ----

// The violation ends the run and the exploration.
void require(bool condition, const char *what);
// Blocks until the word's value, as all threads see it, is `value`; a stand-in for a hand-over that
// the scenario leaves out.
void await(WordBase &word, int64_t value);
// Either, as the explorer chooses: both are explored, the first `free` times that this thread asks;
// from then on by turns, so that a loop which asks for its end comes to one. For what the code
// under test may not rely on, such as a clock. False outside of threads.
bool choose(int free);
// Memory of the run, zeroed, at the same address in each run that takes the same steps; never
// freed.
void *allocate(size_t bytes);

template <class T, class... Args>
T *make(Args &&...args) {
  return new (allocate(sizeof(T))) T(std::forward<Args>(args)...);
}

// ---- Exploration ----

struct Scenario {
  std::function<void()> set_up;  // makes the shared objects; runs before each run's threads, alone
  std::vector<std::function<void()>>
      threads;  // at most 4; must be deterministic but for what they load and choose
  std::function<void()> check;  // after all threads are done and their stores are visible; alone
  // All that the threads change and allocate() has not given out, as bytes that can be copied; null
  // with 0 bytes where there is nothing. With `can_be_restored` the explorer goes back to a state
  // by copying what it was, and else by a new run up to there, which takes some times as long.
  void *state = nullptr;
  size_t state_bytes = 0;
  bool can_be_restored = false;
};

struct Outcome {
  bool violated = false;
  std::string what;  // the violation and the schedule that leads there, a step a line
  uint64_t states = 0;
  uint64_t runs = 0;
};

// Runs `scenario` through all schedules; stops at the first violation.
Outcome explore(const Scenario &scenario);

// While it lives, explorations are of ARMv8.
class ArmMemory {
 public:
  ArmMemory();
  ~ArmMemory();
  ArmMemory(const ArmMemory &) = delete;
  ArmMemory &operator=(const ArmMemory &) = delete;
};

// One order of the code under test: a call of a method that has one.
struct OrderedSite {
  const char *file = nullptr;
  uint32_t line = 0, column = 0;
  Orders part = kRelaxed;  // one bit
};
// The exploration, and the orders that it has executed.
std::vector<OrderedSite> ordered_sites_of(const std::function<Outcome()> &exploration);
// The exploration, without that order.
Outcome explore_without(const OrderedSite &site, const std::function<Outcome()> &exploration);

// ---- For litmus tests ----

// The last load's place among those that are not satisfied yet; 0 if it is. In sums.
uint64_t last_load();
// The thread's next access has its value, or its address, from these loads; all later stores are in
// branches that they decide; all later accesses stand after an ISB in such a branch.
void next_value_from(uint64_t loads);
void next_address_from(uint64_t loads);
void branch_on(uint64_t loads);
void isb_after(uint64_t loads);
void fence_loads();   // dmb ishld
void fence_stores();  // dmb ishst

// ---- Memory ----

// A shared word. Stores wait in the storing thread's window and reach memory at any later step that
// the memory's rules allow; with ARMv8 a load may wait there, too.
class WordBase {
 public:
  explicit WordBase(int64_t initial);
  WordBase(const WordBase &) = delete;
  WordBase &operator=(const WordBase &) = delete;

  // From now on any access to the word, and any waiting one that reaches it, is a violation: its
  // memory is gone.
  void bury();

 protected:
  int64_t load(Orders orders, const Site &site) const;
  void store(int64_t value, Orders orders, const Site &site);
  // Replaces the value by `change(old)`, with no other change in between, and returns the old one;
  // or only loads if `change` returns nothing.
  template <class Change>
  int64_t read_modify_write(Change change, Orders orders, const Site &site) {
    const int64_t old = begin_read_modify_write(orders, site);
    end_read_modify_write(old, std::optional<int64_t>(change(old)));
    return old;
  }

 private:
  friend struct Machine;
  int64_t begin_read_modify_write(Orders orders, const Site &site);
  void end_read_modify_write(int64_t old, std::optional<int64_t> value);

  int64_t memory_;
  bool buried_ = false;
  int8_t reserved_by_ = -1;  // ARMv8: by whose read-modify-write, which has loaded
};

template <class T>
class Word : public WordBase {
 public:
  Word() : WordBase(0) {}
  explicit Word(T initial) : WordBase(encode(initial)) {}

  T load_relaxed(Site site = Site::current()) const { return decode(load(kRelaxed, site)); }
  T load_relaxed_operand(Site site = Site::current()) const { return load_relaxed(site); }
  T load_acquire(Site site = Site::current()) const { return decode(load(kAcquires, site)); }
  void store_relaxed(T value, Site site = Site::current()) { store(encode(value), kRelaxed, site); }
  void store_release(T value, Site site = Site::current()) {
    store(encode(value), kReleases, site);
  }
  // On AArch64 also acquire when it fails: the load is the same instruction.
  bool compare_exchange_seq_cst(T &expected, T desired, Site site = Site::current()) {
    const int64_t wanted = encode(expected);
    const int64_t old = compare_exchange(wanted, encode(desired), kAcquireRelease, site);
    expected = decode(old);
    return old == wanted;
  }
  bool compare_exchange_acquire(T &expected, T desired, Site site = Site::current()) {
    const int64_t wanted = encode(expected);
    const int64_t old = compare_exchange(wanted, encode(desired), kAcquireOnly, site);
    expected = decode(old);
    return old == wanted;
  }
  T exchange_release(T value, Site site = Site::current()) {
    return decode(read_modify_write([=](int64_t) { return encode(value); }, kReleases, site));
  }
  T fetch_add_acq_rel(T value, Site site = Site::current()) {
    return read_modify_write([=](int64_t v) { return v + value; }, kAcquireRelease, site);
  }
  T fetch_add_release(T value, Site site = Site::current()) {
    return read_modify_write([=](int64_t v) { return v + value; }, kReleases, site);
  }
  T fetch_or_acquire(T bits, Site site = Site::current()) {
    return read_modify_write([=](int64_t v) { return v | bits; }, kAcquireOnly, site);
  }

  // A plain member of a struct is modelled by the same word.
  Word &operator=(T value) {
    store(encode(value), kRelaxed, Site::current());
    return *this;
  }
  operator T() const { return decode(load(kRelaxed, Site::current())); }

 protected:
  int64_t compare_exchange(int64_t wanted, int64_t desired, Orders orders, const Site &site) {
    return read_modify_write(
        [=](int64_t v) { return v == wanted ? std::optional(desired) : std::nullopt; }, orders,
        site);
  }
  // The load of a read-modify-write is an ldaxr, or as one.
  static constexpr auto kAcquireOnly = static_cast<Orders>(kAcquires | kAfterReleases);
  static constexpr auto kAcquireRelease = static_cast<Orders>(kAcquireOnly | kReleases);
  // For litmus tests.
  friend struct Litmus;

 private:
  static int64_t encode(T value) {
    if constexpr (std::is_pointer_v<T>) {
      return static_cast<int64_t>(reinterpret_cast<intptr_t>(value));
    } else {
      return static_cast<int64_t>(value);
    }
  }
  static T decode(int64_t value) {
    if constexpr (std::is_pointer_v<T>) {
      return reinterpret_cast<T>(static_cast<intptr_t>(value));
    } else {
      return static_cast<T>(value);
    }
  }
};

// The seam of runtime/src/platform/atoms.h. In set-up and check, where nobody else runs, fences are
// nothing.
struct ModelAtoms {
  using Int64 = Word<int64_t>;
  template <class T>
  using Pointer = Word<T *>;
  template <class T>
  using WordOf = Word<T>;
  template <class AnyWord>
  static AnyWord &word(AnyWord &plain) {
    return plain;
  }

  static void light_fence();
  static void heavy_fence(Site site = Site::current());
  static void full_fence(Site site = Site::current());
  static void switch_fence(Site site = Site::current()) { full_fence(site); }
  static void push_fence(Site site = Site::current()) { full_fence(site); }
  static void epoch_fence(Site site = Site::current());  // TSO keeps stores in order; else a dmb
  static void release_fence(Site site = Site::current()) { epoch_fence(site); }
  static void acquire_fence(Site site = Site::current());  // TSO keeps loads in order; else a dmb
  // Each claim is stale, and one fenced pop follows a steal.
  static constexpr uint64_t kStaleClaimNs = 0, kClaimGraceNs = 0;
  static constexpr uint64_t kLongYieldNs = 0, kCrowdedNs = 0;
  static constexpr int64_t kFencedPops = 1, kExpectantPops = 1;
  static uint64_t now_ns() { return 0; }
  static int64_t as_first_operand(int64_t value) { return value; }
  static int64_t load_predicted(const Int64 &word) {
    return word.load_relaxed();
  }  // whatever the register holds, it is the word's value
  static int64_t predict(int64_t value) { return value; }
  static constexpr bool kLoadsPairs = false;  // two loads, which ARMv8 performs in any order
  static int64_t store_and_advance(Int64 &word, int64_t value, Site site = Site::current()) {
    word.store_relaxed(value, site);
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(&word + 1));
  }
  static void spin_pause();
  static void yield() { spin_pause(); }
  static void *allocate(size_t bytes) { return model::allocate(bytes); }
  static void release(void *) {}
  [[noreturn]] static void refuse(int64_t) { std::abort(); }
  static constexpr int64_t kLooksBelow =
      0;  // each look is a step: deque_model.cpp has scenarios with some
  // No interleaving may come here: nothing interrupts an owner.
  [[noreturn]] static void refuse_pop() {
    refuse_as("a pop takes what is left for a sign of interruption");
  }
  [[noreturn]] static void refuse_push() {
    refuse_as("a push takes what is there for a sign of interruption");
  }
  [[noreturn]] static void refuse_as(const char *what) {
    require(false, what);
    std::abort();
  }
};

}  // namespace nopal::model
