//===- EarlyExit.cpp - Children that return at once need no spawn ---------===//
//
// See EarlyExit.h. How a call and a spawn of this function are rewritten:
//
//   long f(long n) { if (n < 2) return n; ... }
//
//   %r = call f(%a)              %t = icmp slt %a, 2
//                                br %t, done, call
//                              call:
//                                %c = call f(%a)
//                                br done
//                              done:
//                                %r = phi %a, %c
//
//   __nopal_spawn(h, %a, %x)     %t = icmp slt %a, 2
//                                br %t, early, spawn
//   where h(a, x) is           early:
//     *x = f(a);                 store %a, %x
//                                br cont
//                              spawn:
//                                __nopal_spawn(h, %a, %x)
//                                br cont
//
//===----------------------------------------------------------------------===//
#include "EarlyExit.h"

#include "../analysis/Functions.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../split/SuspendPoints.h"
#include "EarlyPaths.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::early;
using namespace nopal::split;

namespace {

/// The most instructions that a function may run before its test, and from the test to its return.
/// A push and a pop take about as many.
constexpr unsigned MostInstructions = 16;
/// The same if the function is optimized for size.
constexpr unsigned MostIfSmall = 4;
/// Branch weights of the early paths and the rest. The true ratio is unknown, but the longer path
/// should fall through: a taken jump ends the block that a processor fetches at once.
constexpr unsigned EarlyWeight = 2, LateWeight = 3;

/// A branch between an early path and the rest.
struct Decision {
  WeakVH Branch; ///< null after its deletion
  bool LateIsFirst;
};

/// The decision that \p Copy takes, if one side of its branch is \p GiveUp and no profile gives it
/// weights.
std::optional<Decision> decisionOf(BasicBlock *Copy, const BasicBlock *GiveUp) {
  auto *Br = dyn_cast<BranchInst>(Copy->getTerminator());
  if (!Br || !Br->isConditional() || Br->hasMetadata(LLVMContext::MD_prof))
    return std::nullopt;
  bool IsFirst = Br->getSuccessor(0) == GiveUp;
  if (IsFirst == (Br->getSuccessor(1) == GiveUp))
    return std::nullopt;
  return Decision{Br, IsFirst};
}

/// Copies the early paths of \p Callee after \p Head, which has no terminator. They end in \p Done,
/// where \p Result (may be null) is the returned value, or in \p GiveUp. Returns the branches that
/// decide between the two.
SmallVector<Decision, 2> copyPaths(Function &Callee, const EarlyPaths &E, ArrayRef<Value *> Args,
                                   BasicBlock *Head, BasicBlock *Done, PHINode *Result,
                                   BasicBlock *GiveUp, const DebugLoc &Loc) {
  Function *Caller = Head->getParent();
  AttributeFuncs::mergeAttributesForInlining(
      *Caller, Callee); // isOpenCall() has seen that they are compatible
  ValueToValueMapTy VMap;
  for (auto [A, V] : zip(Callee.args(), Args))
    VMap[&A] = V;
  SmallVector<BasicBlock *, 8> Copies;
  for (BasicBlock *BB : E.Blocks) {
    auto *Copy = BasicBlock::Create(Caller->getContext(), "early", Caller, GiveUp);
    VMap[BB] = Copy;
    Copies.push_back(Copy);
  }
  for (BasicBlock *BB : E.Blocks)
    for (BasicBlock *S : successors(BB))
      if (!E.Blocks.contains(S))
        VMap[S] = GiveUp;
  for (auto [BB, Copy] : zip(E.Blocks, Copies))
    for (Instruction &I : *BB) {
      if (I.isTerminator() && isNothing(I)) {
        BranchInst::Create(nextOnPath(*BB).front(), Copy)->setDebugLoc(Loc);
        continue;
      }
      if (isNothing(I) || isa<AllocaInst>(I))
        continue;
      Instruction *New = I.clone();
      New->insertInto(Copy, Copy->end());
      New->dropDbgRecords();
      New->setDebugLoc(Loc);
      New->setMetadata(LLVMContext::MD_noalias, nullptr);
      New->setMetadata(LLVMContext::MD_alias_scope, nullptr);
      VMap[&I] = New;
    }
  for (BasicBlock *Copy : Copies)
    for (Instruction &I : make_early_inc_range(*Copy)) {
      if (auto *Phi = dyn_cast<PHINode>(&I))
        for (unsigned N = Phi->getNumIncomingValues(); N-- > 0;)
          if (!E.Blocks.contains(Phi->getIncomingBlock(N)))
            Phi->removeIncomingValue(N, /*DeletePHIIfEmpty=*/false);
      RemapInstruction(&I, VMap, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      auto *Ret = dyn_cast<ReturnInst>(&I);
      if (!Ret)
        continue;
      if (Result)
        Result->addIncoming(Ret->getReturnValue(), Copy);
      BranchInst::Create(Done, Copy)->setDebugLoc(Loc);
      Ret->eraseFromParent();
    }
  BranchInst::Create(Copies.front(), Head)->setDebugLoc(Loc);
  SmallVector<Decision, 2> Decisions;
  for (BasicBlock *Copy : Copies)
    if (std::optional<Decision> D = decisionOf(Copy, GiveUp))
      Decisions.push_back(*D);
  return Decisions;
}

/// Cuts \p CB's block before and after it:
///   Head (no terminator) | CB | Done: phi
/// The phi is the call's value; null if it is unused.
struct Cut {
  BasicBlock *Head, *Call, *Done;
  PHINode *Result = nullptr;
};

Cut cutAround(CallBase &CB) {
  Cut C;
  C.Head = CB.getParent();
  C.Call = SplitBlock(C.Head, CB.getIterator());
  C.Head->getTerminator()->eraseFromParent();
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    BasicBlock *Old = II->getNormalDest();
    C.Done = BasicBlock::Create(CB.getContext(), "early.done", CB.getFunction(), Old);
    BranchInst::Create(Old, C.Done)->setDebugLoc(CB.getDebugLoc());
    Old->replacePhiUsesWith(C.Call, C.Done);
    II->setNormalDest(C.Done);
  } else {
    C.Done = SplitBlock(C.Call, std::next(CB.getIterator()));
  }
  if (CB.use_empty())
    return C;
  C.Result = PHINode::Create(CB.getType(), 2, "", C.Done->begin());
  C.Result->setDebugLoc(CB.getDebugLoc());
  CB.replaceAllUsesWith(C.Result);
  C.Result->addIncoming(&CB, C.Call);
  return C;
}

/// True if the early paths of \p CB's callee may replace the call.
bool isOpenCall(const CallBase &CB) {
  const Function *Callee = CB.getCalledFunction(), *Caller = CB.getFunction();
  return Callee && isa<CallInst, InvokeInst>(CB) &&
         Callee->getFunctionType() == CB.getFunctionType() &&
         Callee->getCallingConv() == CB.getCallingConv() && !CB.isMustTailCall() &&
         !CB.hasOperandBundles() && !CB.getAttributes().hasFnAttr(Attribute::NoInline) &&
         !Caller->hasFnAttribute(Attribute::OptimizeNone) && !Caller->hasMinSize() &&
         AttributeFuncs::areInlineCompatible(*Caller, *Callee) &&
         all_of(ArrayRef<StringRef>{"target-cpu", "target-features"}, [&](StringRef Name) {
           return Caller->getFnAttribute(Name) == Callee->getFnAttribute(Name);
         });
}

class EarlyExits {
public:
  explicit EarlyExits(ArrayRef<Function *> Spawners) {
    for (Function *F : Spawners)
      if (std::optional<EarlyPaths> E = findEarlyPaths(*F, mostOf(*F)))
        Paths.insert({F, std::move(*E)});
  }

