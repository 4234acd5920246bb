// The cases of cluster_test.py that no benchmark shows: order, several runs, and faults. The first
// argument names the case.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cluster.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

/// Steps that only count, or throw.
class Steps {
 public:
  using result_type = long;

  Steps() = default;
  explicit Steps(long count, bool throws = false) : left_(count), throws_(throws) {}
  bool empty() const { return left_ == 0; }
  std::size_t process(std::size_t steps, long &done) {
    if (throws_) throw std::runtime_error("a step fails");
    const long made = std::min(left_, static_cast<long>(steps));
    for (long i = 0; i < made; ++i) asm volatile("pause");
    left_ -= made;
    done += made;
    return static_cast<std::size_t>(made);
  }
  Steps split() {
    const long half = left_ / 2;
    left_ -= half;
    return Steps(half, throws_);
  }
  void merge(Steps other) { left_ += other.left_; }
  static void reduce(long &left, long &right) { left += right; }

 private:
  long left_ = 0;
  bool throws_ = false;
};

/// Names the rank on which it began.
class Names {
 public:
  using result_type = std::string;

  Names() = default;
  explicit Names(int rank) : rank_(rank) {}
  bool empty() const { return rank_ < 0; }
  std::size_t process(std::size_t, std::string &names) {
    names += std::to_string(rank_) + " ";
    rank_ = -1;
    return 1;
  }
  Names split() { return {}; }
  void merge(Names other) {
    if (other.rank_ >= 0) rank_ = other.rank_;
  }
  static void reduce(std::string &left, std::string &right) { left += right; }

 private:
  int rank_ = -1;
};

struct Join {
  std::string identity() const { return {}; }
  void reduce(std::string &left, std::string &right) const { left += right; }
};

int runs(cilk::cluster &ranks) {
  for (long round = 0; round < 50; ++round) {
    const long each = round % 7 * 1000;
    const long done = ranks.run(Steps(ranks.rank() % 2 == 0 ? each : 0));
    if (done != (ranks.size() + 1) / 2 * each) return 1;
  }
  if (ranks.rank() == 0) std::puts("50 runs");
  return 0;
}

int order(cilk::cluster &ranks) {
  const std::string names = ranks.run(Names(ranks.rank()));
  std::string expected;
  for (int i = 0; i < ranks.size(); ++i) expected += std::to_string(i) + " ";
  const auto digits = cilk::cluster_reduce<std::string, Join>(
      ranks, -3, 500, [](int i) { return std::to_string(i) + ","; });
  std::string serial;
  for (int i = -3; i < 500; ++i) serial += std::to_string(i) + ",";
  long mine = 0;
  cilk::cluster_for(ranks, 0, 100,
                    [&mine](int) { __atomic_fetch_add(&mine, 1, __ATOMIC_RELAXED); });
  const long all = ranks.run(Steps(mine));
  const auto none = cilk::cluster_reduce<std::string, Join>(
      ranks, 5L, 5L, [](long) { return std::string("wrong"); });
  const bool is_right = names == expected && digits == serial && all == 100 && none.empty();
  if (ranks.rank() == 0) std::puts(is_right ? "in order" : "wrong");
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "single") MPI_Init(&argc, &argv);  // for one thread
  int status = 2;
  {
    cilk::cluster ranks(argc, argv);
    if (name == "runs") {
      status = runs(ranks);
    } else if (name == "order") {
      status = order(ranks);
    } else if (name == "throws") {
      ranks.run(Steps(1000, true));
      std::puts("a result");
    } else if (name == "dies") {
      if (ranks.rank() == ranks.size() - 1)
        std::thread([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          kill(getpid(), SIGKILL);
        }).detach();
      ranks.run(Steps(ranks.rank() == 0 ? 3'000'000'000 : 0));
      std::puts("a result");
    } else if (name == "types") {
      if (ranks.rank() == 0)
        ranks.run(Steps(10));
      else
        ranks.run(Names(1));
      std::puts("a result");
    } else {
      status = 0;
    }
  }
  if (name == "single") MPI_Finalize();
  return status;
}
