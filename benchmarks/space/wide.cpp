// One loop that spawns `size` children that do next to nothing: the most steals a second. Child
// stealing keeps all of them in memory.
#include "model.h"

static long out[4096];

__attribute__((noinline)) static void child(long i) {
  long x = i;
  for (int k = 0; k < 20; ++k) x = x * 6364136223846793005L + 1;
  out[i & 4095] = x;
}

long run(long size) {
  GROUP;
  for (long i = 0; i < size; ++i) {
    SPAWN_VOID(child(i));
  }
  SYNC;
  long sum = 0;
  for (const long value : out) sum ^= value;
  return sum == 0 ? 1 : 0;  // which child comes last to a place is not said
}