  /// True if something was rewritten.
  bool rewrite(Function &F) {
    if (Paths.empty() || F.hasFnAttribute(Attribute::OptimizeNone) || F.hasMinSize())
      return false;
    SmallVector<CallBase *, 8> Calls, Spawns;
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (CB && isMarker(I, Marker::Spawn))
        Spawns.push_back(CB);
      else if (CB && hasPaths(*CB))
        Calls.push_back(CB);
    }
    for (CallBase *CB : Calls)
      rewriteCall(*CB);
    bool Changed = !Calls.empty();
    for (CallBase *CB : Spawns)
      Changed |= rewriteSpawn(*CB);
    return Changed;
  }

  /// Sets the branch weights. Call it last, since other passes draw conclusions from them.
  void preferLatePaths() {
    for (Decision &D : Decisions)
      if (auto *Br = dyn_cast_or_null<BranchInst>(static_cast<Value *>(D.Branch));
          Br && Br->isConditional()) {
        MDBuilder B(Br->getContext());
        Br->setMetadata(LLVMContext::MD_prof, D.LateIsFirst
                                                  ? B.createBranchWeights(LateWeight, EarlyWeight)
                                                  : B.createBranchWeights(EarlyWeight, LateWeight));
      }
  }

private:
  static unsigned mostOf(const Function &F) {
    return F.hasOptSize() ? MostIfSmall : MostInstructions;
  }

