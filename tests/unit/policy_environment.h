// What the tests of policies compile them against: any number of workers, any topology, and atomic
// words of the standard library.
#pragma once

#include <atomic>
#include <cstdint>

#include "policy/policy.h"
#include "worker/random.h"

namespace nopal::policy {

template <class T>
class TestWord {
 public:
  T load_relaxed() const noexcept { return word_.load(std::memory_order_relaxed); }
  void store_relaxed(T value) noexcept { word_.store(value, std::memory_order_relaxed); }
  void fetch_or_relaxed(T bits) noexcept { word_.fetch_or(bits, std::memory_order_relaxed); }
  void fetch_and_relaxed(T bits) noexcept { word_.fetch_and(bits, std::memory_order_relaxed); }
  T fetch_add_relaxed(T value) noexcept {
    return word_.fetch_add(value, std::memory_order_relaxed);
  }

 private:
  std::atomic<T> word_{};
};

class TestEnvironment {
 public:
  using Random = nopal::Random;
  template <class T>
  using Word = TestWord<T>;

  explicit TestEnvironment(Topology topology) : topology_(std::move(topology)) {}
  static TestEnvironment flat(std::uint32_t workers) {
    return TestEnvironment(Topology::flat(workers));
  }
  /// 4 packages of 2 nodes of 16 cores.
  static TestEnvironment large() {
    constexpr std::uint32_t kParts[] = {4, 2, 16};
    return TestEnvironment(Topology::of_parts(kParts, 128));
  }
  /// 2 packages of 2 nodes of 4 cores. The nodes are a ring, which the packages do not show.
  static constexpr std::uint64_t kRing[] = {10, 16, 22, 16,  //
                                            16, 10, 16, 22,  //
                                            22, 16, 10, 16,  //
                                            16, 22, 16, 10};
  static TestEnvironment ring(std::uint32_t workers = 16,
                              Topology::Order order = Topology::Order::kCompact) {
    constexpr std::uint32_t kParts[] = {2, 2, 4};
    return TestEnvironment(Topology::of_parts(kParts, workers, order, kRing));
  }

  std::uint32_t workers() const noexcept { return topology_.workers(); }
  std::uint32_t most_workers() const noexcept { return topology_.workers(); }
  const Topology &topology() const noexcept { return topology_; }

 private:
  Topology topology_;
};

static_assert(Environment<TestEnvironment>);

}  // namespace nopal::policy
