// The simulated machine: P workers that run a program by continuation stealing in virtual time.
//
// README.md has the rules and says what is left out. A run is a function of its options: no clock,
// no address and no order of a hash table enters it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "costs.h"
#include "faults.h"
#include "frame.h"
#include "idle_rules.h"
#include "noise.h"
#include "policies.h"
#include "policy/a_steal.h"
#include "program.h"
#include "result.h"
#include "timing_wheel.h"
#include "worker/random.h"

namespace nopal::sim {

struct Options {
  Costs costs;
  std::uint64_t seed = 1;
  bool is_greedy = false;
  bool sleeps = false;  // idle workers go to sleep as the runtime's do; else they try all the time
  IdleRules rules;      // ... by these
  std::optional<policy::ASteal::Parameters> feedback;
  bool asks_for_all_first = false;  // under feedback; else for one
  Fault fault = Fault::kNone;
  std::uint64_t most_events = ~std::uint64_t{0};       // gives up beyond (throws BadInput)
  std::function<void(std::uint64_t events)> progress;  // called now and then
};

/// A-STEAL with the runtime's values (runtime/src/idle/feedback.cpp), which asks for all first.
policy::ASteal::Parameters runtime_feedback() noexcept;

class Machine {
 public:
  Machine(const Program &program, PolicySet &policies, const policy::Topology &topology,
          const Options &options);

  Result run();

  // For adversaries.
  const Node *oldest(std::uint32_t worker) const noexcept;
  std::uint32_t roots_done() const noexcept { return roots_done_; }

 private:
  enum class State : std::uint8_t { kRunning, kArriving, kWaiting, kSearching, kIdle };
  enum class Ended : std::uint8_t { kGoesOn, kOver, kWaits };
  /// Of an idle worker that has an event (idle.cpp).
  enum class Phase : std::uint8_t {
    kTrying,
    kGoing,         // to rest
    kResting,       // in the mutex of the parked
    kCalled,        // the poller, by a push
    kLooking,       // the poller, with its alarm set
    kLookingAgain,  // ... after a call
    kPausing,       // the poller, asleep for a time
    kConfirming,    // a claim, after the fence
    kStarting,      // a thread is woken to run the worker, whose path is over
  };
  enum class Alarm : std::uint8_t { kNotSet, kAwake, kAsleep };
  /// A cache line or a mutex, of which one party at a time has the use.
  struct Line {
    Time free_at = 0;
  };
  /// At a join, without leaving the stack (waits.cpp).
  struct Wait {
    Frame *frame = nullptr;
    policy::Mark mark;  // of the path that waits
    Time begun = 0;
    std::uint32_t looks = 0;
  };
  static constexpr const char *kStuck =
      "the program does not end: a child was lost, or nobody may steal";
  static constexpr std::uint32_t kNoPoller = ~std::uint32_t{0};

  struct alignas(64) Worker {
    Frame *frame = nullptr;  // runs it
    FrameDeque deque;
    Step step{};  // what ends its strand
    Node child;   // ... spawns or calls
    State state = State::kSearching;
    Activity activity = Activity::kWait;
    policy::Mark mark;      // of its path
    bool has_path = false;  // told to the policy
    bool is_active = true;  // allotted
    Time since = 0;         // of activity
    Time claimed_until = 0;
    Time idle_since = 0;  // its path is over
    Time search_begun = 0;
    policy::Patience patience;  // for searches
    std::uint32_t failed_in_row = 0, rounds = 0;

    // With --idle sleep.
    Phase phase = Phase::kTrying;
    bool is_counted = false;   // in searching_
    bool was_woken = false;    // since it last had work
    policy::Choice claimed{};  // a thief's
    const Frame *claimed_frame = nullptr;
    std::uint32_t claimed_pc = 0;
    Time claimed_at = 0;
    Time owed = 0;                    // beside its strands, not paid yet
    std::uint32_t thread = kSegment;  // whose stack it runs on
    const Frame *origin = nullptr;    // its path continues this; null: nothing, or several
    Wait wait;
    Time pause = 0;
    std::uint64_t fenced = 0;           // pops that fence themselves
    std::uint64_t slow_after = 0;       // the lowering of limits that its last slow push undid
    std::uint64_t interrupts_seen = 0;  // ... by heavy fences
  };

  void start();
  void fire(std::uint32_t number);
  void turn_to(std::uint32_t number, Activity activity) noexcept;

  Time run_on(std::uint32_t number);
  Time begin_strand(std::uint32_t number, Worker &worker);
  void begin_child(std::uint32_t number, Worker &worker);
  Time wait_at_join(std::uint32_t number, Worker &worker);
  static void pass_sync(Frame &frame) noexcept;
  Time resume_frame(std::uint32_t number, Worker &worker);
  Ended finish(std::uint32_t number, Worker &worker);
  Time path_over(std::uint32_t number, Worker &worker);
  Time seek(std::uint32_t number, Worker &worker);
  Time attempt(std::uint32_t number, Worker &worker);
  Time attempt_at(std::uint32_t number, Worker &worker, const policy::Choice &choice);
  Time take(std::uint32_t number, Worker &worker, const policy::Choice &choice);
  policy::Outcome outcome_of(const policy::Choice &choice) const noexcept;
  void transfer(std::uint32_t thief, std::uint32_t victim, policy::Amount amount);
  void begin_path(std::uint32_t number, Worker &worker, policy::Mark mark);
  void end_path(std::uint32_t number, Worker &worker);
  void count_pile_up(policy::Mark mark);
  void tell(std::uint32_t number, const policy::Attempt &attempt);
  Time policy_time(std::uint32_t number) noexcept;
  void sample_deques() noexcept;
  void pushed(std::uint32_t number);
  void set_stealable(std::uint32_t number, bool is_stealable);
  void set_busy(int change) noexcept;

