// Random numbers and pedigrees in every kind of strand: recursion, loops in loops, spawned blocks,
// regions, exceptions, attached threads; after algorithms. What is printed depends on neither the
// schedule nor the level of optimization.

#include <cilk/algorithm.h>
#include <cilk/cilk.h>
#include <cilk/dprng.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "../programs/support/check.h"

namespace {

std::string place() {
  std::string text;
  const __cilkrts_pedigree strand = __cilkrts_get_pedigree();
  for (const __cilkrts_pedigree *at = &strand; at != nullptr; at = at->parent)
    text = std::to_string(at->rank) + (text.empty() ? "" : ".") + text;
  return text;
}

unsigned long hash_of(const std::vector<uint64_t> &numbers) {
  unsigned long hash = 0;
  for (uint64_t number : numbers) hash = mix(hash, number);
  return hash;
}

// ---- recursion ----

uint64_t tree(int depth) {
  const uint64_t here = __cilkrts_get_dprand();
  if (depth == 0) return here;
  uint64_t left = cilk_spawn tree(depth - 1);
  const uint64_t between = __cilkrts_get_dprand();
  uint64_t right = tree(depth - 1);
  cilk_sync;
  return mix(mix(mix(here, left), mix(between, right)), __cilkrts_get_dprand());
}

// ---- loops ----

NOINLINE void fill(std::vector<uint64_t> &out, std::size_t at) {
  cilk::dprng random(7);
  out[at] = random();
  if (at % 16 == 0) linger();
}

unsigned long loops() {
  constexpr int kRows = 12, kColumns = 30;
  std::vector<uint64_t> out(kRows * kColumns * 2);
  for (int time = 0; time < 2; ++time)  // the second time other numbers
    cilk_for (int i = kRows; i > 0; --i)
      cilk_for (int j = 0; j < kColumns; ++j)
        fill(out, static_cast<std::size_t>((time * kRows + i - 1) * kColumns + j));
  CHECK(std::set<uint64_t>(out.begin(), out.end()).size() == out.size());
  std::vector<uint64_t> coarse(1000), fine(1000);
#pragma cilk grainsize 1000
  cilk_for (std::size_t i = 0; i < coarse.size(); ++i)
    coarse[i] = __cilkrts_get_pedigree().parent->rank;
#pragma cilk grainsize 1
  cilk_for (std::size_t i = 0; i < fine.size(); ++i)
    fine[i] = __cilkrts_get_pedigree().parent->rank;
  CHECK(coarse == fine && coarse[999] == 999);
  return hash_of(out);
}

// ---- forms ----

NOINLINE void note(std::string &out) {
  linger();
  out = place();
}

void forms() {
  std::string a, b, c, d, e, f, g;
  const std::string begin = place();
  cilk_spawn note(a);
  b = place();
  cilk_spawn {
    note(c);
    cilk_spawn note(d);
    e = place();
  }
  cilk_scope { cilk_spawn note(f); }
  cilk_sync;
  g = place();
  std::printf("%s | %s %s %s %s %s %s | %s\n", begin.c_str(), a.c_str(), b.c_str(), c.c_str(),
              d.c_str(), e.c_str(), f.c_str(), g.c_str());
}

// ---- exceptions ----

NOINLINE void throws(int value) {
  linger();
  __cilkrts_bump_worker_rank();
  throw value;
}
NOINLINE void deeper(int value) {
  cilk_spawn throws(value);
  linger();
}

std::string after_child() {
  try {
    cilk_spawn linger();
    cilk_spawn deeper(1);
    linger();
    cilk_spawn linger();
    cilk_sync;
  } catch (int) {
    return place();
  }
  return "none";
}
std::string after_continuation() {
  try {
    cilk_spawn linger();
    throws(2);
  } catch (int) {
    return place();
  }
  return "none";
}
std::string after_loop() {
  try {
    cilk_for (int i = 0; i < 50; ++i)
      if (i % 20 == 13) throws(i);
  } catch (int) {
    return place();
  }
  return "none";
}
NOINLINE void passes_on() {
  cilk_spawn linger();
  deeper(3);
}
std::string after_call() {
  try {
    passes_on();
  } catch (int) {
    return place();
  }
  return "none";
}

// ---- algorithms ----

// How often they spawn depends on the schedule, and the caller's pedigree does not.
void algorithms() {
  std::vector<int> numbers(20000), sums(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  const auto is_high = [](int x) {
    if (x == 0) linger();
    return x >= 9000;
  };
  CHECK(*cilk::find_if(numbers, is_high) == 9000);
  std::printf("find_if %s\n", place().c_str());
  cilk::inclusive_scan(numbers, sums.begin(), [](int x, int y) {
    if (y == 1) linger();
    return x + y;
  });
  std::printf("inclusive_scan %s\n", place().c_str());
}

// ---- statistics ----

void statistics() {
  constexpr std::size_t kCount = 200000;
  std::vector<uint64_t> numbers(kCount);
  cilk_for (std::size_t i = 0; i < kCount; ++i) numbers[i] = __cilkrts_get_dprand();
  CHECK(std::set<uint64_t>(numbers.begin(), numbers.end()).size() == kCount);
  std::vector<long> ones(64), bytes(8 * 256), differing(64);
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t bit = 0; bit < 64; ++bit) {
      ones[bit] += numbers[i] >> bit & 1;
      if (i > 0) differing[bit] += (numbers[i] ^ numbers[i - 1]) >> bit & 1;
      if (bit % 8 == 0) ++bytes[bit * 32 + (numbers[i] >> bit & 255)];
    }
  // Six standard deviations of a fair coin: sqrt(200,000) / 2 * 6 = 1,342.
  for (std::size_t bit = 0; bit < 64; ++bit) {
    CHECK(std::abs(ones[bit] - static_cast<long>(kCount / 2)) < 1342);
    CHECK(std::abs(differing[bit] - static_cast<long>(kCount / 2)) < 1342);
  }
  // Chi squared of 256 bytes: 255 on average, deviation 22.6.
  for (std::size_t byte = 0; byte < 8; ++byte) {
    double chi = 0;
    const double expected = kCount / 256.0;
    for (std::size_t value = 0; value < 256; ++value) {
      const double off = static_cast<double>(bytes[byte * 256 + value]) - expected;
      chi += off * off / expected;
    }
    CHECK(chi > 255 - 6 * 22.6 && chi < 255 + 6 * 22.6);
  }
}

}  // namespace

int main() {
  std::printf("main %s\n", place().c_str());
  std::printf("tree %lx\n", static_cast<unsigned long>(tree(10)));
  __cilkrts_dprand_set_seed(12345);
  std::printf("seed %lx\n", static_cast<unsigned long>(tree(8)));
  std::printf("loops %lx\n", loops());
  forms();
  for (int time = 0; time < 2; ++time)
    std::printf("after %s %s %s %s\n", after_child().c_str(), after_continuation().c_str(),
                after_loop().c_str(), after_call().c_str());
  unsigned long of_threads[2];
  {
    std::vector<std::thread> threads;
    for (unsigned long &out : of_threads) threads.emplace_back([&out] { out = tree(9); });
    for (std::thread &thread : threads) thread.join();
  }
  CHECK(of_threads[0] == of_threads[1]);  // each begins a pedigree of its own
  std::printf("threads %lx\n", of_threads[0]);
  algorithms();
  statistics();
  cilk::dprng one(1), other(2);
  CHECK(one() != other());
  std::printf("dice %d\n", std::uniform_int_distribution<int>(1, 6)(one));
  std::printf("end %s\n", place().c_str());
}
