/* Work and span of a part of a program, by name.
 *
 *   void frame() {
 *     cilk::measure here("physics");   // up to the end of the block
 *     ...
 *   }
 *
 * In a program that is built with -fnopal-span the report at exit has a row for each name: how
 * often, work, span, parallelism, all executions added. In any other build these are nothing, and
 * no library is needed. A region begins and ends in one function, where no child runs; end it after
 * the sync that its children need. C11 and C++17. Docs: docs/span.md. Checked by
 * tests/span/report_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_MEASURE_H
#define CILK_MEASURE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __cilkscale__
/* Begins a region, and ends the one that this thread began last. The name is copied. */
void nopal_span_begin(const char *name);
void nopal_span_end(void);
/* With CILK_SPAN_CLOCK=count: that many ticks pass. With another clock nothing happens. */
void nopal_span_count(uint64_t ticks);
#else
static inline void nopal_span_begin(const char *name) { (void)name; }
static inline void nopal_span_end(void) {}
static inline void nopal_span_count(uint64_t ticks) { (void)ticks; }
#endif
#ifdef __cplusplus
}

namespace cilk {

/// A region, from its construction to its destruction.
class measure {
 public:
  explicit measure(const char *name) { nopal_span_begin(name); }
  ~measure() { nopal_span_end(); }
  measure(const measure &) = delete;
  measure &operator=(const measure &) = delete;
};

}  // namespace cilk
#endif

#endif
