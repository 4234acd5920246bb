// Code that the serial program would not run does not count for a reducer, even if a stolen
// continuation runs it. This also holds if there is an inner try block before the sync that raises
// the exception, and if an inlined callee has syncs of its own.
#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <string>

#include "../support/check.h"

namespace {

cilk::reducer<std::string, cilk::append> text;

NOINLINE void say(const char *word) { *text += word; }
NOINLINE void child(int n) {
  linger();
  if (n % 2 != 0) throw n;
  say("c");
}
NOINLINE void throws(int n) {
  if (n > 0) throw n;
}

// The handler of the inner block, which does not spawn, is void code, and so is what follows it.
NOINLINE void handler_within(int n) {
  try {
    cilk_spawn child(n);
    say("1");
    try {
      throws(5);
    } catch (int) {
      say("2");
    }
    say("4");
    cilk_spawn child(2);
    say("5");
  } catch (int thrown) {
    *text += "caught" + std::to_string(thrown);
  }
  say(".");
}

// The inner block is a region with a sync of its own.
NOINLINE void region_within(int n, int inner) {
  try {
    cilk_spawn child(n);
    say("1");
    try {
      cilk_spawn child(inner);
      say("2");
      cilk_sync;
      say("3");
    } catch (int thrown) {
      *text += "inner" + std::to_string(thrown);
    }
    say("4");
    cilk_scope {
      cilk_spawn child(inner + 1);
      say("5");
    }
    say("6");
  } catch (int thrown) {
    *text += "outer" + std::to_string(thrown);
  }
  say(".");
}

NOINLINE void deeper(int n) {
  try {
    cilk_spawn child(n);
    say("<");
    try {
      throws(1);
    } catch (int) {
      region_within(n, 2);
      cilk::reducer<int, std::plus<>> local;
      *local += 3;
    }
    handler_within(n);
    say(">");
  } catch (int thrown) {
    *text += "deep" + std::to_string(thrown);
  }
}

// Its spawns cannot be reached, so it may be inlined. Its syncs must not wait for the caller's
// children.
inline int without_spawns(int n) {
  const int known = 6;
  if (known % 2 == 0) return n + known;
  cilk_spawn child(1);  // matrix: never (it cannot be reached)
  say("");
  cilk_sync;
  return n;
}
NOINLINE void inlined_syncs(int n) {
  try {
    cilk_spawn child(n);
    n = without_spawns(n);
    say("after");
    cilk_sync;
  } catch (int thrown) {
    *text += "caught" + std::to_string(thrown);
  }
  cilk_spawn child(2);
  n += without_spawns(n);
  say("");
  cilk_sync;
}

}  // namespace

int main() {
  for (int n = 2; n < 6; ++n) {
    handler_within(n);
    region_within(n, 2);
    region_within(n, 3);
    deeper(n);
    inlined_syncs(n);
    say("\n");
  }
  std::printf("%s", text.get_value().c_str());
}
