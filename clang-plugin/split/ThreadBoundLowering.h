//===- ThreadBoundLowering.h - Markers of thread-bound values --*- C++ -*-===//
//
// A thread-bound value (analysis/ThreadBound.h) may be computed after a spawn, a sync, or a call
// that may return on another thread. It must stay after that, down to the machine code:
//
//   %p = call @__nopal_thread_bound(@x)   %p = llvm.threadlocal.address(@x)
//   store 1, %p                           store 1, %p
//   call @f()                             call @f()
//   %q = call @__nopal_thread_bound(@x)   %q = call @nopal.thread.x()
//   store 2, %q                           store 2, %q
//
// Invariant: no later pass can merge or move the calls of such an accessor. A thread-bound value
// that is computed in any other way is used only before all these calls, and so is all that is
// computed from it.
//
// Used by Pipeline.cpp. Test: tests/pass/split-thread-bound-call.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_THREADBOUNDLOWERING_H
#define NOPAL_SPLIT_THREADBOUNDLOWERING_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Establishes the invariant in all functions, since any may be inlined, and removes the markers. A
/// marker that remains is an error. Cost: linear in the function, for each thread-bound value.
class ThreadBoundLoweringPass : public analysis::RequiredPass<ThreadBoundLoweringPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-thread-bound-lowering";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::split

#endif