  bool hasPaths(const CallBase &CB) {
    return isOpenCall(CB) && Paths.contains(CB.getCalledFunction());
  }

  void rewriteCall(CallBase &CB) {
    Function &Callee = *CB.getCalledFunction();
    Cut C = cutAround(CB);
    SmallVector<Value *, 8> Args(CB.args());
    Decisions.append(copyPaths(Callee, Paths.find(&Callee)->second, Args, C.Head, C.Done, C.Result,
                               C.Call, CB.getDebugLoc()));
  }

  /// The helper has early paths if the function that it calls has some, and if it does little else.
  /// To find them, the call is rewritten in a copy of the helper.
  bool rewriteSpawn(CallBase &Marker) {
    Function *Helper = cast<SpawnMarker>(Marker).helper();
    if (!Helper || Helper->isDeclaration() || Helper->hasFnAttribute(SpawnerAttr))
      return false;
    CallBase *Call = nullptr;
    for (Instruction &I : instructions(*Helper))
      if (auto *CB = dyn_cast<CallBase>(&I); CB && !Call && hasPaths(*CB))
        Call = CB;
    if (!Call)
      return false;
    ValueToValueMapTy VMap;
    Function *Copy = CloneFunction(Helper, VMap);
    rewriteCall(*cast<CallBase>(VMap[Call]));
    std::optional<EarlyPaths> E = findEarlyPaths(*Copy, mostOf(*Copy));
    if (E) {
      SmallVector<Value *, 8> Args(cast<SpawnMarker>(Marker).helperOperands());
      Cut C = cutAround(Marker);
      Decisions.append(
          copyPaths(*Copy, *E, Args, C.Head, C.Done, nullptr, C.Call, Marker.getDebugLoc()));
    }
    Copy->eraseFromParent();
    return E.has_value();
  }

  DenseMap<const Function *, EarlyPaths> Paths;
  SmallVector<Decision, 8> Decisions;
};

} // namespace

PreservedAnalyses EarlyExitsPass::run(Module &M, ModuleAnalysisManager &AM) {
  const auto Spawners = callersOf(M, Marker::Spawn);
  if (Spawners.empty())
    return PreservedAnalyses::all();
  EarlyExits Exits(Spawners.getArrayRef());
  SmallVector<Function *, 16> Changed;
  for (Function *F : Spawners)
    if (Exits.rewrite(*F))
      Changed.push_back(F);
  // An early path often implies the result of the next test: in fib(2) the first child returns at
  // once, and so does the second.
  FunctionPassManager ThreadJumps;
  ThreadJumps.addPass(JumpThreadingPass());
  simplifyChanged(Changed, ThreadJumps, M, AM);
  Exits.preferLatePaths();
  return PreservedAnalyses::none();
}
