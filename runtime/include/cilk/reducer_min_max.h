/* Cilk Plus' name for both <cilk/reducer_min.h> and <cilk/reducer_max.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_MIN_MAX_H
#define CILK_REDUCER_MIN_MAX_H

#include "reducer_max.h"
#include "reducer_min.h"

#endif
