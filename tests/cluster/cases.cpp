// The cases of cluster_test.py that no benchmark shows: order, several runs, and faults. The first
// argument names the case.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/cilk.h>
#include <cilk/cluster.h>

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

/// In which function of a bag the case throws.
std::string throws_in;
void may_throw(const char *function) {
  if (throws_in == function) throw std::runtime_error(std::string("a ") + function + " fails");
}

/// Steps that only count, or throw.
class Steps {
 public:
  using result_type = long;

  Steps() = default;
  explicit Steps(long count) : left_(count) {}
  bool empty() const { return left_ == 0; }
  std::size_t process(std::size_t steps, long &done) {
    may_throw("step");
    const long made = std::min(left_, static_cast<long>(steps));
    for (long i = 0; i < made; ++i) asm volatile("pause");
    left_ -= made;
    done += made;
    return static_cast<std::size_t>(made);
  }
  Steps split() {
    may_throw("split");
    const long half = left_ / 2;
    left_ -= half;
    return Steps(half);
  }
  void merge(Steps other) {
    may_throw("merge");
    left_ += other.left_;
  }
  static void reduce(long &left, long &right) {
    may_throw("reduce");
    left += right;
  }
  void save(cilk::wire &out) const {
    may_throw("save");
    put(out, left_);
  }
  void load(cilk::wire &in) {
    may_throw("load");
    get(in, left_);
  }

 private:
  long left_ = 0;
};

/// Steps whose results are summed in parallel, and whose reduction is a region of its own.
class Sums : public Steps {
 public:
  using result_type = std::vector<long>;

  Sums() = default;
  explicit Sums(long count) : Steps(count) {}
  std::size_t process(std::size_t steps, std::vector<long> &sums) {
    long done = 0;
    const std::size_t made = Steps::process(steps, done);
    sums.resize(kSums);
    for (long &sum : sums) sum += done;
    return made;
  }
  Sums split() { return Sums(Steps::split()); }
  void merge(Sums other) { Steps::merge(other); }
  static void reduce(std::vector<long> &left, std::vector<long> &right) {
    left.resize(kSums);
    right.resize(kSums);
    cilk_for (int i = 0; i < kSums; ++i) left[i] += right[i];
  }
  static constexpr int kSums = 1000;

 private:
  explicit Sums(const Steps &steps) : Steps(steps) {}
};

/// A result that is shorter than its message.
struct Short {
  long a = 0, b = 0;
  void save(cilk::wire &out) const {
    put(out, a);
    put(out, b);
  }
  void load(cilk::wire &in) { get(in, a); }
};
struct AddShort {
  Short identity() const { return {}; }
  void reduce(Short &left, Short &right) const { left.a += right.a; }
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

/// Work whose `split` gives everything.
class Whole : public Steps {
 public:
  Whole() = default;
  explicit Whole(long count) : Steps(count) {}
  Whole split() {
    Whole all = *this;
    *this = {};
    return all;
  }
  void merge(Whole other) { Steps::merge(other); }
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

int sums(cilk::cluster &ranks) {
  bool is_right = true;
  for (int round = 0; round < 20; ++round) {
    const std::vector<long> sums = ranks.run(Sums(ranks.rank() == 0 ? 5'000 : 0));
    is_right = is_right && sums == std::vector<long>(Sums::kSums, 5'000);
  }
  if (ranks.rank() == 0) std::puts(is_right ? "sums" : "wrong");
  return is_right ? 0 : 1;
}

/// Ranges that are wider than their type, or lie on both sides of 2^63.
int wide(cilk::cluster &ranks) {
  constexpr unsigned long kHalf = 1ul << 63;
  const auto around = cilk::cluster_reduce<std::string, Join>(
      ranks, kHalf - 3, kHalf + 3, [](unsigned long i) { return std::to_string(i) + ","; });
  std::string serial;
  for (unsigned long i = kHalf - 3; i < kHalf + 3; ++i) serial += std::to_string(i) + ",";
  const auto bytes = cilk::cluster_reduce<std::string, Join>(
      ranks, static_cast<signed char>(-128), static_cast<signed char>(127),
      [](signed char i) { return std::to_string(i) + ","; });
  std::string serial_bytes;
  for (signed char i = -128; i < 127; ++i) serial_bytes += std::to_string(i) + ",";
  const auto sum = cilk::cluster_reduce<long, std::plus<>>(ranks, -1'100'000'000, 1'100'000'000,
                                                           [](int i) { return i < 0 ? -1L : 1L; });
  const bool is_right = around == serial && bytes == serial_bytes && sum == 0;
  if (ranks.rank() == 0) std::puts(is_right ? "wide" : "wrong");
  return is_right ? 0 : 1;
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
    } else if (name == "wide") {
      status = wide(ranks);
    } else if (name == "throws") {
      throws_in = argv[2];
      ranks.run(Steps(ranks.rank() == 0 ? 20'000'000 : 0));
      std::puts("a result");
    } else if (name == "sums") {
      status = sums(ranks);
    } else if (name == "short") {
      cilk::cluster_for<Short, AddShort>(ranks, 0, 100, [](int, Short &sum) { ++sum.a; });
      std::puts("a result");
    } else if (name == "dies") {
      if (ranks.rank() == ranks.size() - 1)
        std::thread([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          kill(getpid(), SIGKILL);
        }).detach();
      ranks.run(Steps(ranks.rank() == 0 ? 3'000'000'000 : 0));
      std::puts("a result");
    } else if (name == "whole") {
      for (int round = 0; round < 30; ++round) ranks.run(Whole(ranks.rank() == 0 ? 1'000'000 : 0));
      if (ranks.rank() == 0) std::puts("30 runs");
      status = 0;
    } else if (name == "nested") {
      cilk::cluster_for(ranks, 0, 4, [&ranks](int) { cilk::cluster_for(ranks, 0, 9, [](int) {}); });
      std::puts("a result");
    } else if (name == "ranges") {
      cilk::cluster_for(ranks, 0, ranks.rank() == 0 ? 20 : 60, [](int) {});
      std::puts("a result");
    } else if (name == "leaves") {
      if (ranks.rank() == 1) return 1;
      cilk::cluster_for(ranks, 0, 20, [](int) {});
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
  if (name == "again") cilk::cluster after_the_end(argc, argv);
  if (name == "single") MPI_Finalize();
  return status;
}
