/* cilk::for_each, cilk::transform and cilk::invoke.
 *
 * What holds for all algorithms: <cilk/algorithm.h>. These are loops: a cilk_for divides the
 * elements, and an element that throws does not keep those of other strands from being processed.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_LOOPS_H
#define CILK_ALGORITHM_LOOPS_H

#include "parts.h"

namespace cilk {

/// Calls each function without arguments. All but the last are spawned, the first one runs first.
template <class Function, class... Functions>
void invoke(Function &&function, Functions &&...functions) {
  if constexpr (sizeof...(functions) == 0) {
    std::forward<Function>(function)();
  } else {
    cilk_spawn std::forward<Function>(function)();
    cilk::invoke(std::forward<Functions>(functions)...);
    cilk_sync;
  }
}

/// function(element) for each element.
template <class I, class Function, detail::if_iterator<I> = 0>
void for_each(I first, I last, Function function) {
  detail::check_read<I>();
  if constexpr (detail::is_of_bits_v<I>)
    detail::check_bits<std::is_invocable_v<Function &, const bool &>>();
  const auto n = static_cast<detail::count>(last - first);
  if constexpr (detail::are_words_v<I>) {
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
    cilk_for (detail::count i = 0; i < n; ++i) function(*(first + i));
  } else {
    detail::each_part(n, [&](detail::count low, detail::count high) {
      detail::cursor<I> at(first + low);
      for (; low < high; ++low, ++at) function(*at);
    });
  }
}
template <class R, class Function, detail::if_range<R> = 0>
void for_each(R &&range, Function function) {
  cilk::for_each(detail::begin_of(range), detail::end_of(range), std::move(function));
}

/// *(out + i) = function(*(first + i)). `out` may be `first`. Returns the end of what was written.
template <class From, class Last, class Out, class Function, detail::if_iterators<From, Last> = 0,
          detail::if_iterator<Out> = 0>
Out transform(From &&from, Last &&last, Out out, Function function) {
  using I = std::decay_t<From>;
  detail::check_read<I>();
  detail::check_write<Out>();
  const I first = from;
  const auto n = static_cast<detail::count>(last - first);
  if constexpr (detail::are_words_v<I, Out>) {
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
    cilk_for (detail::count i = 0; i < n; ++i) *(out + i) = function(*(first + i));
  } else {
    detail::each_part(n, [&](detail::count low, detail::count high) {
      detail::cursor<I> at(first + low);
      detail::cursor<Out> to(out + low);
      for (; low < high; ++low, ++at, ++to) *to = function(*at);
    });
  }
  return out + n;
}
template <class R, class Out, class Function, detail::if_range<R> = 0, detail::if_iterator<Out> = 0>
Out transform(R &&range, Out out, Function function) {
  return cilk::transform(detail::begin_of(range), detail::end_of(range), out, std::move(function));
}

/// *(out + i) = function(*(first + i), *(second + i)). `out` may be `first` or `second`. The second
/// range is at least as long as the first one.
template <class I, class J, class Out, class Function, detail::if_iterator<I> = 0,
          detail::if_iterator<J> = 0, detail::if_iterator<Out> = 0>
Out transform(I first, I last, J second, Out out, Function function) {
  detail::check_read<I>();
  detail::check_read<J>();
  detail::check_write<Out>();
  const auto n = static_cast<detail::count>(last - first);
  if constexpr (detail::are_words_v<I, J, Out>) {
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
    cilk_for (detail::count i = 0; i < n; ++i) *(out + i) = function(*(first + i), *(second + i));
  } else {
    detail::each_part(n, [&](detail::count low, detail::count high) {
      detail::cursor<I> at(first + low);
      detail::cursor<J> other(second + low);
      detail::cursor<Out> to(out + low);
      for (; low < high; ++low, ++at, ++other, ++to) *to = function(*at, *other);
    });
  }
  return out + n;
}
template <class R, class S, class Out, class Function, detail::if_range<R> = 0,
          detail::if_range<S> = 0, detail::if_iterator<Out> = 0>
Out transform(R &&range, S &&second, Out out, Function function) {
  return cilk::transform(detail::begin_of(range), detail::end_of(range), detail::begin_of(second),
                         out, std::move(function));
}

}  // namespace cilk

#endif
