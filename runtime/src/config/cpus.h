// How many CPUs this process may use: the default number of workers.
//
// Called by table.cpp. Checked by tests/unit/cpus_test.cpp with made-up file trees.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_CONFIG_CPUS_H
#define NOPAL_CONFIG_CPUS_H

#include <optional>
#include <string>

namespace nopal {

/// CPUs in the calling thread's affinity mask, at least 1. Cost: a system call.
unsigned affinity_cpus();

/// How many CPUs of time the process's control groups grant it, or nothing if none sets a quota:
/// the lowest quota / period along its path, in version 2 (cpu.max) and version 1
/// (cpu.cfs_quota_us). `root` is put before every path that is read, such as /proc/self/cgroup.
/// What cannot be read or understood sets no limit. Cost: some file reads.
std::optional<double> cgroup_cpus(const std::string &root = "");

/// The affinity mask, limited by the quota rounded up to whole CPUs; at least 1.
unsigned usable_cpus(const std::string &root = "");

}  // namespace nopal

#endif
