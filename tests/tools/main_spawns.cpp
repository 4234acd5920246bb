// Stops in a child of main, in main's slow clone, and in a call that main's continuation makes:
// main itself spawns, and is stolen from.
#include <cilk/cilk.h>

#include <cstdio>

namespace {

[[gnu::noinline]] void in_continuation() { std::puts("in its continuation"); }
[[gnu::noinline]] void child() { std::puts("in a child"); }

}  // namespace

int main() {
  cilk_spawn child();
  in_continuation();
  cilk_sync;
  std::puts("right");
}
