/* Work that is balanced between the ranks of an MPI program, each with Nopal's workers inside.
 *
 * C++17, with the headers of the program's MPI (Open MPI, MPICH, SimGrid's SMPI). With CILK_SERIAL
 * defined each rank has one worker, and any compiler will do. Guide: docs/cluster.md; protocol:
 * runtime/include/cilk/cluster/README.md. Checked by tests/cluster.
 *
 *     cilk::cluster ranks(argc, argv);
 *     Tree::result_type nodes = ranks.run(ranks.rank() == 0 ? Tree::root() : Tree());
 *
 * A *bag* is a class of yours that holds work which can be divided:
 *
 *     using result_type = ...;            // default-constructed: nothing added yet
 *     bool empty() const;
 *     std::size_t process(std::size_t steps, result_type &result);  // makes at most so many steps,
 *                                         // at least one unless empty; returns how many
 *     Bag split();                        // takes about half of the work out; may be empty.
 *                                         // One that takes all is merged again, and not shared
 *     void merge(Bag other);              // takes all work of another
 *     static void reduce(result_type &left, result_type &right);    // folds right into left
 *
 * A default-constructed bag is empty. Bags and results travel as bytes: <cilk/cluster/wire.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_H
#define CILK_CLUSTER_H

#ifndef __cplusplus
#error "<cilk/cluster.h> is for C++"
#endif

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "cilk_api.h"
#include "cluster/balance.h"
#include "cluster/port.h"
#include "cluster/report.h"
#include "cluster/speaker.h"
#include "cluster/wire.h"
#include "cluster_pool.h"

namespace cilk {

struct cluster_options {
  /// Ranks that an idle rank asks at random before its lifelines.
  unsigned random_attempts = 2;
  /// How long a worker works between two looks at the messages. A shorter time answers others
  /// sooner and costs more.
  double chunk_seconds = 100e-6;
  /// What one step takes, for SimGrid's SMPI: simulated time is steps times this. 0: measured.
  double step_seconds = 0;
};

namespace detail {

template <class Bag>
class cluster_run;

}  // namespace detail

/// The ranks of this program. One object at a time, of one process: create it in main(), before the
/// first spawn, and destroy it before main returns.
class cluster {
 public:
  /// Collective. Initializes MPI unless the program has. Then, with more than one worker, MPI must
  /// have been initialized with MPI_THREAD_SERIALIZED at least. Ends all ranks with a message if
  /// they run different versions of this header.
  cluster(int &argc, char **&argv, cluster_options options = {})
      : options_(options), speaker_(argc, argv, has_several_workers()) {
    speaker_.call([this] {
      port_ = std::make_unique<detail::cluster_port>();
      check_equal(kVersion, "the ranks run different versions of <cilk/cluster.h>: " +
                                std::to_string(kVersion) +
                                " here; build one program and start it on all");
    });
    statistics_.rank = rank();
    statistics_.workers = __cilkrts_get_nworkers();
  }
  /// Collective. Prints the table of the ranks if CILK_STATS is set. Finalizes MPI if the
  /// constructor has initialized it. Ends all ranks with a message if another one begins a run.
  ~cluster() {
    speaker_.call([this] {
      check_equal(kNoRun,
                  "this rank has left the scope of its cilk::cluster, by a return or an exception, "
                  "while another one begins a run; let all ranks make the same calls");
      detail::report_ranks(port_->gather(statistics_));
      port_.reset();
    });
  }
  cluster(const cluster &) = delete;
  cluster &operator=(const cluster &) = delete;

  int rank() const { return port_->rank(); }
  int size() const { return port_->ranks(); }

  /// Collective. Does all work of all ranks' bags and returns, on each rank, the fold of the ranks'
  /// results in the order of the ranks. Which rank does what depends on the schedule: for a result
  /// that does not, reduce must be commutative and associative, or use cluster_reduce. What a
  /// bag's functions throw ends the process. Ends all ranks with a message if it is called while
  /// another call runs.
  ///
  /// Cost: some messages, about log2(ranks) of a small size for a rank without work; no
  /// instruction at a spawn.
  template <class Bag>
  typename Bag::result_type run(Bag bag) {
    static_assert(std::is_default_constructible_v<Bag> && std::is_move_constructible_v<Bag>,
                  "a bag is default-constructible (then empty) and movable");
    return detail::cluster_run<Bag>(*this, std::move(bag)).result();
  }

  /// What this rank did so far, in all runs.
  const cluster_statistics &statistics() const { return statistics_; }

 private:
  template <class Bag>
  friend class detail::cluster_run;

  static constexpr std::uint64_t kVersion =
#ifdef NOPAL_CLUSTER_TEST_VERSION
      NOPAL_CLUSTER_TEST_VERSION;
#else
      2;
#endif

  /// What a rank says that ends its cluster, where others say what they run. The greatest value.
  static constexpr std::uint64_t kNoRun = ~std::uint64_t{0};

  static bool has_several_workers() {
    detail::name_files_by_rank();
#if !NOPAL_CLUSTER_SIMULATED
    __cilkrts_init();  // bags are divided while workers are idle, and each rank has statistics
#endif
    return __cilkrts_get_nworkers() > 1;
  }
  /// `what`: what is wrong if another rank has another value, and what to do.
  void check_equal(std::uint64_t value, const std::string &what) {
    const auto [least, greatest] = port_->extrema(value);
    if (least == greatest) return;
    if (value != least || NOPAL_CLUSTER_SIMULATED) detail::cluster_fatal(port_->rank(), what);
    // The rank with the greater value speaks and ends this one.
    std::this_thread::sleep_for(std::chrono::seconds(10));
    std::abort();
  }

  cluster_options options_;
  detail::cluster_speaker speaker_;
  std::unique_ptr<detail::cluster_port>
      port_;  // used by the speaker's thread alone, but for rank()
  cluster_statistics statistics_{};
  std::atomic<bool> is_running_ = false;
};

}  // namespace cilk

#include "cluster_loops.h"
#include "cluster_run.h"

#endif
