/* One run of a rank: joins the protocol between ranks, the messages and the bags.
 *
 * Included by <cilk/cluster.h>. Checked by tests/cluster/cluster_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_RUN_H
#define CILK_CLUSTER_RUN_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "cluster/balance.h"
#include "cluster/port.h"
#include "cluster_pool.h"

namespace cilk::detail {

template <class Bag>
class cluster_run {
 public:
  using result_type = typename Bag::result_type;

  // What a bag throws ends the process, in whatever thread: the other ranks would wait for this
  // one. `arguments`: a hash of what else must be the same on all ranks.
  cluster_run(cluster &ranks, Bag bag, std::uint64_t arguments = 0) noexcept
      : ranks_(ranks), statistics_(ranks.statistics_), arguments_(arguments) {
    if (ranks_.is_running_.exchange(true))
      cluster_fatal(ranks_.rank(),
                    "a call for all ranks within another, or beside it in another thread; make "
                    "one after the other");
    const double begin = MPI_Wtime();
    if (ranks_.speaker_.has_own_thread()) {
      const bool is_empty = bag.empty();
      cluster_pool<Bag> pool(ranks_.options_.chunk_seconds, std::move(bag));
      std::future<void> done = ranks_.speaker_.start([&]() noexcept {
        begin_run(is_empty);
        share(pool);
        end_run();
        pool.finish();
      });
      result_ = pool.work_until_finished();
      done.get();
      statistics_.steps += pool.steps();
      statistics_.busy_seconds += pool.busy_seconds();
      ranks_.speaker_.call([&]() noexcept { ranks_.port_->fold(result_, Bag::reduce); });
    } else {
      begin_run(bag.empty());
      work_alone(bag);
      end_run();
      ranks_.port_->fold(result_, Bag::reduce);
    }
    statistics_.run_seconds += MPI_Wtime() - begin;
    ranks_.is_running_ = false;
  }
  result_type result() { return std::move(result_); }

  /// Called by the protocol.
  void send(int to, cluster_message what) {
    if (what == cluster_message::steal) ++statistics_.steals;
    if (what == cluster_message::lifeline) ++statistics_.lifelines;
    ranks_.port_->send(to, what);
  }

 private:
  using balance = cluster_balance<cluster_run>;

  // Collective.
  void begin_run(bool is_empty) {
    // typeid's hash is that of the name with the library in use: equal in equal programs.
    const std::uint64_t type = std::hash<std::string_view>()(typeid(Bag).name());
    ranks_.check_equal((type ^ arguments_) & ~std::uint64_t{1},  // never kNoRun
                       std::string("the ranks run bags of different types, or loops over "
                                   "different ranges; here ") +
                           typeid(Bag).name() + "; let all ranks make the same calls");
    const auto rank = static_cast<std::uint64_t>(ranks_.rank());
    const auto [least, last_with_work] = ranks_.port_->extrema(is_empty ? 0 : rank);
    balance_.emplace(*this, ranks_.rank(), ranks_.size(), ranks_.options_.random_attempts,
                     last_with_work == 0, ++runs_);
  }

  void end_run() {
    ranks_.port_->barrier([this] { return receive([](Bag) {}); });
    statistics_.messages = ranks_.port_->sent_messages();
    statistics_.sent_bytes = ranks_.port_->sent_bytes();
  }

  /// All messages that have come. Returns whether there was one.
  template <class Put>
  bool receive(Put put) {
    cluster_port::message message;
    bool has_come = false;
    while (ranks_.port_->receive(message)) {
      has_come = true;
      if (message.what == cluster_message::work || message.what == cluster_message::lifeline_work) {
        ++statistics_.bags_taken;
        put(cilk::get<Bag>(message.bytes));
        if (!message.bytes.is_read())
          cluster_fatal(ranks_.rank(),
                        "a bag was shorter than its message; do its save and load "
                        "write and read the same?");
      }
      if (message.what == cluster_message::none) ++statistics_.failed_steals;
      balance_->receive(message.what, message.from);
    }
    return has_come;
  }
  void give(const Bag &part) {
    const auto thief = balance_->next_thief();
    wire bytes;
    cilk::put(bytes, part);
    ++statistics_.bags_given;
    ranks_.port_->send(thief.rank, thief.answer(), std::move(bytes));
  }

  // One worker: work and messages in turn.
  void work_alone(Bag &bag) {
    chunk_size chunk(ranks_.options_.chunk_seconds, ranks_.options_.step_seconds);
    for (;;) {
      if (!bag.empty()) {
        const std::size_t steps = process(bag, chunk.steps());
        chunk.took(steps, seconds_);
      }
      receive([&](Bag come) { bag.merge(std::move(come)); });
      while (balance_->demand() != 0 && !bag.empty()) {
        std::optional<Bag> part = part_of(bag);
        if (!part) {
          balance_->refuse();
          break;
        }
        give(*part);
      }
      balance_->pool_is(bag.empty() ? pool_state::empty : pool_state::busy);
      if (balance_->is_quiet()) break;
      if (bag.empty()) ranks_.port_->wait();
    }
  }
  std::size_t process(Bag &bag, std::size_t most) noexcept {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t steps = bag.process(most, result_);
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
#if NOPAL_CLUSTER_SIMULATED
    if (ranks_.options_.step_seconds > 0) {
      seconds_ = static_cast<double>(steps) * ranks_.options_.step_seconds;
      smpi_execute(seconds_);
    }
#endif
    statistics_.steps += steps;
    statistics_.busy_seconds += seconds_;
    return steps;
  }

  // The thread that speaks MPI, beside the workers.
  void share(cluster_pool<Bag> &pool) {
    constexpr std::chrono::microseconds kShort{20}, kLong{500};
    // Loops in which nobody split a bag, after which a steal is refused.
    constexpr int kPatience = 4;
    std::chrono::microseconds nap = kShort;
    for (int waited = 0;;) {
      bool has_happened = receive([&](Bag come) { pool.put(std::move(come)); });
      while (std::optional<Bag> part = pool.take_split()) {
        has_happened = true;
        waited = 0;
        if (balance_->demand() != 0)
          give(*part);
        else
          pool.put(std::move(*part));
      }
      const pool_state state = pool.state();
      balance_->pool_is(state);
      if (balance_->is_quiet()) break;
      pool.set_demand(balance_->demand());
      if (balance_->demand() == 0)
        waited = 0;
      else if (++waited > kPatience)
        balance_->refuse();
      // While the pool works a look costs it time; a pool that waits has it.
      if (has_happened)
        nap = kShort;
      else if (nap < kLong)
        nap *= 2;
      pool.wait(state == pool_state::busy && !has_happened ? kLong : nap);
    }
  }

  cluster &ranks_;
  cluster_statistics &statistics_;
  std::uint64_t arguments_;
  std::optional<balance> balance_;
  result_type result_{};
  double seconds_ = 0;
  inline static std::uint64_t runs_ = 0;
};

}  // namespace cilk::detail

#endif
