// Small children in loops. After a steal what is left of the loop runs in the slow clone, which has
// a body of its own of such a child (docs/decisions/0024): with the child's locals and memory of
// run-time size, its exceptions, what it reads of its thread, loops that are entered at several
// places, and children of children.

#include <cilk/cilk.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "../support/check.h"

namespace {

NOINLINE long weigh(long a, long b) {
  if ((a + b) % 7 == 0) linger();
  return a * 10'007 + b;
}

NOINLINE long first_of(const long *values, long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += values[i];
  return sum;
}

inline void three(std::atomic<long> &sum, long i) {
  long values[3] = {i, i * i, 1};
  sum += first_of(values, 3);
}

inline void five(std::atomic<long> &sum, long i) {
  long values[5] = {i, 2, 3, 4, weigh(i, 1)};
  sum += first_of(values, 5);
}

// Locals whose addresses are known elsewhere, in one spawn and in its neighbour.
long locals(long n) {
  std::atomic<long> sum{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn three(sum, i);
    cilk_spawn five(sum, i);
  }
  cilk_sync;
  return sum;
}

inline void use_sized(std::atomic<long> &sum, long i) {
  auto *text = static_cast<char *>(__builtin_alloca(static_cast<std::size_t>(4096 + i % 64)));
  std::memset(text, 1, 64);
  sum += text[i % 64] + (i % 257 == 0 ? weigh(i, 3) : 0);
}

// Memory of run-time size: released at each child's end, or a long loop would fill the stack.
long sized(long n) {
  std::atomic<long> sum{0};
  for (long i = 0; i < n; ++i) cilk_spawn use_sized(sum, i);
  cilk_sync;
  return sum;
}

inline void may_throw(std::atomic<long> &sum, long i, long at) {
  if (i == at) throw std::runtime_error("at " + std::to_string(weigh(at, 2)));
  sum += i;
}

// The first one thrown, and all rounds before it, whoever runs them.
std::string throws(long n, long at) {
  std::atomic<long> sum{0};
  try {
    for (long i = 0; i < n; ++i) {
      if (i > at) break;
      cilk_spawn may_throw(sum, i, at);
    }
    cilk_sync;
  } catch (const std::exception &error) {
    return error.what() + std::string(", ") + std::to_string(sum);
  }
  return "nothing, " + std::to_string(sum);
}

struct Noted {
  std::atomic<long> &sum;
  long value;
  ~Noted() { sum += value; }
};

inline void note(std::atomic<long> &sum, long i, bool is_last) {
  const Noted noted{sum, i};
  if (is_last) throw std::runtime_error("last");
}

// Cleanups of the child's own.
std::string cleanups(long n) {
  std::atomic<long> sum{0};
  try {
    for (long i = 0; i < n; ++i) cilk_spawn note(sum, i, i == n - 1);
    cilk_sync;
  } catch (const std::runtime_error &error) {
    return error.what() + std::string(", ") + std::to_string(sum);
  }
  return "nothing";
}

thread_local long mine = 0;

inline void read_thread(std::atomic<long> &wrong, long i) {
  mine = i;
  errno = static_cast<int>(i % 100);
  if (i % 5 == 0) weigh(i, 3);
  if (mine != i || errno != i % 100) ++wrong;
}

// What a child writes into its thread it finds there, each round.
long threads(long n) {
  std::atomic<long> wrong{0};
  for (long i = 0; i < n; ++i) {
    cilk_spawn read_thread(wrong, i);
    if (i % 11 == 3) linger();
  }
  cilk_sync;
  return wrong;
}

inline void add(std::atomic<long> &sum, long a, long b) { sum += weigh(a, b); }

// A loop that is entered in its middle by whoever steals its first spawn, and at its top by whoever
// steals the one in front.
long entries(long n, long at) {
  std::atomic<long> sum{0};
  long results[8] = {};
  results[0] = cilk_spawn weigh(n, at);
  for (long i = 0; i < n; ++i) {
    if (i % 3 != at) cilk_spawn three(sum, i);
    results[1 + i % 7] += i;
    cilk_spawn add(sum, i, at);
  }
  cilk_sync;
  return sum + first_of(results, 8);
}

long tree(long depth);

// A child that spawns: it is no body, and its parent's result is.
long tree(long depth) {
  if (depth == 0) return 1;
  long results[3] = {};
  for (long i = 0; i < 3; ++i) results[i] = cilk_spawn tree(depth - 1);
  cilk_sync;
  return results[0] * 2 + results[1] * 3 + results[2] * 5 + depth;
}

}  // namespace

int main() {
  std::printf("locals %ld\n", locals(60));
  std::printf("sized %ld\n", sized(6'000));
  for (const long at : {0L, 1L, 17L, 39L, 99L}) std::printf("throws %s\n", throws(40, at).c_str());
  std::printf("cleanups %s\n", cleanups(30).c_str());
  std::printf("threads %ld\n", threads(80));
  for (const long at : {0L, 1L, 2L, 3L}) std::printf("entries %ld\n", entries(40, at));
  std::printf("tree %ld\n", tree(5));
  return 0;
}
