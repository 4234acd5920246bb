// See calibrate.h. One other thread plays the owner, the victim or the sleeper.
#include "calibrate.h"

#include <linux/membarrier.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "deque/deque.h"
#include "platform/clock.h"
#include "platform/futex.h"
#include "platform/membarrier.h"

namespace nopal::sim {
namespace {

constexpr int kEvents = 301;
// Events come evenly in time. The other thread may lose its processor for a millisecond, in which
// nobody is disturbed, and events are so short that there would be hundreds of them.
constexpr std::uint64_t kBetweenNs = 100'000;
constexpr int kMostRecorded = 16;  // processors; each is 150 kB of the file

struct Element {
  std::uint64_t content[8] = {};
};
// One element is pushed again and again, which the deque's check of its neighbours would refuse.
struct LenientAtoms : HardwareAtoms {
  static constexpr int64_t kLooksBelow = 0;
};
using TestDeque = Deque<Element, LenientAtoms>;

cpu_set_t allowed_here() noexcept {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) CPU_ZERO(&allowed);
  return allowed;
}

/// The processors of this process, before any thread is kept to one of them.
const cpu_set_t &processors() noexcept {
  static const cpu_set_t all = allowed_here();
  return all;
}

/// Keeps the caller to the first, the second... processor of this process. Else two threads may
/// share one for milliseconds, and the other waits for the system's balance.
void stay_on(int which) {
  cpu_set_t one;
  const cpu_set_t &all = processors();
  CPU_ZERO(&one);
  for (int cpu = 0, found = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &all) && found++ == which) CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);  // if it fails, the costs are those of any placement
}

