// Transitions of the sleep word. See sleep.h; the proof is in README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sleep.h"

#include "../config/config.h"
#include "../platform/futex.h"

#include <bit>

namespace nopal {
namespace {

static_assert(sizeof(SleepCounts) == sizeof(std::uint64_t),
              "all counts change in one atomic operation");

std::uint64_t pack(SleepCounts counts) noexcept { return std::bit_cast<std::uint64_t>(counts); }
SleepCounts unpack(std::uint64_t word) noexcept { return std::bit_cast<SleepCounts>(word); }

/// Applies `change` to the counts in one atomic step and returns the counts afterwards.
template <class Change>
SleepCounts update(std::atomic<std::uint64_t> &word, Change change) noexcept {
  std::uint64_t old = word.load(std::memory_order_relaxed);  // a guess, checked by the exchange
  for (;;) {
    SleepCounts counts = unpack(old);
    change(counts);
    if (word.compare_exchange_weak(old, pack(counts), std::memory_order_acq_rel,
                                   std::memory_order_relaxed))
      return counts;  // [W]
  }
}

/// Under Sleep's mutex, as wake() is called.
void clear_signal(Sleeper &sleeper) noexcept { sleeper.signal.store(0, std::memory_order_relaxed); }

void wake(Sleeper &sleeper) noexcept {
  sleeper.signal.store(1, std::memory_order_release);  // [S]
  futex_wake_one(sleeper.signal);
}

// After a sleep this long the sleeper's caches are cold and its system calls slow, so its waker
// restores the affinity after the wake-up. That takes about as long as the wake-up, and what the
// waker has pushed can be stolen meanwhile. So after short sleeps it does not: a poller that is
// called again and again for nothing stays confined.
constexpr std::chrono::milliseconds kLongSleep{5};
constexpr int kSpinsForWaker = 4096;  // some 50 us

/// Where CILK_BIND says where threads run, nothing else does.
bool may_exclude() noexcept { return config().bind == Config::Bind::kNone; }

/// Wakes a sleeper; its waker, the caller, goes on working on its own processor. Constructed under
/// Sleep's mutex and destroyed without it: the woken thread needs that mutex first. In the usual
/// case the wake-up is the only system call before it.
class Waking {
 public:
  explicit Waking(Sleeper &sleeper) noexcept : sleeper_(sleeper), lock_(sleeper.processors) {
    sleeper.waker = sched_getcpu();
    sleeper.is_woken = true;
    if (may_exclude()) sleeper.affinity.exclude(sleeper.thread, sleeper.waker);
    restores_ = std::chrono::steady_clock::now() - sleeper.since >= kLongSleep;
    sleeper.is_confined.store(!restores_ && sleeper.affinity.excluded() >= 0,
                              std::memory_order_relaxed);                   // [S]
    sleeper.is_being_restored.store(restores_, std::memory_order_relaxed);  // [S]
    if (!restores_) lock_.unlock();  // the sleeper will want it
    wake(sleeper);
  }
  ~Waking() {
    if (!restores_) return;
    sleeper_.affinity.restore(sleeper_.thread, sleeper_.waker);
    sleeper_.is_being_restored.store(false, std::memory_order_release);  // [P]
  }
  Waking(const Waking &) = delete;
  Waking &operator=(const Waking &) = delete;

