// See verdict.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verdict.h"

#include "print.h"
#include "spawn_cost.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace nopal::stats {

namespace {

// X(index, name, words, remedy): the only list of causes.
#define NOPAL_CAUSES(X)                                                                           \
  X(kNothing, "none", "nothing stands out",                                                       \
    "one run does not show whether memory or contention made the work longer: nopal-view run -- " \
    "PROGRAM does")                                                                               \
  X(kTooShort, "too_short", "too short to judge", "give the program more work")                   \
  X(kOneWorker, "one_worker", "one worker",                                                       \
    "set CILK_NWORKERS, or give the process more processors")                                     \
  X(kSerialStart, "serial_start", "a serial start", "make that part parallel too")                \
  X(kSerialPart, "serial_part", "serial code between parallel parts",                             \
    "make that part parallel too")                                                                \
  X(kSerialEnd, "serial_end", "a serial end", "make that part parallel too")                      \
  X(kLongStrand, "long_strand", "one long strand",                                                \
    "divide its work into spawns, or start it first")                                             \
  X(kTooFine, "too_fine", "spawns too fine",                                                      \
    "give each child more work, or a cilk_for a larger grain")                                    \
  X(kBlocked, "blocked", "blocked workers",                                                       \
    "look for locks, sleeps and input or output within spawned code")                             \
  X(kOversubscribed, "oversubscribed", "more workers than processors", "lower CILK_NWORKERS")     \
  X(kBusyMachine, "busy_machine", "other threads on the processors",                              \
    "stop other programs, or lower CILK_NWORKERS")                                                \
  X(kTooLittle, "too_little_parallelism", "too little parallelism", "spawn more, and earlier")

enum CauseIndex : std::uint8_t {
#define NOPAL_INDEX(index, name, words, remedy) index,
  NOPAL_CAUSES(NOPAL_INDEX)
#undef NOPAL_INDEX
};

// Below this nothing is said: the helpers' start takes a millisecond or more.
constexpr std::uint64_t kShortestRunNs = 10'000'000;
// What a cause must have cost to be named, of the processors' time.
constexpr std::uint64_t kLeastPercent = 15;
// More of that for causes that show in idle workers, for each percent that threads waited for a
// processor: while one waits with the last piece, the others idle.
constexpr double kMorePerWaitedPercent = 0.25;
// A strand that is that much of a site's time alone is "one long strand"; many short ones are not.
constexpr std::uint64_t kOneStrandPercent = 40;
// Fewer looks at a lone worker do not say how much of its time was serial code.
constexpr std::uint64_t kLeastLooks = 4;
// Less time than a thief needs to come: then not serial code stood before the steal.
constexpr std::uint64_t kThiefArrivalNs = 50'000;

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

std::uint64_t rounded_percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0
                    : static_cast<std::uint64_t>(
                          100.0 * static_cast<double>(part) / static_cast<double>(whole) + 0.5);
}

struct Candidate {
  CauseIndex cause = kNothing;
  std::uint64_t lost_percent = 0;  // of the time of processors that the program had
  std::uint64_t shown_ns = 0;      // the time that the advice names
  const cilk::site_row *site = nullptr;
};

/// The numbers that the estimates are made of. Times that a worker waited for a processor which
/// another thread had are left out of all of them, so a loaded machine changes little.
class Judge {
 public:
  explicit Judge(const Snapshot &snapshot) : s_(snapshot), all_(snapshot.summary) {
    workers_ = std::max<std::uint64_t>(s_.nworkers, 1);
    width_ = std::min(workers_, std::max<std::uint64_t>(all_.processors, 1));
    whole_ns_ = s_.elapsed_ns + all_.before_start_ns;
    worked_ns_ = minus(s_.total.working_ns, all_.working_wait_ns);
    // While one was alone, and while several were, but not all that there are processors for.
    const std::uint64_t others = width_ - 1;
    const std::uint64_t idle_wall_ns = minus(width_ * s_.elapsed_ns, s_.total.working_ns);
    const std::uint64_t several_ns =
        minus(idle_wall_ns, all_.one_working_ns * others + all_.idle_wait_ns);
    const double ran = s_.total.working_ns == 0 ? 1
                                                : static_cast<double>(worked_ns_) /
                                                      static_cast<double>(s_.total.working_ns);
    idle_ns_ =
        all_.alone_ns * others + static_cast<std::uint64_t>(static_cast<double>(several_ns) * ran);
    had_ns_ = worked_ns_ + idle_ns_ + all_.before_start_ns * width_;
  }

