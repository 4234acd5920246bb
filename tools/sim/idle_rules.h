// The constants by which idle workers of the runtime search, poll and sleep, as numbers that a run
// may change: `nopal-sim run --idle sleep --rule search_ns=400000`.
//
// The values are the runtime's; tests/sim/constants_test.py compares them with its sources. What
// each one does, and what happens if it is four times off: docs/policies.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "policy/patience.h"

namespace nopal::sim {

// X(name, value, the runtime's constant, unit)
#define NOPAL_IDLE_RULES(X)                                       \
  X(search_ns, 1'000'000, "kSearchNs", "ns")                      \
  X(short_search_ns, 100'000, "kShortSearchNs", "ns")             \
  X(attempts_a_round, 64, "kMaxAttemptsPerRound", "attempts")     \
  X(rounds_before_yield, 6, "kRoundsBeforeYield", "rounds")       \
  X(first_pause_ns, 100'000, "kFirstPause", "ns")                 \
  X(longest_pause_ns, 2'000'000, "kLongestPause", "ns")           \
  X(part_of_idle_time, 32, "kPartOfIdleTime", "of the idle time") \
  X(stale_claim_ns, 2'000, "kStaleClaimNs", "ns")                 \
  X(claim_grace_ns, 200, "kClaimGraceNs", "ns")                   \
  X(fenced_pops, 1'024, "kFencedPops", "pops")                    \
  X(expectant_pops, 4, "kExpectantPops", "pops")                  \
  X(short_ns, 20'000, "kShortNs", "ns")                           \
  X(before_help_ns, 5'000, "kBeforeHelpNs", "ns")                 \
  X(long_ns, 200'000, "kLongNs", "ns")                            \
  X(most_nested, 32, "kMostNested", "waits")                      \
  X(looks_before_yield, 32, "kLooksBeforeYield", "looks")

/// What the runtime does with many workers (policy/many_workers.h), each of which a run may leave
/// out by --mend. README.md, "Rules for many workers".
struct ManyWorkerRules {
  bool tree = true;    // who was woken, steals and leaves something wakes two, not one at most
  bool fences = true;  // the windows of adaptive fences grow with the workers; owners begin fenced
  bool late = true;    // a thief counts itself as searching before it rests, and not at once

  bool all() const noexcept { return tree && fences && late; }
};

struct IdleRules {
#define NOPAL_MEMBER(name, value, constant, unit) std::uint64_t name = value;
  NOPAL_IDLE_RULES(NOPAL_MEMBER)
#undef NOPAL_MEMBER
  ManyWorkerRules many_workers;

  policy::Patience::Searches searches() const noexcept { return {search_ns, short_search_ns}; }
};

/// "name=value". Throws BadInput with the list of names.
void set_rule(IdleRules &rules, std::string_view text);
/// "fences,tree", "all" or "none". Throws BadInput with the list of words.
ManyWorkerRules read_many_worker_rules(std::string_view text);
/// A line a rule: name, value, unit, the runtime's constant.
std::string describe_rules();

}  // namespace nopal::sim
