//===- FastPath.h - The runtime's fast path in a module --------*- C++ -*-===//
//
// runtime/fastpath, compiled to bitcode by the build, is linked into each module that
// spawns. Tests: tests/pass/split-fast-path.ll, pipeline-many-spawns.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_FASTPATH_H
#define NOPAL_SPLIT_FASTPATH_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Links the bitcode in if the module calls the fast path.
class LinkFastPathPass : public analysis::RequiredPass<LinkFastPathPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-link-fast-path";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Inlines all calls of the fast path that are not marked noinline.
class InlineFastPathPass : public analysis::NamedPass<InlineFastPathPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-inline-fast-path";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Erases the functions of the fast path that are not called, and makes the others
/// the module's own.
void keepFastPathOutOfLine(llvm::Module &M);

} // namespace nopal::split

#endif
