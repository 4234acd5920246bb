//===- Target.h - The machine and system that clones can run on -*- C++ -*-===//
//
// Fast path and runtime were built for one target, and a spawn for another one
// would call what is not there, or crash code generation. Asked by the front-end
// at the first keyword, and by the split for bitcode that no front-end has seen.
// Tests: tests/diagnostics/Target.cpp, tests/pass/refuse-target.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_TARGET_H
#define NOPAL_CONTRACT_TARGET_H

#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

namespace nopal {

/// The fast path for \p Arch, compiled by the build. Empty if there is none.
llvm::MemoryBufferRef fastPathBitcode(llvm::Triple::ArchType Arch);

/// The same, or that of another target if there is none: the types of its
/// declarations are the same for all.
llvm::MemoryBufferRef abiBitcode(llvm::Triple::ArchType Arch);

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
