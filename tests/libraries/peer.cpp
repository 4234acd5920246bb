// A library that spawns functions of another one, and throws through it. Built twice, loaded by
// loads.cpp; see run.py.

#include <cilk/cilk.h>

#include <stdexcept>

using Work = long (*)(long, void *, long);

extern "C" long work(long n, void *peer, long bad) {
  if (n == bad) throw std::runtime_error("thrown in a library");
  if (n < 2) return n;
  const Work next = peer != nullptr ? reinterpret_cast<Work>(peer) : work;
  long x = cilk_spawn next(n - 1, reinterpret_cast<void *>(work), bad);
  long y = work(n - 2, peer, -1);
  cilk_sync;
  return x + y;
}
