// All ways out of a cilk_scope: return, break, continue and goto wait for its children, then leave.
// Each child writes to a place that only the sync of its scope makes safe to read, and the
// destructor of a Reader in the scope or around it reads that place.

#include <cilk/cilk.h>

#include <string>

#include "../support/check.h"
#include "../support/counted.h"

namespace {

NOINLINE long work(long n) {
  linger();
  return n * 3 + 1;
}
NOINLINE void set(long &place, long n) {
  linger();
  place = n;
}
NOINLINE long fail_if(bool fails, long n) {
  linger();
  if (fails) throw n;
  return n;
}
NOINLINE bool opaque(bool value) { return value; }

// Its destructor adds what the children before it have written: the scope has synced when it runs.
struct Reader {
  Reader(const long &place, long &sum) : place(place), sum(sum) {}
  ~Reader() { sum = (sum * 10 + place) % 1000003; }
  const long &place;
  long &sum;
};

enum Way { kEnd, kReturn, kBreak, kContinue, kGoto, kBackward, kWays };

// In a loop, with outer children in flight or not, from one scope or two, from a switch or not.
template <bool Outer, bool Two>
long leave(Way way, long &sum) {
  long outer = 0, result = 0;
  int again = 0;
  Reader last(outer, sum);
  for (int round = 0; round < 3; ++round) {
  back:
    if (Outer) {
      cilk_sync;
    }
    long place = 0, inner = 0;
    Reader around(place, sum);
    if (Outer) {
      outer = cilk_spawn work(1);  // matrix: some (two instances)
    }
    cilk_scope {
      Reader reader(place, sum);
      place = cilk_spawn work(round);
      if (Two) {
        cilk_scope {
          Reader deep(inner, sum);
          inner = cilk_spawn work(round + 1);  // matrix: some (two instances)
          switch (way) {
            case kReturn:
              return round + 5;
            case kBreak:
              goto leave_loop;
            case kContinue:
              goto next;
            case kGoto:
              goto out;
            case kBackward:
              if (again++ == 0) goto back;
              break;
            default:
              break;
          }
          result += work(2);
        }
      } else {
        if (way == kReturn) return round + 5;
        if (way == kBreak) break;
        if (way == kContinue) continue;
        if (way == kGoto) goto out;
        if (way == kBackward && again++ == 0) goto back;
        result += work(2);
      }
    }
    result += place + inner;
  next:
    if (Outer) {
      cilk_sync;
    }
  }
  return result;
leave_loop:
  return -result;
out:
  return 1000 + result;
}

// The value is computed before the sync, as at the end of a function.
long computed_before(long n) {
  long x = n;
  cilk_scope {
    const long before = x;
    cilk_spawn set(x, n + 1);
    return before + 7;
  }
}
long returned_after_sync(long n) {
  cilk_scope {
    long x = cilk_spawn work(n);
    long y = work(n + 1);
    cilk_sync;
    return x * 100 + y;
  }
}
void returns_nothing(long n, long &place) {
  long other = 0;
  Reader reader(other, place);
  cilk_scope {
    other = cilk_spawn work(n);
    if (opaque(n > 2)) return;
    cilk_spawn set(place, n);
  }
  place += 5;
}
long &returns_reference(long *places, long n) {
  cilk_scope {
    places[0] = cilk_spawn work(n);
    return places[n % 3];
  }
}

// Class objects: made in the return slot, by an expression or as a variable, and destroyed if a
// sync raises.
Counted object(int form, long fails) {
  cilk_spawn fail_if(fails & 1, 1);
  Counted around(20);
  cilk_scope {
    cilk_spawn fail_if(fails & 2, 2);
    if (form == 0) return Counted(10);
    if (form == 1) return around;
    Counted own(30);
    if (form == 2) return own;
    cilk_scope {
      cilk_spawn fail_if(fails & 4, 3);
      if (form == 3) return Counted(40);
      Counted deep(50);
      if (form == 4) return deep;
      if (form == 5) return own;
      try {
        cilk_spawn fail_if(fails & 8, 4);
        if (form == 6) return Counted(60);
        Counted deepest(70);
        return deepest;
      } catch (long n) {
        return Counted(1000 + n);
      }
    }
  }
}
std::string text(long n) {
  cilk_scope {
    std::string result(static_cast<size_t>(n), 'x');
    cilk_spawn[&result, n] {
      linger();
      result[static_cast<size_t>(n / 2)] = 'y';
    }();
    linger();
    cilk_sync;
    return result;
  }
}
// A cilk_scope that spawns nothing, in a function that does.
Counted empty_scope(long fails) {
  cilk_spawn fail_if(fails & 1, 1);
  cilk_scope {
    try {
      cilk_scope { return Counted(fails); }
    } catch (int) {
      return Counted(9);
    }
  }
}
Counted empty_around(long fails) {
  cilk_scope {
    cilk_scope {
      cilk_spawn fail_if(fails & 1, 1);
      cilk_scope { return Counted(fails); }
    }
  }
}

// An exception that the scope's sync raises continues from the place of the exit.
long raises(Way way) {
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    try {
      BalanceCheck balance;
      Counted counted(3);
      cilk_scope {
        Counted inner(4);
        cilk_spawn fail_if(round != 1, 100 + round);
        if (way == kReturn && round == 1) return sum + 5;
        if (way == kBreak) break;
        if (way == kContinue) continue;
        if (way == kGoto) goto out;
      }
      sum += 1;
    } catch (long n) {
      sum += n;
    }
  }
  return sum;
out:
  return -sum;
}
long in_noexcept(long n) noexcept {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    long x = 0;
    cilk_scope {
      x = cilk_spawn work(i);
      if (i == 3) continue;
      if (i == 5) return sum;
    }
    sum += x;
  }
  return -sum;
}

