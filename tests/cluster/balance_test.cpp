// The protocol between ranks, without MPI: many ranks in one process, messages delivered in random
// order (in order between two ranks), bags that are numbers of steps. Checks the invariants of
// runtime/include/cilk/cluster/README.md after each event.
//
// Cannot see: MPI, the pool of one rank, and bags that are split while others work on them
// (cluster_test.py).
#include <cilk/cluster/balance.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace {

using Message = cilk::detail::cluster_message;
using State = cilk::detail::pool_state;

bool is_work(Message what) { return what == Message::work || what == Message::lifeline_work; }

class Network;

struct Rank {
  Network *network;
  int number;
  std::uint64_t bag = 0;
  std::unique_ptr<cilk::detail::cluster_balance<Rank>> balance;
  bool has_left = false;

  void send(int to, Message what);
};

class Network {
 public:
  struct Sent {
    Message what;
    std::uint64_t bag;
  };

  Network(int ranks, std::vector<std::uint64_t> bags, unsigned attempts, std::uint64_t seed)
      : random_(seed), ranks_(static_cast<std::size_t>(ranks)) {
    bool only_rank_0 = true;
    for (std::size_t i = 1; i < bags.size(); ++i) only_rank_0 &= bags[i] == 0;
    for (int i = 0; i < ranks; ++i) {
      Rank &rank = at(i);
      rank.network = this;
      rank.number = i;
      rank.bag = static_cast<std::size_t>(i) < bags.size() ? bags[static_cast<std::size_t>(i)] : 0;
      left_ += rank.bag;
      rank.balance = std::make_unique<cilk::detail::cluster_balance<Rank>>(rank, i, ranks, attempts,
                                                                           only_rank_0, seed);
    }
  }

  void send(int from, int to, Message what, std::uint64_t bag = 0) {
    ASSERT_FALSE(at(from).has_left) << "rank " << from << " speaks after it has left";
    sent_[what]++;
    in_flight_bags_ += bag;
    channels_[{from, to}].push_back({what, bag});
    busy_channels_.insert({from, to});
  }

