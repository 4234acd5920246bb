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
  const auto n = static_cast<detail::count>(last - first);
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
  cilk_for (detail::count i = 0; i < n; ++i) function(first[i]);
}
template <class R, class Function, detail::if_range<R> = 0>
void for_each(R &&range, Function function) {
  const auto first = detail::begin_of(range);
  cilk::for_each(first, first + (std::end(range) - first), std::move(function));
}

/// out[i] = function(first[i]). `out` may be `first`. Returns the end of what was written.
template <class I, class Out, class Function, detail::if_iterator<I> = 0,
          detail::if_iterator<Out> = 0>
Out transform(I first, I last, Out out, Function function) {
  detail::check_read<I>();
  detail::check_write<Out>();
  const auto n = static_cast<detail::count>(last - first);
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
  cilk_for (detail::count i = 0; i < n; ++i) out[i] = function(first[i]);
  return out + n;
}
template <class R, class Out, class Function, detail::if_range<R> = 0, detail::if_iterator<Out> = 0>
Out transform(R &&range, Out out, Function function) {
  const auto first = detail::begin_of(range);
  return cilk::transform(first, first + (std::end(range) - first), out, std::move(function));
}

/// out[i] = function(first[i], second[i]). `out` may be `first` or `second`. The second range is at
/// least as long as the first one.
template <class I, class J, class Out, class Function, detail::if_iterator<I> = 0,
          detail::if_iterator<J> = 0, detail::if_iterator<Out> = 0>
Out transform(I first, I last, J second, Out out, Function function) {
  detail::check_read<I>();
  detail::check_read<J>();
  detail::check_write<Out>();
  const auto n = static_cast<detail::count>(last - first);
#ifndef CILK_SERIAL
#pragma cilk grainsize detail::grain_for(n)
#endif
  cilk_for (detail::count i = 0; i < n; ++i) out[i] = function(first[i], second[i]);
  return out + n;
}
template <class R, class S, class Out, class Function, detail::if_range<R> = 0,
          detail::if_range<S> = 0, detail::if_iterator<Out> = 0>
Out transform(R &&range, S &&second, Out out, Function function) {
  const auto first = detail::begin_of(range);
  return cilk::transform(first, first + (std::end(range) - first), detail::begin_of(second), out,
                         std::move(function));
}

}  // namespace cilk

#endif
