/* The serial elision in Cilk Plus' way: as if CILK_SERIAL was defined.
 *
 * C11 and C++17. Before all other headers of Cilk, as `-include cilk/cilk_stub.h` has it. Checked
 * by tests/install/serial_test.py and tests/install/driver_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CILK_STUB_H
#define CILK_CILK_STUB_H

#if !defined(CILK_SERIAL) && (defined(NOPAL_CILK_CILK_H) || defined(CILK_VIEWS_H))
#error "include <cilk/cilk_stub.h> before the other headers of Cilk"
#endif

#define CILK_STUB
#ifndef CILK_SERIAL
#define CILK_SERIAL
#endif

/* The driver may have included <cilk/keywords.h> before all. */
#undef __cilk
#undef _Cilk_spawn
#undef _Cilk_sync
#undef _Cilk_scope
#undef _Cilk_for
#undef _Hyperobject
#undef NOPAL_CILK_KEYWORDS_H
#include "keywords.h"

#endif
