//===- Sites.h - The constants that describe spawns ------------*- C++ -*-===//
//
// Each spawn has a nopal_site (runtime/abi/nopal_abi.h). Used by Clones. Tests:
// tests/pass/split-sites.ll, split-registration.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SITES_H
#define NOPAL_SPLIT_SITES_H

#include "../analysis/NamedPass.h"
#include "../contract/Markers.h"
#include "Runtime.h"

namespace nopal::split {

/// A new nopal_site for the spawn at \p Marker in \p F, whose case in \p Slow is \p Index; \p
/// FrameAddress is that of the frame's layout. BoundFramesPass adds how far the frame reaches.
llvm::GlobalVariable *createSite(llvm::Function &F, llvm::Function *Slow, SpawnMarker &Marker,
                                 unsigned Index, uint64_t FrameAddress, Runtime &RT);

/// Emits the constructor that registers the sites and names the ABI version, in a
/// module that has sites and no such constructor.
class RegisterSitesPass : public analysis::RequiredPass<RegisterSitesPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-register-sites";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
