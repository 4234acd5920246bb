// A loop of `argv[1]` spawns, each stolen under CILK_CHAOS=1:1, adds to two reducers that keep
// their order. The result is the serial one. However many steals there are, at most four views of
// each reducer live for each worker.
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <cilk/reducer_list.h>
#include <cilk/statistics.h>

#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char **argv) {
  const long spawns = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  cilk::reducer<std::string, cilk::append> text;
  cilk::reducer<cilk::op_list_append<long>> list;
  for (long i = 0; i < spawns; ++i) {
    cilk_spawn [&text, &list](long n) {
      *text += static_cast<char>('a' + n % 26);
      list->push_back(n);
    }(i);
  }
  cilk_sync;
  long next = 0;
  for (char letter : *text) next += letter == 'a' + next % 26 ? 1 : spawns;
  long number = 0;
  for (long n : list.get_value()) number += n == number ? 1 : spawns;
  const cilk::worker_statistics all = cilk::read_statistics().total;
  std::printf("%llu steals, %llu views, %llu merged, at most %llu at a time\n",
              static_cast<unsigned long long>(all.steals),
              static_cast<unsigned long long>(all.views_created),
              static_cast<unsigned long long>(all.views_merged),
              static_cast<unsigned long long>(all.views_peak));
  const bool is_right =
      next == spawns && number == spawns && all.views_created == all.views_merged &&
      all.views_peak <= 2 * 4 * static_cast<unsigned long long>(__cilkrts_get_total_workers());
  return is_right ? 0 : 1;
}
