/* The messages between ranks, over MPI: two-sided, from one thread.
 *
 * Used by <cilk/cluster.h> alone. A call of MPI that fails ends all ranks with a message: a result
 * would be wrong. Checked by tests/cluster/cluster_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_PORT_H
#define CILK_CLUSTER_PORT_H

// Only the C interface: the C++ one was removed from the standard.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>

#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "balance.h"
#include "wire.h"

// SimGrid's MPI runs all ranks in one process and in simulated time.
#ifdef SMPI_H
#define NOPAL_CLUSTER_SIMULATED 1
#else
#define NOPAL_CLUSTER_SIMULATED 0
#endif

namespace cilk::detail {

/// Ends all ranks. `what`: what went wrong, and what to do.
[[noreturn]] inline void cluster_fatal(int rank, const std::string &what) {
  std::fprintf(stderr, "nopal: fatal: rank %d: %s\n", rank, what.c_str());
  std::fflush(stderr);
#if !NOPAL_CLUSTER_SIMULATED
  // MPICH's launcher drops what it has not passed on when the ranks are ended: 4 % of the messages
  // on a busy machine.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
#endif
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

inline void on_mpi_error(MPI_Comm *, int *error, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(*error, text, &length);
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cluster_fatal(rank,
                std::string("MPI: ") + text + "; the run has no result; look for a rank that died");
}

/// Naps that grow while nothing happens: first the processor is offered to others, then it sleeps.
class cluster_pause {
 public:
  void again() { naps_ = 0; }
  void nap() {
    if (naps_ < kYields) {
      std::this_thread::yield();
    } else {
      const int doublings = naps_ - kYields < 5 ? naps_ - kYields : 5;
      std::this_thread::sleep_for(std::chrono::microseconds(10 << doublings));
    }
    ++naps_;
  }

 private:
  static constexpr int kYields = 50;
  int naps_ = 0;
};

class cluster_port {
 public:
  struct message {
    cluster_message what;
    int from;
    wire bytes;
  };

  /// Collective.
  cluster_port() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_dup(MPI_COMM_WORLD, &bags_);
    MPI_Comm_dup(MPI_COMM_WORLD, &folds_);
    MPI_Comm_create_errhandler(on_mpi_error, &errors_);
    MPI_Comm_set_errhandler(comm_, errors_);
    MPI_Comm_set_errhandler(bags_, errors_);
    MPI_Comm_set_errhandler(folds_, errors_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &ranks_);
    expect();
  }
  /// Collective.
  ~cluster_port() {
    send(rank_, cluster_message::none);  // completes what is expected
    MPI_Wait(&expected_, MPI_STATUS_IGNORE);
    drain();
    MPI_Comm_free(&folds_);
    MPI_Comm_free(&bags_);
    MPI_Comm_free(&comm_);
    MPI_Errhandler_free(&errors_);
  }
  cluster_port(const cluster_port &) = delete;
  cluster_port &operator=(const cluster_port &) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  std::uint64_t sent_messages() const { return sent_messages_; }
  std::uint64_t sent_bytes() const { return sent_bytes_; }

  /// Never waits for the receiver. Two messages if there are bytes, else one.
  void send(int to, cluster_message what, wire bytes = {}) {
    reclaim();
    sends_.emplace_back();
    sending &mine = sends_.back();
    mine.bytes = std::move(bytes.bytes());
    mine.size = size_of(mine.bytes);
    MPI_Isend(&mine.size, 1, MPI_INT, to, static_cast<int>(what), comm_, &mine.requests[0]);
    if (mine.size != 0)
      MPI_Isend(mine.bytes.data(), mine.size, MPI_BYTE, to, 0, bags_, &mine.requests[1]);
    sent_messages_ += mine.size != 0 ? 2 : 1;
    sent_bytes_ += mine.bytes.size();
  }
  /// A message of the protocol that has come, if there is one.
  bool receive(message &into) {
    int has_come = 0;
    MPI_Status status;
    if (!is_here_) MPI_Test(&expected_, &has_come, &status);
    if (has_come != 0)
      here_ = status;
    else if (!is_here_)
      return false;
    is_here_ = false;
    into.what = static_cast<cluster_message>(here_.MPI_TAG);
    into.from = here_.MPI_SOURCE;
    std::vector<char> bytes(static_cast<std::size_t>(expected_size_));
    if (!bytes.empty())
      MPI_Recv(bytes.data(), expected_size_, MPI_BYTE, into.from, 0, bags_, MPI_STATUS_IGNORE);
    into.bytes = wire(std::move(bytes));
    expect();
    return true;
  }
  /// Returns when a message has come.
  void wait() {
    if (NOPAL_CLUSTER_SIMULATED) {
      MPI_Wait(&expected_, &here_);
      is_here_ = true;
      return;
    }
    cluster_pause pause;
    for (int has_come = 0;; pause.nap()) {
      MPI_Test(&expected_, &has_come, &here_);
      if (has_come != 0) break;
    }
    is_here_ = true;
  }

  /// Collective: enters a barrier, and calls `meanwhile` until all ranks have entered it.
  template <class Function>
  void barrier(Function meanwhile) {
    MPI_Request request;
    MPI_Ibarrier(comm_, &request);
    cluster_pause pause;
    for (int is_complete = 0;;) {
      MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
      if (is_complete != 0) break;
      if (!meanwhile() && !NOPAL_CLUSTER_SIMULATED) pause.nap();
    }
    drain();
  }
  /// Collective: the least and the greatest of the ranks' values.
  std::pair<std::uint64_t, std::uint64_t> extrema(std::uint64_t value) {
    std::uint64_t both[2] = {value, ~value};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_UINT64_T, MPI_MIN, comm_);
    return {both[0], ~both[1]};
  }
  /// Collective: all ranks' values, by rank, on rank 0.
  template <class T>
  std::vector<T> gather(const T &mine) {
    std::vector<T> all(rank_ == 0 ? static_cast<std::size_t>(ranks_) : 0);
    MPI_Gather(&mine, sizeof(T), MPI_BYTE, all.data(), sizeof(T), MPI_BYTE, 0, comm_);
    return all;
  }
  /// Collective: folds the ranks' values in the order of the ranks, and gives all the result.
  /// `reduce(left, right)` folds the second into the first. Messages: one up and one down the
  /// binomial tree for each rank.
  template <class T, class Reduce>
  void fold(T &value, Reduce reduce) {
    const int lowest = rank_ == 0 ? ranks_ : rank_ & -rank_;
    std::vector<int> children;
    for (int bit = 1; bit < lowest && rank_ + bit < ranks_; bit *= 2) {
      children.push_back(rank_ + bit);
      wire bytes = wait_for(rank_ + bit);
      T right = received<T>(bytes);
      reduce(value, right);
    }
    wire all;
    if (rank_ != 0) {
      cilk::put(all, value);
      wait_send(rank_ & (rank_ - 1), all);
      all = wait_for(rank_ & (rank_ - 1));
      value = received<T>(all);
    } else if (ranks_ > 1) {
      cilk::put(all, value);
    }
    for (auto child = children.rbegin(); child != children.rend(); ++child) wait_send(*child, all);
  }

 private:
  struct sending {
    int size = 0;
    std::vector<char> bytes;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  };

  void expect() {
    MPI_Irecv(&expected_size_, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &expected_);
  }

  int size_of(const std::vector<char> &bytes) const {
    if (bytes.size() > INT_MAX)
      cluster_fatal(rank_, "a bag or result of " + std::to_string(bytes.size()) +
                               " bytes is too large for one message; the limit is " +
                               std::to_string(INT_MAX) + "; split it into smaller ones");
    return static_cast<int>(bytes.size());
  }
  wire wait_for(int from) {
    int size = 0;
    MPI_Recv(&size, 1, MPI_INT, from, 0, folds_, MPI_STATUS_IGNORE);
    std::vector<char> bytes(static_cast<std::size_t>(size));
    MPI_Recv(bytes.data(), size, MPI_BYTE, from, 0, folds_, MPI_STATUS_IGNORE);
    return wire(std::move(bytes));
  }
  template <class T>
  T received(wire &bytes) const {
    T value = cilk::get<T>(bytes);
    if (!bytes.is_read())
      cluster_fatal(rank_,
                    "a result was shorter than its message; do its save and load write and read "
                    "the same?");
    return value;
  }
  void wait_send(int to, wire &bytes) {
    const int size = size_of(bytes.bytes());
    MPI_Send(&size, 1, MPI_INT, to, 0, folds_);
    MPI_Send(bytes.bytes().data(), size, MPI_BYTE, to, 0, folds_);
  }
  // Frees what has been sent. Requests complete about in order.
  void reclaim() {
    for (auto each = sends_.begin(); each != sends_.end();) {
      int is_sent = 0;
      MPI_Testall(2, each->requests, &is_sent, MPI_STATUSES_IGNORE);
      if (is_sent == 0) break;
      each = sends_.erase(each);
    }
  }
  void drain() {
    for (sending &each : sends_) MPI_Waitall(2, each.requests, MPI_STATUSES_IGNORE);
    sends_.clear();
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Comm bags_ = MPI_COMM_NULL;
  // Of its own: a rank that has left a run's barrier folds while another still takes messages.
  MPI_Comm folds_ = MPI_COMM_NULL;
  MPI_Errhandler errors_ = MPI_ERRHANDLER_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  std::list<sending> sends_;
  // The next message's first part: how many bytes follow.
  int expected_size_ = 0;
  MPI_Request expected_ = MPI_REQUEST_NULL;
  MPI_Status here_{};
  bool is_here_ = false;
  std::uint64_t sent_messages_ = 0;
  std::uint64_t sent_bytes_ = 0;
};

}  // namespace cilk::detail

#endif
