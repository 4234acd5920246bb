// What malloc gives between two waits of the first thread stays as it is, prints "right". With an
// unlimited stack the thread library takes all memory down to the heap for the stack.
#include <cilk/cilk.h>

#include <cstdlib>
#include <cstring>

#include "../../programs/support/check.h"

namespace {

NOINLINE int busy(int milliseconds) {
  usleep(static_cast<useconds_t>(1000 * milliseconds));
  return milliseconds;
}

/// The child ends first, so the first thread waits.
NOINLINE void wait_for_a_thief() {
  const int child = cilk_spawn busy(3);
  const int rest = busy(20);
  cilk_sync;
  CHECK_EQ(child + rest, 23);
}

NOINLINE long dig(long depth) {
  volatile char frame[4096];
  frame[0] = 1;
  if (depth == 0) wait_for_a_thief();
  return frame[0] + (depth > 0 ? dig(depth - 1) : 0);
}

}  // namespace

int main() {
  constexpr int kBlocks = 2000, kBytes = 4000;
  wait_for_a_thief();
  unsigned char *blocks[kBlocks];
  for (unsigned char *&block : blocks) {
    block = static_cast<unsigned char *>(std::malloc(kBytes));
    std::memset(block, 7, kBytes);
  }
  wait_for_a_thief();
  CHECK_EQ(dig(1500), 1501);  // 6 MB deep
  wait_for_a_thief();
  for (unsigned char *block : blocks) {
    for (int i = 0; i < kBytes; ++i) CHECK_EQ(block[i], 7);
    std::free(block);
  }
  puts("right");
}
