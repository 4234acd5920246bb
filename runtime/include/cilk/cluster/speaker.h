/* The thread that speaks MPI: the calling thread, or one of its own.
 *
 * Used by <cilk/cluster.h> alone.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_SPEAKER_H
#define CILK_CLUSTER_SPEAKER_H

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "port.h"

namespace cilk::detail {

class cluster_speaker {
 public:
  cluster_speaker(int &argc, char **&argv, bool has_own_thread) {
    int is_initialized = 0;
    MPI_Initialized(&is_initialized);
    initializes_ = is_initialized == 0;
    check_not_finalized();
    if (has_own_thread) {
      if (!initializes_) check_threads();
      thread_ = std::thread([this] { loop(); });
    }
    if (initializes_) {
      call([&] {
        int provided = 0;
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
      });
    }
  }
  ~cluster_speaker() {
    if (initializes_) call([] { MPI_Finalize(); });
    if (thread_.joinable()) {
      start([this] { is_over_ = true; });
      thread_.join();
    }
  }
  cluster_speaker(const cluster_speaker &) = delete;
  cluster_speaker &operator=(const cluster_speaker &) = delete;

  bool has_own_thread() const { return thread_.joinable(); }

  /// Begins `job` on the thread that speaks MPI. One at a time.
  std::future<void> start(std::function<void()> job) {
    std::packaged_task<void()> task(std::move(job));
    std::future<void> done = task.get_future();
    if (!has_own_thread()) {
      task();
      return done;
    }
    const std::lock_guard lock(mutex_);
    task_ = std::move(task);
    has_come_.notify_one();
    return done;
  }
  void call(std::function<void()> job) { start(std::move(job)).get(); }

 private:
  static void check_not_finalized() {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized == 0) return;
    std::fputs(
        "nopal: fatal: MPI has been finalized, and cannot be initialized again; keep one "
        "cilk::cluster for the whole program, or call MPI_Init_thread and MPI_Finalize yourself\n",
        stderr);
    std::abort();
  }
  static void check_threads() {
    int provided = 0;
    MPI_Query_thread(&provided);
    if (provided >= MPI_THREAD_SERIALIZED) return;
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cluster_fatal(rank,
                  "MPI was initialized for one thread, but the messages come from a thread beside "
                  "the workers; call MPI_Init_thread with MPI_THREAD_SERIALIZED, or let "
                  "cilk::cluster initialize MPI, or set CILK_NWORKERS=1");
  }
  void loop() {
    while (!is_over_) {
      std::packaged_task<void()> task;
      {
        std::unique_lock lock(mutex_);
        has_come_.wait(lock, [this] { return task_.valid(); });
        task = std::move(task_);
        task_ = {};
      }
      task();
    }
  }

  bool initializes_ = false;
  bool is_over_ = false;  // of the thread
  std::mutex mutex_;
  std::condition_variable has_come_;
  std::packaged_task<void()> task_;  // under mutex_
  std::thread thread_;
};

}  // namespace cilk::detail

#endif
