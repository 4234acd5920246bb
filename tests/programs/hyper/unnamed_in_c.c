/* Hyperobjects in compound literals, and in what functions return. All are made and used by one
 * strand, which may be stolen: it must know the value that each began with.
 *
 * matrix: flags -std=gnu11
 */
#include <cilk/cilk.h>

#include "../support/check.h"

void zero(void *view) { *(long *)view = 0; }
void never(void *left, void *right) {
  (void)left, (void)right;
  check_failed("no object has two views", __FILE__, __LINE__);
}
typedef long cilk_reducer(zero, never) sum_t;

struct count {
  sum_t sum;
  char tail;
};
struct counts {
  struct count all[3];
  sum_t sums[2];
};

static NOINLINE void nothing(void) { linger(); }
static NOINLINE struct count make(long n) { return (struct count){n, 0}; }
NOINLINE struct counts make_several(long n) {
  return (struct counts){{{n, 0}, {n + 1, 0}, make(n + 2)}, {n + 3, n + 4}};
}
static NOINLINE long add(struct count *object) { return object->sum += 1; }
static NOINLINE long take(struct count object) { return object.sum += 1; }
static NOINLINE long add_to(sum_t *sum) { return *sum += 1; }

static NOINLINE void objects(int i) {
  CHECK_EQ(add(&(struct count){5, 0}), 6);
  CHECK_EQ(((struct count){5, 0}.sum += 1), 6);
  CHECK_EQ(take((struct count){5, 0}), 6);
  CHECK_EQ(take(make(5)), 6);
  CHECK_EQ(make(5).sum, 5);
  CHECK_EQ(add_to((sum_t[]){5, 7}), 6);
  CHECK_EQ(add_to(&(sum_t){7}), 8);
#if __clang_major__ >= 22
  CHECK_EQ((make_several(5).sums[i] += 1), 9 + i);
  CHECK_EQ(*(make_several(5).sums + 1), 9);
  CHECK_EQ(add(make_several(5).all + i), 6 + i);
#endif
  struct count copy = (struct count){3, 0};
  copy = i ? (struct count){4, 0} : make(4);
  CHECK_EQ(copy.sum += 1, 5);
  struct count *lasting = &(struct count){7, 0};
  for (int k = 0; k < 3; ++k) CHECK_EQ(add(lasting), 8 + k);
  static struct count *of_file;
  static struct count first = {1, 0};
  of_file = &first;
  CHECK_EQ(of_file->tail, 0);
}

/* In a continuation, which may be stolen. */
static NOINLINE void check(void) {
  cilk_spawn nothing();
  objects(0);
  objects(1);
  cilk_sync;
}

int main(void) {
  for (int i = 0; i < 20; ++i) check();
  puts("right");
}
