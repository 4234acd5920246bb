//===- WorkerInRegister.h - Clones pass the worker on ----------*- C++ -*-===//
//
// Tests: tests/pass/split-worker-in-register.ll; tests/aarch64/instructions_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_WORKERINREGISTER_H
#define NOPAL_SPLIT_WORKERINREGISTER_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// A fast clone that fast clones call gets the thread's worker as one more argument, and returns
/// the worker of the thread on which it returns beside its result. So a push, or a pop, after such
/// a call need not find the worker, which on AArch64 takes four instructions. The function itself
/// becomes an entry for other modules and calls through pointers. Picture and proof:
/// WorkerInRegister.cpp.
class WorkerInRegisterPass : public analysis::NamedPass<WorkerInRegisterPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-worker-in-register";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::split

#endif
