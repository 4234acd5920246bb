// See process.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.h"

#include "options.h"

#include "places.h"

#include <atomic>
#include <csignal>
#include <cstdio>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nopal::race {

namespace {

// Relaxed: they publish nothing, and are read when the process ends.
std::atomic<bool> has_threads{false}, has_spawning_threads{false};

struct SpawnPlace {
  const char *file;
  unsigned line, column;
};
/// Of the first spawn without hooks. Never destroyed. The release of the exchange in
/// note_unseen_spawn pairs with the acquire loads there and in unseen_spawn: the place is whole.
std::atomic<const SpawnPlace *> first_unseen{nullptr};

/// Code of each module that is instrumented. Never destroyed.
std::vector<Address> &instrumented() {
  static auto *const own = new std::vector<Address>;
  return *own;
}

bool is_of_system(const std::string &path) {
  return path.find('/') == std::string::npos || path.starts_with("/lib") ||
         (path.starts_with("/usr/") && !path.starts_with("/usr/local/")) ||
         path.substr(path.rfind('/') + 1).starts_with("libnopal");
}

constexpr std::size_t kAlternateStack = std::size_t{16} << 10;
/// How far beyond the end of the stack the frame may lie that does not fit.
constexpr std::size_t kReach = std::size_t{1} << 20;
Address stack_begin;
char stack_text[160];
std::size_t stack_text_size;

/// Calls nothing that a handler must not call.
void handle_fault(int, siginfo_t *info, void *) {
  if (reinterpret_cast<Address>(info->si_addr) - (stack_begin - kReach) < 2 * kReach &&
      write(STDERR_FILENO, stack_text, stack_text_size) < 0)
    _exit(2);
  signal(SIGSEGV, SIG_DFL);  // the access is made again, and ends the process
}

}  // namespace

void note_instrumented(const void *code) {
  instrumented().push_back(reinterpret_cast<Address>(code));
}

void note_spawning_thread() { has_spawning_threads.store(true, std::memory_order_relaxed); }

void note_unseen_spawn(const char *file, unsigned line, unsigned column) {
  if (first_unseen.load(std::memory_order_acquire) != nullptr) return;
  options();  // if nothing is instrumented, nobody has read them
  const auto *own = new SpawnPlace{file, line, column};
  const SpawnPlace *none = nullptr;
  if (!first_unseen.compare_exchange_strong(none, own, std::memory_order_acq_rel)) delete own;
}

void forget_unseen_spawn() { first_unseen.store(nullptr, std::memory_order_relaxed); }

std::string unseen_spawn() {
  const SpawnPlace *place = first_unseen.load(std::memory_order_acquire);
  if (place == nullptr) return "";
  return std::string(place->file) + ":" + std::to_string(place->line) + ":" +
         std::to_string(place->column);
}

std::vector<std::string> unchecked_modules() { return modules_without(instrumented()); }

std::string unchecked() {
  std::string result, libraries;
  for (const std::string &path : unchecked_modules())
    if (!is_of_system(path)) libraries += (libraries.empty() ? "" : ", ") + path;
  if (!libraries.empty())
    result +=
        "nopal: race detector: built without -fsanitize=cilk, so not checked: " + libraries + "\n";
  if (const std::string place = unseen_spawn(); !place.empty()) {
    result += "nopal: race detector: the spawn at " + place +
              " was compiled without -fsanitize=cilk: it ran in parallel, and races may be missed; "
              "compile all files with that option\n";
    return result;
  }
  if (has_spawning_threads.load(std::memory_order_relaxed))
    result += "nopal: race detector: other threads spawn, too; what they do is not checked\n";
  else if (has_threads.load(std::memory_order_relaxed))
    result += "nopal: race detector: there were other threads; what they did is not checked\n";
  return result;
}

void watch_stack(Address begin, std::size_t size) {
  struct sigaction now{};
  stack_t alternate{};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || now.sa_handler != SIG_DFL ||
      sigaltstack(nullptr, &alternate) != 0 || (alternate.ss_flags & SS_DISABLE) == 0)
    return;
  stack_begin = begin;
  const std::size_t mib = (size + (std::size_t{1} << 20) - 1) >> 20;
  stack_text_size = static_cast<std::size_t>(
      std::snprintf(stack_text, sizeof(stack_text),
                    "nopal: fatal: the stack of %zu MiB is full: the race detector runs the "
                    "program serially, on one stack; raise it, as by `ulimit -s %zu`\n",
                    mib, mib << 14));
  alternate = {};
  alternate.ss_size = kAlternateStack;
  alternate.ss_sp =
      mmap(nullptr, kAlternateStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (alternate.ss_sp == MAP_FAILED || sigaltstack(&alternate, nullptr) != 0) return;
  struct sigaction own{};
  own.sa_sigaction = handle_fault;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &own, nullptr);
}

}  // namespace nopal::race

/// For all of the process: std::thread is in a library that is not instrumented.
extern "C" [[gnu::visibility("default")]] int pthread_create(pthread_t *thread,
                                                             const pthread_attr_t *attributes,
                                                             void *(*function)(void *),
                                                             void *argument) noexcept {
  static const auto original =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  nopal::race::has_threads.store(true, std::memory_order_relaxed);
  return original(thread, attributes, function, argument);
}
