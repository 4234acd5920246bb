//===- ThreadBoundLowering.h - Markers of thread-bound values --*- C++ -*-===//
//
// A thread-bound value (analysis/ThreadBound.h) that is computed after a call which may come back
// on another thread, after a spawn or after a sync must stay after it, down to the machine code:
//
//   %p = call @__nopal_thread_bound(@x)   %p = llvm.threadlocal.address(@x)
//   store 1, %p                           store 1, %p
//   call @f()                             call @f()
//   %q = call @__nopal_thread_bound(@x)   %q = call @nopal.thread.x()
//   store 2, %q                           store 2, %q
//
// Invariant: a thread-bound value that is not computed by such an accessor, which no later pass can
// merge with another or move, is used before all these calls only, and so is what is made from it.
//
// Used by Pipeline.cpp. Test: tests/pass/split-thread-bound-call.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_THREADBOUNDLOWERING_H
#define NOPAL_SPLIT_THREADBOUNDLOWERING_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Establishes the invariant in all functions, since any may be inlined, and removes the markers. A
/// marker that is left is an error. Linear in a function for each thread-bound value.
class ThreadBoundLoweringPass : public analysis::RequiredPass<ThreadBoundLoweringPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-thread-bound-lowering";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace nopal::split

#endif
