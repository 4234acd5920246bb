// The thief's clock and its fences, for the runtime's find_work.cpp when run.py compiles it into
// the benchmark.
//
// STEALS_FENCE=aimed in the environment puts a fence aimed at one processor in the place of the one
// that reaches the whole process: an experiment, not known to be sound in general
// (benchmarks/notes, "A membarrier for one processor"). It is written for a process on exactly two
// processors: what runs beside the thief then runs on the other one. Used by steals.cpp.
#ifndef BENCHMARKS_STEALS_PROBE_H
#define BENCHMARKS_STEALS_PROBE_H

#include "../../runtime/src/platform/atoms.h"

#include <linux/membarrier.h>
#include <unistd.h>

#include <x86intrin.h>

#include <cstdint>
#include <cstring>

/// What a thread's last attempt to steal noted, in ticks of the time stamp counter.
struct Probe {
  std::uint64_t began = 0;        // the attempt
  std::uint64_t fence_ticks = 0;  // within its fence
};

namespace probe {

inline Probe &last() noexcept {
  static constinit thread_local Probe record;
  return record;
}

/// The other one of the two processors that the process may use: of its first thread, since a thief
/// may exclude one (runtime/src/idle). Ends the process if it is not two.
inline unsigned other_processor(unsigned own) noexcept {
  static const cpu_set_t allowed = [] {
    cpu_set_t set;
    if (sched_getaffinity(getpid(), sizeof set, &set) != 0 || CPU_COUNT(&set) != 2) {
      std::fprintf(stderr,
                   "steals: STEALS_FENCE=aimed takes two processors, no more and no less\n");
      std::abort();
    }
    return set;
  }();
  unsigned other = 0;
  while (other == own || !CPU_ISSET(other, &allowed)) ++other;
  return other;
}

/// The thief's fence on the other processor alone; whole if the thief has moved meanwhile.
inline void aimed_fence() noexcept {
  constexpr unsigned kOneProcessor = 1;  // MEMBARRIER_CMD_FLAG_CPU
  const unsigned own = static_cast<unsigned>(sched_getcpu());
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, kOneProcessor,
              other_processor(own)) != 0) {
    std::perror("steals: membarrier refused a fence aimed at one processor");
    std::abort();
  }
  if (static_cast<unsigned>(sched_getcpu()) != own) nopal::heavy_fence_by_membarrier();
}

inline bool asks_for_aimed() noexcept {
  const char *text = std::getenv("STEALS_FENCE");
  if (text == nullptr || std::strcmp(text, "aimed") != 0) return false;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0) == 0)
    return true;
  std::perror("steals: cannot register for fences aimed at one processor");
  std::abort();
}

}  // namespace probe

namespace nopal {

struct ThiefFences {
  static void attempt_begins() noexcept { probe::last().began = __rdtsc(); }
  static void heavy_fence() noexcept {
    static const bool is_aimed = probe::asks_for_aimed();
    const std::uint64_t from = __rdtsc();
    if (is_aimed)
      probe::aimed_fence();
    else
      HardwareAtoms::heavy_fence();
    probe::last().fence_ticks = __rdtsc() - from;
  }
  static void full_fence() noexcept {
    const std::uint64_t from = __rdtsc();
    HardwareAtoms::full_fence();
    probe::last().fence_ticks = __rdtsc() - from;
  }
};

}  // namespace nopal

/// For the stolen continuation, which is another file's.
[[gnu::noinline]] inline const Probe &steals_last_attempt() { return probe::last(); }

#endif
