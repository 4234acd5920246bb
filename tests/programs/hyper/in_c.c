/* Hyperobjects of OpenCilk's language in C, wherever one may stand: global, static, local, member,
 * element, parameter, reached by a pointer, on the heap; with an operation that does not commute.
 * The value is the serial one at each sync.
 *
 * matrix: flags -std=gnu11
 */
#include <cilk/cilk.h>
#include <cilk/views.h>

#include <stddef.h>
#include <string.h>

#include "../support/check.h"

/* ---- a sum, and a sequence of letters ---- */

static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
typedef long cilk_reducer(zero, add) sum_t;

struct text {
  size_t length;
  char letters[500];
};
void empty(void *view) { ((struct text *)view)->length = 0; }
void append(void *left, void *right) {
  struct text *into = (struct text *)left, *from = (struct text *)right;
  memcpy(into->letters + into->length, from->letters, from->length);
  into->length += from->length;
}
typedef struct text cilk_reducer(empty, append) text_t;

static NOINLINE void write_letter(text_t *text, int n) {
  if (n % 7 == 0) linger();
  text->letters[text->length++] = (char)('a' + n % 26);
}
static NOINLINE void check_letters(const struct text *text, int count) {
  CHECK_EQ(text->length, count);
  for (int i = 0; i < count; ++i) CHECK_EQ(text->letters[i], 'a' + i % 26);
}

/* ---- where it may stand ---- */

long cilk_reducer(zero, add) global = 100;
static sum_t in_file;

struct counters {
  int before;
  sum_t hits[3];
  struct {
    char at_an_odd_place;
    sum_t misses;
  } inner;
};

static NOINLINE long of_a_parameter(sum_t sum, long n) {
  cilk_for (long i = 0; i < n; ++i) sum += i;
  return sum;
}

static NOINLINE void through_a_pointer(sum_t *sum, long n) {
  cilk_for (long i = 0; i < n; ++i) *sum += 2, sum[0] -= 1;
}

static NOINLINE long everywhere(long n) {
  static sum_t kept = 1;
  sum_t local = 5, several[4] = {1, 2, 3, 4};
  struct counters counters = {7, {10, 20, 30}, {'x', 40}};
  sum_t *heap = (sum_t *)calloc(8, sizeof *heap);
  for (int i = 0; i < 8; ++i) __cilkrts_reducer_register(&heap[i], sizeof *heap, zero, add);
  cilk_for (long i = 0; i < n; ++i) {
    global += 1;
    in_file += 1;
    kept += 1;
    local += i;
    several[i % 4] += 1;
    counters.hits[i % 3]++;
    (&counters)->inner.misses -= 1;
    heap[i % 8] += i;
    __atomic_fetch_add(&counters.before, 1, __ATOMIC_RELAXED);
  }
  through_a_pointer(__builtin_addressof(local), n);
  CHECK_EQ(of_a_parameter(local, n), n * (n - 1) + n + 5);
  CHECK_EQ(local, n * (n - 1) / 2 + n + 5);
  CHECK_EQ(several[0] + several[1] + several[2] + several[3], 10 + n);
  CHECK_EQ(counters.hits[0] + counters.hits[1] + counters.hits[2], 60 + n);
  CHECK_EQ(counters.inner.misses, 40 - n);
  CHECK_EQ(counters.before, 7 + n);
  long total = 0;
  for (int i = 0; i < 8; ++i) {
    total += heap[i];
    __cilkrts_reducer_unregister(&heap[i]);
  }
  free((void *)heap);
  CHECK_EQ(total, n * (n - 1) / 2);
  return kept;
}

/* In stolen strands, one in the other. */
static NOINLINE long nested(int depth) {
  sum_t here = depth;
  text_t letters = {0, {0}};
  if (depth == 0) return here + 1;
  for (int i = 0; i < 5; ++i) cilk_spawn write_letter(__builtin_addressof(letters), i);
  here += nested(depth - 1);
  cilk_sync;
  check_letters(&letters, 5);
  return here;
}

static NOINLINE void nothing(void) { linger(); }

/* In a continuation, which may be stolen, each declarator sees those before it. */
static NOINLINE void declarators(void) {
  cilk_spawn nothing();
  sum_t x = 4, y = x + 1, *pointer = __builtin_addressof(y), z = *pointer += 1;
  struct counters counters = {7, {10, 20, 30}, {'x', 40}},
                  other = {8, {counters.hits[1]}, {'y', z}};
  cilk_sync;
  CHECK_EQ(x + y + z, 16);
  CHECK_EQ(other.hits[0], 20);
  CHECK_EQ(other.inner.misses, 6);
}

/* ---- what a use is ---- */

static NOINLINE void uses(void) {
  sum_t sum = 3;
  long *view = &sum;
  CHECK_EQ(*view, 3);
  CHECK_EQ(sizeof sum, sizeof(long));
  CHECK(__builtin_addressof(sum) == __builtin_addressof(sum));
  sum = sum > 2 ? sum * 2 : -1;
  CHECK_EQ(sum--, 6);
  CHECK_EQ(-sum, -5);
  long plain = sum;
  CHECK_EQ(__cilkrts_reducer_lookup(__builtin_addressof(sum), sizeof sum, zero, add) == &sum, 1);
  CHECK(__hyper_lookup(__builtin_addressof(sum), sizeof sum, zero, add) == &sum);
  CHECK_EQ(plain, 5);
}

static NOINLINE void alike(void) {
  sum_t sum = 1, several[2] = {2, 3};
  struct counters counters = {7, {10, 20, 30}, {'x', 40}};
  __typeof__(sum) another = 4;
  __typeof__(several[1]) element = 5;
  __typeof__(counters.inner.misses) member = 6;
  __typeof__(sum_t) named = 7;
  cilk_for (int i = 0; i < 60; ++i) another += 1, element += 2, member += 3, named += 4;
  CHECK_EQ(another, 64);
  CHECK_EQ(element, 125);
  CHECK_EQ(member, 186);
  CHECK_EQ(named, 247);
  CHECK_EQ(sum + several[0] + several[1] + counters.inner.misses, 46);
}

static NOINLINE void in_order(void) {
  text_t text = {0, {0}};
  for (int i = 0; i < 300; ++i) cilk_spawn write_letter(__builtin_addressof(text), i);
  cilk_sync;
  check_letters(&text, 300);
  cilk_scope {
    for (int i = 300; i < 400; ++i) cilk_spawn write_letter(__builtin_addressof(text), i);
  }
  check_letters(&text, 400);
}

int main(void) {
  uses();
  declarators();
  in_order();
  alike();
  CHECK_EQ(everywhere(500), 501);
  printf("%ld %ld %ld\n", nested(6), global, in_file);
}
