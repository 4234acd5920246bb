/* An exception with a number, and children that throw it or do not, after some time or at once. */
#ifndef NOPAL_PROGRAMS_FAILURE_H
#define NOPAL_PROGRAMS_FAILURE_H

#include "check.h"

namespace {

struct Failure {
  long number;
};

[[maybe_unused]] NOINLINE long fine(long n) {
  linger();
  return n;
}
[[maybe_unused]] NOINLINE long fail(long n) {
  linger();
  throw Failure{n};
}
[[maybe_unused]] NOINLINE long fail_at_once(long n) { throw Failure{n}; }
[[maybe_unused]] NOINLINE long fail_if(bool fails, long n) {
  linger();
  if (fails) throw Failure{n};
  return n;
}

}  // namespace

#endif
