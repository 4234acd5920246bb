// CILK_BIND=compact and spread: each helper thread may run on the processor of its worker alone,
// and a thread of the program wherever it might before. Runs without CILK_BIND skip this.
#include "fixture.h"

#include "../../runtime/src/worker/machine.h"
#include "../../runtime/src/worker/registry.h"
#include "../../runtime/src/worker/thread.h"

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace stress {
namespace {

/// Processors on which the calling thread may run.
std::set<int> allowed() {
  cpu_set_t mask;
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  std::set<int> processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &mask)) processors.insert(processor);
  return processors;
}

class BindTest : public Stress {
 protected:
  void SetUp() override {
    if (nopal::config().bind == nopal::Config::Bind::kNone) GTEST_SKIP() << "for CILK_BIND";
    if (nopal::machine(true).processors.empty()) GTEST_SKIP() << "the machine is not known";
  }
};

TEST_F(BindTest, EachHelperHasTheProcessorOfItsWorker) {
  struct Seen {
    bool is_helper = false;
    std::uint32_t worker = 0;
    std::set<int> processors;
  };
  const std::set<int> all = allowed();
  const auto workers = static_cast<long>(nopal::worker_count());
  std::vector<Seen> seen(nopal::worker_count());
  std::atomic<long> begun{0};
  spawn_loop(0, workers, [&](long i) {
    seen[static_cast<std::size_t>(i)] = {nopal::this_thread().kind == nopal::Thread::Kind::kHelper,
                                         nopal::this_worker().index, allowed()};
    begun.fetch_add(1);
    while (begun.load() < workers) std::this_thread::yield();  // so each has a worker of its own
  });
  const std::vector<int> &order = nopal::machine(true).processors;
  std::set<int> of_first_workers;
  std::size_t first_workers = 0;
  long helpers = 0;
  for (const Seen &one : seen) {
    if (!one.is_helper) {
      EXPECT_EQ(one.processors, all) << "worker " << one.worker << " of a thread of the program";
      continue;
    }
    ++helpers;
    const nopal::policy::Topology &topology =
        nopal::registry().worker(one.worker).victims.topology();
    const std::set<int> its{order[topology.unit_of(one.worker) % order.size()]};
    EXPECT_EQ(one.processors, its) << "worker " << one.worker;
    if (one.worker >= order.size()) continue;
    ++first_workers;
    of_first_workers.insert(*its.begin());
  }
  EXPECT_EQ(helpers, workers - 1);
  EXPECT_EQ(of_first_workers.size(), first_workers) << "two share one while another is free";
  EXPECT_EQ(allowed(), all) << "the program's thread";
}

}  // namespace
}  // namespace stress
