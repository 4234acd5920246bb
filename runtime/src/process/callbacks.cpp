// Specified in callbacks.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "callbacks.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace nopal {
namespace {

// Constructed before any thread runs. If one thread allocated it and another found it by a static
// variable's guard, a thread sanitizer would report a race: it does not see the guard, since this
// library is not instrumented.
[[clang::no_destroy]] constinit Callbacks the_callbacks;

}  // namespace

bool Callbacks::add(std::vector<Function> &list, Function function) noexcept {
  try {
    list.push_back(function);
  } catch (const std::bad_alloc &) {
    return false;
  }
  return true;
}

bool Callbacks::add_init(Function function) noexcept {
  const std::lock_guard lock(mutex_);
  return !has_started_ && add(init_, function);
}

bool Callbacks::add_exit(Function function) noexcept {
  const std::lock_guard lock(mutex_);
  return add(exit_, function);
}

void Callbacks::run_init() noexcept {
  std::vector<Function> now;
  {
    const std::lock_guard lock(mutex_);
    if (has_started_) return;
    has_started_ = true;
    now = std::move(init_);
  }
  // Here, so that it runs before the destructors of objects that existed when the runtime started.
  std::atexit([] { callbacks().run_exit(); });
  for (const Function function : now) function();
}

void Callbacks::run_exit() noexcept {
  for (;;) {
    Function last = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (!has_started_ || exit_.empty()) return;
      last = exit_.back();
      exit_.pop_back();
    }
    last();  // may register more
  }
}

Callbacks &callbacks() noexcept { return the_callbacks; }

}  // namespace nopal
