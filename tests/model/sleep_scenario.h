// Workers that search, go idle, poll and wake each other, and threads that attach, on the shipped
// word and list, as a scenario for the explorer. Used by sleep_model.cpp and mutants_model.cpp.
//
// A thread runs a script: A counts itself as searching, B finds work and ends that, R goes idle
// (polls, or is parked: then its script is over), E finds work as the poller, G parks as the poller
// if nobody is attached, U searches uncounted and finds work, V does so, finds none and goes idle,
// W is B of a worker that was woken and leaves more, H attaches, I detaches. After B, E, W and H it
// wakes whom policy::wake_ups says. Before that `parked` members are parked, and `attached` threads
// are attached. Checked in the end: the counts are those of the states; the list has the parked
// ones; nobody is woken twice; and if a thread is attached and somebody is parked, somebody
// watches.
#pragma once

#include "../../runtime/src/idle/sleep_word.h"
#include "../../runtime/src/policy/many_workers.h"
#include "explorer.h"

#include <string>
#include <type_traits>
#include <vector>

namespace nopal::model {

// What may be wrong.
enum class SleepWrong : uint8_t {
  kNothing,
  kTakesWithoutLock,  // the list
  kWakesNobody,       // after B
  kCountsUncounted,   // U ends what it has not begun
  kParksUncounted,    // an uncounted worker goes idle as a counted one
};

template <class Atoms>
class SleepScenario {
 public:
  struct Member {
    typename Atoms::template Pointer<Member> next{nullptr};
    Word<int64_t> signals{0};
  };
  using ModelWord = SleepWord<Atoms, Member>;

  SleepScenario(std::vector<std::string> scripts, int parked, int attached, bool are_many = false,
                SleepWrong wrong = SleepWrong::kNothing)
      : scripts_(std::move(scripts)),
        parked_(parked),
        attached_(attached),
        workers_(are_many ? policy::kFewWorkers + 1 : 2),
        wrong_(wrong) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    for (size_t i = 0; i < scripts_.size(); ++i) scenario.threads.push_back([this, i] { run(i); });
    scenario.check = [this] { check(); };
    scenario.state = &now_;
    scenario.state_bytes = sizeof now_;
    scenario.can_be_restored = true;
    return model::explore(scenario);
  }

 private:
  enum class Is : uint8_t { kWorking, kSearching, kPolling, kParked };
  static constexpr size_t kMostMembers = 8;

  void set_up() {
    now_ = {};
    now_.word = make<ModelWord>();
    now_.lock = make<Word<int64_t>>();
    for (Member *&member : now_.members) member = make<Member>();
    now_.registered = make<Word<int64_t>>();
    for (size_t i = scripts_.size(); i < scripts_.size() + static_cast<size_t>(parked_); ++i) {
      now_.word->start_search();
      now_.word->go_idle_locked(*now_.members[i]);
      now_.is[i] = Is::kParked;
    }
    for (int i = 0; i < attached_; ++i) now_.word->attach();
    for (size_t i = 0; i < scripts_.size(); ++i) {
      if (!is_poller(i)) continue;
      now_.word->start_search();
      now_.is[i] = now_.word->go_idle_locked(*now_.members[i]) ? Is::kPolling : Is::kParked;
    }
  }
  /// A script that begins so is the poller's.
  bool is_poller(size_t thread) const {
    return scripts_[thread][0] == 'E' || scripts_[thread][0] == 'G';
  }

