// Where a comment goes: not into a string or a comment of several lines.
#include <tbb/task_arena.h>

int one(const char *text, int number);

void places() {
  // clang-format off
  // stays: isolate has no counterpart
  one(R"(first
second)", tbb::this_task_arena::isolate([] { return 1; }));
  // stays: isolate has no counterpart
  /* first
second */ tbb::this_task_arena::isolate([] { return 2; });
  // clang-format on
}
