// Functions that spawn, split by hand into fast and slow clones as the compiler would, so the
// runtime's tests need no plugin.
//
// The comment of each function is its source in Cilk. Used by all tests of this folder.
#ifndef NOPAL_STRESS_CLONES_H
#define NOPAL_STRESS_CLONES_H

#include <functional>

namespace stress {

/// long fib(long n) { if (n < 2) return n; long x = cilk_spawn fib(n - 1); long y = fib(n - 2);
/// cilk_sync; return x + y; }
long fib(long n);

/// The same number without spawns.
long serial_fib(long n);

/// for (long i = begin; i < end; ++i) cilk_spawn body(i); cilk_sync;
/// A body that throws makes the loop throw: the exception of the lowest i.
void spawn_loop(long begin, long end, const std::function<void(long)> &body);

/// for (long round = 0; round < rounds; ++round) { for (long i = 0; i < width; ++i) cilk_spawn
/// body(round, i); cilk_sync; between(round); } Many syncs of one activation, each of which may
/// bring the fast clone back.
void spawn_rounds(long rounds, long width, const std::function<void(long, long)> &body,
                  const std::function<void(long)> &between);

/// cilk_spawn child(); continuation(); cilk_sync;
void spawn_and_continue(const std::function<void()> &child,
                        const std::function<void()> &continuation);

/// void spine(long depth) { if (depth == 0) return; cilk_spawn spine(depth - 1); ++visits;
/// cilk_sync; } and returns the visits: a deque as deep as the tree.
long spine(long depth);

}  // namespace stress

#endif