  Candidate worst() {
    if (is_too_short()) return {kTooShort, 0, 0, nullptr};
    look_at_blocking();
    look_at_grain();
    if (width_ > 1) look_at_idleness();
    if (worst_.lost_percent < kLeastPercent) worst_ = {kNothing, worst_.lost_percent, 0, nullptr};
    look_at_waiting();
    if (worst_.cause == kNothing && workers_ == 1) worst_.cause = kOneWorker;
    return worst_;
  }
  std::uint64_t whole_ns() const { return whole_ns_; }
  bool is_too_short() const { return had_ns_ < kShortestRunNs * width_; }

 private:
  void consider(CauseIndex cause, std::uint64_t lost_ns, std::uint64_t shown_ns,
                const cilk::site_row *site = nullptr) {
    const std::uint64_t lost = rounded_percent(lost_ns, had_ns_);
    if (lost > worst_.lost_percent) worst_ = {cause, lost, shown_ns, site};
  }

  void look_at_blocking() {
    if (s_.total.working_cpu_ns == 0) return;  // not measured
    const std::uint64_t blocked = minus(worked_ns_, s_.total.working_cpu_ns);
    consider(kBlocked, blocked, blocked);
  }

  std::uint64_t spawns_ns() const {
    const auto work = static_cast<double>(s_.total.working_cpu_ns != 0 ? s_.total.working_cpu_ns
                                                                       : s_.total.working_ns);
    return static_cast<std::uint64_t>(work * share_of_spawns(all_));
  }

  void look_at_grain() { consider(kTooFine, spawns_ns(), all_.spawn_interval_ns, most_stolen()); }

  /// Of the time that a worker was alone, as far as known: serial code, and not one spawn after
  /// another that nobody took.
  std::uint64_t serial_of(std::uint64_t alone_ns) const {
    if (all_.lone_looks < kLeastLooks) return alone_ns;
    const double serial = static_cast<double>(all_.lone_looks - all_.lone_looks_at_spawns) /
                          static_cast<double>(all_.lone_looks);
    return static_cast<std::uint64_t>(static_cast<double>(alone_ns) * serial);
  }

  /// While fewer workers worked than there are processors.
  void look_at_idleness() {
    const std::uint64_t others = width_ - 1;
    const auto least =
        kLeastPercent +
        static_cast<std::uint64_t>(kMorePerWaitedPercent * static_cast<double>(waited_percent()));
    const auto consider_if_idle = [&](CauseIndex cause, std::uint64_t lost_ns,
                                      std::uint64_t shown_ns,
                                      const cilk::site_row *site = nullptr) {
      if (rounded_percent(lost_ns, had_ns_) >= least) consider(cause, lost_ns, shown_ns, site);
    };
    consider_if_idle(kSerialStart, all_.before_start_ns * others, all_.before_start_ns);
    consider_if_idle(kSerialEnd, serial_of(all_.after_last_join_ns) * others,
                     all_.after_last_join_ns);
    std::uint64_t named_ns = all_.after_last_join_ns;
    std::uint64_t most_ns = 0;
    const cilk::site_row *most = nullptr;
    for (std::size_t i = 0; i < s_.sites.size(); ++i) {
      const cilk::site_row *site = &s_.sites[i];
      const std::uint64_t before = s_.time(i, SiteTime::kAloneBefore);
      const std::uint64_t strands =
          s_.time(i, SiteTime::kAloneChild) + s_.time(i, SiteTime::kAloneContinuation);
      const std::uint64_t longest = s_.time(i, SiteTime::kAloneLongest);
      if (before + strands > most_ns) {
        most_ns = before + strands;
        most = site;
      }
      if (100 * longest >= kOneStrandPercent * strands) {
        consider_if_idle(kLongStrand, serial_of(strands) * others, longest, site);
        named_ns += strands;
      }
      if (before >= kThiefArrivalNs * site->steals) {
        consider_if_idle(kSerialPart, serial_of(before) * others, before, site);
        named_ns += before;
      }
    }
    // One spawn after another, and nobody came in time to take the work.
    const std::uint64_t untaken = minus(all_.alone_ns, serial_of(all_.alone_ns)) * others;
    const std::uint64_t rest = minus(idle_ns_, serial_of(named_ns) * others + untaken);
    const std::uint64_t spawns = spawns_ns();
    // More spawns bring nothing then.
    const bool is_fine = rounded_percent(spawns, had_ns_) >= kLeastPercent;
    consider_if_idle(kTooFine, spawns + untaken + (is_fine ? rest : 0), all_.spawn_interval_ns,
                     most_stolen());
    if (!is_fine) consider_if_idle(kTooLittle, rest, rest, most);
  }

  /// More threads than processors, ours or others'.
  void look_at_waiting() {
    const std::uint64_t waited = all_.working_wait_ns + all_.idle_wait_ns;
    const std::uint64_t lost = waited_percent();
    if (lost < kLeastPercent) return;
    if (workers_ > width_ && lost > worst_.lost_percent)
      worst_ = {kOversubscribed, lost, waited, nullptr};
    else if (worst_.cause == kNothing)
      worst_ = {kBusyMachine, lost, waited, nullptr};
  }

