// Functions that the program wants called when the runtime has started and before it ends.
//
// Registered through <cilk/cilk_api.h>; run_init is called by attach and __cilkrts_init, run_exit
// by __cilkrts_end_cilk and at exit. Checked by tests/unit/cilk_api_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PROCESS_CALLBACKS_H
#define NOPAL_PROCESS_CALLBACKS_H

#include <mutex>
#include <vector>

namespace nopal {

class Callbacks {
 public:
  using Function = void (*)();

  /// Any thread. Returns false after the first run_init, or if memory is short.
  bool add_init(Function function) noexcept;
  /// Any thread. Returns false if memory is short.
  bool add_exit(Function function) noexcept;

  /// After the runtime's start, by a thread that holds no lock of the runtime, since the callbacks
  /// may spawn. Only the first call does anything; another thread that comes here meanwhile does
  /// not wait. Cost of later calls: a mutex.
  void run_init() noexcept;
  /// Before the runtime's end, likewise; each function runs once, the last one registered first.
  /// Does nothing before the first run_init.
  void run_exit() noexcept;

  /// The mutex, for fork().
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }

 private:
  static bool add(std::vector<Function> &list, Function function) noexcept;

  std::mutex mutex_;  // never held while a callback runs
  bool has_started_ = false;
  std::vector<Function> init_;
  std::vector<Function> exit_;
};

/// The process's callbacks; never destroyed.
Callbacks &callbacks() noexcept;

}  // namespace nopal

#endif
