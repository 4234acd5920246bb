//===- SmallLoops.h - Loops that are not worth dividing --------*- C++ -*-===//
//
// A cilk_for that takes no longer than a steal runs as a whole, as in the serial program.
// SmallLoopsPass handles constant trip counts. It runs before vectorization and unrolling, which
// then see the serial loop. SmallLoopTestsPass is part of the split, and compares the trip count at
// run time. Why so: docs/decisions/0015. Tests: tests/pass/loop-small.ll, loop-small.cpp,
// tests/programs/language/loops_small.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SMALLLOOPS_H
#define NOPAL_SPLIT_SMALLLOOPS_H

#include "../analysis/NamedPass.h"
#include "../contract/Markers.h"

namespace nopal::split {

/// All loop markers of \p M, in its order.
llvm::SmallVector<LoopMarker *, 8> loopMarkers(llvm::Module &M);

/// The leaf of the loop marker \p Marker; null if another pass has hidden it.
llvm::Function *leafOf(const LoopMarker &Marker);

/// True if a test before \p Marker already runs a small loop as a whole.
bool hasSmallVersion(const LoopMarker &Marker);

/// Puts a test before each loop marker, and a call of the leaf for all iterations if
/// they are no more than leastGrain(). No test if that is 1, if it is known that there
/// are more, if the program gives a grain of its own, or if there is one already.
class SmallLoopTestsPass : public analysis::NamedPass<SmallLoopTestsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-small-loop-tests";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// The same for loops of a constant number of iterations, with the leaf inlined. Runs
/// \p Simplify on each function that it has changed.
class SmallLoopsPass : public analysis::NamedPass<SmallLoopsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-small-loops";
  explicit SmallLoopsPass(llvm::FunctionPassManager Simplify) : Simplify(std::move(Simplify)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

private:
  llvm::FunctionPassManager Simplify;
};

} // namespace nopal::split

#endif
