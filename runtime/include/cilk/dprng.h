/* Random numbers that do not depend on the schedule, and the pedigrees that they are made of.
 *
 * C11 and C++17. Guide: docs/user-guide-algorithms.md, "Random numbers". Compile every module of
 * the program that spawns with -fnopal-pedigrees; one without it is an error of the linker.
 *
 *     cilk::dprng random(2026);
 *     cilk_for (int i = 0; i < n; ++i) values[i] = std::uniform_real_distribution<>()(random);
 *
 * A *pedigree* names a strand by its place in the program. It is the list of ranks from the
 * thread's first activation down to the strand: which spawn of its activation, which spawn of the
 * child, and so on. A spawn and a sync begin a new rank, and an iteration of a cilk_for has its
 * number for one. So the pedigree is the same for any number of workers, and so are the numbers.
 *
 * Names and results are OpenCilk's where it has them. Each thread of the program begins a pedigree
 * of its own: give generators of two threads different seeds. With CILK_SERIAL there are no spawns:
 * all numbers are those of one strand, and differ from the parallel program's. No function throws.
 * Checked by tests/dprng.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_DPRNG_H
#define CILK_DPRNG_H

#if !defined(CILK_SERIAL) && !defined(__cilk_pedigrees__)
#error "<cilk/dprng.h> needs pedigrees: compile all modules that spawn with -fnopal-pedigrees"
#endif

#include <stdint.h>

#ifdef __cplusplus
#define NOPAL_DPRNG_NOTHROW noexcept
extern "C" {
#else
#define NOPAL_DPRNG_NOTHROW __attribute__((nothrow))
#endif

/* A strand: its rank in its activation, and the spawn or iteration that it belongs to; null in the
 * thread's first activation. What `parent` leads to lives as long as the strand. */
typedef struct __cilkrts_pedigree {
  uint64_t rank;
  struct __cilkrts_pedigree *parent;
} __cilkrts_pedigree;

#ifndef CILK_SERIAL

/* The calling strand's pedigree. */
__cilkrts_pedigree __cilkrts_get_pedigree(void) NOPAL_DPRNG_NOTHROW;
/* Begins a new rank, as a spawn does: two parts of a strand have different pedigrees then. Returns
 * 0, as Cilk Plus has it; OpenCilk's returns nothing. */
int __cilkrts_bump_worker_rank(void) NOPAL_DPRNG_NOTHROW;
/* The next number of the calling strand, from 0 to 2^64 - 1. It begins a new rank. */
uint64_t __cilkrts_get_dprand(void) NOPAL_DPRNG_NOTHROW;
/* Chooses another sequence for __cilkrts_get_dprand. Who may call: a strand with which no other one
 * runs in parallel. */
void __cilkrts_dprand_set_seed(uint64_t seed) NOPAL_DPRNG_NOTHROW;
/* Does nothing: for programs that call it as OpenCilk asks. */
void __cilkrts_init_dprng(void) NOPAL_DPRNG_NOTHROW;
/* As __cilkrts_get_dprand, with a seed of its own. Cost: some nanoseconds. */
uint64_t nopal_dprng_next(uint64_t seed) NOPAL_DPRNG_NOTHROW;

#else /* CILK_SERIAL: one strand */

static inline uint64_t *nopal_dprng_rank(void) {
  static uint64_t rank;
  return &rank;
}
static inline uint64_t *nopal_dprng_seed(void) {
  static uint64_t seed;
  return &seed;
}
static inline __cilkrts_pedigree __cilkrts_get_pedigree(void) {
  __cilkrts_pedigree strand = {*nopal_dprng_rank(), 0};
  return strand;
}
static inline int __cilkrts_bump_worker_rank(void) {
  ++*nopal_dprng_rank();
  return 0;
}
static inline uint64_t nopal_dprng_next(uint64_t seed) {
  uint64_t x = ++*nopal_dprng_rank() * 0x9e3779b97f4a7c15u + seed;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline uint64_t __cilkrts_get_dprand(void) { return nopal_dprng_next(*nopal_dprng_seed()); }
static inline void __cilkrts_dprand_set_seed(uint64_t seed) { *nopal_dprng_seed() = seed; }
static inline void __cilkrts_init_dprng(void) {}

#endif /* CILK_SERIAL */

#ifdef __cplusplus
}

namespace cilk {

/// A generator for the distributions of <random>. It has no state but its seed, since each strand
/// has numbers of its own: strands may share one, and copies give the numbers that the original
/// would have given. Two with different seeds are independent of each other.
class dprng {
 public:
  using result_type = uint64_t;
  explicit dprng(uint64_t seed = 0) noexcept : seed_(seed) {}
  static constexpr uint64_t min() noexcept { return 0; }
  static constexpr uint64_t max() noexcept { return UINT64_MAX; }
  /// The calling strand's next number.
  uint64_t operator()() const noexcept { return nopal_dprng_next(seed_); }

 private:
  uint64_t seed_;
};

}  // namespace cilk
#endif

#undef NOPAL_DPRNG_NOTHROW

#endif
