// Transitions of the sleep word. See sleep.h; the proof is in README.md.
#include "sleep.h"

#include "elsewhere.h"
#include "futex.h"

#include <bit>

namespace nopal {
namespace {

static_assert(sizeof(SleepCounts) == sizeof(std::uint64_t), "all counts change in one atomic operation");

std::uint64_t pack(SleepCounts counts) noexcept { return std::bit_cast<std::uint64_t>(counts); }
SleepCounts unpack(std::uint64_t word) noexcept { return std::bit_cast<SleepCounts>(word); }

/// Applies `change` to the counts in one atomic step and returns the counts afterwards.
template <class Change> SleepCounts update(std::atomic<std::uint64_t> &word, Change change) noexcept {
  std::uint64_t old = word.load(std::memory_order_relaxed); // a guess, checked by the exchange
  for (;;) {
    SleepCounts counts = unpack(old);
    change(counts);
    if (word.compare_exchange_weak(old, pack(counts), std::memory_order_acq_rel, std::memory_order_relaxed)) return counts; // [W]
  }
}

void wake(Sleeper &sleeper) noexcept {
  sleeper.signal.store(1, std::memory_order_release); // [S]
  futex_wake_one(sleeper.signal);
}

/// Wakes the sleeper, whose waker goes on working on its own processor.
void wake_elsewhere(Sleeper &sleeper) noexcept {
  const Elsewhere elsewhere(sleeper.thread);
  wake(sleeper);
}

} // namespace

void Sleep::start_search() noexcept {
  update(word_, [](SleepCounts &c) { ++c.searching; });
}

void Sleep::found_work() noexcept {
  wake_one_if_unwatched(update(word_, [](SleepCounts &c) { --c.searching; }));
}

void Sleep::stop_search() noexcept {
  update(word_, [](SleepCounts &c) { --c.searching; });
}

Sleep::Rest Sleep::rest(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  self.thread = pthread_self();
  if (closed_) {
    stop_search();
    return Rest::kStop;
  }
  Rest rest = Rest::kPark;
  update(word_, [&rest](SleepCounts &c) {
    --c.searching;
    rest = c.attached > 0 && c.polling == 0 ? Rest::kPoll : Rest::kPark;
    ++(rest == Rest::kPoll ? c.polling : c.parked);
  });
  if (rest == Rest::kPoll) {
    self.signal.store(0, std::memory_order_relaxed); // under the mutex, as is who sets it
    poller_ = &self;
  } else {
    put_parked_locked(self);
  }
  return rest;
}

void Sleep::wait_parked(Sleeper &self) noexcept {
  while (self.signal.load(std::memory_order_acquire) == 0) futex_wait(self.signal, 0); // [S]
}

bool Sleep::set_alarm(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (closed_) return false;
  self.signal.store(0, std::memory_order_relaxed); // under the mutex, as is who sets it
  alarm_.set();
  return true;
}

bool Sleep::reset_alarm(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (!closed_) self.signal.store(0, std::memory_order_relaxed); // under the mutex, as is who sets it
  return alarm_.reset();
}

void Sleep::wait_polling(Sleeper &self, std::chrono::nanoseconds pause) noexcept {
  if (self.signal.load(std::memory_order_acquire) == 0) futex_wait(self.signal, 0, pause); // [S]
}

void Sleep::wait_for_call(Sleeper &self, std::chrono::nanoseconds limit) noexcept {
  if (alarm_.fall_asleep()) wait_polling(self, limit);
}

void Sleep::poller_found_work() noexcept {
  SleepCounts now;
  {
    const std::lock_guard lock(mutex_);
    poller_ = nullptr;
    now = update(word_, [](SleepCounts &c) { --c.polling; });
  }
  wake_one_if_unwatched(now);
}

bool Sleep::poller_may_park(Sleeper &self) noexcept {
  const std::lock_guard lock(mutex_);
  if (closed_) return false; // the caller will see that the runtime stops
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

void Sleep::stop_polling() noexcept {
  const std::lock_guard lock(mutex_);
  poller_ = nullptr;
  update(word_, [](SleepCounts &c) { --c.polling; });
}

void Sleep::attached() noexcept {
  wake_one_if_unwatched(update(word_, [](SleepCounts &c) { ++c.attached; }));
}

void Sleep::call_poller() noexcept {
  const std::lock_guard lock(mutex_);
  ++calls_;
  if (poller_ != nullptr) wake_elsewhere(*poller_); // it may be awake by now, or another one: whoever polls wakes up for nothing at times
}

void Sleep::detached() noexcept {
  update(word_, [](SleepCounts &c) { --c.attached; });
}

void Sleep::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  alarm_.reset();
  if (poller_ != nullptr) wake(*poller_);
  while (Sleeper *sleeper = take_parked_locked()) {
    update(word_, [](SleepCounts &c) { --c.parked, ++c.searching; });
    wake(*sleeper);
  }
}

void Sleep::open() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = false;
}

void Sleep::forget_sleepers_locked() noexcept {
  update(word_, [](SleepCounts &c) { c.searching = c.polling = c.parked = 0; });
  parked_ = nullptr;
  poller_ = nullptr;
  alarm_.reset();
}

std::uint64_t Sleep::calls() noexcept {
  const std::lock_guard lock(mutex_);
  return calls_;
}

SleepCounts Sleep::counts() const noexcept { return unpack(word_.load(std::memory_order_acquire)); } // [W]

void Sleep::wake_one_if_unwatched(SleepCounts now) noexcept {
  if (now.is_watched() || now.parked == 0 || now.attached == 0) return;
  const std::lock_guard lock(mutex_);
  Sleeper *sleeper = take_parked_locked();
  if (sleeper == nullptr) return; // somebody else has woken the last one, who is searching then
  update(word_, [](SleepCounts &c) { --c.parked, ++c.searching; });
  wake_elsewhere(*sleeper);
}

Sleeper *Sleep::take_parked_locked() noexcept {
  Sleeper *sleeper = parked_;
  if (sleeper != nullptr) parked_ = sleeper->next;
  return sleeper;
}

void Sleep::put_parked_locked(Sleeper &sleeper) noexcept {
  sleeper.signal.store(0, std::memory_order_relaxed); // under the mutex, as is who sets it
  sleeper.next = parked_;
  parked_ = &sleeper;
}

} // namespace nopal
