// One frame, whose continuation is stolen one to three times, with the views of its strands, on the
// shipped join and runs, as a scenario for the explorer. Used by runs_model.cpp and
// mutants_model.cpp.
//
// Thread 0 is the fast clone's own child, strand 0. Thread k >= 1 runs strand k: it takes the
// continuation, hands it on, and ends its strand. A run's views are the numbers of its strands as
// decimal digits. Whoever goes on with the frame reduces all, and must find what the serial program
// leaves: all strands in order, up to the first that ended by an exception.
#pragma once

#include "../../runtime/src/hyper/runs.h"
#include "explorer.h"

#include <string>

namespace nopal::model {

/// The list, in one word: what the frame's list of runs holds. All of the list is read and written
/// under a lock, so a step for each of its pointers would only multiply the schedules. A thread
/// that reads the list loads this word, and one that changes it loads and stores it: so a change
/// without the lock meets others, and the word says what all the plain members are.
struct Listed {
  Word<int64_t> *shape = nullptr;
  const void *head = nullptr;
  bool gone_on = false;  // somebody has, with the frame
  int64_t (*shape_of)(const void *head) = nullptr;

  void changes() const { (void)shape->load_relaxed(); }
  void has_changed() const { *shape = shape_of(head); }
};
inline Listed listed;

template <class Atoms, template <class, class, class> class RunsOf = hyper::Runs>
class RunsScenario {
 public:
  struct Run;
  class Head {
   public:
    operator void *() const {
      listed.changes();
      return first_;
    }
    Head &operator=(void *first) {
      listed.changes();
      first_ = first;
      listed.head = first;
      listed.has_changed();
      return *this;
    }
    void set_garbage(void *garbage) { first_ = garbage; }

   private:
    void *first_ = nullptr;
  };
  class Next {
   public:
    operator Run *() const { return run_; }
    Next &operator=(Run *run) {
      listed.changes();
      run_ = run;
      listed.has_changed();
      return *this;
    }

   private:
    Run *run_ = nullptr;
  };
  struct Frame {
    Word<uintptr_t> site;
    typename Atoms::Int64 join;
    Word<int64_t> steals;
    Word<void *> exceptions;
    Head views;
    Word<int64_t> owner;
  };
  struct Run {
    int64_t first = 0, last = 0, digits = 0;
    bool is_cut = false, is_freed = false;
    Next next;
  };
  using ModelJoin = Join<Frame, Atoms>;
  using ModelRuns = RunsOf<Frame, Atoms, Run>;

  // `strands`: for each a letter. V: it has views; '.': none; T: views, and it ends by an
  // exception; C: only that; '-': none, and the program has none yet, so nothing is put.
  explicit RunsScenario(std::string strands) : strands_(std::move(strands)) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    if (!is_first_done()) scenario.threads.push_back([this] { run_first(); });
    for (int k = 1; k <= steals(); ++k) scenario.threads.push_back([this, k] { run_thief(k); });
    scenario.check = [] { require(listed.gone_on, "nobody went on with the frame"); };
    scenario.state = &listed;  // the rest stays after the set-up, or is given out by allocate()
    scenario.state_bytes = sizeof listed;
    scenario.can_be_restored = true;
    return model::explore(scenario);
  }

 private:
  // With three strands in the list strand 0, which is never there, has joined before all others:
  // its other schedules are those of fewer strands, and a hundred times the states.
  bool is_first_done() const { return steals() == 3; }
  int steals() const { return static_cast<int>(strands_.size()) - 1; }
  bool has_views(int k) const { return strand(k) == 'V' || strand(k) == 'T'; }
  bool cuts(int k) const { return strand(k) == 'T' || strand(k) == 'C'; }
  char strand(int k) const { return strands_[static_cast<size_t>(k)]; }

  // Strand 0 counts from 1, so that its digit shows.
  int64_t digits_of(int k) const { return has_views(k) ? k + 1 : 0; }
  int64_t serial() const {
    int64_t digits = 0;
    for (int k = 0; k <= steals(); ++k) {
      digits = join_digits(digits, digits_of(k));
      if (cuts(k)) break;
    }
    return digits;
  }
  static int64_t join_digits(int64_t left, int64_t right) {
    for (int64_t rest = right; rest != 0; rest /= 10) left *= 10;
    return left + right;
  }

  // Runs' numbers and views, in the list's order.
  static int64_t shape_of(const void *head) {
    uint64_t shape = 0;
    for (auto *run = static_cast<const Run *>(head); run != nullptr; run = run->next)
      for (int64_t part : {run->first, run->last, run->digits, int64_t{run->is_cut}})
        shape = (shape ^ static_cast<uint64_t>(part + 1)) * 0x100000001b3u;
    return static_cast<int64_t>(shape);
  }

  void set_up() {
    frame_ = make<Frame>();
    handed_over_ = make<Word<int64_t>>();
    listed = {make<Word<int64_t>>(), nullptr, false, shape_of};
    for (int k = 0; k <= steals(); ++k) {
      runs_[k] = make<Run>();
      runs_[k]->first = runs_[k]->last = k;
      runs_[k]->digits = digits_of(k);
      runs_[k]->is_cut = cuts(k);
    }
    frame_->site = kSite;
    frame_->views.set_garbage(&listed);  // as in a fast clone's frame
    if (is_first_done()) frame_->join.store_relaxed(-NOPAL_JOIN_ONE);
  }

  static Run *merge(Run *left, Run *right) {
    require(!left->is_freed && !right->is_freed, "a run that is gone");
    require(left->last + 1 == right->first || left->first == 0, "runs that are not adjacent");
    if (!left->is_cut) {
      left->digits = join_digits(left->digits, right->digits);
      left->is_cut = right->is_cut;
    }
    left->last = right->last;
    right->is_freed = true;
    return left;
  }

  void end_strand(int k) {
    if (strand(k) != '-') ModelRuns::put(frame_, runs_[k], merge);
  }

  void run_first() {
    if (ModelJoin::is_only_child_left(frame_)) return go_on();
    if (ModelJoin::child_joins(frame_)) go_on();
  }

  void run_thief(int k) {
    if (k > 1) await(*handed_over_, k - 1);
    ModelJoin::count_steal(frame_, static_cast<uint32_t>(k));
    if (k < steals()) {
      frame_->site = kSite | NOPAL_SITE_SLOW;
      handed_over_->store_release(k);
      end_strand(k);
      if (ModelJoin::child_joins(frame_)) go_on();
    } else {
      end_strand(k);
      if (ModelJoin::sync_joins(frame_)) go_on();
    }
  }

  void go_on() {
    require(!listed.gone_on, "two went on with the frame");
    listed.gone_on = true;
    ModelJoin::take_exceptions_and_reset(frame_);
    Run *all = runs_[0];
    int lists = 0;
    for (Run *run = ModelRuns::take_all(frame_); run != nullptr; ++lists) {
      Run *const next = run->next;
      all = merge(all, run);
      run = next;
    }
    if (strands_.find('-') == std::string::npos)
      require(lists == 1, "adjacent runs were not merged");
    require(all->digits == serial(), "not the serial program's views");
    require(frame_->join.load_relaxed() == 0, "the frame is not as new");
    Atoms::full_fence();
    listed.shape->bury(), frame_->join.bury(), frame_->steals.bury();
  }

  static constexpr int kMaxStrands = 4;
  static constexpr uintptr_t kSite = 64;
  const std::string strands_;
  Frame *frame_ = nullptr;
  Word<int64_t> *handed_over_ = nullptr;
  Run *runs_[kMaxStrands] = {};
};

}  // namespace nopal::model
