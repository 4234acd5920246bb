// The system's process-wide memory barrier: the heavy half of an asymmetric fence.
//
// deque/fence.cpp asks for it once; HardwareAtoms::heavy_fence uses it. Which side fences when:
// deque/README.md. Checked by tests/stress (with and without it) and tests/faults.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_MEMBARRIER_H
#define NOPAL_PLATFORM_MEMBARRIER_H

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace nopal {

inline long membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0u, 0); }

/// Makes every other running thread of this process pass a full fence, and is one for the caller
/// itself: a load of ours after it sees each store that came before the other thread's fence, and
/// the other thread's loads after its fence see our stores. The process must have registered for
/// it; a refusal then is a broken kernel, and fatal. Cost: one system call and an interrupt for
/// each CPU that runs a thread of this process.
inline void heavy_fence_by_membarrier() noexcept {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) [[unlikely]] {  // from Linux 4.14
    std::perror("nopal: fatal: membarrier refused a private expedited fence; set CILK_FENCE=full");
    std::abort();
  }
}

}  // namespace nopal

#endif
