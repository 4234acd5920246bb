// What each program across ranks says at its end: rank 0 prints the result, and on standard error
// the seconds.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BENCHMARKS_CLUSTER_FINISH_H
#define BENCHMARKS_CLUSTER_FINISH_H

#include <cilk/cluster.h>

#include <cstdio>
#include <string>

/// Returns the status of the process.
inline int finish(const cilk::cluster &ranks, const std::string &result, bool is_right,
                  double seconds) {
  if (ranks.rank() == 0) {
    std::printf("%s%s\n", result.c_str(), is_right ? "" : ": wrong");
    std::fflush(stdout);
    std::fprintf(stderr, "seconds %.6f\n", seconds);
  }
  return is_right ? 0 : 1;
}

#endif
