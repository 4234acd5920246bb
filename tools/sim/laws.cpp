// See result.h. Each run of nopal-sim is checked; tests/sim/laws_test.cpp breaks each law.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "result.h"

namespace nopal::sim {

std::vector<std::string> broken_laws(const Result &r, const Expected &expected) {
  std::vector<std::string> broken;
  const auto law = [&](bool holds, std::string text) {
    if (!holds) broken.push_back(std::move(text));
  };
  const Time work = r.spent[static_cast<std::size_t>(Activity::kWork)];
  law(work == r.t1 + r.lost,
      fmt::format("workers worked {} ns in all, and the work is {} ns", work, r.t1 + r.lost));
  law(r.wrong_stacks == 0,
      fmt::format("{} strands ran on another stack than their frame's", r.wrong_stacks));
  law(r.frames_left == 0, fmt::format("{} frames are left at the end", r.frames_left));
  law(r.time >= r.span, fmt::format("T_P = {} ns is below the span, {} ns", r.time, r.span));
  law(static_cast<unsigned __int128>(r.time) * r.workers >= r.t1,
      fmt::format("T_P = {} ns is below T1/P, with T1 = {} ns and P = {}", r.time, r.t1,
                  r.workers));
  for (std::size_t i = 0; i < r.spent_by.size(); ++i) {
    const Time sum = std::accumulate(r.spent_by[i].begin(), r.spent_by[i].end(), Time{0});
    law(sum == r.time,
        fmt::format("worker {} spent {} ns in all, and the run took {} ns", i, sum, r.time));
  }
  law(r.peak_stack <= r.workers * r.s1,
      fmt::format("live frames took {} bytes, more than P*S1 = {} * {}", r.peak_stack, r.workers,
                  r.s1));
  if (expected.is_greedy)
    law(r.time <= r.t1 / r.workers + r.span + 1,
        fmt::format("a greedy schedule took {} ns, more than T1/P + Tinf = {} + {} ns", r.time,
                    r.t1 / r.workers, r.span));
  if (expected.is_mugging)
    law(r.repeated_backs == 0,
        fmt::format("{} of {} steal-backs were a second one after one general steal, though a "
                    "steal-back takes all",
                    r.repeated_backs, r.back_attempts));
  if (expected.t1 != 0)
    law(r.t1 == expected.t1 && r.span == expected.span,
        fmt::format("work and span are {} and {} ns, with one worker {} and {} ns", r.t1, r.span,
                    expected.t1, expected.span));
  return broken;
}

}  // namespace nopal::sim
