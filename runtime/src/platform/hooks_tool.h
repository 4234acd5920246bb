// The tool for code with hooks (abi/nopal_hooks.h) that the program may be linked with: work and
// span, or the race detector. Its code is serial, and the runtime serves only what was compiled
// without hooks.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_HOOKS_TOOL_H
#define NOPAL_PLATFORM_HOOKS_TOOL_H

#include "../../abi/nopal_hooks.h"

extern "C" [[gnu::weak]] decltype(nopal_hook_unseen) nopal_hook_unseen;

namespace nopal {

inline bool has_hooks_tool() noexcept { return nopal_hook_unseen != nullptr; }

}  // namespace nopal

#endif