// In a try block with handlers, in a spawned block, in the body of a cilk_for and of a lambda.
long in_try(long n) {
  long caught = 0;
  for (long i = 0; i < n; ++i) {
    try {
      cilk_spawn fail_if(i == 3, 30);
      cilk_scope {
        long x = cilk_spawn work(i);
        if (i % 2) continue;
        if (i == 8) break;
        cilk_sync;
        caught += x;
      }
      try {
        cilk_scope {
          cilk_spawn fail_if(i == 2, 7);
          if (i == 6) return caught;
          cilk_sync;
        }
      } catch (long m) {
        caught += m * 1000;
        if (i == 2) continue;
      }
    } catch (long m) {
      caught += m * 100000;
    }
  }
  return -caught;
}
long in_a_block(long n) {
  long sums[4] = {};
  for (int j = 0; j < 4; ++j) {
    cilk_spawn {
      for (long i = 0; i < n; ++i) {
        long x = 0;
        Reader reader(x, sums[j]);
        cilk_scope {
          x = cilk_spawn work(i);
          if (i == 2) continue;
          if (i == j + 2) break;
        }
        sums[j] += x;
      }
    }
    linger();
    cilk_sync;
  }
  return sums[0] + 2 * sums[1] + 3 * sums[2] + 4 * sums[3];
}
long in_a_loop(long n) {
  long results[16] = {};
  cilk_for (long i = 0; i < n; ++i) {
    long x = 0;
    Reader reader(x, results[i]);
    cilk_spawn set(x, 5);
    cilk_scope {
      results[i] = cilk_spawn work(i);
      if (i % 3 == 0) continue;
      goto out;
    }
    linger();
  out:
    cilk_sync;
    results[i] += x;
  }
  long sum = 0;
  for (long result : results) sum = sum * 7 + result;
  return sum;
}
template <class T>
T in_a_lambda(T n) {
  auto find = [&](T what) -> T {
    T found{};
    cilk_scope {
      found = cilk_spawn work(what);
      for (T i = 0; i < n; ++i) {
        cilk_scope {
          cilk_spawn work(i);
          if (i == what) return i * 10;
        }
      }
    }
    return -found;
  };
  return find(n / 2) + find(n + 1);
}

// Cases around a scope, and inside.
long switches(long n) {
  long x = 0, sum = 0;
  switch (n % 4) {
    case 0:
      cilk_scope {
        x = cilk_spawn work(n);
        if (n > 2) break;
        sum += 1;
      }
      [[fallthrough]];
    case 1:
      cilk_scope {
        sum = cilk_spawn work(n + 1);
        switch (n) {
          case 1:
            break;
          default:
            goto done;
        }
      }
      sum += 100;
      break;
    default:
      cilk_scope {
        cilk_spawn set(x, n);
        break;
      }
  }
  sum += 10000;
done:
  return sum * 7 + x;
}

// The stack: an array of run-time size in the scope, and one around it.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wvla-cxx-extension"
long arrays(int n) {
  long total = 0;
  for (int i = 1; i <= n; ++i) {
    long outer[i];
    outer[i - 1] = 0;
    cilk_scope {
      long inner[i];
      cilk_spawn set(outer[i - 1], i);
      cilk_spawn set(inner[i - 1], i);
      cilk_sync;
      total += inner[i - 1];
      cilk_spawn set(inner[0], i);
      if (i == 3) continue;
      if (i == 6) break;
    }
    total += outer[i - 1];
  }
  return total;
}
#pragma clang diagnostic pop

template <class F>
void print(const char *name, long n, F function) {
  try {
    printf("%s %ld: %ld\n", name, n, function(n));
  } catch (long m) {
    printf("%s %ld threw %ld\n", name, n, m);
  }
  CHECK_EQ(Counted::live(), 0);
}

}  // namespace

int main() {
  for (int way = 0; way < kWays; ++way) {
    long sum = 0;
    print("one", way, [&](long w) { return leave<false, false>(static_cast<Way>(w), sum); });
    print("one, outer", way, [&](long w) { return leave<true, false>(static_cast<Way>(w), sum); });
    print("two", way, [&](long w) { return leave<false, true>(static_cast<Way>(w), sum); });
    print("two, outer", way, [&](long w) { return leave<true, true>(static_cast<Way>(w), sum); });
    print("raises", way, [](long w) { return raises(static_cast<Way>(w)); });
    printf("sum %ld\n", sum);
  }
  for (long n = 0; n < 8; ++n) {
    long places[3] = {1, 2, 3}, place = 0;
    print("before", n, computed_before);
    print("after", n, returned_after_sync);
    returns_nothing(n, place);
    printf("nothing %ld\n", place);
    returns_reference(places, n) += 10;
    printf("reference %ld %ld %ld\n", places[0], places[1], places[2]);
    for (long fails = 0; fails < 16; ++fails)
      print("object", n * 100 + fails,
            [](long m) { return object(static_cast<int>(m / 100), m % 100).value(); });
    print("empty", n % 4, [](long m) { return empty_scope(m).value(); });
    print("empty around", n % 4, [](long m) { return empty_around(m).value(); });
    printf("%s\n", text(n + 1).c_str());
    print("switch", n, switches);
  }
  print("noexcept", 4, in_noexcept);
  print("noexcept", 8, in_noexcept);
  print("try", 7, in_try);
  print("try", 2, in_try);
  print("block", 5, in_a_block);
  print("loop", 16, in_a_loop);
  print("lambda", 6, [](long n) { return in_a_lambda(n); });
  print("arrays", 8, [](long n) { return arrays(static_cast<int>(n)); });
  return 0;
}
