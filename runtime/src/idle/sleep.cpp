// Transitions of the sleep word. See sleep.h; the proof is in README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sleep.h"

#include "../config/config.h"
#include "../platform/clock.h"
#include "../platform/futex.h"

#include <array>

namespace nopal {
namespace {

/// Under Sleep's mutex.
void clear_signal(Sleeper &sleeper) noexcept { sleeper.signal.store(0, std::memory_order_relaxed); }

/// Of a parked worker that nobody else can find any more; of the poller, which may be awake, or
/// another one by now, under Sleep's mutex.
void wake(Sleeper &sleeper) noexcept {
  sleeper.signal.store(1, std::memory_order_release);  // [S]
  futex_wake_one(sleeper.signal);
}

// After a sleep this long the sleeper's caches are cold and its system calls slow, so its waker
// restores the affinity after the wake-up. That takes about as long as the wake-up, and what the
// waker has pushed can be stolen meanwhile. So after short sleeps it does not: a poller that is
// called again and again for nothing stays confined.
constexpr std::uint64_t kLongSleepNs = 5'000'000;
constexpr int kSpinsForWaker = 4096;  // some 50 us

/// Where CILK_BIND says where threads run, nothing else does.
bool may_exclude() noexcept { return config().bind == Config::Bind::kNone; }

/// Wakes a sleeper; its waker, the caller, goes on working on its own processor. Constructed as
/// wake() is called, and destroyed without Sleep's mutex: the woken thread may need that first. In
/// the usual case the wake-up is the only system call before it.
class Waking {
 public:
  explicit Waking(Sleeper &sleeper) noexcept : sleeper_(sleeper), lock_(sleeper.processors) {
    sleeper.waker = sched_getcpu();
    sleeper.is_woken = true;
    if (may_exclude()) sleeper.affinity.exclude(sleeper.thread, sleeper.waker);
    restores_ = now_ns() - sleeper.since_ns >= kLongSleepNs;
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

void Sleep::was_not_started() noexcept { wake_others(word_.end_search()); }

void Sleep::start_search() noexcept { word_.start_search(); }

void Sleep::found_work(Sleeper &self, policy::FoundWork found) noexcept {
  wake_others(word_.end_search(), found, &self);
  restore(self);
}

void Sleep::stop_search(Sleeper &self) noexcept {
  restore(self);
  word_.end_search();
}

Sleep::Next Sleep::go_idle(Sleeper &self, bool is_counted) noexcept {
  exclude_waker(self);
  const std::lock_guard lock(mutex_);
  if (is_closed()) {
    if (is_counted)
      stop_search(self);
    else
      restore(self);
    return Next::kStop;
  }
  self.since_ns = now_ns();
  clear_signal(self);
  if (!word_.go_idle_locked(self, is_counted)) return Next::kPark;
  poller_ = &self;
  return Next::kPoll;
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
  if (was_called) self.since_ns = now_ns();
  return was_called;
}

void Sleep::wait_polling(Sleeper &self, std::chrono::nanoseconds pause) noexcept {
  if (self.signal.load(std::memory_order_acquire) == 0) futex_wait(self.signal, 0, pause);  // [S]
}

void Sleep::sleep_for_pause(Sleeper &self, std::chrono::nanoseconds pause) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!is_closed()) clear_signal(self);
    self.since_ns = now_ns();
  }
  wait_polling(self, pause);
}

void Sleep::wait_for_call(Sleeper &self, std::chrono::nanoseconds limit) noexcept {
  if (alarm_.fall_asleep()) wait_polling(self, limit);
}

void Sleep::poller_found_work(Sleeper &self, policy::FoundWork found) noexcept {
  SleepCounts now;
  {
    const std::lock_guard lock(mutex_);
    poller_ = nullptr;
    now = word_.end_polling_locked();
  }
  wake_others(now, found, &self);
  restore(self);
}

bool Sleep::poller_may_park(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (is_closed()) return false;  // the caller will see that the runtime stops
  if (!word_.park_poller_locked(self)) return false;
  clear_signal(self);
  poller_ = nullptr;
  return true;
}

void Sleep::stop_polling(Sleeper &self) noexcept {
  {
    const std::lock_guard lock(mutex_);
    poller_ = nullptr;
    word_.end_polling_locked();
  }
  restore(self);
}

void Sleep::attached() noexcept {
  attached_at_.store(sched_getcpu(), std::memory_order_relaxed);  // a hint
  wake_others(word_.attach());
}

void Sleep::call_poller() noexcept {
  std::unique_lock lock(mutex_);
  ++calls_;
  if (poller_ == nullptr) return;
  const Waking waking(*poller_);  // it may be awake by now, or another one: whoever polls wakes up
                                  // for nothing at times
  lock.unlock();
}

void Sleep::detached() noexcept { word_.detach(); }

void Sleep::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_.store(true, std::memory_order_relaxed);
  reserve_.store(0,
                 std::memory_order_relaxed);  // one that is being started is joined with the others
  alarm_.reset();
  if (poller_ != nullptr) wake(*poller_);
  for (Sleeper *sleeper = nullptr; word_.take_parked_locked(1, &sleeper) > 0;) wake(*sleeper);
}

void Sleep::open() noexcept {
  const std::lock_guard lock(mutex_);
  closed_.store(false, std::memory_order_relaxed);
}

void Sleep::forget_sleepers_locked() noexcept {
  word_.forget_all_locked();
  reserve_.store(0, std::memory_order_relaxed);
  poller_ = nullptr;
  alarm_.reset();
}

std::uint64_t Sleep::calls() noexcept {
  const std::lock_guard lock(mutex_);
  return calls_;
}

SleepCounts Sleep::counts() const noexcept { return word_.counts(); }

unsigned Sleep::idle() const noexcept {
  const SleepCounts now = counts();
  return now.searching + now.polling + now.parked + reserve_.load(std::memory_order_relaxed);
}

void Sleep::wake_others(SleepCounts now, policy::FoundWork found, Sleeper *self) noexcept {
  const std::uint32_t wanted = policy::wake_ups(found, now.is_watched());
  if (wanted == 0 || now.attached == 0) return;
  if (now.parked == 0) {
    if (now.is_watched() || !take_from_reserve()) return;
    start_search();                       // on its behalf
    if (self != nullptr) restore(*self);  // the new thread inherits it
    if (start_one_()) return;
    now = word_.end_search();
    if (now.is_watched() || now.parked == 0)
      return;  // else a worker may have parked because this one was counted
  }
  wake_parked(wanted);
}

/// Fewer if fewer are left: then another has woken the last one, which searches.
void Sleep::wake_parked(std::uint32_t most) noexcept {
  std::array<Sleeper *, policy::kMostWakeUps> woken;
  std::uint32_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    count = word_.take_parked_locked(most, woken.data());
  }
  for (std::uint32_t i = 0; i < count; ++i) const Waking waking(*woken[i]);
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

}  // namespace nopal
