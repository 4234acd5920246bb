// The seam under the lock-free code: atomic words whose methods carry the memory order in their
// name, and the three fences.
//
// deque.h and join.h are templates over a class with the members of HardwareAtoms. The runtime uses
// HardwareAtoms; tests/model puts its own in place, in which each operation is a step of an
// exhaustive exploration. Nothing here has a default order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <sched.h>

#include "clock.h"
#include "futex.h"
#include "membarrier.h"

namespace nopal {

// A word shared between threads. T is an integer or a pointer.
template <class T>
class HardwareWord {
 public:
  constexpr HardwareWord() noexcept : word_{} {}
  constexpr explicit HardwareWord(T value) noexcept : word_(value) {}

  T load_relaxed() const noexcept { return word_.load(std::memory_order_relaxed); }
  T load_acquire() const noexcept { return word_.load(std::memory_order_acquire); }
  // As load_relaxed, for the operand of a compare on the fast path: Clang 22 loads an atomic into a
  // register first, at an instruction's cost. A volatile load of an aligned word is one access that
  // nobody splits, repeats or leaves out. The thread sanitizer takes it for a plain one, also in
  // programs, since what is inlined there was compiled without it; what the runtime does to the
  // word it does not see.
  T load_relaxed_operand() const noexcept {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    return load_relaxed();
#endif
#endif
    static_assert(sizeof(word_) == sizeof(T) && alignof(std::atomic<T>) == sizeof(T));
    return reinterpret_cast<const volatile T &>(word_);
  }
  void store_relaxed(T value) noexcept { word_.store(value, std::memory_order_relaxed); }
  void store_release(T value) noexcept { word_.store(value, std::memory_order_release); }
  // On failure `expected` becomes the value found.
  bool compare_exchange_seq_cst(T &expected, T desired) noexcept {
    return word_.compare_exchange_strong(expected, desired, std::memory_order_seq_cst,
                                         std::memory_order_relaxed);
  }
  // Acquire, also on failure.
  bool compare_exchange_acquire(T &expected, T desired) noexcept {
    return word_.compare_exchange_strong(expected, desired, std::memory_order_acquire,
                                         std::memory_order_acquire);
  }
  T exchange_release(T value) noexcept { return word_.exchange(value, std::memory_order_release); }
  T fetch_add_acq_rel(T value) noexcept {
    return word_.fetch_add(value, std::memory_order_acq_rel);
  }
  // For hints that many threads change (policy/policy.h).
  T fetch_add_relaxed(T value) noexcept {
    return word_.fetch_add(value, std::memory_order_relaxed);
  }
  T fetch_or_relaxed(T bits) noexcept { return word_.fetch_or(bits, std::memory_order_relaxed); }
  T fetch_and_relaxed(T bits) noexcept { return word_.fetch_and(bits, std::memory_order_relaxed); }

 private:
  friend struct HardwareAtoms;  // the futex calls
  std::atomic<T> word_;
};

// The same operations on a plain word of a struct that C also reads (nopal_frame::join).
class HardwareWordRef {
 public:
  explicit HardwareWordRef(int64_t &word) noexcept : word_(&word) {}

  int64_t load_relaxed() const noexcept { return __atomic_load_n(word_, __ATOMIC_RELAXED); }
  int64_t load_acquire() const noexcept { return __atomic_load_n(word_, __ATOMIC_ACQUIRE); }
  void store_relaxed(int64_t value) noexcept { __atomic_store_n(word_, value, __ATOMIC_RELAXED); }
  int64_t fetch_add_acq_rel(int64_t value) noexcept {
    return __atomic_fetch_add(word_, value, __ATOMIC_ACQ_REL);
  }
  int64_t fetch_add_release(int64_t value) noexcept {
    return __atomic_fetch_add(word_, value, __ATOMIC_RELEASE);
  }
  int64_t fetch_or_acquire(int64_t bits) noexcept {
    return __atomic_fetch_or(word_, bits, __ATOMIC_ACQUIRE);
  }

 private:
  int64_t *word_;
};

struct HardwareAtoms {
  using Int64 = HardwareWord<int64_t>;
  template <class T>
  using Pointer = HardwareWord<T *>;
  template <class T>
  using WordOf = HardwareWord<T>;

  static HardwareWordRef word(int64_t &plain) noexcept { return HardwareWordRef(plain); }

  // Keeps the compiler's order and leaves the processor's to the other side's heavy_fence.
  static void light_fence() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }
  static void heavy_fence() noexcept { heavy_fence_by_membarrier(); }
  static void full_fence() noexcept { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static void switch_fence() noexcept {
    full_fence();
  }  // the owner's, between two kinds of pops: a name of its own, for the model
  // The owner's, between an empty deque's new epoch and the next push: keeps its stores in order.
  // No instruction on x86-64.
  static void epoch_fence() noexcept { std::atomic_thread_fence(std::memory_order_release); }
  // For a sequence lock (frame/versioned.h): before what follows is stored, and after what precedes
  // is loaded. No instructions on x86-64.
  static void release_fence() noexcept { std::atomic_thread_fence(std::memory_order_release); }
  static void acquire_fence() noexcept { std::atomic_thread_fence(std::memory_order_acquire); }
  static void push_fence() noexcept {
    full_fence();
  }  // the owner's, after a slow push (idle/alarm.h): likewise

  // Adaptive fences, in nanoseconds but for the last two, which are numbers of pops. See README.md.
  static constexpr uint64_t kStaleClaimNs =
      2'000;  // what stays claimed so long without being confirmed should have been stolen
  static constexpr uint64_t kClaimGraceNs =
      200;  // so long a thief leaves its claim to the owner when its fence takes no time
  static constexpr int64_t kFencedPops =
      1024;  // so many pops fence after a steal: about what one heavy fence costs
  static constexpr int64_t kExpectantPops =
      4;  // so many fence after a call to a thief: more would make steals of tiny children pay
  static uint64_t now_ns() noexcept { return nopal::now_ns(); }
  // `value`, on the left of a comparison with memory: there alone Clang 22 makes one instruction of
  // them, on x86-64. No instruction by itself.
  static int64_t as_first_operand(int64_t value) noexcept {
#if defined(__clang__) && defined(__x86_64__)
    __asm__("" : "+r"(value));
#endif
    return value;
  }
  static void spin_pause() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");  // some tens of cycles; "yield" takes none on most cores
#endif
  }

