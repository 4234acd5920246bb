//===- LoopAccesses.h - What the iterations of a loop access ---*- C++ -*-===//
//
// The analysis of Ranges.cpp. The order of accesses does not matter within a strand, nor their
// number. So accesses of a loop are reported before it if it is entered only where it runs its
// body, ends at its latch alone, and does nothing that could end the strand, take a lock, free
// memory or not return. What runs only under a condition that does not change in the loop is
// reported under that condition.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_LOOPACCESSES_H
#define NOPAL_RACE_LOOPACCESSES_H

#include "nopal_race.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace nopal::race {

/// A condition, and what it must be.
using Guard = std::pair<llvm::Value *, bool>;

/// Rows of bytes that each execution of a block accesses.
struct Range {
  const llvm::SCEV *Start, *Bytes;
  nopal_race_kind How;
  llvm::DebugLoc Where;
  llvm::BasicBlock *Block;                              // reported at its end
  const llvm::SCEV *Stride = nullptr, *Count = nullptr; // null: one row
  llvm::SmallVector<Guard, 2> Guards = {};              // the outermost first

  bool isSame(const Range &Other) const {
    return Start == Other.Start && Bytes == Other.Bytes && Stride == Other.Stride &&
           Count == Other.Count && Guards == Other.Guards;
  }
};

/// Whether \p I computes, loads and stores, and does nothing else that another strand may see.
bool hasOnlyPlainAccesses(const llvm::Instruction &I);
/// Whether \p I is an access before which Clang's pass would put a call.
bool isInstrumented(const llvm::Instruction &I);

class LoopAccesses {
public:
  LoopAccesses(llvm::Function &F, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
               llvm::DominatorTree &DT, llvm::SCEVExpander &Expander)
      : LI(LI), SE(SE), DT(DT), PDT(F), DL(F.getDataLayout()),
        Size(llvm::Type::getInt64Ty(F.getContext())), Expander(Expander) {}

  /// How often the body of \p L runs, as 64 bits. Null: not known before \p L begins, or \p L may
  /// not be reported before it.
  const llvm::SCEV *iterations(const llvm::Loop &L);

  /// What each iteration of \p L, which has \p Iterations, accesses in its own blocks and can be
  /// reported before \p L; one range for accesses of neighbours by one line of the source. Adds the
  /// instructions to \p Covered.
  llvm::SmallVector<Range, 8> accessesOf(llvm::Loop &L, const llvm::SCEV *Iterations,
                                         llvm::SmallVectorImpl<llvm::Instruction *> &Covered);

  /// Adds the conditions under which an iteration of \p L runs the block of \p R. False: it may
  /// depend on the iteration.
  bool addGuards(Range &R, const llvm::Loop &L) const;

  /// Makes \p R what all \p Iterations of \p L access. Returns how far the range of an iteration is
  /// from that of the next one. Null: that cannot be computed before \p L, and \p R is of no use.
  const llvm::SCEV *moveBefore(Range &R, const llvm::Loop &L, const llvm::SCEV *Iterations);

private:
  const llvm::SCEV *extendOver(Range &R, const llvm::Loop &L, const llvm::SCEV *Iterations);
  bool addTo(Range &Former, const Range &R);

  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree PDT;
  const llvm::DataLayout &DL;
  llvm::Type *Size;
  llvm::SCEVExpander &Expander;
};

} // namespace nopal::race

#endif
