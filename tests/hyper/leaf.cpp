// The leaf of a cilk_for looks a view up once, before its loop, and the loop is vectorized. Two
// sums need two look-ups. No look-up moves across a spawn.
#include <cilk/cilk.h>
#include <cilk/opadd_reducer.h>
#include <cilk/reducer.h>
#include <cilk/views.h>

using Sum = cilk::reducer<unsigned, std::plus<>>;

// ONE-LABEL: define {{.*}}one_sum{{.*}}leaf
// ONE: call {{.*}}@nopal_find_view(
// ONE-NOT: @nopal_find_view(
// ONE: add <4 x i32>
// ONE-NOT: @nopal_find_view(
// ONE-LABEL: define
unsigned one_sum(const unsigned *values, long n) {
  Sum sum;
  cilk_for (long i = 0; i < n; ++i) *sum += values[i];
  return *sum;
}

// TWO-LABEL: define {{.*}}two_sums{{.*}}leaf
// TWO: call {{.*}}@nopal_find_view(
// TWO: call {{.*}}@nopal_find_view(
// TWO-NOT: @nopal_find_view(
// TWO-LABEL: define
unsigned two_sums(const unsigned *values, long n) {
  Sum even, odd;
  cilk_for (long i = 0; i < n; ++i) {
    *even += values[2 * i];
    *odd += values[2 * i + 1];
  }
  return *even - *odd;
}

// LANGUAGE-LABEL: define {{.*}}of_the_language{{.*}}leaf
// LANGUAGE: call {{.*}}@nopal_find_view(
// LANGUAGE-NOT: @nopal_find_view(
// LANGUAGE: add <4 x i32>
// LANGUAGE-NOT: @nopal_find_view(
// LANGUAGE-LABEL: {{^}}}
unsigned of_the_language(const unsigned *values, long n) {
  cilk::opadd_reducer<unsigned> sum = 0;
  cilk_for (long i = 0; i < n; ++i) sum += values[i];
  return sum;
}

void child();

// The fast clone looks up before the spawn and after it, and keeps nothing of the first look-up.
// SPAWN-LABEL: define {{.*}}around_a_spawn
// SPAWN: asm "movq nopal_tls_strand@gottpoff
// SPAWN: call {{.*}}@nopal_find_view(
// SPAWN: {{call|invoke}} {{.*}}child
// SPAWN: asm "movq nopal_tls_strand@gottpoff
// SPAWN: call {{.*}}@nopal_find_view(
// SPAWN-LABEL: {{^}}}
void around_a_spawn(Sum &sum) {
  *sum += 1;
  cilk_spawn child();
  *sum += 2;
  cilk_sync;
}

// Look-ups by hand search the recent ones inline, too.
// DIRECT-LABEL: define {{.*}}by_hand
// DIRECT: asm "movq nopal_tls_strand@gottpoff
// DIRECT: br i1
// DIRECT: mul i32
// DIRECT: br i1
// DIRECT: call {{.*}}@__cilkrts_reducer_lookup(
// DIRECT: asm "movq nopal_tls_strand@gottpoff
// DIRECT: mul i32
// DIRECT: call {{.*}}@nopal_view_now(
// DIRECT-LABEL: {{^}}}
void by_hand(void *sum, const nopal_view_type *type) {
  *(long *)__cilkrts_reducer_lookup(sum, sizeof(long), (void *)cilk::zero<long>,
                                    (void *)cilk::plus<long>) += 1;
  *(long *)nopal_view_now(sum, type) += 1;
}

struct Cleanup {
  ~Cleanup();
};

// So do those that Clang takes for calls which may throw.
// CLEANUP-LABEL: define {{.*}}beside_a_cleanup
// CLEANUP: mul i32
// CLEANUP: call {{.*}}@__cilkrts_reducer_lookup(
// CLEANUP-LABEL: {{^}}}
void beside_a_cleanup(void *sum) {
  const Cleanup cleanup;
  *(long *)__cilkrts_reducer_lookup(sum, sizeof(long), (void *)cilk::zero<long>,
                                    (void *)cilk::plus<long>) += 1;
}

// A tail call that must be one stays as it is.
// MUSTTAIL-LABEL: define {{.*}}must_be_a_tail_call
// MUSTTAIL-NOT: mul i32
// MUSTTAIL: musttail call {{.*}}@__cilkrts_reducer_lookup(
void *must_be_a_tail_call(void *sum, size_t size, void *identity, void *reduce) {
  [[clang::musttail]] return __cilkrts_reducer_lookup(sum, size, identity, reduce);
}
