// Very many hyperobjects at once, in both spellings, in arrays on the heap; and several threads
// that spawn at once, each with hyperobjects of its own. Operations do not commute.

#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "../support/check.h"

namespace {

long many = 0;

/// Affine maps x -> scale * x + shift, modulo 2^64: their composition is associative alone.
struct Map {
  unsigned long scale = 1, shift = 0;
};
[[maybe_unused]] void identity(void *view) { new (view) Map; }
void compose(void *left, void *right) {
  auto *const first = static_cast<Map *>(left);
  const auto *const then = static_cast<Map *>(right);
  *first = {first->scale * then->scale, first->shift * then->scale + then->shift};
}
struct Compose {
  static Map identity() { return {}; }
  static void reduce(Map &left, Map &right) { compose(&left, &right); }
};

Map step_of(unsigned long k) { return {2 * k + 3, k}; }
void apply(Map &map, unsigned long k) {
  Map step = step_of(k);
  compose(&map, &step);
}

/// What each of `many` maps is after `count` steps, each of which goes to one of them.
std::vector<Map> expected(long count) {
  std::vector<Map> maps(static_cast<std::size_t>(many));
  for (long i = 0; i < count; ++i)
    apply(maps[static_cast<std::size_t>(i * 7919 % many)], static_cast<unsigned long>(i));
  return maps;
}
void check(const Map &map, const Map &wanted) {
  CHECK_EQ(map.scale, wanted.scale);
  CHECK_EQ(map.shift, wanted.shift);
}

NOINLINE void opencilk_array() {
  using Hyper = Map cilk_reducer(identity, compose);
  auto *const maps = new Hyper[many];
  const long steps = 3 * many;
  cilk_for (long i = 0; i < steps; ++i) apply(maps[i * 7919 % many], static_cast<unsigned long>(i));
  const std::vector<Map> wanted = expected(steps);
  for (long i = 0; i < many; ++i) check(maps[i], wanted[static_cast<std::size_t>(i)]);
  delete[] maps;
}

NOINLINE void own_array() {
  const auto maps = std::make_unique<cilk::reducer<Map, Compose>[]>(static_cast<std::size_t>(many));
  const long steps = 2 * many;
  for (long part = 0; part < 10; ++part)
    cilk_spawn [&maps, part, steps] {
      for (long i = part * steps / 10; i < (part + 1) * steps / 10; ++i)
        apply(*maps[static_cast<std::size_t>(i * 7919 % many)], static_cast<unsigned long>(i));
    }();
  cilk_sync;
  const std::vector<Map> wanted = expected(steps);
  for (std::size_t i = 0; i < wanted.size(); ++i) check(*maps[i], wanted[i]);
}

NOINLINE void in_a_thread(long seed) {
  Map cilk_reducer(identity, compose) own;
  cilk::reducer<std::string, cilk::append> text;
  for (long round = 0; round < 5; ++round)
    cilk_for (long i = 0; i < 40; ++i) {
      if (i % 13 == seed % 13) linger();
      apply(own, static_cast<unsigned long>(seed + i));
      *text += static_cast<char>('a' + (seed + i) % 26);
    }
  Map wanted;
  std::string letters;
  for (long round = 0; round < 5; ++round)
    for (long i = 0; i < 40; ++i) {
      apply(wanted, static_cast<unsigned long>(seed + i));
      letters += static_cast<char>('a' + (seed + i) % 26);
    }
  check(own, wanted);
  CHECK(*text == letters);
}

void in_threads() {
  std::vector<std::thread> threads;
  for (long seed = 0; seed < 6; ++seed) threads.emplace_back(in_a_thread, seed);
  for (std::thread &thread : threads) thread.join();
}

}  // namespace

int main(int argc, char **argv) {
  many = size_argument(argc, argv, 4000);
  opencilk_array();
  own_array();
  in_threads();
  puts("done");
  return 0;
}