 private:
  Sleeper &sleeper_;
  std::unique_lock<std::mutex> lock_;
  bool restores_ = false;
};

/// Until the waker has restored the affinity; it runs on another processor and is about to. A futex
/// would take longer.
void wait_until_restored(Sleeper &self) noexcept {
  for (int spins = 0; self.is_being_restored.load(std::memory_order_acquire); ++spins) {  // [P]
    if (spins == kSpinsForWaker) return self.wait_for_waker();
    HardwareAtoms::spin_pause();
  }
}

/// The caller is `self`, and no waker can find it. From now on it may run where it might before its
/// sleep, and so may the threads and processes that its work creates. Cost: if the waker restores,
/// at most the rest of its two system calls.
void restore(Sleeper &self) noexcept {
  if (!self.is_confined.load(std::memory_order_relaxed))
    return wait_until_restored(self);  // [S], or its own
  const std::lock_guard lock(self.processors);
  self.is_confined.store(false, std::memory_order_relaxed);  // its own
  self.affinity.restore(self.thread, self.is_woken ? self.waker : -1);
}

[[clang::no_destroy]] constinit Sleep
    the_sleep;  // helpers may still look at it while the process exits

}  // namespace

Sleep &sleep() noexcept { return the_sleep; }

void Sleep::keep_in_reserve(unsigned workers, bool (*start_one)() noexcept) noexcept {
  start_one_ = start_one;
  reserve_.store(workers, std::memory_order_relaxed);
}

void Sleep::was_not_started() noexcept {
  wake_one_if_unwatched(update(word_, [](SleepCounts &c) { --c.searching; }));
}

void Sleep::start_search() noexcept {
  update(word_, [](SleepCounts &c) { ++c.searching; });
}

void Sleep::found_work(Sleeper &self) noexcept {
  wake_one_if_unwatched(update(word_, [](SleepCounts &c) { --c.searching; }), &self);
  restore(self);
}

void Sleep::stop_search(Sleeper &self) noexcept {
  restore(self);
  update(word_, [](SleepCounts &c) { --c.searching; });
}

Sleep::Rest Sleep::rest(Sleeper &self) noexcept {
  exclude_waker(self);
  const std::lock_guard lock(mutex_);
  if (is_closed()) {
    stop_search(self);
    return Rest::kStop;
  }
  self.since = std::chrono::steady_clock::now();
  Rest rest = Rest::kPark;
  update(word_, [&rest](SleepCounts &c) {
    --c.searching;
    rest = c.attached > 0 && c.polling == 0 ? Rest::kPoll : Rest::kPark;
    ++(rest == Rest::kPoll ? c.polling : c.parked);
  });
  if (rest == Rest::kPoll) {
    clear_signal(self);
    poller_ = &self;
  } else {
    put_parked_locked(self);
  }
  return rest;
}

void Sleep::wait_parked(Sleeper &self) noexcept {
  while (self.signal.load(std::memory_order_acquire) == 0) futex_wait(self.signal, 0);  // [S]
}

bool Sleep::set_alarm(Sleeper &self) noexcept {
  if (!self.is_confined.load(std::memory_order_relaxed)) exclude_waker(self);  // [S], or its own
  const std::lock_guard lock(mutex_);
  if (is_closed()) return false;
  clear_signal(self);
  alarm_.set();
  return true;
}

bool Sleep::reset_alarm(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (!is_closed()) clear_signal(self);
  const bool was_called = alarm_.reset();
  if (was_called) self.since = std::chrono::steady_clock::now();
  return was_called;
}

void Sleep::wait_polling(Sleeper &self, std::chrono::nanoseconds pause) noexcept {
  if (self.signal.load(std::memory_order_acquire) == 0) futex_wait(self.signal, 0, pause);  // [S]
}

void Sleep::rest_polling(Sleeper &self, std::chrono::nanoseconds pause) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!is_closed()) clear_signal(self);
    self.since = std::chrono::steady_clock::now();
  }
  wait_polling(self, pause);
}

void Sleep::wait_for_call(Sleeper &self, std::chrono::nanoseconds limit) noexcept {
  if (alarm_.fall_asleep()) wait_polling(self, limit);
}

void Sleep::poller_found_work(Sleeper &self) noexcept {
  SleepCounts now;
  {
    const std::lock_guard lock(mutex_);
    poller_ = nullptr;
    now = update(word_, [](SleepCounts &c) { --c.polling; });
  }
  wake_one_if_unwatched(now, &self);
  restore(self);
}

bool Sleep::poller_may_park(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed()) return false;  // the caller will see that the runtime stops
  bool parks = false;
  update(word_, [&parks](SleepCounts &c) {
    parks = c.attached == 0;
    if (!parks) return;
    --c.polling;
    ++c.parked;
  });
  if (!parks) return false;
  poller_ = nullptr;
  put_parked_locked(self);
  return true;
}

