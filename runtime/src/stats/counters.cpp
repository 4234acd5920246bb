// Processor time of workers. Specified in counters.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counters.h"

#include "../platform/thread_wait.h"

#include <unistd.h>

namespace nopal::stats {

namespace {

// Between two readings of the time waited, which cost some microseconds each.
constexpr std::uint64_t kBetweenReadingsNs = 100'000;

/// When this thread ceased to own a worker: how long it had waited for a processor.
constinit thread_local std::uint64_t waited_at_end_ns = 0;

}  // namespace

void WorkerCounters::read_wait(std::uint64_t now_ns, Counter &into) noexcept {
  const std::uint64_t wait_ns = thread_wait_ns(thread_.load(std::memory_order_relaxed));
  into.add(wait_ns - std::min(wait_ns, wait_since_ns_.read()));
  wait_since_ns_.set(wait_ns);
  wait_read_at_ns_.set(now_ns);
}

void WorkerCounters::charge_measured(std::uint64_t now_ns) noexcept {
  const bool is_working = activity() == Activity::kWorking;
  const std::uint64_t cpu_ns = thread_cpu_ns();
  if (is_working) working_cpu_ns.add(cpu_ns - cpu_since_ns_.read());
  cpu_since_ns_.set(cpu_ns);
  if (now_ns >= wait_read_at_ns_.read() + kBetweenReadingsNs)
    read_wait(now_ns, is_working ? working_wait_ns : idle_wait_ns);
}

void WorkerCounters::set_thread() noexcept { thread_.store(gettid(), std::memory_order_relaxed); }

WorkerCounters::Ran WorkerCounters::thread_ran() const noexcept {
  const int thread = thread_.load(std::memory_order_relaxed);
  return {thread, thread == 0 ? 0 : thread_cpu_ns(thread)};
}

void WorkerCounters::begin_measured(bool was_idle) noexcept {
  cpu_since_ns_.set(thread_cpu_ns());
  Counter of_no_interest;
  wait_since_ns_.set(waited_at_end_ns);
  read_wait(now_ns(), was_idle ? idle_wait_ns : of_no_interest);
}

void WorkerCounters::end_measured(std::uint64_t now_ns) noexcept {
  charge_measured(now_ns);
  waited_at_end_ns = wait_since_ns_.read();
}

WorkerCounters::Processor WorkerCounters::working_processor() const noexcept {
  Processor found{working_cpu_ns.read(), working_wait_ns.read()};
  if (!measures_cpu.load(std::memory_order_relaxed)) return found;
  const int thread = thread_.load(std::memory_order_relaxed);
  if (thread == 0 || activity_.load(std::memory_order_relaxed) != Activity::kWorking) return found;
  const std::uint64_t cpu_ns = thread_cpu_ns(thread);
  const std::uint64_t wait_ns = thread_wait_ns(thread);
  found.ran_ns += cpu_ns - std::min(cpu_ns, cpu_since_ns_.read());
  found.waited_ns += wait_ns - std::min(wait_ns, wait_since_ns_.read());
  return found;
}

std::uint64_t WorkerCounters::waited_within(std::uint64_t ns, std::uint64_t now_ns) const noexcept {
  if (!measures_cpu.load(std::memory_order_relaxed) || ns < kBetweenReadingsNs) return 0;
  const std::uint64_t since_ns = wait_since_ns_.read();
  const std::uint64_t read_at_ns = wait_read_at_ns_.read();
  const std::uint64_t wait_ns = thread_wait_ns(thread_.load(std::memory_order_relaxed));
  if (wait_ns <= since_ns || now_ns <= read_at_ns) return 0;
  const double part = static_cast<double>(ns) / static_cast<double>(now_ns - read_at_ns);
  const double waited = static_cast<double>(wait_ns - since_ns) * std::min(part, 1.0);
  return std::min(ns, static_cast<std::uint64_t>(waited));
}

WorkerCounters::Offsets WorkerCounters::offsets() noexcept {
  static const WorkerCounters example;
  const auto *begin = reinterpret_cast<const char *>(&example);
  const auto of = [begin](const auto &member) {
    return static_cast<std::uint32_t>(reinterpret_cast<const char *>(&member) - begin);
  };
  return {of(example.steals), of(example.attempts), of(example.time_ns_), of(example.since_ns_),
          of(example.activity_)};
}

}  // namespace nopal::stats
