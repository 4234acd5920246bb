/* Which rank gives work to which, and when all ranks are done.
 *
 * Called by the loop of a rank in <cilk/cluster.h>, from one thread. It knows neither MPI nor bags:
 * the host sends its messages and splits bags. States, messages and invariants:
 * runtime/include/cilk/cluster/README.md. Checked by tests/cluster/balance_test.cpp.
 *
 * References: Saraswat, Kambadur, Kodali, Grove, Krishnamoorthy, "Lifeline-based global load
 * balancing", PPoPP 2011; Dijkstra, Scholten, "Termination detection for diffusing computations",
 * Information Processing Letters 11 (1980).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_BALANCE_H
#define CILK_CLUSTER_BALANCE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace cilk::detail {

/// What ranks say to each other; the two kinds of work carry a bag.
enum class cluster_message : int {
  steal,
  lifeline,
  none,
  work,           // the answer to a steal
  lifeline_work,  // the answer to a lifeline
  acknowledge,
  finish,
  bye
};

enum class pool_state { busy, hungry, empty };

/// One rank's part of the protocol. Host has `void send(int rank, cluster_message)`, which must not
/// call back.
template <class Host>
class cluster_balance {
 public:
  /// `random_attempts`: steals tried before the lifelines. `only_rank_0`: the run begins with work
  /// on rank 0 alone.
  cluster_balance(Host &host, int rank, int ranks, unsigned random_attempts, bool only_rank_0,
                  std::uint64_t seed)
      : host_(host),
        rank_(rank),
        ranks_(ranks),
        random_attempts_(ranks > 1 ? random_attempts : 0),
        random_(seed * 0x9e3779b97f4a7c15u + static_cast<unsigned>(rank) + 1) {
    for (int bit = 1; bit < ranks; bit *= 2)
      if ((rank ^ bit) < ranks) buddies_.push_back({rank ^ bit});
    // The binomial tree: a child sets one bit below the lowest one of its parent.
    const int lowest = rank == 0 ? ranks : rank & -rank;
    for (int bit = 1; bit < lowest && rank + bit < ranks; bit *= 2) children_.push_back(rank + bit);
    parent_ = rank == 0 ? kNobody : rank & (rank - 1);
    deficit_ = children_.size();
    if (only_rank_0) {
      for (buddy &each : buddies_) {
        each.is_asked = rank != 0;
        if (each.rank != 0) thieves_.push_back({each.rank, true});
      }
      searched_ = rank != 0;
    }
  }

  // ---- What the host says. ----

  /// The pool's state now. Sends steals, lifelines or acknowledgements that follow from it.
  void pool_is(pool_state state) {
    if (state == pool_state::busy) {
      searched_ = false;
      attempts_ = 0;
    }
    state_ = state;
    if (state_ != pool_state::busy && !finished_) search();
    if (state_ == pool_state::empty) {
      refuse();
      leave_if_done();
    }
  }

  /// A message has come. If it is work, the host puts the bag into its pool first.
  void receive(cluster_message message, int from) {
    switch (message) {
      case cluster_message::steal:
        if (state_ == pool_state::empty || finished_)
          host_.send(from, cluster_message::none);
        else
          add_thief(from, false);
        break;
      case cluster_message::lifeline:
        if (!finished_) add_thief(from, true);
        break;
      case cluster_message::none:
        asked_ = false;
        if (state_ != pool_state::busy && !finished_) search();
        break;
      case cluster_message::work:
        asked_ = false;
        take_work(from);
        break;
      case cluster_message::lifeline_work:
        for (buddy &each : buddies_)
          if (each.rank == from) each.is_asked = false;
        take_work(from);
        break;
      case cluster_message::acknowledge:
        --deficit_;
        leave_if_done();
        break;
      case cluster_message::finish:
        end();
        break;
      case cluster_message::bye:
        ++byes_;
        break;
    }
  }

  // ---- Giving work away. ----

  /// Ranks that wait for work from this one.
  std::size_t demand() const { return finished_ ? 0 : thieves_.size(); }
  struct thief {
    int rank;
    bool is_lifeline;
    cluster_message answer() const {
      return is_lifeline ? cluster_message::lifeline_work : cluster_message::work;
    }
  };
  /// Whom the host now gives a bag to, and with which message. Only if demand() is not 0.
  thief next_thief() {
    const thief next = thieves_.front();
    thieves_.pop_front();
    ++deficit_;
    return next;
  }
  /// Answers the steals that wait: there is nothing to split. Lifelines go on waiting.
  void refuse() {
    std::deque<thief> lifelines;
    for (const thief &each : thieves_)
      if (each.is_lifeline)
        lifelines.push_back(each);
      else
        host_.send(each.rank, cluster_message::none);
    thieves_.swap(lifelines);
  }

  // ---- The end. ----

  /// All bags of all ranks are done.
  bool is_finished() const { return finished_; }
  /// Nothing that this rank waits for is on its way: it may enter the last barrier, and answers
  /// others until that completes.
  bool is_quiet() const { return finished_ && !asked_ && byes_ == buddies_.size(); }

  // For tests.
  bool is_engaged() const { return is_engaged_; }
  std::size_t deficit() const { return deficit_; }
  int parent() const { return parent_; }

 private:
  static constexpr int kNobody = -1;
  struct buddy {
    int rank;
    bool is_asked = false;
  };
  // Steals stand before lifelines. Of one rank there is at most one of each.
  void add_thief(int rank, bool is_lifeline) {
    if (is_lifeline) {
      thieves_.push_back({rank, true});
      return;
    }
    const auto place = std::find_if(thieves_.begin(), thieves_.end(),
                                    [](const thief &each) { return each.is_lifeline; });
    thieves_.insert(place, {rank, false});
  }

  void take_work(int from) {
    if (is_engaged_) {
      host_.send(from, cluster_message::acknowledge);
    } else {
      is_engaged_ = true;
      parent_ = from;
    }
    state_ = pool_state::busy;
    searched_ = false;
    attempts_ = 0;
  }

  void search() {
    if (asked_ || searched_) return;
    if (attempts_ < random_attempts_) {
      ++attempts_;
      asked_ = true;
      host_.send(random_other(), cluster_message::steal);
      return;
    }
    searched_ = true;
    for (buddy &each : buddies_) {
      if (each.is_asked) continue;
      each.is_asked = true;
      host_.send(each.rank, cluster_message::lifeline);
    }
  }

  void leave_if_done() {
    if (state_ != pool_state::empty || deficit_ != 0 || !is_engaged_ || finished_) return;
    is_engaged_ = false;
    if (rank_ == 0) {
      end();
    } else {
      host_.send(parent_, cluster_message::acknowledge);
      parent_ = kNobody;
    }
  }

  void end() {
    finished_ = true;
    state_ = pool_state::empty;
    for (const int child : children_) host_.send(child, cluster_message::finish);
    refuse();
    for (const buddy &each : buddies_) host_.send(each.rank, cluster_message::bye);
  }

  int random_other() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    const auto other = static_cast<int>(random_ % static_cast<unsigned>(ranks_ - 1));
    return other < rank_ ? other : other + 1;
  }

  Host &host_;
  const int rank_;
  const int ranks_;
  const unsigned random_attempts_;
  std::uint64_t random_;
  std::vector<buddy> buddies_;
  std::vector<int> children_;
  std::deque<thief> thieves_;
  pool_state state_ = pool_state::busy;  // until the host says otherwise
  bool is_engaged_ = true;
  int parent_ = kNobody;
  std::size_t deficit_ = 0;
  unsigned attempts_ = 0;  // steals since the pool was busy last
  bool searched_ = false;  // and the lifelines are asked
  bool asked_ = false;     // a steal is not answered yet
  std::size_t byes_ = 0;
  bool finished_ = false;
};

}  // namespace cilk::detail

#endif
