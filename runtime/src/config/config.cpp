// The process's one configuration. Specified in config.h.
//
// The objects are never destroyed: statistics are printed in an atexit handler, and workers run until the process ends.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config.h"

#include "../fatal.h"
#include "table.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

namespace nopal {

namespace {

struct Holder {
  Config config;
  std::mutex mutex;  // guards is_frozen, and nworkers until it is frozen
  bool is_frozen = false;
};

/// A program with raised privileges (set-user-ID) must not write files or change its behaviour at its caller's wish.
const char *environment(const char *name) { return secure_getenv(name); }

Holder *read_configuration() {
  auto *holder = new Holder;
  holder->config = default_config();
  const std::string refusal = read_environment(environment, holder->config);
  const char *help = environment("CILK_HELP");
  if (help != nullptr && std::string(help) == "1") std::fputs(describe_environment(environment).c_str(), stderr);
  if (!refusal.empty()) refuse("%s", refusal.c_str());
  return holder;
}

Holder &holder() {
  static Holder *const holder = [] {
    try {
      return read_configuration();
    } catch (const std::bad_alloc &) {
      fatal("cannot read the configuration: %s; raise the limit on memory", std::strerror(ENOMEM));
    }
  }();
  return *holder;
}

}  // namespace

const Config &config() { return holder().config; }

bool set_nworkers(unsigned nworkers) {
  Holder &h = holder();
  const std::lock_guard lock(h.mutex);
  if (h.is_frozen || nworkers > kMaxWorkers) return false;
  h.config.nworkers = nworkers == 0 ? h.config.default_nworkers() : nworkers;
  return true;
}

const Config &freeze_config() {
  Holder &h = holder();
  const std::lock_guard lock(h.mutex);
  h.is_frozen = true;
  return h.config;
}

void thaw_config() {
  Holder &h = holder();
  const std::lock_guard lock(h.mutex);
  h.is_frozen = false;
}

void lock_config() noexcept { holder().mutex.lock(); }
void unlock_config() noexcept { holder().mutex.unlock(); }

}  // namespace nopal
