//===- Target.h - The machine and system that clones can run on -*- C++ -*-===//
//
// Fast path and runtime were built for one target, and a spawn for another one
// would call what is not there, or crash code generation. Asked by the front-end
// at the first keyword, and by the split for bitcode that no front-end has seen.
// Tests: tests/diagnostics/Target.cpp, tests/pass/refuse-target.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_TARGET_H
#define NOPAL_SPLIT_TARGET_H

#include "llvm/TargetParser/Triple.h"

#include <string>

namespace nopal {

/// What the fast path for \p Arch was compiled for. An unknown triple if there is none.
llvm::Triple fastPathTarget(llvm::Triple::ArchType Arch);

/// The triples of all fast paths, for messages.
std::string fastPathTargets();

/// Whether spawns can be compiled for \p Target: the same architecture, system,
/// environment (which says how wide a pointer is: gnux32) and object format as
/// the fast path's. A triple that names no environment means the GNU one.
bool isSupportedTarget(const llvm::Triple &Target);

} // namespace nopal

#endif
