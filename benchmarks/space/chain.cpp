// A binary tree of depth `size`. Above each spawn, a chain of calls touches 1 MiB and returns; a
// linear stack would keep that memory.
#include "model.h"

__attribute__((noinline)) static long called(long depth) {
  char frame[4096 - 64];
  touch(frame, sizeof frame);
  return depth == 0 ? frame[0] : called(depth - 1) + frame[1024];
}

__attribute__((noinline)) static long chain(long depth) {
  if (depth == 0) return called(256);
  GROUP;
  long x, y;
  const long before = called(256);
  SPAWN(x, chain(depth - 1));
  y = chain(depth - 1);
  SYNC;
  return before + x + y;
}

long run(long size) { return chain(size); }
