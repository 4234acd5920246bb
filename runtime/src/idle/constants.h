// The timing of search, poll and pauses, each with its unit and its reason.
//
// What happens where one is four times off: docs/policies.md (simulated); of those of turns,
// benchmarks/policies/adapt/README.md (real programs). tests/sim/constants_test.py holds the
// simulator's values against these. Others stand where they belong: adaptive fences, and yields on
// a crowded machine (kLongYieldNs, kCrowdedNs), in platform/atoms.h; waits at a join in
// scheduler/suspend.cpp; sleeps and affinity in sleep.cpp; how long a silent program counts in
// programs.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_IDLE_CONSTANTS_H
#define NOPAL_IDLE_CONSTANTS_H

#include <chrono>
#include <cstdint>

namespace nopal {

// ---- Search ----

// Nanoseconds of a search. A program with one region after the other finds thieves awake, and not
// one by one by wake-ups, if its serial parts are shorter.
inline constexpr std::uint64_t kSearchNs = 1'000'000;
// The same for a worker that was idle for longer than that twice in a row (policy/patience.h), with
// more workers than processors, where others need the processor, and with feedback, which is there
// to save processor time.
inline constexpr std::uint64_t kShortSearchNs = 100'000;
// Rounds with pauses of 2^round spins; then sched_yield: with few cores others need ours.
inline constexpr int kRoundsBeforeYield = 6;
// Attempts in a round at most: then the lists and the clock are looked at.
inline constexpr std::uint32_t kMaxAttemptsPerRound = 64;

// ---- Poll ----

// The poller waits for a call. It looks by itself so often, for the push that may be overlooked
// (README.md).
inline constexpr std::chrono::nanoseconds kLongestWait{20'000'000};
// After a call for nothing the poller cannot be called for a pause, from the first to the longest,
// which grows with the time in which it has found nothing: by one part in so many. So it costs the
// owners a small part of their time at most, and overlooks new work for a small part of its own.
inline constexpr std::chrono::nanoseconds kFirstPause{100'000};
inline constexpr std::chrono::nanoseconds kLongestPause{2'000'000};
inline constexpr int kPartOfIdleTime = 32;
// Looks, kLongestWait apart, before a dead end is believed: a second.
inline constexpr int kLooksAtDeadEnd = 50;

// ---- Feedback ----

// After this many quanta in a row without permission the poller watches once, so new work is
// overlooked for so long at most. A growth of the desire that gained next to nothing is put off for
// as long, at most. The quantum: policy/a_steal.h.
inline constexpr int kMostRests = 16;

// ---- Turns ----

// How often a program looks for others, and at the others if there are some. A look takes some
// microseconds and a wake-up.
inline constexpr std::chrono::nanoseconds kLookForPrograms{10'000'000};
inline constexpr std::chrono::nanoseconds kTurnQuantum{1'000'000};
// A worker waits for its turn for so long at most, and then runs for a quantum or two. So a program
// that others hold up has a sixtieth of its time at least.
inline constexpr std::chrono::nanoseconds kLongestTurnWait{64'000'000};
// At first threads start and feedback settles: how much the program fills then says nothing.
inline constexpr std::uint64_t kTurnStartNs = 8'000'000;
// A worker whose thread has not run for so long waits for something else, input or a lock, and the
// others need not wait for it. Longer than the system keeps a thread from a processor.
inline constexpr std::uint64_t kBlockedNs = 20'000'000;

}  // namespace nopal

#endif
