//===- Migration.cpp - Calls that may come back on another thread ---------===//
//
// See Migration.h.
//
//===----------------------------------------------------------------------===//
#include "Migration.h"

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Points.h"
#include "ThreadBound.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

/// Of a callee without a body that this module may rely on.
static bool neverMigrates(const Function &Callee,
                          const TargetLibraryInfo &Library) {
  if (Callee.isIntrinsic() || Callee.hasFnAttribute(Attribute::NoSync) ||
      Callee.hasFnAttribute(Attribute::NoCallback) ||
      Callee.doesNotAccessMemory())
    return true;
  // Entry points of the runtime and markers: the clones know about these.
  StringRef Name = Callee.getName();
  if (Name.starts_with("__nopal_") || Name.starts_with("nopal_") ||
      Name.starts_with("__cxa_"))
    return true;
  LibFunc Known;
  return Library.getLibFunc(Callee, Known) && Known != LibFunc_qsort;
}

bool Migration::mayMigrate(const Function &Callee) const {
  if (Callee.hasFnAttribute(MigratesAttr)) // a loop of its caller
    return true;
  if (Callee.isDeclaration() || Callee.isInterposable())
    return !neverMigrates(
        Callee, FAM.getResult<TargetLibraryAnalysis>(
                    const_cast<Function &>(Callee)));
  return Migrating.contains(&Callee);
}

bool Migration::mayMigrate(const CallBase &Call) const {
  if (Call.isInlineAsm() || Call.hasFnAttr(Attribute::NoSync))
    return false;
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
  return !Callee || mayMigrate(*Callee);
}

Migration::Migration(Module &M, FunctionAnalysisManager &FAM) : FAM(FAM) {
  SmallSetVector<const Function *, 16> Unknown;
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    if (any_of(instructions(F), [](const Instruction &I) {
          return isMarker(I, marker::Spawn);
        })) {
      Migrating.insert(&F);
      Spawners.insert(&F);
    } else {
      Unknown.insert(&F);
    }
  }
  for (bool Changed = true; Changed;) {
    Changed = Unknown.remove_if([&](const Function *F) {
      if (none_of(instructions(*F), [&](const Instruction &I) {
            const auto *Call = dyn_cast<CallBase>(&I);
            return Call && mayMigrate(*Call);
          }))
        return false;
      Migrating.insert(F);
      return true;
    });
  }
}

namespace {

/// Where in a function a call that may migrate lies behind a point.
class Behind {
public:
  Behind(Function &F, const Migration &Calls) {
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Calls.mayMigrate(*Call))
        This[I.getParent()].push_back(&I);
  }

  bool isAnywhere() const { return !This.empty(); }

  /// The blocks that can be entered from such a call without passing \p Bound.
  SmallPtrSet<BasicBlock *, 16> entered(const Instruction &Bound) const {
    SmallPtrSet<BasicBlock *, 16> Result;
    SmallVector<BasicBlock *, 16> Work;
    auto Leave = [&](BasicBlock *BB) {
      for (BasicBlock *S : successors(BB))
        if (Result.insert(S).second && S != Bound.getParent())
          Work.push_back(S);
    };
    for (auto &[BB, List] : This)
      if (BB != Bound.getParent() || Bound.comesBefore(List.back()))
        Leave(BB);
    while (!Work.empty())
      Leave(Work.pop_back_val());
    return Result;
  }

  /// Whether such a call stands in \p Where's block before it, and behind \p Bound
  /// if that is in this block.
  bool inBlockBefore(const Instruction &Where,
                     const Instruction *Bound = nullptr) const {
    auto It = This.find(const_cast<BasicBlock *>(Where.getParent()));
    const bool Home = Bound && Bound->getParent() == Where.getParent();
    return It != This.end() && llvm::any_of(It->second, [&](Instruction *Call) {
             return Call->comesBefore(&Where) &&
                    (!Home || Bound->comesBefore(Call));
           });
  }

  bool isIn(const Instruction &I) const {
    auto It = This.find(const_cast<BasicBlock *>(I.getParent()));
    return It != This.end() && is_contained(It->second, &I);
  }

private:
  MapVector<BasicBlock *, SmallVector<Instruction *, 4>> This; ///< in order
};

} // namespace

/// What is behind the first such call of the entry block leaves that block.
static void endEntryAtCall(Function &F, const Migration &Calls) {
  BasicBlock &Entry = F.getEntryBlock();
  auto First = find_if(Entry, [&](Instruction &I) {
    return isa<CallInst>(I) && Calls.mayMigrate(cast<CallInst>(I));
  });
  if (First == Entry.end())
    return;
  for (Instruction &I : make_early_inc_range(make_range(First, Entry.end())))
    if (auto *AI = dyn_cast<AllocaInst>(&I); AI && AI->isStaticAlloca())
      AI->moveBefore(Entry, Entry.begin());
  SplitBlock(&Entry, std::next(First));
}

void nopal::recomputeBehindCalls(Function &F, const Migration &Calls,
                                 Runtime &RT) {
  SmallVector<CallBase *, 8> Values;
  for (Instruction &I : instructions(F))
    if (isThreadBound(I) && isa<CallInst>(I))
      Values.push_back(cast<CallBase>(&I));
  if (Values.empty() || F.getName().starts_with("nopal.thread."))
    return;
  if (!Behind(F, Calls).isAnywhere())
    return;
  // In a function that is split what is computed again may cross a point, so it
  // stays a thread-bound value; the clones make it opaque, except in the entry.
  const bool Splits = Calls.isSpawner(F);
  if (Splits)
    endEntryAtCall(F, Calls);
  const Behind Call(F, Calls);
  auto Root = [&](CallBase &V, BasicBlock::iterator Where) -> Value * {
    if (!Splits)
      return CallInst::Create(RT.threadBoundAccessor(V), {}, "", Where);
    Instruction *Copy = V.clone();
    Copy->insertBefore(Where);
    return Copy;
  };
  for (CallBase *V : Values) {
    const SmallPtrSet<BasicBlock *, 16> Entered = Call.entered(*V);
    auto IsBehind = [&](const Instruction &Where) {
      return (Where.getParent() != V->getParent() &&
              Entered.contains(Where.getParent())) ||
             Call.inBlockBefore(Where, V);
    };
    DenseMap<std::pair<Value *, BasicBlock *>, Value *> AtEnd; // for phis
    for (Use *U : usesOfAddress(*V)) {
      auto *Phi = dyn_cast<PHINode>(U->getUser());
      if (!Phi) {
        auto *User = cast<Instruction>(U->getUser());
        if (IsBehind(*User))
          U->set(computeAgain(U->get(), User->getIterator(), Root));
        continue;
      }
      BasicBlock *From = Phi->getIncomingBlock(*U);
      Value *&Again = AtEnd[{U->get(), From}];
      if (!Again) {
        Instruction *End = From->getTerminator();
        if (IsBehind(*End))
          Again = computeAgain(U->get(), End->getIterator(), Root);
        else if (auto *II = dyn_cast<InvokeInst>(End);
                 II && Call.isIn(*II) && Phi->getParent() == II->getNormalDest())
          Again = computeAgain(
              U->get(),
              SplitEdge(From, Phi->getParent())->getTerminator()->getIterator(),
              Root);
        else
          Again = U->get();
      }
      U->set(Again);
    }
    // Computed behind a call itself: kept from being merged with one before it.
    if (!Splits && (Entered.contains(V->getParent()) || Call.inBlockBefore(*V)))
      replaceByAccessor(*V, RT);
  }
}
