// Asks the system for membarrier. See fence.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fence.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "../platform/membarrier.h"

#include <cerrno>
#include <cstring>

namespace nopal {
namespace {

/// Registers when the library is loaded, while the process has one thread: with more, registering
/// waits for a grace period of the kernel (17 ms were seen). Harmless if the program never spawns.
/// Not with CILK_FENCE=full: a sandbox may end a process that asks.
[[gnu::constructor]] void register_early() noexcept {
  if (asks_for_full_fence()) return;
  const int saved = errno;
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  errno = saved;
}

/// 0, or the reason why the private expedited barrier cannot be had.
int register_membarrier() noexcept {
  const long commands = membarrier(MEMBARRIER_CMD_QUERY);
  if (commands < 0) return errno;
  if ((commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0 ||
      (commands & MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0)
    return ENOSYS;
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) != 0) return errno;
  return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0
             ? 0
             : errno;  // some sandboxes allow one and not the other
}

FenceMode ask_system() noexcept {
  const Config::Fence wanted = config().fence;
  if (wanted == Config::Fence::kFull) return FenceMode::kFull;
  const int refused = register_membarrier();
  if (refused == 0)
    return wanted == Config::Fence::kAsymmetric ? FenceMode::kAsymmetric : FenceMode::kAdaptive;
  if (wanted == Config::Fence::kAsymmetric)
    warn("CILK_FENCE=asymmetric: the system refuses membarrier: %s; going on with CILK_FENCE=full",
         std::strerror(refused));
  return FenceMode::kFull;
}

}  // namespace

FenceMode choose_fence_mode() noexcept {
  static const FenceMode mode = ask_system();
  return mode;
}

const char *name_of(FenceMode mode) noexcept {
  switch (mode) {
    case FenceMode::kAsymmetric:
      return "asymmetric";
    case FenceMode::kFull:
      return "full";
    case FenceMode::kAdaptive:
      return "adaptive";
  }
  __builtin_unreachable();
}

}  // namespace nopal
