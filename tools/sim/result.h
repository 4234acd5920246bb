// What a run tells, and the laws that each run must keep.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "timing_wheel.h"

namespace nopal::sim {

/// What a worker does at any time. Each of its nanoseconds counts for exactly one.
/// kLook: the poller's looks at all deques. kOverhead: an owner's, for thieves: calls, slow pushes,
/// fences of pops, interrupts.
enum class Activity : std::uint8_t { kWork, kSteal, kFail, kWait, kAsleep, kLook, kOverhead };
inline constexpr std::size_t kActivities = 7;
inline constexpr std::size_t kMostLevels = 8;

struct Result {
  Time time = 0;  // T_P
  Time t1 = 0;    // work, spawns included
  Time span = 0;  // Tinf, spawns included
  Time lost = 0;  // of strands, to whatever else the processors did (noise.h); not in t1
  std::uint32_t workers = 0;

  std::uint64_t events = 0;  // of the queue: strands that take time, attempts, wake-ups
  std::uint64_t spawns = 0, frames = 0;

  std::uint64_t general_attempts = 0, general_steals = 0;
  std::uint64_t back_attempts = 0, backs = 0;  // steal-backs
  std::uint64_t handed_on = 0;                 // steals by which the thief became the owner
  // Steal-backs, tried too, from a helper that has stolen nothing of the owner's since the last
  // one.
  std::uint64_t repeated_backs = 0;
  std::uint64_t lost_races = 0;
  // At one failed attempt in P: how many deques have something, and whether none has.
  std::uint64_t samples = 0, full_deques = 0, samples_without_work = 0;
  std::uint64_t frames_stolen = 0;  // more than steals, where a thief takes several
  std::uint64_t self_steals = 0;    // of a continuation that came with another
  std::uint64_t joins = 0;          // children that returned to a stolen continuation
  std::uint64_t helps = 0;          // steals of attached threads that waited for a frame
  std::uint64_t stacks_left = 0;    // by who waited there, in vain for a while
  std::uint64_t wrong_stacks = 0;   // strands of a frame on a stack that is not the frame's
  std::uint64_t wake_ups = 0;
  std::uint64_t calls = 0;         // of the poller
  std::uint64_t heavy_fences = 0;  // of thieves
  Time line_wait = 0;              // for shared cache lines and mutexes
  std::uint64_t policy_lines = 0;  // that policies fetched for their words
  std::array<std::uint64_t, kMostLevels> steals_at_level{};

  std::uint64_t s1 = 0;          // bytes of the deepest path: the serial execution's stack
  std::uint64_t peak_stack = 0;  // bytes of all live frames at the worst time
  std::uint64_t peak_frames = 0;
  std::uint64_t frames_left = 0;  // at the end; 0

  std::array<Time, kActivities> spent{};                // summed over workers
  std::vector<std::array<Time, kActivities>> spent_by;  // a worker

  // How unevenly thieves spread over owners: at each general steal, the workers on that owner's
  // work over the mean of the owners that have some. 1 is even.
  double pile_up_sum = 0, pile_up_most = 0;
  std::uint64_t pile_up_count = 0;

  // Under feedback.
  Time active = 0;  // summed over workers: allotted, whether or not they worked
  std::uint64_t quanta = 0;
  double desire_sum = 0;

  std::uint64_t attempts() const noexcept { return general_attempts + back_attempts; }
  std::uint64_t steals() const noexcept { return general_steals + backs; }
  /// Processor time for the search, over steals.
  double search_a_steal() const noexcept {
    Time search = 0;
    for (const Activity a :
         {Activity::kSteal, Activity::kFail, Activity::kLook, Activity::kOverhead})
      search += spent[static_cast<std::size_t>(a)];
    return steals() ? static_cast<double>(search) / static_cast<double>(steals()) : 0;
  }
  /// The part of failed attempts at which there was nothing to steal anywhere.
  double without_work() const noexcept {
    return samples ? static_cast<double>(samples_without_work) / static_cast<double>(samples) : 0;
  }
  /// The part of the deques that have something, when an attempt fails.
  double full() const noexcept {
    return samples ? static_cast<double>(full_deques) / static_cast<double>(samples) / workers : 0;
  }
  double pile_up() const noexcept {
    return pile_up_count ? pile_up_sum / static_cast<double>(pile_up_count) : 0;
  }
};

/// What a run is held against besides its own sums.
struct Expected {
  bool is_greedy = false;
  bool is_mugging = false;
  Time t1 = 0, span = 0;  // of a run with one worker; 0: not known
};

/// One sentence for each law that the run breaks; none if it keeps all.
std::vector<std::string> broken_laws(const Result &result, const Expected &expected);

}  // namespace nopal::sim
