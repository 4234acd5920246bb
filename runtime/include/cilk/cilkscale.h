/* OpenCilk's interface to work and span: wsp_getworkspan() at two points of a function, and
 * wsp_sub() of the two is what the part between them did.
 *
 * In a program that is built with -fnopal-span, which defines __cilkscale__, the figures are
 * nanoseconds. In any other build all of them are zero, nothing is printed, and no library is
 * needed. wsp_dump() writes a row of CSV, with a header before the first one, to the file that
 * CILKSCALE_OUT names, or to standard output. C11 and C++17. Docs: docs/span.md. Checked by
 * tests/span/report_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CILKSCALE_H
#define CILK_CILKSCALE_H

#include <stdint.h>

#ifdef __cplusplus
#include <fstream>  // OpenCilk's programs rely on these two
#include <iostream>
#define NOPAL_WSP_NOTHROW noexcept
#else
#define NOPAL_WSP_NOTHROW __attribute__((nothrow))
#endif

typedef int64_t raw_duration_t;

/* Work, span and burdened span. */
typedef struct wsp_t {
  raw_duration_t work;
  raw_duration_t span;
  raw_duration_t bspan;
} wsp_t;

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cilkscale__
/* Of the calling thread, from the beginning of the program to here. */
wsp_t wsp_getworkspan(void) NOPAL_WSP_NOTHROW;
void wsp_dump(wsp_t wsp, const char *tag);
#else
static inline wsp_t wsp_getworkspan(void) {
  wsp_t result = {0, 0, 0};
  return result;
}
static inline void wsp_dump(wsp_t wsp, const char *tag) {
  (void)wsp;
  (void)tag;
}
#endif

static inline wsp_t wsp_zero(void) {
  wsp_t result = {0, 0, 0};
  return result;
}

static inline wsp_t wsp_add(wsp_t lhs, wsp_t rhs) {
  lhs.work += rhs.work;
  lhs.span += rhs.span;
  lhs.bspan += rhs.bspan;
  return lhs;
}

static inline wsp_t wsp_sub(wsp_t lhs, wsp_t rhs) {
  lhs.work -= rhs.work;
  lhs.span -= rhs.span;
  lhs.bspan -= rhs.bspan;
  return lhs;
}

#ifdef __cplusplus
}

inline wsp_t &operator+=(wsp_t &lhs, const wsp_t &rhs) noexcept { return lhs = wsp_add(lhs, rhs); }
inline wsp_t &operator-=(wsp_t &lhs, const wsp_t &rhs) noexcept { return lhs = wsp_sub(lhs, rhs); }
inline wsp_t operator+(wsp_t lhs, const wsp_t &rhs) noexcept { return lhs += rhs; }
inline wsp_t operator-(wsp_t lhs, const wsp_t &rhs) noexcept { return lhs -= rhs; }

/// Work, span, parallelism, burdened span and burdened parallelism; times in seconds.
inline std::ostream &operator<<(std::ostream &out, const wsp_t &wsp) {
#ifdef __cilkscale__
  const double work = static_cast<double>(wsp.work) * 1e-9;
  const double span = static_cast<double>(wsp.span) * 1e-9;
  const double bspan = static_cast<double>(wsp.bspan) * 1e-9;
  out << work << ", " << span << ", " << work / span << ", " << bspan << ", " << work / bspan;
#else
  (void)wsp;
#endif
  return out;
}
#endif

#undef NOPAL_WSP_NOTHROW

#endif
