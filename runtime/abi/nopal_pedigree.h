/* What compiled code calls where it keeps pedigrees (-fnopal-pedigrees).
 *
 * A pedigree names a strand by its place in the program. The strand that a thread runs has a *rank*
 * in its activation, and a *parent*: the node of the spawn or of the iteration that it belongs to.
 * Where the compiler puts the calls: clang-plugin/outline/README.md, "Pedigrees". Included by the
 * runtime (runtime/src/frame/pedigree.cpp) and by the outliner. Includes only <stdint.h>. C11 and
 * C++17. None throws; each costs a few nanoseconds, and the calling thread's strand is what it
 * reads and writes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef NOPAL_PEDIGREE_H
#define NOPAL_PEDIGREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A spawn or an iteration on the way to a strand. It lies in the activation of the child, of the
 * leaf or, for a loop, of the function, and lives as long as the strands below it. The first two
 * fields are __cilkrts_pedigree. */
typedef struct nopal_pedigree_node {
  uint64_t rank;
  const struct nopal_pedigree_node *parent; /* null: the thread's first activation */
  uint64_t sum;   /* the ranks down to this one, each times a number of its depth, modulo p */
  uint64_t depth; /* nodes above */
} nopal_pedigree_node;

/* Before a spawn or a sync, by the parent: *kept is the strand. `sum` and `depth` stay unset. */
void nopal_pedigree_save(nopal_pedigree_node *kept);
/* After it, by whoever continues: the strand of *kept, one rank higher. */
void nopal_pedigree_advance(const nopal_pedigree_node *kept);
/* A child begins, on the thread that spawned it: *node is the parent's strand, and the strand is
 * the first one below it. */
void nopal_pedigree_enter(nopal_pedigree_node *node);
/* Before a loop: *node is the strand. */
void nopal_pedigree_loop(nopal_pedigree_node *node);
/* Iteration `k` of that loop begins: *iteration is its node, and the strand is the first one below
 * it. */
void nopal_pedigree_iteration(const nopal_pedigree_node *loop, nopal_pedigree_node *iteration,
                              uint64_t k);

#ifdef __cplusplus
}
#endif

#endif
