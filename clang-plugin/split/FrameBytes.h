//===- FrameBytes.h - How far a fast clone's stack frame can reach --------*- C++ -*-===//
//
// nopal_site::frame_bytes: how far below its frame header the callees of a fast
// clone begin. Code generation decides that, but the site is a constant of the
// module, so this is a bound from the IR, computed when the clones are final. What
// makes the bound hold, and where there is none: README.md ("How deep a fast clone
// can be"). Used by Runtime and by the plugin's entry point. Tests:
// tests/pass/split-frame-bytes*.ll, tests/pass/pipeline-frame-bytes.cpp,
// tests/programs/frame_bytes_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_FRAMEBYTES_H
#define NOPAL_SPLIT_FRAMEBYTES_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace nopal {

/// An upper bound of the bytes of \p F's activation that lie below \p Header, its
/// frame. 0 if none is known. \p Header may be null (optimized away): then the
/// frame counts as well. Linear in the function's size.
uint32_t frameBytesBelow(const llvm::Function &F, const llvm::AllocaInst *Header);

/// Exchanges that field of the site.
void setFrameBytes(llvm::GlobalVariable &Site, uint32_t Bytes);

/// At the start of a pipeline: sites that the module comes with (bitcode, compiled
/// once more) forget their bound, since inlining is about to change their functions.
class ForgetFrameBytesPass : public llvm::PassInfoMixin<ForgetFrameBytesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace nopal

#endif
