// One frame, its children and its continuation at a sync, on the shipped join, as a scenario for
// the explorer. Used by join_model.cpp and mutants_model.cpp.
//
// Thread 0 is the fast clone's own child, whose pop has failed. Thread k >= 1 takes the frame's
// continuation for the k-th time. If it is not the last thief it pushes the frame again and, when
// that is stolen, is a child of it; the last one reaches the sync. The deque's hand-over from
// thread to thread is an await. Whoever goes on with the frame reads all of it and buries it: any
// later access is a violation.
#pragma once

#include "../../runtime/src/frame/join.h"
#include "explorer.h"

#include <string>

namespace nopal::model {

template <class Atoms, template <class, class> class JoinOf = Join>
class JoinScenario {
 public:
  struct Frame {
    Word<uintptr_t> site;
    typename Atoms::Int64 join;
    Word<int64_t> steals;
    Word<uintptr_t> context;
    Word<void *> exceptions;
    Word<void *> views;
    Word<int64_t> resume;
    Word<int64_t> owner;
  };
  using ModelJoin = JoinOf<Frame, Atoms>;

  // `steals`: how often the continuation is stolen, 1 to 3; `throwing`: for each thread a letter, T
  // if it throws, else anything.
  JoinScenario(int steals, std::string throwing)
      : steals_(steals), throwing_(std::move(throwing)) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    scenario.threads.push_back([this] { run_fast_child(); });
    for (int k = 1; k <= steals_; ++k) scenario.threads.push_back([this, k] { run_thief(k); });
    scenario.check = [this] { require(gone_on_, "nobody went on with the frame"); };
    scenario.state = &gone_on_;
    scenario.state_bytes = sizeof gone_on_;
    scenario.can_be_restored = true;
    return model::explore(scenario);
  }

 private:
  static constexpr int64_t kSync = 9;
  static constexpr uintptr_t kContext = 16;
  struct Exception {
    Word<void *> next;
  };

  void set_up() {
    frame_ = make<Frame>();
    handed_over_ = make<Word<int64_t>>();
    for (Exception *&exception : exceptions_) exception = make<Exception>();
    frame_->site = site_;
    frame_->steals = 77;  // garbage, as in a fast clone's frame
    frame_->exceptions = frame_;
    frame_->views = &gone_on_;
    gone_on_ = false;
  }

  void run_fast_child() {
    maybe_throw(0);
    if (ModelJoin::is_only_child_left(frame_)) return go_on(false);
    if (ModelJoin::suspended_child_joins(frame_, kContext)) go_on(true);
  }

  void run_thief(int k) {
    if (k > 1) await(*handed_over_, k - 1);
    ModelJoin::count_steal(frame_, static_cast<uint32_t>(k));
    require(frame_->views == (k > 1 ? frame_ : nullptr), "only the first thief clears the views");
    frame_->views = frame_;
    if (k < steals_) {
      frame_->site = site_ | NOPAL_SITE_SLOW;
      handed_over_->store_release(k);
      maybe_throw(k);
      if (ModelJoin::child_joins(frame_)) go_on(true);
    } else {
      maybe_throw(k);
      frame_->resume = kSync;
      if (ModelJoin::sync_joins(frame_)) go_on(true);
    }
  }

  bool throws(int thread) const { return throwing_[static_cast<size_t>(thread)] == 'T'; }
  void maybe_throw(int thread) {
    if (!throws(thread)) return;
    Exception *exception = exceptions_[thread];
    ModelJoin::add_exception(frame_, exception,
                             [exception](void *head) { exception->next = head; });
  }

  void go_on(bool is_suspended) {
    require(!gone_on_, "two went on with the frame");
    gone_on_ = true;
    require(frame_->resume == kSync, "somebody went on before the sync");
    if (is_suspended)
      require(frame_->context == kContext, "the stack to be resumed is not known yet");
    int found[kMaxChildren] = {};
    for (void *node = ModelJoin::take_exceptions_and_reset(frame_); node != nullptr;) {
      int i = 0;
      while (exceptions_[i] != node) require(++i < kMaxChildren, "an exception that nobody added");
      require(++found[i] == 1, "an exception twice in the list");
      node = exceptions_[i]->next;
    }
    for (int i = 0; i <= steals_; ++i)
      require(found[i] == throws(i), "an exception was lost or made up");
    require(frame_->join.load_relaxed() == 0 && frame_->steals == 0, "the frame is not as new");
    require(frame_->owner == 1 && frame_->views == frame_, "not what the thieves left");
    bury(frame_->site, frame_->join, frame_->steals, frame_->context, frame_->exceptions,
         frame_->views, frame_->resume, frame_->owner);
  }
  template <class... Words>
  static void bury(Words &...words) {
    Atoms::full_fence();  // our own stores, too, must have arrived
    (words.bury(), ...);
  }

  static constexpr int kMaxChildren = 4;
  static constexpr uintptr_t site_ = 64;
  const int steals_;
  const std::string throwing_;
  Frame *frame_ = nullptr;
  Word<int64_t> *handed_over_ = nullptr;
  Exception *exceptions_[kMaxChildren] = {};
  bool gone_on_ = false;
};

}  // namespace nopal::model
