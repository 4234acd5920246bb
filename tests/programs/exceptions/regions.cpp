// Exceptions and sync regions: what a child of an outer region threw is raised at the outer
// region's sync, never inside of an inner try block, whatever happens in between.

#include <cilk/cilk.h>

#include <stdexcept>
#include <string>

#include "../support/check.h"
#include "../support/counted.h"
#include "../support/failure.h"

namespace {

long outer_child_past_inner_try(int which) {
  long result = 0;
  try {
    cilk_spawn fail_if(which & 1, 41);
    try {
      cilk_spawn fail_if(which & 2, 42);
      fail_if(which & 4, 43);
    } catch (const Failure &failure) {
      result += failure.number * 1000;
    }
    cilk_spawn fail_if(which & 8, 44);
  } catch (const Failure &failure) {
    result =
        failure.number;  // what the inner handler added depends on how far the continuation came
  }
  return result;
}

long function_child_past_try(int which) {
  long kept = 0;
  Counted local(3);
  cilk_spawn fail_if(which & 1, 1);
  try {
    Counted inner(4);
    cilk_spawn fail_if(which & 2, 2);
    cilk_sync;
    fail_if(which & 4, 3);
  } catch (const Failure &failure) {
    kept = failure.number;
  }
  fail_if(which & 8, 5);  // leaves the function while the first child's exception may be pending:
                          // the first is serially first
  cilk_sync;
  return kept * 10 + local.value();
}

long three_deep(int which) {
  long trace = 0;
  try {
    cilk_spawn fail_if(which == 0, 100);
    try {
      cilk_spawn fail_if(which == 1, 200);
      try {
        cilk_spawn fail_if(which == 2, 300);
        fail_if(which == 3, 400);
      } catch (const Failure &failure) {
        trace += failure.number + 3;
      }
      fail_if(which == 4, 500);
    } catch (const Failure &failure) {
      trace += failure.number + 2;
    }
    fail_if(which == 5, 600);
  } catch (const Failure &failure) {
    trace += failure.number + 1;
  }
  return trace;
}

long in_a_loop(int which) {
  long sum = 0;
  for (int i = 0; i < 6; ++i) {
    try {
      cilk_spawn fail_if(i == which, i);
      try {
        cilk_spawn fail_if(i == which + 1, 10 * i);
        sum += fail_if(false, i);
      } catch (const Failure &failure) {
        sum += 1000 + failure.number;
      }
    } catch (const Failure &failure) {
      sum = sum / 1000 * 1000 + 100000;
    }
  }
  return sum / 1000;
}

// Another type of exception: the inner handlers do not match it, the outer one does.
long unmatched(int which) {
  try {
    cilk_spawn fail_if(which == 0, 7);
    try {
      cilk_spawn fail_if(which == 1, 8);
      if (which == 2) throw std::runtime_error("nine");
    } catch (const std::logic_error &) {
      return -1;
    }
    cilk_sync;
  } catch (const Failure &failure) {
    return failure.number;
  } catch (const std::runtime_error &error) {
    return static_cast<long>(std::string(error.what()).size());
  }
  return 0;
}

// A handler that returns: the outer child's exception is raised at the sync of the function's end.
long handler_returns(int which) {
  Counted local(1);
  cilk_spawn fail_if(which & 1, 61);
  try {
    cilk_spawn fail_if(which & 2, 62);
    fail_if(which & 4, 63);
  } catch (const Failure &failure) {
    return failure.number;
  }
  return local.value();
}

long caught_from(long (*function)(int), int which) {
  try {
    return function(which);
  } catch (const Failure &failure) {
    return -failure.number;
  }
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    for (int which = 0; which < 16; ++which)
      printf("%ld %ld %ld\n", outer_child_past_inner_try(which),
             caught_from(function_child_past_try, which), caught_from(handler_returns, which));
    for (int which = 0; which < 7; ++which)
      printf("%ld %ld %ld\n", three_deep(which), in_a_loop(which), unmatched(which));
  }
  CHECK_EQ(Counted::live(), 0);
  return 0;
}