  std::uint64_t waited_percent() const {
    const std::uint64_t waited = all_.working_wait_ns + all_.idle_wait_ns;
    return rounded_percent(waited, waited + had_ns_);
  }

  const cilk::site_row *most_stolen() const {
    return s_.sites.empty() || s_.sites.front().steals == 0 ? nullptr : &s_.sites.front();
  }

  const Snapshot &s_;
  const Summary &all_;
  std::uint64_t workers_;
  std::uint64_t width_;  // workers that can run at the same time
  std::uint64_t whole_ns_;
  std::uint64_t worked_ns_;
  std::uint64_t idle_ns_;
  std::uint64_t had_ns_;  // times of processors
  Candidate worst_;
};

std::string where(const cilk::site_row *site) {
  if (site == nullptr) return "";
  return " at " + location(*site) + " in " + short_name(site->function);
}

std::string share(std::uint64_t ns, std::uint64_t whole_ns) {
  return milliseconds(ns) + " ms (" + std::to_string(rounded_percent(ns, whole_ns)) + " %)";
}

std::string in_words(const Interval &parallelism) {
  char text[64] = "";
  if (parallelism.most != 0)
    std::snprintf(text, sizeof text, "; parallelism %.1f to %.1f", parallelism.least,
                  parallelism.most);
  else if (parallelism.least != 0)
    std::snprintf(text, sizeof text, "; parallelism %.1f or more", parallelism.least);
  return text;
}

/// How busy the workers were, how long only one was, and how parallel the program is.
std::string busyness(const Snapshot &s, std::uint64_t whole_ns, const Interval &parallelism) {
  const std::string whole = milliseconds(whole_ns) + " ms";
  if (s.nworkers <= 1) return "1 worker, " + whole;
  const std::uint64_t busy = rounded_percent(s.total.working_ns, whole_ns * s.nworkers);
  return std::to_string(s.nworkers) + " workers, " + whole + ": busy " + std::to_string(busy) +
         " % of it; one alone for " +
         share(s.summary.one_working_ns + s.summary.before_start_ns, whole_ns) +
         in_words(parallelism);
}

std::string advise(const Candidate &found, std::uint64_t whole_ns) {
  const Cause &cause = kCauses[found.cause];
  const std::string remedy = std::string("; ") + cause.remedy;
  const std::string time = share(found.shown_ns, whole_ns);
  switch (found.cause) {
    case kTooShort:
    case kOneWorker:
    case kNothing:
      return cause.remedy;
    case kSerialStart:
      return time + " passed before the first spawn" + remedy;
    case kSerialEnd:
      return time + " passed at the end, after all that other workers ran" + remedy;
    case kSerialPart:
      return time + " of serial code before the spawn" + where(found.site) + remedy;
    case kLongStrand:
      return "one strand of " + time + " below the spawn" + where(found.site) + remedy;
    case kTooFine:
      // The end of the class of which the summary has the middle.
      return "less than " + std::to_string(std::max(found.shown_ns * 4 / 3, 2 * kSpawnNs)) +
             " ns from one spawn to the next" +
             (found.site == nullptr ? "" : ", most stolen from" + where(found.site)) + remedy;
    case kBlocked:
      return milliseconds(found.shown_ns) +
             " ms of the workers' time passed neither running nor waiting for a processor" + remedy;
    case kOversubscribed:
    case kBusyMachine:
      return milliseconds(found.shown_ns) + " ms of waiting for a processor" + remedy;
    case kTooLittle:
      return milliseconds(found.shown_ns) + " ms of processors idle, most of it around the spawn" +
             where(found.site) + remedy;
  }
  __builtin_unreachable();
}

}  // namespace

const std::array<Cause, 12> kCauses{{
#define NOPAL_ROW(index, name, words, remedy) {name, words, remedy},
    NOPAL_CAUSES(NOPAL_ROW)
#undef NOPAL_ROW
}};
#define NOPAL_ONE(index, name, words, remedy) +1
static_assert(0 NOPAL_CAUSES(NOPAL_ONE) == kCauses.size());
#undef NOPAL_ONE

Verdict judge(const Snapshot &snapshot) {
  Judge judge(snapshot);
  const Candidate found = judge.worst();
  const Cause &cause = kCauses[found.cause];
  const Estimate found_estimate = judge.is_too_short() ? Estimate{} : estimate(snapshot);
  return {&cause,
          found.lost_percent,
          found.site,
          found_estimate,
          busyness(snapshot, judge.whole_ns(), found_estimate.parallelism) + ": " + cause.words,
          advise(found, judge.whole_ns())};
}

}  // namespace nopal::stats
