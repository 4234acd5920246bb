// What a parallel algorithm cannot take is refused with a reason, which is the first error.
// RUN: not %cilk_cxx_ir -std=c++17 -Wfatal-errors -DCASE=1 %s 2>&1 | FileCheck --check-prefix=READ %s
// RUN: not %cilk_cxx_ir -std=c++20 -Wfatal-errors -DCASE=2 %s 2>&1 | FileCheck --check-prefix=READ %s
// RUN: not %cilk_cxx_ir -std=c++17 -Wfatal-errors -DCASE=3 %s 2>&1 | FileCheck --check-prefix=WRITE %s
// RUN: not %cilk_cxx_ir -std=c++20 -Wfatal-errors -DCASE=4 %s 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %cilk_cxx_ir -std=c++17 -Wfatal-errors -DCASE=5 %s 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %cilk_cxx_ir -std=c++20 -Wfatal-errors -DCASE=6 %s 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %cilk_cxx_ir -std=c++17 -Wfatal-errors -DCASE=7 %s 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %cilk_cxx_ir -std=c++17 -Wfatal-errors -DCASE=8 %s 2>&1 | FileCheck --check-prefix=TWICE %s
// RUN: not %cilk_cxx_ir -std=c++20 -Wfatal-errors -DCASE=9 %s 2>&1 | FileCheck --check-prefix=TWICE %s
// RUN: %cilk_cxx_verify -std=c++20 -DCASE=0 %s
// READ: parts.h:{{.*}}: fatal error: static assertion failed{{.*}} a parallel algorithm needs random access iterators: copy the elements of a list or a stream into a vector first
// WRITE: parts.h:{{.*}}: fatal error: static assertion failed{{.*}} a parallel algorithm writes through random access iterators: give the vector its size first and pass begin(), not a back_inserter
// BITS: parts.h:{{.*}}: fatal error: static assertion failed{{.*}} strands must not write to a std::vector<bool>, whose elements share words: use a vector of char
// TWICE: parts.h:{{.*}}: fatal error: static assertion failed{{.*}} a parallel scan reads elements twice, and a move_iterator leaves nothing for the second time: give it iterators that do not move

#include <cilk/algorithm.h>
#include <iterator>
#include <list>
#if __cplusplus >= 202002L
#include <ranges>
#endif
#include <string>
#include <vector>

#if CASE == 0
// expected-no-diagnostics
static_assert(cilk::parallel_iterator<int *> && cilk::parallel_range<std::vector<bool>>);
static_assert(!cilk::parallel_iterator<std::list<int>::iterator> && !cilk::parallel_iterator<int>);
static_assert(!cilk::parallel_range<std::list<int>> && !cilk::parallel_range<int>);

void moved(std::vector<int> &in, std::vector<int> &out) {  // where moving is copying
  cilk::inclusive_scan(std::make_move_iterator(in.begin()), std::make_move_iterator(in.end()),
                       out.begin());
}
#endif

void refused(std::list<int> &list, std::vector<int> &in, std::vector<int> &out,
             std::vector<bool> &flags, std::vector<std::string> &words) {
#if CASE == 1
  cilk::for_each(list, [](int) {});
#elif CASE == 2
  (void)cilk::reduce(list.begin(), list.end(), 0);
#elif CASE == 3
  cilk::inclusive_scan(in, std::back_inserter(out));
#elif CASE == 4
  cilk::sort(flags);
#elif CASE == 5
  cilk::transform(in, flags.rbegin(), [](int x) { return x > 0; });
#elif CASE == 6
  cilk::partition(flags | std::views::reverse, [](bool x) { return x; });
#elif CASE == 7
  cilk::for_each(flags, [](std::vector<bool>::reference x) { x = true; });
#elif CASE == 8
  cilk::inclusive_scan(std::make_move_iterator(words.begin()),
                       std::make_move_iterator(words.end()), words.begin());
#elif CASE == 9
  cilk::exclusive_scan(std::make_move_iterator(words.begin()),
                       std::make_move_iterator(words.end()), words.begin(), std::string());
#endif
}
