// An exhaustive explorer of small concurrent programs under x86-TSO, and the words that put the
// runtime's lock-free code into it.
//
// Used by *_model.cpp, which run the shipped deque.h and join.h with ModelAtoms for HardwareAtoms.
// What is explored, what is not, and why the reductions are sound: README.md. That it can fail:
// mutants_model.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
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
  kLightFence,
  kHeavyFence,
  kAwait,
  kSpin,
  kChoose,
  kDone
};

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

// ---- Memory ----

// A shared word. Stores go into the storing thread's buffer and from there, in order, to memory, at
// any later step.
class WordBase {
 public:
  explicit WordBase(int64_t initial);
  WordBase(const WordBase &) = delete;
  WordBase &operator=(const WordBase &) = delete;

  // From now on any access to the word, and any buffered store that reaches it, is a violation: its
  // memory is gone.
  void bury() { buried_ = true; }

 protected:
  int64_t load() const;
  void store(int64_t value);
  // Waits until the own buffer is empty, then replaces the value by `change(old)` at once, and
  // returns the old one.
  template <class Change>
  int64_t read_modify_write(Change change) {
    begin_read_modify_write();
    const int64_t old = memory_;
    end_read_modify_write(change(old));
    return old;
  }

 private:
  friend struct Machine;
  void begin_read_modify_write();
  void end_read_modify_write(int64_t value);

  int64_t memory_;
  bool buried_ = false;
};

template <class T>
class Word : public WordBase {
 public:
  Word() : WordBase(0) {}
  explicit Word(T initial) : WordBase(encode(initial)) {}

  T load_relaxed() const { return decode(load()); }
  T load_relaxed_operand() const { return load_relaxed(); }
  T load_acquire() const { return decode(load()); }
  void store_relaxed(T value) { store(encode(value)); }
  void store_release(T value) { store(encode(value)); }
  bool compare_exchange_seq_cst(T &expected, T desired) {
    const int64_t wanted = encode(expected);
    const int64_t old =
        read_modify_write([=](int64_t v) { return v == wanted ? encode(desired) : v; });
    expected = decode(old);
    return old == wanted;
  }
  T fetch_add_acq_rel(T value) {
    return read_modify_write([=](int64_t v) { return v + value; });
  }
  T fetch_add_release(T value) { return fetch_add_acq_rel(value); }
  T fetch_or_acquire(T bits) {
    return read_modify_write([=](int64_t v) { return v | bits; });
  }

  // A plain member of a struct is modelled by the same word.
  Word &operator=(T value) {
    store(encode(value));
    return *this;
  }
  operator T() const { return decode(load()); }

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
  template <class AnyWord>
  static AnyWord &word(AnyWord &plain) {
    return plain;
  }

  static void light_fence();
  static void heavy_fence();
  static void full_fence();
  static void switch_fence() { full_fence(); }
  static void push_fence() { full_fence(); }
  static void epoch_fence() {}  // between stores, which TSO keeps in order
  // Each steal is soon after the one before, each claim stale, and one fenced pop follows.
  static constexpr uint64_t kFrequentStealNs = 0, kStaleClaimNs = 0, kClaimGraceNs = 0;
  static constexpr int64_t kFencedPops = 1, kExpectantPops = 1;
  static uint64_t now_ns() { return 0; }
  static int64_t as_first_operand(int64_t value) { return value; }
  static int64_t load_predicted(const Int64 &word) {
    return word.load_relaxed();
  }  // whatever the register holds, it is the word's value
  static int64_t predict(int64_t value) { return value; }
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