void Sleep::stop_polling(Sleeper &self) noexcept {
  {
    const std::lock_guard lock(mutex_);
    poller_ = nullptr;
    update(word_, [](SleepCounts &c) { --c.polling; });
  }
  restore(self);
}

void Sleep::attached() noexcept {
  attached_at_.store(sched_getcpu(), std::memory_order_relaxed);  // a hint
  wake_one_if_unwatched(update(word_, [](SleepCounts &c) { ++c.attached; }));
}

void Sleep::call_poller() noexcept {
  std::unique_lock lock(mutex_);
  ++calls_;
  if (poller_ == nullptr) return;
  const Waking waking(*poller_);  // it may be awake by now, or another one: whoever polls wakes up
                                  // for nothing at times
  lock.unlock();
}

void Sleep::detached() noexcept {
  update(word_, [](SleepCounts &c) { --c.attached; });
}

void Sleep::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_.store(true, std::memory_order_relaxed);
  reserve_.store(0,
                 std::memory_order_relaxed);  // one that is being started is joined with the others
  alarm_.reset();
  if (poller_ != nullptr) wake(*poller_);
  while (Sleeper *sleeper = take_parked_locked()) {
    update(word_, [](SleepCounts &c) { --c.parked, ++c.searching; });
    wake(*sleeper);
  }
}

void Sleep::open() noexcept {
  const std::lock_guard lock(mutex_);
  closed_.store(false, std::memory_order_relaxed);
}

void Sleep::forget_sleepers_locked() noexcept {
  update(word_, [](SleepCounts &c) { c.searching = c.polling = c.parked = 0; });
  reserve_.store(0, std::memory_order_relaxed);
  parked_ = nullptr;
  poller_ = nullptr;
  alarm_.reset();
}

std::uint64_t Sleep::calls() noexcept {
  const std::lock_guard lock(mutex_);
  return calls_;
}

SleepCounts Sleep::counts() const noexcept {
  return unpack(word_.load(std::memory_order_acquire));
}  // [W]

void Sleep::wake_one_if_unwatched(SleepCounts now, Sleeper *self) noexcept {
  if (now.is_watched() || now.attached == 0) return;
  if (now.parked == 0) {
    if (!take_from_reserve()) return;
    start_search();                       // on its behalf
    if (self != nullptr) restore(*self);  // the new thread inherits it
    if (start_one_()) return;
    now = update(word_, [](SleepCounts &c) { --c.searching; });
    if (now.is_watched() || now.parked == 0)
      return;  // else a worker may have parked because this one was counted
  }
  std::unique_lock lock(mutex_);
  Sleeper *sleeper = take_parked_locked();
  if (sleeper == nullptr) return;  // another has woken the last one, which searches then
  update(word_, [](SleepCounts &c) { --c.parked, ++c.searching; });
  const Waking waking(*sleeper);
  lock.unlock();
}

bool Sleep::take_from_reserve() noexcept {
  unsigned left = reserve_.load(std::memory_order_relaxed);  // checked by the exchange
  while (left > 0)
    if (reserve_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
  return false;
}

/// Excludes the processor where `self` will probably be woken from, so that its waker need not.
void Sleep::exclude_waker(Sleeper &self) noexcept {
  const std::lock_guard lock(self.processors);
  self.thread = pthread_self();
  if (self.waker < 0) self.waker = attached_at_.load(std::memory_order_relaxed);  // a hint
  self.is_woken = false;
  if (may_exclude()) self.affinity.exclude(self.thread, self.waker);
  self.is_confined.store(self.affinity.excluded() >= 0, std::memory_order_relaxed);  // its own
}

Sleeper *Sleep::take_parked_locked() noexcept {
  Sleeper *sleeper = parked_;
  if (sleeper != nullptr) parked_ = sleeper->next;
  return sleeper;
}

void Sleep::put_parked_locked(Sleeper &sleeper) noexcept {
  clear_signal(sleeper);
  sleeper.next = parked_;
  parked_ = &sleeper;
}

}  // namespace nopal