  // Until all have left or nothing can happen.
  void run() {
    for (Rank &rank : ranks_) tell_state(rank);
    std::uint64_t events = 0;
    while (!all_have_left()) {
      ASSERT_LT(++events, 20'000'000u) << "does not end";
      const bool can_deliver = !busy_channels_.empty();
      if (can_deliver && random_() % 2 == 0) {
        deliver();
      } else {
        Rank &rank = at(static_cast<int>(random_() % ranks_.size()));
        if (!step(rank) && can_deliver) deliver();
      }
      check();
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_TRUE(busy_channels_.empty()) << "a message outlives the run";
    EXPECT_EQ(left_, 0u);
    for (const Rank &rank : ranks_) EXPECT_EQ(rank.balance->deficit(), 0u);
  }
  std::uint64_t sent(Message what) const {
    const auto found = sent_.find(what);
    return found == sent_.end() ? 0 : found->second;
  }
  std::uint64_t done() const { return done_; }

 private:
  Rank &at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  void tell_state(Rank &rank) {
    rank.balance->pool_is(rank.bag == 0   ? State::empty
                          : rank.bag == 1 ? State::hungry
                                          : State::busy);
  }
  bool all_have_left() const {
    for (const Rank &rank : ranks_)
      if (!rank.has_left) return false;
    return true;
  }
  // A chunk of work, or the last barrier: all are quiet, so all leave.
  bool step(Rank &rank) {
    if (rank.bag != 0) {
      const std::uint64_t steps = 1 + random_() % std::min<std::uint64_t>(rank.bag, 8);
      rank.bag -= steps;
      left_ -= steps;
      done_ += steps;
      while (rank.balance->demand() != 0 && rank.bag != 0) {
        const std::uint64_t part = rank.bag / 2;
        if (part == 0) {
          rank.balance->refuse();
          break;
        }
        rank.bag -= part;
        const auto thief = rank.balance->next_thief();
        send(rank.number, thief.rank, thief.answer(), part);
      }
      tell_state(rank);
      return true;
    }
    for (const Rank &each : ranks_)
      if (!each.balance->is_quiet()) return false;
    for (Rank &each : ranks_) each.has_left = true;
    return true;
  }
  void deliver() {
    auto chosen = busy_channels_.begin();
    std::advance(chosen, static_cast<long>(random_() % busy_channels_.size()));
    const auto [from, to] = *chosen;
    auto &channel = channels_[*chosen];
    const Sent message = channel.front();
    channel.pop_front();
    if (channel.empty()) busy_channels_.erase(chosen);
    Rank &rank = at(to);
    ASSERT_FALSE(rank.has_left) << "a message reaches rank " << to << " after it has left";
    if (is_work(message.what)) {
      ASSERT_FALSE(rank.balance->is_finished()) << "work after the end";
      rank.bag += message.bag;
      in_flight_bags_ -= message.bag;
    }
    rank.balance->receive(message.what, from);
    tell_state(rank);
  }
  void check() {
    bool is_finished = false;
    for (const Rank &rank : ranks_) is_finished |= rank.balance->is_finished();
    if (is_finished) {
      ASSERT_EQ(left_, 0u) << "finished, and bags are left";
      ASSERT_EQ(in_flight_bags_, 0u);
    }
    for (Rank &rank : ranks_) {
      if (rank.bag != 0) {
        ASSERT_TRUE(rank.balance->is_engaged())
            << "rank " << rank.number << " works outside the tree";
      }
      if (rank.balance->deficit() != 0) {
        ASSERT_TRUE(rank.balance->is_engaged()) << "rank " << rank.number << " left its children";
      }
    }
  }

  std::mt19937_64 random_;
  std::vector<Rank> ranks_;
  std::map<std::pair<int, int>, std::deque<Sent>> channels_;
  std::set<std::pair<int, int>> busy_channels_;
  std::map<Message, std::uint64_t> sent_;
  std::uint64_t left_ = 0, done_ = 0, in_flight_bags_ = 0;
};

void Rank::send(int to, Message what) { network->send(number, to, what); }

TEST(ClusterBalance, Smoke) {
  Network network(4, {1000}, 2, 1);
  network.run();
  EXPECT_EQ(network.done(), 1000u);
  EXPECT_GT(network.sent(Message::lifeline_work) + network.sent(Message::work), 0u);
}

TEST(ClusterBalance, Alone) {
  Network network(1, {50}, 2, 1);
  network.run();
  EXPECT_EQ(network.done(), 50u);
  EXPECT_EQ(network.sent(Message::steal), 0u);
}

TEST(ClusterBalance, EmptyCostsTheTreeAndTheByes) {
  for (const int ranks : {1, 2, 3, 8, 21, 64}) {
    Network network(ranks, {}, 2, 1);
    network.run();
    const auto others = static_cast<std::uint64_t>(ranks - 1);
    EXPECT_EQ(network.sent(Message::finish), others);
    EXPECT_EQ(network.sent(Message::acknowledge), others);
    // Rank 0 alone looks for work: the others are its lifelines from the start.
    EXPECT_LE(network.sent(Message::steal), 2u);
    EXPECT_LE(network.sent(Message::lifeline), 6u);
  }
}

TEST(ClusterBalance, AllBagsAreDoneWhateverTheOrder) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const int ranks = 1 + static_cast<int>(seed * 7 % 37);
    std::vector<std::uint64_t> bags(static_cast<std::size_t>(ranks));
    std::mt19937_64 random(seed);
    const bool on_all = seed % 2 == 0;
    for (std::size_t i = 0; i < bags.size(); ++i) bags[i] = i == 0 || on_all ? random() % 500 : 0;
    std::uint64_t all = 0;
    for (const std::uint64_t each : bags) all += each;
    Network network(ranks, bags, static_cast<unsigned>(seed % 4), seed);
    network.run();
    EXPECT_EQ(network.done(), all) << "seed " << seed;
    if (HasFailure()) return;
  }
}

TEST(ClusterBalance, ManyRanks) {
  Network network(512, {20000}, 2, 3);
  network.run();
  EXPECT_EQ(network.done(), 20000u);
}

// A rank without work sends its steals and at most one lifeline to each buddy between two bags.
TEST(ClusterBalance, IdleRanksAreSilent) {
  const int ranks = 256;
  Network network(ranks, {1}, 2, 5);
  network.run();
  EXPECT_LE(network.sent(Message::steal), 2u);
  EXPECT_LE(network.sent(Message::lifeline), 8u);
  EXPECT_LE(network.sent(Message::bye), static_cast<std::uint64_t>(ranks) * 8);
}

}  // namespace
