//===- Clones.h - Building the fast and the slow clone ---------*- C++ -*-===//
//
// Used by Split.cpp, once a spawning function. Pictures: Clones.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_CLONES_H
#define NOPAL_SPLIT_CLONES_H

#include "Runtime.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ValueHandle.h"

namespace llvm {
class raw_ostream;
}

namespace nopal {

/// Splits \p F, which contains spawn markers: \p F becomes the fast clone, the
/// slow one is new. Adds the calls of helpers in both, which may be inlined, to
/// \p HelperCalls. Returns the slow clone, or null if \p F was
/// refused (an error has been reported). Says so in a remark, or, if \p Layout is
/// given, prints the frame's layout to it instead.
llvm::Function *splitFunction(llvm::Function &F, Runtime &RT,
                              llvm::SmallVectorImpl<llvm::WeakTrackingVH> &HelperCalls,
                              llvm::raw_ostream *Layout = nullptr);

/// Makes allocas of the private temporaries of spawns that the optimizer has removed.
void lowerIdlePrivates(llvm::Module &M);

} // namespace nopal

#endif
