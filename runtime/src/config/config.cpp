// The process's one configuration. Specified in config.h.
//
// The objects are never destroyed: statistics are printed in an atexit handler, and workers run
// until the process ends.
//
// Edge table
//   [C] the: the reader stores with release, all load with acquire: they see what it has read.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config.h"

#include "../platform/fatal.h"
#include "../platform/sanitizers.h"
#include "table.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include <unistd.h>

namespace nopal {

namespace {

// Not in the allocated configuration (process/callbacks.cpp says why). Guards is_frozen, and
// nworkers until it is frozen.
[[clang::no_destroy]] constinit std::mutex mutex;
bool is_frozen = false;

/// A program with raised privileges (set-user-ID) must not write files or change its behaviour as
/// its caller wishes.
const char *environment(const char *name) { return secure_getenv(name); }

/// Programs that take turns have processors, and no more workers than these.
void limit_workers(Config &config) noexcept {
  if (config.adapt == Config::Adapt::kTurns && config.nworkers > config.processors)
    config.nworkers = config.processors;
}

Config *read_configuration() {
  auto *config = new Config(default_config());
  const std::string refusal = read_environment(environment, *config);
  const char *help = environment("CILK_HELP");
  if (help != nullptr && std::string(help) == "1")
    std::fputs(describe_environment(environment).c_str(), stderr);
  if (!refusal.empty()) refuse("%s", refusal.c_str());
  if (const std::string names = misspelt_variables(environ); !names.empty())
    warn("unknown environment variables: %s; CILK_HELP=1 lists the known ones", names.c_str());
  config->usual_nworkers = config->nworkers;
  limit_workers(*config);
  sanitizers::release(config);
  return config;
}

// Held while the configuration is read, and by a fork: the new process finds it whole or not begun.
[[clang::no_destroy]] constinit std::mutex reading;
constinit std::atomic<Config *> the{nullptr};  // [C]

[[gnu::noinline]] Config &read_once() {
  const std::lock_guard lock(reading);
  Config *config = the.load(std::memory_order_relaxed);  // written under the mutex
  if (config == nullptr) {
    try {
      config = read_configuration();
    } catch (const std::bad_alloc &) {
      fatal("cannot read the configuration: %s; raise the limit on memory", std::strerror(ENOMEM));
    }
    the.store(config, std::memory_order_release);  // [C]
  }
  return *config;
}

Config &the_config() {
  Config *const config = the.load(std::memory_order_acquire);  // [C]
  return config != nullptr ? *config : read_once();
}

}  // namespace

const Config &config() { return the_config(); }

bool asks_for_full_fence() noexcept {
  const char *text = environment("CILK_FENCE");
  return text != nullptr && std::strcmp(text, "full") == 0;
}

bool asks_for_trace() noexcept {
  const char *text = environment("CILK_TRACE");
  return text != nullptr && *text != '\0';
}

bool set_nworkers(unsigned nworkers) {
  Config &config = the_config();
  const std::lock_guard lock(mutex);
  if (is_frozen || nworkers > kMaxWorkers) return false;
  config.nworkers = nworkers == 0 ? config.usual_nworkers : nworkers;
  limit_workers(config);
  return true;
}

unsigned nworkers_now() noexcept {
  const Config &config = the_config();
  const std::lock_guard lock(mutex);
  return config.nworkers;
}

std::optional<Config::Adapt> adapt_of(std::string_view text) noexcept {
  using Adapt = Config::Adapt;
  if (text == "0") return Adapt::kNo;
  if (text == "1") return Adapt::kYes;
  if (text == "turns") return Adapt::kTurns;
  return std::nullopt;
}

bool set_adapt(Config::Adapt adapt) {
  Config &config = the_config();
  const std::lock_guard lock(mutex);
  if (is_frozen) return false;
  config.adapt = adapt;
  limit_workers(config);
  return true;
}

const Config &freeze_config() {
  const Config &config = the_config();
  const std::lock_guard lock(mutex);
  is_frozen = true;
  return config;
}

void thaw_config() {
  const std::lock_guard lock(mutex);
  is_frozen = false;
}

void lock_config() noexcept {
  reading.lock();
  mutex.lock();
}
void unlock_config() noexcept {
  mutex.unlock();
  reading.unlock();
}

}  // namespace nopal
