/* Cilk Plus' reducers in C: its macros, its callbacks, and an operation that does not commute. */
#include <cilk/cilk.h>
#include <cilk/hyperobject_base.h>
#include <cilk/reducer.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_opadd.h>

#include <float.h>
#include <limits.h>
#include <string.h>

#include "../support/check.h"

struct text {
  int length;
  char letters[300];
};
static void reduce(void *reducer, void *left, void *right) {
  struct text *into = (struct text *)left, *from = (struct text *)right;
  (void)reducer;
  memcpy(into->letters + into->length, from->letters, (size_t)from->length);
  into->length += from->length;
}
static void identity(void *reducer, void *view) {
  (void)reducer;
  ((struct text *)view)->length = 0;
}
typedef CILK_C_DECLARE_REDUCER(struct text) text_reducer;

static NOINLINE void add(text_reducer *text, int n) {
  if (n % 7 == 0) linger();
  struct text *view = &REDUCER_VIEW(*text);
  view->letters[view->length++] = (char)('a' + n % 26);
}

CILK_C_REDUCER_OPADD(global, long, 5);

static NOINLINE int letters(int count) {
  text_reducer text = CILK_C_INIT_REDUCER(struct text, reduce, identity,
                                          __cilkrts_hyperobject_noop_destroy, {0, {0}});
  CILK_C_REGISTER_REDUCER(text);
  for (int i = 0; i < count; ++i) cilk_spawn add(&text, i);
  cilk_sync;
  CHECK_EQ(text.value.length, count);
  for (int i = 0; i < count; ++i) CHECK_EQ(text.value.letters[i], 'a' + i % 26);
  CILK_C_UNREGISTER_REDUCER(text);
  return text.value.length;
}

static NOINLINE int nested(int depth) {
  CILK_C_REDUCER_OPADD(sum, int, 1);
  CILK_C_REGISTER_REDUCER(sum);
  if (depth > 0) {
    cilk_spawn letters(5 * depth);
    REDUCER_VIEW(sum) += nested(depth - 1);
    cilk_sync;
    REDUCER_VIEW(sum) += 1;
  }
  CILK_C_UNREGISTER_REDUCER(sum);
  return sum.value;
}

/* Of equal values the first one counts, also between two views. */
static NOINLINE void extrema(void) {
  static const int values[] = {3, 9, 4, 9, 1, 7, 1};
  CILK_C_REDUCER_MAX(most, int, INT_MIN);
  CILK_C_REDUCER_MIN(least, double, DBL_MAX);
  CILK_C_REDUCER_MAX_INDEX(most_at, long, LONG_MIN);
  CILK_C_REDUCER_MIN_INDEX(least_at, uchar, 255);
  CILK_C_REDUCER_MAX(none, ushort, 5);
  CILK_C_REDUCER_MAX_INDEX_TYPE(long) *pointer = &most_at;
  CILK_C_REGISTER_REDUCER(most);
  CILK_C_REGISTER_REDUCER(least);
  CILK_C_REGISTER_REDUCER(most_at);
  CILK_C_REGISTER_REDUCER(least_at);
  CILK_C_REGISTER_REDUCER(none);
  cilk_for (int i = 0; i < 7000; ++i) {
    const int value = values[i % 7];
    if (i % 500 == 0) linger();
    CILK_C_REDUCER_MAX_CALC(most, value + i / 7000);
    CILK_C_REDUCER_MIN_CALC(least, value - 0.5);
    CILK_C_REDUCER_MAX_INDEX_CALC(*pointer, i, value);
    CILK_C_REDUCER_MIN_INDEX_CALC(least_at, i, (unsigned char)value);
  }
  CHECK_EQ(REDUCER_VIEW(most), 9);
  CHECK(REDUCER_VIEW(least) == 0.5);
  CHECK_EQ(most_at.value.index, 1);
  CHECK_EQ(most_at.value.value, 9);
  CHECK_EQ(least_at.value.index, 4);
  CHECK_EQ(least_at.value.value, 1);
  CHECK_EQ(none.value, 5);
  CILK_C_UNREGISTER_REDUCER(none);
  CILK_C_UNREGISTER_REDUCER(least_at);
  CILK_C_UNREGISTER_REDUCER(most_at);
  CILK_C_UNREGISTER_REDUCER(least);
  CILK_C_UNREGISTER_REDUCER(most);
}

/* Without the macros. */
static NOINLINE int by_hand(int count) {
  struct {
    __cilkrts_hyperobject_base base;
    struct text text;
  } joined = {{{reduce, identity, __cilkrts_hyperobject_noop_destroy, __cilkrts_hyperobject_alloc,
                __cilkrts_hyperobject_dealloc},
               0,
               sizeof(__cilkrts_hyperobject_base),
               sizeof(struct text)},
              {0, {0}}};
  __cilkrts_hyper_create(&joined.base);
  cilk_for (int i = 0; i < count; ++i) {
    if (i % 50 == 0) linger();
    struct text *view = (struct text *)__cilkrts_hyper_lookup(&joined.base);
    view->letters[view->length++] = (char)('a' + i % 26);
  }
  __cilkrts_hyper_destroy(&joined.base);
  for (int i = 0; i < count; ++i) CHECK_EQ(joined.text.letters[i], 'a' + i % 26);
  return joined.text.length;
}

int main(void) {
  extrema();
  CHECK_EQ(by_hand(300), 300);
  CILK_C_REDUCER_OPMUL(product, double, 1);
  CILK_C_REDUCER_OPAND(common, uint, ~0u);
  CILK_C_REDUCER_OPOR(any, ulong, 0);
  CILK_C_REDUCER_OPXOR(parity, short, 0);
  CILK_C_REDUCER_OPADD_TYPE(long) *pointer = &global;
  cilk_for (int i = 0; i < 100; ++i) {
    REDUCER_VIEW(*pointer) += i;
    if (i % 10 == 0) REDUCER_VIEW(product) *= 2;
    REDUCER_VIEW(common) &= ~(1u << i % 20);
    REDUCER_VIEW(any) |= 1ul << i % 50;
    REDUCER_VIEW(parity) ^= (short)i;
  }
  CHECK_EQ(global.value, 4955);
  CHECK(product.value == 1024);
  CHECK_EQ(common.value, 0xfff00000u);
  CHECK_EQ(any.value, (1ul << 50) - 1);
  CHECK_EQ(parity.value, 0);
  printf("%d %d\n", letters(200), nested(6));
}
