// Deep and skewed: `size` levels of frames of 4 KiB, each of which spawns the next and has a leaf
// as its continuation. Ten times over, so that stacks which were deep are used again.
#include "model.h"

__attribute__((noinline)) static long leaf(long n) {
  char frame[4096];
  touch(frame, sizeof frame);
  return n + frame[(n & 3) * 1024];
}

__attribute__((noinline)) static long skewed(long depth) {
  char frame[4096];
  touch(frame, sizeof frame);
  if (depth == 0) return frame[1024];
  GROUP;
  long below, beside;
  SPAWN(below, skewed(depth - 1));
  beside = leaf(depth);
  SYNC;
  return below + beside + frame[2048];
}

long run(long size) {
  long sum = 0;
  for (int i = 0; i < 10; ++i) sum += skewed(size);
  return sum;
}
