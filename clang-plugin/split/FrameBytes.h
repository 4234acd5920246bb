//===- FrameBytes.h - How far a fast clone's stack frame can reach --------*- C++ -*-===//
//
// nopal_site::frame_bytes: how far below its frame header the callees of a fast clone begin. Code
// generation decides that, but the site is a constant of the module, so this is a bound from the
// IR, computed when the clones are final. What makes the bound hold, and where there is none:
// README.md ("How deep a fast clone can be"). Tests: tests/pass/split-frame-bytes*.ll,
// tests/pass/pipeline-frame-bytes.cpp, tests/programs/frame_bytes_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_FRAMEBYTES_H
#define NOPAL_SPLIT_FRAMEBYTES_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// When the clones are final: says in each site how far its function's frame reaches.
/// Linear in the size of the fast clones.
class BoundFramesPass : public analysis::NamedPass<BoundFramesPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-bound-frames";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// At the start of a pipeline: sites that the module comes with (bitcode, compiled
/// once more) forget their bound, since inlining is about to change their functions.
class ForgetFrameBytesPass : public analysis::RequiredPass<ForgetFrameBytesPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-forget-frame-bytes";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::split

#endif
