// A thread of the runtime's own that looks at something again and again until the process ends, or
// until another thread stops it.
//
// The sampler (process/sampler.cpp) and the turns (idle/turns.cpp) are such threads. No signal
// handler of the program runs there. Checked by the tests of both.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_BACKGROUND_THREAD_H
#define NOPAL_PLATFORM_BACKGROUND_THREAD_H

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace nopal {

/// To be made with new and never destroyed: threads may still look at it while the process exits.
class BackgroundThread {
 public:
  BackgroundThread() noexcept = default;
  BackgroundThread(const BackgroundThread &) = delete;
  BackgroundThread &operator=(const BackgroundThread &) = delete;

  /// Starts `body`, which loops while wait() says so. It must not run. After finish() nothing is
  /// started. Returns 0, or the system's error; then nothing runs.
  int start(const char *name, void (*body)(BackgroundThread &) noexcept) noexcept {
    const std::lock_guard lock(mutex_);
    if (is_finished_) return 0;
    body_ = body;
    process_.store(getpid(), std::memory_order_relaxed);
    is_wanted_ = is_reached_ = is_running_ = false;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // the thread inherits it
    const int refused = pthread_create(&thread_, nullptr, run, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (refused != 0) return refused;
    pthread_setname_np(thread_, name);
    is_running_ = true;
    return 0;
  }

  /// Its body: sleeps for `period`. False: it is to end.
  bool wait(std::chrono::nanoseconds period) noexcept {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, period, [this] { return is_wanted_; });
  }

  /// Ends it, and waits until it has ended. Any thread but itself; if it does not run, nothing.
  /// Nothing in a forked process, which does not have it.
  void stop() noexcept {
    if (!is_here()) return;
    {
      std::unique_lock lock(mutex_);
      if (!is_running_) return;
      is_wanted_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return is_reached_; });
      if (!std::exchange(is_running_, false)) return;
    }
    pthread_join(thread_, nullptr);
  }
  /// As stop(), and it cannot be started again: at exit.
  void finish() noexcept {
    if (!is_here()) return;
    {
      const std::lock_guard lock(mutex_);
      is_finished_ = true;
    }
    stop();
  }

 private:
  static void *run(void *self) noexcept {
    auto &thread = *static_cast<BackgroundThread *>(self);
    thread.body_(thread);
    const std::lock_guard lock(thread.mutex_);
    thread.is_reached_ = true;
    thread.changed_.notify_all();
    return nullptr;
  }

  /// Not in a process that was forked since the start, where the mutex may be held for ever.
  bool is_here() const noexcept { return process_.load(std::memory_order_relaxed) == getpid(); }

  std::atomic<pid_t> process_{0};  // relaxed: another one only in another process
  std::mutex mutex_;               // of all that follows
  std::condition_variable changed_;
  void (*body_)(BackgroundThread &) noexcept = nullptr;
  pthread_t thread_{};
  bool is_running_ = false;
  bool is_wanted_ = false;   // that it ends
  bool is_reached_ = false;  // its end
  bool is_finished_ = false;
};

}  // namespace nopal

#endif
