// Order of evaluation: the parent evaluates the address of the left side first, then callee, object
// and arguments, and then spawns; later changes by the continuation do not affect the child.

#include <cilk/cilk.h>

#include <map>
#include <string>
#include <vector>

#include "../support/check.h"

namespace {

NOINLINE long square(long n) {
  linger();
  return n * n;
}
NOINLINE long minus(long n) {
  linger();
  return -n;
}

void increments() {
  long results[12] = {};
  int i = 0, x = 1;
  while (i < 10) results[i++] = cilk_spawn square(x++);
  int left = i;
  results[left] = cilk_spawn square(left);
  left = 0;  // too late to change anything
  long *cursor = results + 11;
  *cursor-- = cilk_spawn minus(++x);
  cilk_sync;
  CHECK(cursor == results + 10);
  printf("increments:");
  for (long result : results) printf(" %ld", result);
  printf("\n");
}

std::string trace;
long *traced(long *place, char name) {
  trace += name;
  return place;
}
long traced(long value, char name) {
  trace += name;
  return value;
}
using Function = long (*)(long);
Function traced(Function function, char name) {
  trace += name;
  return function;
}

// Without the keyword C++17 evaluates the right side first: the one place where the serial elision
// differs, and must.
#ifdef CILK_SERIAL
const char *const kTrace = "al|cai|api";
#else
const char *const kTrace = "la|ica|pia";
#endif

void traced_parts() {
  trace.clear();
  long a[3];
  *traced(&a[0], 'l') = cilk_spawn square(traced(3L, 'a'));
  trace += '|';
  a[traced(1L, 'i')] = cilk_spawn traced(minus, 'c')(traced(4L, 'a'));
  trace += '|';
  traced(a, 'p')[traced(2L, 'i')] = cilk_spawn square(traced(5L, 'a'));
  cilk_sync;
  CHECK(trace == kTrace);
  printf("trace: %ld %ld %ld\n", a[0], a[1], a[2]);
}

struct Counter {
  long value;
  NOINLINE long add(long n) {
    linger();
    return value + n;
  }
};

// The callee and the object are evaluated before the spawn too.
void callees_and_objects() {
  Function function = square;
  long a = cilk_spawn function(7);
  function = minus;
  long b = cilk_spawn function(7);
  Counter counters[2] = {{100}, {200}};
  Counter *counter = counters;
  long c = cilk_spawn counter->add(1);
  ++counter;
  long d = cilk_spawn counter->add(2);
  counter = nullptr;
  bool first = true;
  long e = cilk_spawn (first ? square : minus)(3);
  first = false;
  long f = cilk_spawn (first ? square : minus)(3);
  cilk_sync;
  printf("callees: %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f);
}

// A left side whose evaluation is a call: a map makes its element before the spawn, in the parent.
void maps() {
  std::map<long, long> map;
  for (long key = 0; key < 20; ++key) map[key % 7 * 100 + key] = cilk_spawn square(key);
  cilk_sync;
  std::vector<std::vector<long>> rows(3, std::vector<long>(4));
  for (std::size_t i = 0, row = 0, column = 0; i < 12; ++i) {
    rows[row][column++] = cilk_spawn minus(static_cast<long>(i));
    if (column == 4) ++row, column = 0;
  }
  cilk_sync;
  long checksum = 0;
  for (const auto &[key, value] : map) checksum = checksum * 3 + key + value;
  for (const auto &row : rows) {
    for (long value : row) checksum = checksum * 3 + value;
  }
  printf("maps: %ld\n", checksum);
}

// The loop variable is a parameter of the child by value, as ever: each child has its own copy.
void loop_variable() {
  std::vector<long> results;
  results.resize(30);
  for (std::size_t i = 0; i < results.size(); ++i) {
    cilk_spawn [&results](std::size_t index) {
      linger();
      results[index] = static_cast<long>(index * 3);
    }(i);
    cilk_spawn [&results, i] { linger(), void(results.at(i)); }();
  }
  cilk_sync;
  long sum = 0;
  for (std::size_t i = 0; i < results.size(); ++i) sum += results[i] * static_cast<long>(i);
  printf("loop variable: %ld\n", sum);
}

}  // namespace

int main() {
  for (int i = 0; i < 5; ++i) {
    increments();
    traced_parts();
    callees_and_objects();
    maps();
    loop_variable();
  }
  return 0;
}
