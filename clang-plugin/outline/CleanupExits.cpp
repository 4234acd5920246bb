//===- CleanupExits.cpp - Dead exits of cleanups --------------------------===//
//
// See CleanupExits.h. A forward analysis of one variable: which of the constants stored to it can
// it hold at the start of each block? The edges of a switch over it remove constants. Before the
// first store it holds none, since a load there is undefined.
//
//===----------------------------------------------------------------------===//
#include "CleanupExits.h"

#include "../analysis/Functions.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;

namespace {

/// The values of a variable of \p F to which only constants are stored.
class ConstantsOf {
public:
  ConstantsOf(AllocaInst &Slot, Function &F) : Slot(Slot), F(F) {}

  /// False if something else is done with the variable.
  bool collect();
  void run();
  /// Whether the default of \p S, a switch over the variable, may be taken.
  bool takesDefault(const SwitchInst &S) const {
    return !At.contains(S.getParent()) || defaultOf(S, end(*S.getParent())).any();
  }

private:
  using Values = BitVector; ///< a bit for each member of Index

  Values only(const ConstantInt &C) const {
    Values V(Index.size());
    if (auto It = Index.find(C.getSExtValue()); It != Index.end())
      V.set(It->second);
    return V;
  }
  Values defaultOf(const SwitchInst &S, Values V) const {
    for (const auto &Case : S.cases())
      V.reset(only(*Case.getCaseValue()));
    return V;
  }
  Values end(const BasicBlock &BB) const;
  void flow(const Values &V, BasicBlock *To);

  AllocaInst &Slot;
  Function &F;
  DenseMap<int64_t, unsigned> Index;
  DenseMap<const BasicBlock *, Values> At; ///< at the start of a block
  SmallSetVector<BasicBlock *, 32> Work;
};

/// The variable that \p S switches over, if it is loaded in the same block and not stored to after
/// that; else null.
AllocaInst *variableOf(const SwitchInst &S) {
  auto *Load = dyn_cast<LoadInst>(S.getCondition());
  if (!Load || !Load->isSimple() || Load->getParent() != S.getParent())
    return nullptr;
  for (const Instruction *I = Load; I != &S; I = I->getNextNode())
    if (I->mayWriteToMemory())
      return nullptr;
  return dyn_cast<AllocaInst>(Load->getPointerOperand());
}

} // namespace

bool ConstantsOf::collect() {
  if (!Slot.getAllocatedType()->isIntegerTy(32))
    return false;
  for (const User *U : Slot.users()) {
    if (const auto *SI = dyn_cast<StoreInst>(U)) {
      const auto *C = dyn_cast<ConstantInt>(SI->getValueOperand());
      if (!C || !SI->isSimple() || SI->getPointerOperand() != &Slot)
        return false;
      Index.try_emplace(C->getSExtValue(), Index.size());
    } else if (const auto *LI = dyn_cast<LoadInst>(U)) {
      if (!LI->isSimple() || LI->getType() != Slot.getAllocatedType())
        return false;
    } else if (!isa<LifetimeIntrinsic>(U)) {
      return false;
    }
  }
  return true;
}

BitVector ConstantsOf::end(const BasicBlock &BB) const {
  for (const Instruction &I : reverse(BB))
    if (const auto *SI = dyn_cast<StoreInst>(&I); SI && SI->getPointerOperand() == &Slot)
      return only(*cast<ConstantInt>(SI->getValueOperand()));
  return At.lookup(&BB);
}

void ConstantsOf::flow(const Values &V, BasicBlock *To) {
  auto [It, New] = At.try_emplace(To, V);
  if (!New) {
    Values Joined = It->second;
    Joined |= V;
    if (Joined == It->second)
      return;
    It->second = std::move(Joined);
  }
  Work.insert(To);
}

void ConstantsOf::run() {
  flow(Values(Index.size()), &F.getEntryBlock());
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    const Values V = end(*BB);
    auto *S = dyn_cast<SwitchInst>(BB->getTerminator());
    if (!S || variableOf(*S) != &Slot) {
      for (BasicBlock *To : successors(BB))
        flow(V, To);
      continue;
    }
    for (const auto &Case : S->cases()) {
      Values Taken = only(*Case.getCaseValue());
      Taken &= V;
      flow(Taken, Case.getCaseSuccessor());
    }
    flow(defaultOf(*S, V), S->getDefaultDest());
  }
}

void outline::removeDeadCleanupExits(Function &F) {
  MapVector<AllocaInst *, SmallVector<SwitchInst *, 4>> Switches;
  for (BasicBlock &BB : F)
    if (auto *S = dyn_cast<SwitchInst>(BB.getTerminator()))
      if (AllocaInst *Slot = variableOf(*S);
          Slot && !isa<UnreachableInst>(S->getDefaultDest()->front()))
        Switches[Slot].push_back(S);
  for (auto &[Slot, Over] : Switches) {
    ConstantsOf Constants(*Slot, F);
    if (!Constants.collect())
      continue;
    Constants.run();
    for (SwitchInst *S : Over) {
      if (Constants.takesDefault(*S))
        continue;
      S->getDefaultDest()->removePredecessor(S->getParent());
      S->setDefaultDest(analysis::createNever(F));
    }
  }
}
