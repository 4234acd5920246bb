//===- EarlyTails.cpp - Early paths return what they have stored ----------===//
//
// See EarlyTails.h. In fib(2), where the first child is an early exit:
//
//   early: store %a, %x                       early: %s' = add %a, %b
//          br tail                                   br end
//   tail:  %y = phi [%b, early], ...    =>    tail:  %y = phi ...
//          %v = load %x                              %v = load %x
//          %s = add %v, %y                           %s = add %v, %y
//          br end                                    br end
//   end:   %r = phi [%s, tail], ...           end:   %r = phi [%s', early], [%s, tail], ...
//          ret %r                                    ret %r
//
// No later pass of LLVM does that: the load is partially redundant on more than one path.
//
//===----------------------------------------------------------------------===//
#include "EarlyTails.h"

#include "../analysis/Functions.h"
#include "../split/Marks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/Sink.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::early;
using namespace nopal::split;

namespace {

/// The most instructions of a tail that are copied to a path.
constexpr unsigned MostInTail = 4;

/// The block that follows \p BB in any case; null if there is none.
BasicBlock *onlySuccessor(const BasicBlock &BB) {
  const auto *Br = dyn_cast<BranchInst>(BB.getTerminator());
  return Br && Br->isUnconditional() ? Br->getSuccessor(0) : nullptr;
}

/// True if \p BB does nothing but return.
bool onlyReturns(const BasicBlock &BB) {
  return isa<ReturnInst>(BB.getTerminator()) && &*BB.getFirstNonPHIIt() == BB.getTerminator();
}

/// True if control returns after \p Tail, which is short and only reads and computes, and no other
/// block uses its values but \p End, in phis.
bool isTail(const BasicBlock &Tail, const BasicBlock &End) {
  unsigned Length = 0;
  for (const Instruction &I : Tail) {
    if (!I.isTerminator() && !isa<PHINode>(I) &&
        (++Length > MostInTail || I.mayHaveSideEffects() || I.isAtomic() || I.isEHPad() ||
         isa<CallBase, AllocaInst>(I)))
      return false;
    for (const User *U : I.users()) {
      const auto *By = cast<Instruction>(U);
      if (By->getParent() != &Tail && !(By->getParent() == &End && isa<PHINode>(By)))
        return false;
    }
  }
  return true;
}

/// What \p Path has stored last at \p Load's address, if nothing it does later may change that.
Value *storedFor(const LoadInst &Load, BasicBlock &Path) {
  for (Instruction &I : reverse(Path)) {
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && Store->isSimple() && Store->getPointerOperand() == Load.getPointerOperand())
      return Store->getValueOperand()->getType() == Load.getType() ? Store->getValueOperand()
                                                                   : nullptr;
    if (I.mayWriteToMemory())
      return nullptr;
  }
  return nullptr;
}

/// Lets \p Path, which continues with \p Tail, run a copy of it before \p End.
void copyTail(BasicBlock &Path, BasicBlock &Tail, BasicBlock &End) {
  ValueToValueMapTy VMap;
  Instruction *Branch = Path.getTerminator();
  for (Instruction &I : Tail) {
    Branch->cloneDebugInfoFrom(&I);
    if (I.isTerminator())
      break;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      VMap[&I] = Phi->getIncomingValueForBlock(&Path);
    } else if (Value *Stored = Load && Load->isSimple() ? storedFor(*Load, Path) : nullptr) {
      VMap[&I] = Stored;
    } else {
      Instruction *Copy = I.clone();
      Copy->insertInto(&Path, Branch->getIterator());
      RemapInstruction(Copy, VMap, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      VMap[&I] = Copy;
    }
  }
  RemapDbgRecordRange(Path.getModule(), Branch->getDbgRecordRange(), VMap,
                      RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  for (PHINode &Phi : End.phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Tail);
    Value *Copy = VMap.lookup(V);
    Phi.addIncoming(Copy ? Copy : V, &Path);
  }
  Tail.removePredecessor(&Path);
  Branch->setSuccessor(0, &End);
}

/// True if something was copied.
bool copyTails(Function &F) {
  SmallVector<BasicBlock *, 4> Paths;
  for (BasicBlock &BB : F)
    if (BasicBlock *Tail = onlySuccessor(BB))
      if (BasicBlock *End = onlySuccessor(*Tail);
          End && onlyReturns(*End) && Tail != &BB && !Tail->hasNPredecessors(1) &&
          isTail(*Tail, *End) && any_of(*Tail, [&](Instruction &I) {
            auto *Load = dyn_cast<LoadInst>(&I);
            return Load && Load->isSimple() && storedFor(*Load, BB);
          }))
        Paths.push_back(&BB);
  for (BasicBlock *Path : Paths) {
    BasicBlock *Tail = onlySuccessor(*Path);
    copyTail(*Path, *Tail, *onlySuccessor(*Tail));
  }
  return !Paths.empty();
}

} // namespace

PreservedAnalyses EarlyTailsPass::run(Module &M, ModuleAnalysisManager &AM) {
  SmallVector<Function *, 16> Changed;
  for (Function &F : M)
    if (mark::isFastClone(F) && !F.hasFnAttribute(Attribute::OptimizeNone) && copyTails(F))
      Changed.push_back(&F);
  FunctionPassManager Simplify;
  Simplify.addPass(
      CorrelatedValuePropagationPass()); // the early path's test often gives the result
  Simplify.addPass(InstCombinePass());
  Simplify.addPass(DSEPass());     // nobody reads the frame there any more
  Simplify.addPass(SinkingPass()); // what the child would have been given
  simplifyChanged(Changed, Simplify, M, AM);
  return Changed.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
