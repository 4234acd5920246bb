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

/// Makes records of live values refer to their demoted slots. Adds a record at each entry of a
/// clone for every variable whose value is live there or a constant. While a child runs, a variable
/// is in its slot or unknown. The last records at each spawn's marker say so; takeLastRecords moves
/// them to the call of the child. Returns their number for each spawn. Call it after demotion,
/// before \p F is copied. Cost: blocks times variables.
llvm::SmallVector<unsigned, 8> describeLive(llvm::Function &F, const SuspendPoints &P,
                                            const LiveAcross &X, Frame &Fr);

/// Takes the last \p Number records from \p From.
llvm::SmallVector<llvm::DbgVariableRecord *, 8> takeLastRecords(llvm::Instruction &From,
                                                                unsigned Number);

/// Before `promote`: removes each load of a slot of \p Demoted that only records use, where the
/// slot is not live. Promotion would make a phi for it.
void dropDeadLoads(llvm::Function &Clone, llvm::ArrayRef<llvm::AllocaInst *> Demoted);

/// After `promote`: a record whose value does not dominate it now says that the variable is
/// unknown.
void forgetStray(llvm::Function &Clone, const llvm::DominatorTree &DT);

/// Says that no variable of \p F is known at \p Where, where a suspended clone is resumed.
void forgetAll(llvm::Function &F, llvm::Instruction &Where);

/// Declares the variables that assignment tracking finds in \p AI at \p Offset in the frame \p
/// Memory, unless the optimizer has removed a store to one of them.
void declareAssigned(llvm::AllocaInst &AI, llvm::Instruction &Memory, uint64_t Offset);

/// Declares the variables in the frame \p Base of a slow clone at its entry \p Where and at each of
/// \p Conts. The slow clone may lack the blocks that declared them.
void declareFrame(llvm::Function &Slow, llvm::Value *Base, llvm::Instruction &Where,
                  llvm::ArrayRef<llvm::BasicBlock *> Conts);

/// Without optimization, keeps a helper's arguments on the stack, where a debugger looks for them.
/// It does so without -g too, since -g must not change code.
void keepArguments(llvm::Function &Helper);

/// Describes \p Slow to a debugger as "NAME.slow", a function without a result. The lengths of its
/// variable-length arrays are variables of its own. Call it after the copy, with the copy's map.
void describeSlowClone(llvm::Function &Slow, llvm::ValueToValueMapTy &VMap);

/// The same for \p Part of a slow clone, a copy of some of its blocks.
void describePart(llvm::Function &Part, llvm::ValueToValueMapTy &VMap);

} // namespace nopal::split

#endif
