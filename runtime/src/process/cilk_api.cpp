// The functions of <cilk/cilk_api.h>, specified there: each a question to the runtime, or a change
// of the configuration.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cilk_api.h>

#include "../config/config.h"
#include "../idle/sleep.h"
#include "../platform/fatal.h"
#include "callbacks.h"
#include "runtime.h"

#include <algorithm>
#include <charconv>
#include <string_view>

unsigned __cilkrts_get_nworkers() noexcept { return nopal::worker_count(); }

unsigned __cilkrts_get_worker_number() noexcept {
  return static_cast<unsigned>(std::max(nopal::worker_number(), 0));
}

unsigned nopal_idle_workers() noexcept { return nopal::sleep().idle(); }

int __cilkrts_get_total_workers() noexcept { return static_cast<int>(nopal::most_workers()); }

int __cilkrts_is_initialized() noexcept { return nopal::is_started() ? 1 : 0; }

int __cilkrts_running_on_workers() noexcept { return nopal::is_on_worker() ? 1 : 0; }

int __cilkrts_set_param(const char *parameter, const char *value) noexcept {
  if (parameter == nullptr || value == nullptr) return __CILKRTS_SET_PARAM_INVALID;
  const std::string_view text = value;
  if (std::string_view(parameter) == "adapt") {
    const auto adapt = nopal::adapt_of(text);
    if (!adapt) return __CILKRTS_SET_PARAM_INVALID;
    return !nopal::is_started() && nopal::set_adapt(*adapt) ? __CILKRTS_SET_PARAM_SUCCESS
                                                            : __CILKRTS_SET_PARAM_LATE;
  }
  if (std::string_view(parameter) != "nworkers") return __CILKRTS_SET_PARAM_UNIMP;
  unsigned nworkers = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), nworkers);
  if (error == std::errc::result_out_of_range) return __CILKRTS_SET_PARAM_XRANGE;
  if (error != std::errc{} || rest != text.data() + text.size()) return __CILKRTS_SET_PARAM_INVALID;
  if (nworkers > nopal::kMaxWorkers) return __CILKRTS_SET_PARAM_XRANGE;
  return !nopal::is_started() && nopal::set_nworkers(nworkers) ? __CILKRTS_SET_PARAM_SUCCESS
                                                               : __CILKRTS_SET_PARAM_LATE;
}

void __cilkrts_init() noexcept {
  nopal::start();
  nopal::callbacks().run_init();
}

void __cilkrts_end_cilk() noexcept {
  nopal::callbacks().run_exit();
  if (nopal::stop())
    nopal::thaw_config();
  else
    nopal::warn(
        "__cilkrts_end_cilk: nothing was ended: another thread of the program is attached, or the "
        "caller is one of the runtime's "
        "own");
}

int __cilkrts_atinit(void (*callback)()) noexcept {
  return callback != nullptr && nopal::callbacks().add_init(callback) ? 0 : -1;
}

int __cilkrts_atexit(void (*callback)()) noexcept {
  return callback != nullptr && nopal::callbacks().add_exit(callback) ? 0 : -1;
}
