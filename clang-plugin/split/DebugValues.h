//===- DebugValues.h - What a debugger sees of clones ----------*- C++ -*-===//
//
// Where a clone is entered in its middle, no definition of a value has run, so its variables are
// described there again. A debugger may find less than in the serial program, and never another
// value. Nothing here changes code: a function has the same instructions with -g and without it.
// Used by Clones, FastClone, SlowClone, Frame and Cleanup. How it works: README.md. Tests:
// tests/debug, split-debug*.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_DEBUGVALUES_H
#define NOPAL_SPLIT_DEBUGVALUES_H

#include "Frame.h"
#include "LiveAcross.h"
#include "SuspendPoints.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
}

namespace nopal::split {

/// Records of live values refer to their demoted slots, and each entry of a clone has a record for
/// every variable whose value is live there or a constant. While a child runs, a variable is in its
/// slot or not known: the last records at each spawn's marker say so. Returns how many these are,
/// by spawn; they hold at the call of the child (takeLastRecords). To be called with demoted slots
/// made, before \p F is copied; blocks times variables.
llvm::SmallVector<unsigned, 8> describeLive(llvm::Function &F, const SuspendPoints &P,
                                            const LiveAcross &X, Frame &Fr);

/// Takes the last \p Number records from \p From.
llvm::SmallVector<llvm::DbgVariableRecord *, 8> takeLastRecords(llvm::Instruction &From,
                                                                unsigned Number);

/// Before `promote`: a load of one of \p Demoted that records alone use stays only
/// where the demoted slot is live, so that no phi is made for its sake.
void dropDeadLoads(llvm::Function &Clone, llvm::ArrayRef<llvm::AllocaInst *> Demoted);

/// After `promote`: a record of a value that does not dominate it says that the
/// variable is not known.
void forgetStray(llvm::Function &Clone, const llvm::DominatorTree &DT);

/// At \p Where, which is reached from elsewhere, no variable of \p F is known.
void forgetAll(llvm::Function &F, llvm::Instruction &Where);

/// What assignment tracking knows of variables in \p AI becomes a declaration at
/// \p Offset in the frame \p Memory, unless a store of one of them was removed.
void declareAssigned(llvm::AllocaInst &AI, llvm::Instruction &Memory, uint64_t Offset);

/// Variables that are declared in the frame \p Base of a slow clone are found from
/// its entry \p Where on, and at each of its \p Conts: the blocks in which they were
/// declared may not be part of it.
void declareFrame(llvm::Function &Slow, llvm::Value *Base, llvm::Instruction &Where,
                  llvm::ArrayRef<llvm::BasicBlock *> Conts);

/// Without optimization a debugger looks for a helper's arguments on the stack, so
/// there they are kept, with -g and without it.
void keepArguments(llvm::Function &Helper);

/// Calls \p Slow "NAME.slow", a function without a result, in a debugger. Arrays of
/// unknown length in it have their length in its own variables. To be called when it
/// has been copied, with the map of the copy.
void describeSlowClone(llvm::Function &Slow, llvm::ValueToValueMapTy &VMap);

} // namespace nopal::split

#endif