  // idle.cpp
  void prepare_idle();
  Time use(Line &line, Time hold, Time after = 0) noexcept;
  Time overhead(Worker &worker) noexcept;
  void note_push(Worker &worker);
  void note_pop(Worker &worker) noexcept;
  void note_stolen(Worker &worker) noexcept;
  /// The number of workers that a rule for many is told: one if the run leaves the rule out.
  std::uint32_t workers_told(bool has_rule) const noexcept { return has_rule ? count_ : 1; }
  std::uint64_t fence_scale() const noexcept;
  Time fence_for(const Worker &victim) noexcept;
  Time claim(std::uint32_t number, Worker &worker, const policy::Choice &choice);
  Time confirm(std::uint32_t number, Worker &worker);
  Time begin_search(Worker &worker);
  Time idle_step(std::uint32_t number, Worker &worker);
  Time try_once(std::uint32_t number, Worker &worker);
  Time settle(std::uint32_t number, Worker &worker);
  Time begin_look(std::uint32_t number, Worker &worker, Phase phase);
  Time end_look(std::uint32_t number, Worker &worker);
  Time pause_polling(std::uint32_t number, Worker &worker);
  Time end_pause(std::uint32_t number, Worker &worker);
  Time found_work(std::uint32_t number, Worker &worker, const Worker &victim);

  // waits.cpp
  Ended wait_for(std::uint32_t number, Worker &worker, Frame &frame);
  Time wait_step(std::uint32_t number, Worker &worker);
  Time try_help(std::uint32_t number, Worker &worker);
  Time look_again(Worker &worker) noexcept;
  Time all_joined(std::uint32_t number, Worker &worker);
  Time leave_stack(std::uint32_t number, Worker &worker);
  Time resume_left_stack(std::uint32_t number, Worker &worker, Frame &frame);
  bool is_helping(const Worker &worker) const noexcept {
    return worker.thread != kSegment && !helped_[worker.thread].empty();
  }
  Time back_to_wait(std::uint32_t number, Worker &worker);
  void run_path_of(std::uint32_t number, Worker &worker, policy::Mark mark);
  Frame *new_frame_of(const Worker &worker, Frame &parent, bool is_called);

  // feedback.cpp
  Time rest(std::uint32_t number, Worker &worker);
  Time sleep(std::uint32_t number, Worker &worker);
  void wake(std::uint32_t number, Time after);
  void end_quantum();
  Time wait_for_adversary(std::uint32_t number);

  Frame *new_frame(const Node &node, Frame *parent, bool is_called);
  void free_frame(Frame *frame) noexcept;

  const Program &program_;
  PolicySet &policies_;
  const policy::Topology &topology_;
  Options options_;
  FaultInjector faults_;
  std::uint32_t count_;
  TimingWheel wheel_;  // the workers, and one party for quanta
  std::vector<Worker> workers_;
  FramePool pool_;
  Frame above_roots_{};
  std::uint32_t roots_done_ = 0;
  bool is_done_ = false;
  std::uint64_t live_bytes_ = 0;

  std::vector<std::uint32_t> on_work_;  // an owner: workers that run his work
  std::uint32_t owners_with_work_ = 0, marked_workers_ = 0;
  std::uint32_t until_sample_ = 0;  // failed attempts
  // An owner and a worker that has taken his work since his last steal-back from it. Not iterated.
  std::unordered_set<std::uint64_t> helpers_;

  std::vector<std::uint32_t> idle_;  // greedy: without work; or asleep, latest last
  std::vector<std::uint32_t> stealable_, place_in_stealable_;  // greedy: deques that have something
  std::vector<std::uint32_t> deferred_;  // an adversary's, until a root is done
  std::uint32_t with_frame_ = 0;         // workers that have one
  std::uint32_t searching_ = 0;

  // With --idle sleep.
  std::uint32_t poller_ = kNoPoller;
  Alarm alarm_ = Alarm::kNotSet;
  Line sleep_word_, sleep_mutex_, fence_mutex_;
  Time look_at_all_ = 0;                   // how long a look at each deque takes
  std::uint64_t lowerings_ = 0;            // of all limits, by pollers
  std::uint64_t interrupts_ = 0;           // of all running workers, by heavy fences
  std::vector<std::vector<Wait>> helped_;  // an attached thread: waits below what it helps with
  std::optional<Noise> noise_;

  std::optional<policy::ASteal> feedback_;
  std::uint32_t active_ = 0, desire_ = 0;
  std::uint32_t busy_ = 0;
  Time busy_since_ = 0, busy_time_ = 0, active_since_ = 0, quantum_begun_ = 0;

  Result result_;
};

}  // namespace nopal::sim
