// As many suspended stacks as possible. At each level of a tree of depth `size`, the child waits
// (for a while) until its parent's continuation has been stolen. Then both continue with a tree of
// their own. It has the most steals of all.
#include "model.h"

#include <sched.h>

#include <atomic>

static long tree(long depth);

static long child(long depth, std::atomic<bool> *is_stolen) {
  for (int i = 0; i < 20 && !is_stolen->load(std::memory_order_relaxed); ++i) sched_yield();
  return tree(depth);
}

__attribute__((noinline)) static long tree(long depth) {
  if (depth == 0) return 1;
  GROUP;
  std::atomic<bool> is_stolen{false};
  std::atomic<bool> *const stolen = &is_stolen;
  long x, y;
  SPAWN(x, child(depth - 1, stolen));
  stolen->store(true, std::memory_order_relaxed);
  y = tree(depth - 1);
  SYNC;
  return x + y;
}

long run(long size) { return tree(size); }