  void run(size_t thread) {
    Is &is = now_.is[thread];
    for (const char step : scripts_[thread]) {
      switch (step) {
        case 'A':
          now_.word->start_search();
          is = Is::kSearching;
          break;
        case 'B':
        case 'W': {
          const SleepCounts now = now_.word->end_search();
          is = Is::kWorking;
          if (wrong_ != SleepWrong::kWakesNobody)
            wake(now, {.workers = workers_, .was_woken = step == 'W', .leaves_more = step == 'W'});
          break;
        }
        case 'U':
          if (wrong_ == SleepWrong::kCountsUncounted) wake(now_.word->end_search(), {});
          break;
        case 'R':
        case 'V':
          if (!go_idle(thread, step == 'R')) return;
          break;
        case 'E': {
          take_lock();
          const SleepCounts now = now_.word->end_polling_locked();
          drop_lock();
          is = Is::kWorking;
          wake(now, {});
          break;
        }
        case 'G': {
          take_lock();
          const bool parks = now_.word->park_poller_locked(*now_.members[thread]);
          if (parks) is = Is::kParked;
          drop_lock();
          if (parks) return;
          break;
        }
        case 'H':
          *now_.registered = 1;
          wake(now_.word->attach(), {});
          break;
        case 'I':
          now_.word->detach();
          break;
        default:
          require(false, "a script with another letter");
      }
    }
  }

  /// Whether it polls; else it is parked.
  bool go_idle(size_t thread, bool is_counted) {
    Is &is = now_.is[thread];
    take_lock();
    const bool polls = now_.word->go_idle_locked(
        *now_.members[thread], is_counted || wrong_ == SleepWrong::kParksUncounted);
    is = polls ? Is::kPolling : Is::kParked;
    drop_lock();
    // It polls for a thread that has attached, and must find that one's deque.
    if (polls && attached_ == 0)
      require(*now_.registered == 1, "a poller does not see the worker for whose thread it polls");
    return polls;
  }

  void wake(SleepCounts now, policy::FoundWork found) {
    const uint32_t wanted = policy::wake_ups(found, now.is_watched());
    if (wanted == 0 || now.attached == 0 || now.parked == 0) return;
    Member *taken[policy::kMostWakeUps] = {};
    if (wrong_ != SleepWrong::kTakesWithoutLock) take_lock();
    const uint32_t count = now_.word->take_parked_locked(wanted, taken);
    if (wrong_ != SleepWrong::kTakesWithoutLock) drop_lock();
    for (uint32_t i = 0; i < count; ++i) taken[i]->signals.fetch_add_acq_rel(1);
  }

  void take_lock() {
    for (int64_t free = 0; !now_.lock->compare_exchange_seq_cst(free, 1); free = 0)
      await(*now_.lock, 0);
  }
  void drop_lock() { now_.lock->store_release(0); }

  void check() {
    const SleepCounts counts = now_.word->counts();
    int searching = 0, polling = 0, parked = 0;
    for (size_t i = 0; i < kMostMembers; ++i) {
      const int64_t signals = now_.members[i]->signals.load_relaxed();
      require(signals <= 1, "a worker was woken twice");
      require(signals == 0 || now_.is[i] == Is::kParked, "who is not parked was woken");
      const Is is = signals == 1 ? Is::kSearching : now_.is[i];
      searching += is == Is::kSearching;
      polling += is == Is::kPolling;
      parked += is == Is::kParked;
    }
    require(polling <= 1, "two poll");
    require(counts.searching == searching && counts.polling == polling && counts.parked == parked,
            "the counts are not those of the states");
    require(counts.attached == 0 || counts.parked == 0 || counts.is_watched(),
            "a thread is attached, a worker is parked, and nobody watches");
    Member *taken[kMostMembers] = {};
    require(now_.word->take_parked_locked(kMostMembers, taken) == static_cast<uint32_t>(parked),
            "the list is not the parked ones");
  }

  const std::vector<std::string> scripts_;
  const int parked_, attached_;
  const uint32_t workers_;
  const SleepWrong wrong_;

  struct State {
    ModelWord *word = nullptr;
    Word<int64_t> *lock = nullptr;
    Word<int64_t> *registered = nullptr;  // the table of workers: what H enters before it attaches
    Member *members[kMostMembers] = {};
    Is is[kMostMembers] = {};
  };
  static_assert(std::is_trivially_copyable_v<State>);
  State now_;
};

}  // namespace nopal::model
