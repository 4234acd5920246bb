//===- LeafCost.h - What an iteration of a cilk_for costs ------*- C++ -*-===//
//
// An upper bound from the IR of a leaf. It tells which loops are so small that a part of them is
// not worth a steal. The unit is a micro-operation, as LLVM's TargetTransformInfo counts them for
// the leaf's processor (TCK_SizeAndLatency). A leaf should take at least 1024. That model counts a
// division as one and a call as a few. So this file has its own prices for slow instructions, and a
// call has no bound. Used by LoopTree and SmallLoops. Why so: docs/decisions/0015. Tests:
// tests/pass/loop-least.ll, loop-trip-count.ll, tests/programs/language/loops_small.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_LEAFCOST_H
#define NOPAL_SPLIT_LEAFCOST_H

#include "llvm/IR/Function.h"

#include <optional>

namespace llvm {
class TargetTransformInfo;
}

namespace nopal::split {

/// The cost of \p I in the target's micro-operations; none if there is no bound.
std::optional<uint64_t> costOf(const llvm::Instruction &I, const llvm::TargetTransformInfo &TTI);

/// Iterations that a leaf of \p Leaf's loop should have at least, so that it runs
/// about as long as a steal takes; 1 if no bound of an iteration is known.
uint64_t leastGrain(llvm::Function &Leaf, const llvm::TargetTransformInfo &TTI);

/// The same for a leaf with loops within its loop, whose trip counts follow from its operands: a
/// new function of \p Leaf's parameters that computes it, in some twenty instructions. Null if
/// there is no bound. It ignores lo and hi.
llvm::Function *leastGrainFunction(llvm::Function &Leaf, const llvm::TargetTransformInfo &TTI);

} // namespace nopal::split

#endif