  // Value prediction, for a word that one thread alone writes and reads again a few instructions
  // later: it leaves the value in r10, too, a register that C's convention does not keep and the
  // compiler uses late. What is found there is compared with the word, so it may be anything; but
  // if it is right, who computes with it need not wait until the last store has come back
  // (docs/decisions/0020). Test: AnythingMayBeInTheRegister. As word.load_relaxed(). Cost: a
  // comparison; if the register holds something else, a load and two jumps more.
  static int64_t load_predicted(const Int64 &word) noexcept {
#if defined(__clang__) && defined(__x86_64__)
    register int64_t predicted __asm__("r10");
    __asm__ volatile("" : "=r"(predicted));
    if (__builtin_expect(predicted == word.load_relaxed_operand(), 1)) {
      __asm__(
          ""
          : "+r"(predicted));  // else the optimizer may take the word's value, since they are equal
      return predicted;
    }
#endif
    return word.load_relaxed();
  }
  // `value`, which the word now gets. Cost: none, at most a move.
  static int64_t predict(int64_t value) noexcept {
#if defined(__clang__) && defined(__x86_64__)
    register int64_t predicted __asm__("r10") = value;
    __asm__ volatile("" : "+r"(predicted));
    return predicted;
#else
    return value;
#endif
  }

  // Relaxed loads of `first` and of the word after it, on one line: one instruction, which loads
  // each word whole, in any order.
#if defined(__clang__) && defined(__aarch64__)
  static constexpr bool kLoadsPairs = true;
  static void load_pair(const Int64 &first, int64_t &one, int64_t &two) noexcept {
    __asm__ volatile("ldp %0, %1, %2"
                     : "=r"(one), "=r"(two)
                     : "Q"(reinterpret_cast<const int64_t (&)[2]>(first)));
  }
#else
  static constexpr bool kLoadsPairs = false;
#endif
  // word.store_relaxed(value), and the address after the word: on AArch64 one instruction.
  static int64_t store_and_advance(Int64 &word, int64_t value) noexcept {
    auto place = static_cast<int64_t>(reinterpret_cast<intptr_t>(&word));
#if defined(__clang__) && defined(__aarch64__)
    __asm__ volatile("str %1, [%0], #8" : "+&r"(place) : "r"(value) : "memory");
    return place;
#else
    word.store_relaxed(value);
    return place + static_cast<int64_t>(sizeof word);
#endif
  }

  // Longer than threads that wait for each other keep a processor: another program has had it.
  static constexpr std::uint64_t kLongYieldNs = 500'000;
  // For so long after that, a wait does not yield.
  static constexpr std::uint64_t kCrowdedNs = 50'000'000;
  // For a wait that ends when another thread has run for a moment.
  static void yield() noexcept { sched_yield(); }
  // See futex.h.
  static void sleep_while(WordOf<std::uint32_t> &word, std::uint32_t value) noexcept {
    futex_wait(word.word_, value);
  }
  static void wake_one(WordOf<std::uint32_t> &word) noexcept { futex_wake_one(word.word_); }

  // Memory for a deque's array; null if there is none.
  static void *try_allocate(size_t bytes) noexcept { return std::malloc(bytes); }
  // The same; never null.
  static void *allocate(size_t bytes) noexcept {
    void *memory = try_allocate(bytes);
    if (__builtin_expect(memory == nullptr, 0)) {
      std::fprintf(stderr,
                   "nopal: fatal: cannot allocate %zu bytes for a deque: Cannot allocate memory; "
                   "spawn less deeply\n",
                   bytes);
      std::abort();
    }
    return memory;
  }
  static void release(void *memory) noexcept { std::free(memory); }
  // A deque of more than `capacity` continuations is wanted.
  [[noreturn]] static void refuse(int64_t capacity) noexcept {
    std::fprintf(stderr,
                 "nopal: fatal: more than %lld continuations in a deque; spawn less deeply\n",
                 static_cast<long long>(capacity));
    std::abort();
  }
  // So many of the newest frames a slow push looks at: some nanoseconds.
  static constexpr int64_t kLooksBelow = 32;
  // A continuation that nobody has stolen is not there.
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_pop() noexcept {
    std::fputs(
        "nopal: fatal: a spawn has lost its continuation, which nobody has stolen: a signal "
        "handler spawned in the midst of it, or longjmp or a switch of fibers left a function that "
        "spawns; set a flag in the handler, throw an exception instead of longjmp, and switch "
        "fibers outside of such functions\n",
        stderr);
    std::abort();
  }
  // The continuation that was pushed last cannot be there any more, or what says where it is is
  // wrong.
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_push() noexcept {
    std::fputs(
        "nopal: fatal: a spawn finds the continuation of a function that has ended: longjmp, a "
        "switch of fibers, or an exception through C without -fexceptions left a function that "
        "spawns, or a signal handler spawned in the midst of a spawn; throw an exception instead "
        "of longjmp, switch fibers outside of such functions, compile such C with -fexceptions, "
        "and set a flag in the handler\n",
        stderr);
    std::abort();
  }
};

}  // namespace nopal
