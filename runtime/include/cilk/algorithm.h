/* Parallel algorithms, after those of the standard library.
 *
 * C++17 and later. Guide with examples: docs/user-guide-algorithms.md. Checked by tests/algorithm.
 *
 *     std::vector<double> values = ...;
 *     cilk::sort(values);
 *     double sum = cilk::reduce(values.begin(), values.end(), 0.0);
 *
 * for_each, transform, invoke              algorithm/loops.h
 * reduce, transform_reduce, count_if       algorithm/reduce.h
 * find_if                                  algorithm/find.h
 * inclusive_scan, exclusive_scan           algorithm/scan.h
 * sort, stable_sort                        algorithm/sort.h
 * merge                                    algorithm/merge.h
 * partition                                algorithm/partition.h
 *
 * What holds for all:
 * - Each has a form for two iterators and one for a range. Iterators have random access, those that
 *   are written through too; others are refused by a static_assert.
 * - The result is the same for any number of workers, bit for bit. How the work is divided depends
 *   on the number of elements alone. So operations must be associative and need not commute.
 * - Strands call one object at the same time: a function, predicate or comparator that changes
 *   itself is a race. None is copied after the call has begun.
 * - An exception leaves the algorithm after all its strands have ended, and all temporaries are
 *   destroyed then. Of several the serially first one leaves. Elements keep a valid value; each
 *   function says more where there is more to say.
 * - With CILK_SERIAL any compiler builds them, and needs no library.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_H
#define CILK_ALGORITHM_H

#ifndef __cplusplus
#error "<cilk/algorithm.h> is for C++"
#endif

#include "cilk.h"
#include "cilk_api.h"
#include "monoid.h"
#include "race.h"
#include "reducer.h"

// The parts, after what they need:
#include "algorithm/find.h"
#include "algorithm/loops.h"
#include "algorithm/merge.h"
#include "algorithm/partition.h"
#include "algorithm/reduce.h"
#include "algorithm/scan.h"
#include "algorithm/sort.h"

#endif
