//===- SmallLoops.h - Loops that are not worth dividing --------*- C++ -*-===//
//
// A cilk_for that takes no longer than a theft is run as a whole, as in the serial
// program. Twice: in front of vectorization and unrolling, where the number of
// iterations is a constant, so that they see the serial loop; and in the split
// (LoopTree), where it is compared at run time. Why so: docs/decisions/0015.
// Tests: tests/pass/loop-small.ll, loop-small.cpp, tests/programs/language/loops_small.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SMALLLOOPS_H
#define NOPAL_SPLIT_SMALLLOOPS_H

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PassManager.h"

namespace nopal {

/// The leaf of the loop marker \p Marker; null if another pass has hidden it.
llvm::Function *leafOf(const llvm::CallBase &Marker);

/// In front of \p Marker one test at run time, and a call of the leaf for all
/// iterations if they are no more than \p Least, from leastGrain(). Nothing if that
/// is 1, if it is known that they are more, if the program gives a grain of its own,
/// or if the marker has its test already. Returns the marker, which may be another
/// instruction now.
llvm::CallBase &addSmallVersion(llvm::CallBase &Marker, uint64_t Least);

/// True for a marker with such a test in front of it.
bool hasSmallVersion(const llvm::CallBase &Marker);

/// Does so, and inlines the leaf, for loops of a constant number of iterations.
/// Runs \p Simplify on each function that it has changed.
class SmallLoopsPass : public llvm::PassInfoMixin<SmallLoopsPass> {
public:
  explicit SmallLoopsPass(llvm::FunctionPassManager Simplify)
      : Simplify(std::move(Simplify)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

private:
  llvm::FunctionPassManager Simplify;
};

} // namespace nopal

#endif