std::uint64_t median(std::vector<std::uint64_t> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// The median of `event`, which returns ns, while another thread runs `other` again and again.
std::uint64_t beside(const std::function<void()> &other,
                     const std::function<std::uint64_t()> &event) {
  std::atomic<bool> is_over{false}, has_begun{false};
  std::thread thread([&] {
    stay_on(1);
    has_begun.store(true, std::memory_order_release);
    while (!is_over.load(std::memory_order_relaxed)) other();
  });
  while (!has_begun.load(std::memory_order_acquire)) {  // before, nobody would be disturbed
  }
  std::vector<std::uint64_t> values;
  for (int i = 0; i < kEvents; ++i) {
    const std::uint64_t begun = now_ns();
    while (now_ns() - begun < kBetweenNs) {
    }
    values.push_back(event());
  }
  is_over.store(true, std::memory_order_relaxed);
  thread.join();
  return median(values);
}

template <class F>
std::uint64_t timed(F call) {
  const std::uint64_t begun = now_ns();
  call();
  return now_ns() - begun;
}

std::uint64_t spawn_ns(TestDeque &deque, Element &element) {
  constexpr int kPairs = 20'000;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20; ++i)
    values.push_back(timed([&] {
      for (int pair = 0; pair < kPairs; ++pair) {
        deque.local().push(&element);
        deque.local().pop(&element);
      }
    }));
  return (median(values) + kPairs / 2) / kPairs;
}

/// The owner fills its deque, and waits until the thief has taken what was in it.
std::uint64_t steal_ns(TestDeque &deque, Element &element) {
  std::atomic<bool> is_full{false};
  const auto own = [&] {
    if (is_full.load(std::memory_order_acquire)) return;
    if (!deque.local().is_empty()) return;
    deque.local().push(&element);
    is_full.store(true, std::memory_order_release);
  };
  return beside(own, [&] {
    while (!is_full.load(std::memory_order_acquire)) {
    }
    const std::uint64_t takes = timed([&] {
      while (deque.steal().steal(&deque).outcome != StealOutcome::kStolen) {
      }
    });
    is_full.store(false, std::memory_order_release);
    return takes;
  });
}

struct WakeUp {
  std::uint64_t wake, call;
};

WakeUp wake_up() {
  std::vector<std::uint64_t> wakes, calls;
  for (int i = 0; i < kEvents / 3; ++i) {
    std::atomic<std::uint32_t> word{0};
    std::atomic<std::uint64_t> awake_at{0};
    std::thread sleeper([&] {
      stay_on(1);
      while (word.load(std::memory_order_acquire) == 0) futex_wait(word, 0);
      awake_at.store(now_ns(), std::memory_order_release);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // until it sleeps
    const std::uint64_t begun = now_ns();
    word.store(1, std::memory_order_release);
    futex_wake_one(word);
    calls.push_back(now_ns() - begun);
    sleeper.join();
    wakes.push_back(awake_at.load(std::memory_order_acquire) - begun);
  }
  return {median(wakes), median(calls)};
}

/// Ten strands of a microsecond. Two processors may differ by 4 % in these, and by 0.3 % in one of
/// ten microseconds.
void piece_of_work(std::uint64_t seed) {
  constexpr int kStrands = 10, kTurns = 1'000;
  for (int strand = 0; strand < kStrands; ++strand) {
    std::uint64_t x = seed | 1;
    for (int turn = 0; turn < kTurns; ++turn) {  // a chain that no compiler shortens
      x *= 0x9e3779b97f4a7c15u;
      __asm__ volatile("" : "+r"(x));
    }
  }
}

/// How long each of `count` pieces of work took, one after the other.
std::vector<std::uint64_t> pieces_of_work(std::size_t count) {
  std::vector<std::uint64_t> times(count);
  std::uint64_t begun = now_ns();
  for (std::size_t i = 0; i < count; ++i) {
    piece_of_work(i);
    const std::uint64_t end = now_ns();
    times[i] = end - begun;
    begun = end;
  }
  return times;
}

/// How long a piece takes on the fastest processor while the others rest.
std::uint64_t piece_alone() {
  constexpr std::size_t kAlone = 3'001;  // a clock rate takes some milliseconds to rise
  std::uint64_t fastest = ~std::uint64_t{0};
  for (int which = 0; which < CPU_COUNT(&processors()); ++which)
    std::thread([&] {
      stay_on(which);
      fastest = std::min(fastest, median(pieces_of_work(kAlone)));
    }).join();
  return std::max<std::uint64_t>(1, fastest);
}

/// How long pieces took on as many processors at once as there are `workers`.
std::vector<std::vector<std::uint64_t>> pieces_at_once(int workers) {
  constexpr std::size_t kPieces = 25'000;
  constexpr std::size_t kFirst = 3'000;  // until the system has spread the threads
  std::vector<std::vector<std::uint64_t>> took(static_cast<std::size_t>(workers));
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  sched_setaffinity(0, sizeof processors(), &processors());  // the threads inherit it
  for (int which = 0; which < workers; ++which)
    threads.emplace_back([&, which] {
      // Which processors a few workers get is the system's choice, as it is in a run.
      if (workers == CPU_COUNT(&processors())) stay_on(which);
      ready.fetch_add(1, std::memory_order_acq_rel);
      while (ready.load(std::memory_order_acquire) < workers) {
      }
      pieces_of_work(kFirst);
      took[static_cast<std::size_t>(which)] = pieces_of_work(kPieces);
    });
  for (std::thread &thread : threads) thread.join();
  return took;
}

}  // namespace

Costs calibrate(int workers) {
  if (CPU_COUNT(&processors()) < 2)
    throw BadInput("calibrate needs two processors; use --costs default");
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0)
    throw BadInput("the system refuses membarrier; use --costs default");
  stay_on(0);
  Costs costs = read_costs("default");
  TestDeque deque(FenceMode::kAsymmetric);
  Element element;
  costs.spawn = spawn_ns(deque, element);
  costs.failed = {std::max<std::uint64_t>(
      1, beside([] {}, [&] { return timed([&] { (void)deque.steal().steal(&deque); }); }))};
  costs.membarrier = beside([] {}, [] { return timed(heavy_fence_by_membarrier); });
  // Not measured with membarrier: a microsecond is lost in its spread.
  TestDeque fenced(FenceMode::kFull);
  costs.steal = {costs.membarrier + steal_ns(fenced, element)};
  const WakeUp up = wake_up();
  costs.wake = up.wake;
  costs.call = up.call;
  costs.noise_slice = piece_alone();
  const auto took = pieces_at_once(std::min({workers, CPU_COUNT(&processors()), kMostRecorded}));
  for (const auto &times : took)
    for (const std::uint64_t piece : times)
      costs.noise.push_back(piece - std::min(piece, costs.noise_slice));
  costs.noise_processors = took.size();
  return costs;
}

}  // namespace nopal::sim
