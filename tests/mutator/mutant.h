/* The head of every mutant (-include mutant.h): its keywords, and children with which nothing can
 * race. C and C++. It includes nothing, so it changes no program.
 *
 * The keywords are not those of <cilk/cilk.h>, so CILK_SERIAL, which removes the program's own
 * spawns, leaves them. MUTANT_SERIAL removes them: then the mutant is a serial program, and must do
 * what the original does.
 */
#ifndef NOPAL_TESTS_MUTATOR_MUTANT_H
#define NOPAL_TESTS_MUTATOR_MUTANT_H

#if defined(MUTANT_SERIAL)
#define mut_spawn
#define mut_sync
#define mut_scope
#define mut_for for
#else
#define mut_spawn _Pragma("cilk spawn")
#define mut_sync _Pragma("cilk sync")
#define mut_scope _Pragma("cilk scope")
#define mut_for _Pragma("cilk for") for
#endif

#define MUT_OWN __attribute__((noinline, unused)) static

MUT_OWN void mut_nothing(void) { __asm__ volatile("" ::: "memory"); }

/* Takes a while, so that its continuation is stolen. */
MUT_OWN void mut_linger(int rounds) {
  for (volatile int i = 0; i < rounds; i = i + 1) {
  }
}

MUT_OWN int mut_value(int n) {
  mut_linger(n & 63);
  return n;
}
MUT_OWN void mut_put(int *place, int n) {
  mut_linger(n & 63);
  *place = n;
}

/* Large, so that it is returned through memory. */
typedef struct mut_large {
  long words[9];
} mut_large;
MUT_OWN mut_large mut_make(long n) {
  mut_large result;
  for (int i = 0; i < 9; ++i) result.words[i] = n + i;
  return result;
}

MUT_OWN void mut_same(long got, long wanted) {
  if (got != wanted) __builtin_trap();
}
MUT_OWN void mut_same_large(const mut_large *got, long wanted) {
  for (int i = 0; i < 9; ++i) mut_same(got->words[i], wanted + i);
}

/* True for the first calls: bounds the steals of a program that passes a place very often. */
static int mut_left = 300;
MUT_OWN int mut_few(void) { return __atomic_fetch_sub(&mut_left, 1, __ATOMIC_RELAXED) > 0; }

#if defined(__cplusplus)
/* Knows whether it lives and where. */
struct mut_box {
  explicit mut_box(int n) noexcept : value(n), self(this) {}
  mut_box(const mut_box &other) noexcept : value(other.get()), self(this) {}
  mut_box &operator=(const mut_box &other) noexcept {
    get();
    value = other.get();
    return *this;
  }
  ~mut_box() {
    get();
    self = nullptr;
  }
  int get() const noexcept {
    if (self != this) __builtin_trap();
    return value;
  }
  int value;
  const mut_box *self;
};
MUT_OWN int mut_takes(mut_box box, const mut_box &other) {
  mut_linger(box.get() & 63);
  return box.get() + other.get();
}
MUT_OWN mut_box mut_boxed(int n) {
  mut_linger(n & 63);
  return mut_box(n);
}
#if defined(__cpp_exceptions)
MUT_OWN void mut_throws(int n) { throw n; }
#endif
#endif

#endif
