//===- EarlyExit.cpp - Children that return at once need no spawn ---------===//
//
// See EarlyExit.h. What becomes of a call, and of a spawn, of
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

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Points.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

using namespace llvm;
using namespace nopal;

namespace {

/// Instructions that a function may run before its test, and from the test to
/// its return. About what a push and a pop are.
constexpr unsigned MostInstructions = 16;
/// The same in a function that is to be small.
constexpr unsigned MostIfSmall = 4;
/// How often a child is said to return at once, and how often not. Nobody
/// knows, but the longer path should be the straight one: each jump that is
/// taken ends what a processor fetches at once.
constexpr unsigned EarlyWeight = 2, LateWeight = 3;

/// The blocks of a function that run when it returns at once.
struct EarlyPaths {
  SmallSetVector<BasicBlock *, 8> Blocks; ///< the entry first
};

/// True if \p I vanishes: it marks what is not there on an early path.
bool isNothing(const Instruction &I) {
  if (isMarker(I, marker::Sync))
    return isa<CallInst>(I); // nothing is outstanding
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (II->isLifetimeStartOrEnd() ||
                II->getIntrinsicID() == Intrinsic::assume ||
                II->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

/// True if \p I can be run in the caller, once more: it has no effect.
bool isPure(const Instruction &I) {
  if (I.mayHaveSideEffects() || I.isAtomic() || isa<AllocaInst>(I) || I.isEHPad())
    return false;
  if (const auto *CB = dyn_cast<CallBase>(&I))
    return isa<IntrinsicInst>(CB) && !CB->isConvergent();
  return true;
}

/// True if \p I can be run in the caller in place of the call.
bool isSimple(const Instruction &I) {
  if (const auto *SI = dyn_cast<StoreInst>(&I))
    return SI->isSimple();
  return isPure(I);
}

class Finder {
public:
  Finder(Function &F, unsigned Most) : F(F), Most(Most) {}

  std::optional<EarlyPaths> find() {
    if (!visit(&F.getEntryBlock(), 0))
      return std::nullopt;
    if (Found && GivesUp && usesNoLocals())
      return EarlyPaths{std::move(Blocks)};
    return std::nullopt;
  }

private:
  /// Counts the instructions of \p BB that all are \p Allowed; nothing if one
  /// is not, or if they are too many.
  template <class Predicate>
  std::optional<unsigned> cost(BasicBlock *BB, unsigned Before,
                               Predicate Allowed) {
    for (Instruction &I : *BB) {
      if (isNothing(I) || isa<PHINode>(I) || I.isTerminator())
        continue;
      if (isa<AllocaInst>(I) && BB == &F.getEntryBlock())
        continue; // usesNoLocals() looks at them
      if (!Allowed(I) || ++Before > Most)
        return std::nullopt;
    }
    return Before;
  }

  /// Everything from \p BB on comes to a return within the bound.
  bool isEarly(BasicBlock *BB, unsigned Before,
               SmallSetVector<BasicBlock *, 8> &Path, unsigned Depth) {
    std::optional<unsigned> Cost = cost(BB, Before, isSimple);
    if (!Cost || Depth > 4)
      return false;
    Path.insert(BB);
    Instruction *End = BB->getTerminator();
    if (isa<ReturnInst>(End))
      return true;
    if (!isa<BranchInst, SwitchInst>(End))
      return false;
    return all_of(successors(BB), [&](BasicBlock *S) {
      return isEarly(S, *Cost + 1, Path, Depth + 1);
    });
  }

  /// Sorts \p BB and what follows: early, a test on the way, or given up. False
  /// if the function has a shape that is left alone.
  bool visit(BasicBlock *BB, unsigned Before) {
    if (OnPath.contains(BB))
      return false; // a loop
    SmallSetVector<BasicBlock *, 8> Path;
    if (isEarly(BB, Before, Path, 0)) {
      Blocks.insert_range(Path);
      Found = true;
      return true;
    }
    std::optional<unsigned> Cost = cost(BB, Before, isPure);
    Instruction *End = BB->getTerminator();
    if (!Cost || !isa<BranchInst, SwitchInst>(End) || OnPath.size() > 3) {
      GivesUp = true;
      return BB != &F.getEntryBlock();
    }
    OnPath.insert(BB);
    Blocks.insert(BB);
    bool Fine = all_of(successors(BB),
                       [&](BasicBlock *S) { return visit(S, *Cost + 1); });
    OnPath.erase(BB);
    return Fine;
  }

  bool usesNoLocals() {
    for (BasicBlock *BB : Blocks)
      for (Instruction &I : *BB)
        if (!isNothing(I))
          for (Value *Op : I.operands())
            if (isa<AllocaInst>(Op))
              return false;
    return true;
  }

  Function &F;
  const unsigned Most;
  SmallSetVector<BasicBlock *, 8> Blocks;
  SmallPtrSet<BasicBlock *, 8> OnPath;
  bool Found = false, GivesUp = false;
};

/// A function that could be inlined, if it did not spawn.
bool isOpen(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !F.isVarArg() &&
         !F.hasFnAttribute(Attribute::OptimizeNone) &&
         !F.hasFnAttribute(KeptOutOfLineAttr) && !F.hasMinSize() &&
         none_of(F.args(), [](const Argument &A) {
           return A.hasPassPointeeByValueCopyAttr();
         });
}

std::optional<EarlyPaths> earlyPathsOf(Function &F) {
  if (!isOpen(F))
    return std::nullopt;
  return Finder(F, F.hasOptSize() ? MostIfSmall : MostInstructions).find();
}

/// A branch between an early path and the rest.
struct Decision {
  WeakVH Branch; ///< null once nobody needs it
  bool LateIsFirst;
};

/// What \p Copy decides, if one side of its branch is \p GiveUp and no profile
/// knows better which.
std::optional<Decision> decisionOf(BasicBlock *Copy, const BasicBlock *GiveUp) {
  auto *Br = dyn_cast<BranchInst>(Copy->getTerminator());
  if (!Br || !Br->isConditional() || Br->hasMetadata(LLVMContext::MD_prof))
    return std::nullopt;
  bool IsFirst = Br->getSuccessor(0) == GiveUp;
  if (IsFirst == (Br->getSuccessor(1) == GiveUp))
    return std::nullopt;
  return Decision{Br, IsFirst};
}

/// Copies the early paths of \p Callee to behind \p Head, which has no
/// terminator: they end in \p Done, where \p Result (may be null) gets what was
/// returned, or in \p GiveUp. Gives what decides between the two.
SmallVector<Decision, 2> copyPaths(Function &Callee, const EarlyPaths &E,
                                   ArrayRef<Value *> Args, BasicBlock *Head,
                                   BasicBlock *Done, PHINode *Result,
                                   BasicBlock *GiveUp, const DebugLoc &Loc) {
  Function *Caller = Head->getParent();
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

/// Cuts \p CB's block before it, and gives what follows it a block of its own:
///   Head (no terminator) | CB | Done: phi
/// The phi stands for the call's value; null if nobody uses one.
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

class EarlyExits {
public:
  explicit EarlyExits(ArrayRef<Function *> Spawners) {
    for (Function *F : Spawners)
      if (std::optional<EarlyPaths> E = earlyPathsOf(*F))
        Paths.insert({F, std::move(*E)});
  }

  /// True if something was rewritten.
  bool rewrite(Function &F) {
    if (Paths.empty() || F.hasFnAttribute(Attribute::OptimizeNone) || F.hasMinSize())
      return false;
    SmallVector<CallBase *, 8> Calls, Spawns;
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (CB && isMarker(I, marker::Spawn))
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

  /// Behind all that may ask how often a branch is taken and draw conclusions.
  void preferLatePaths() {
    for (Decision &D : Decisions)
      if (auto *Br = dyn_cast_or_null<BranchInst>(static_cast<Value *>(D.Branch));
          Br && Br->isConditional()) {
        MDBuilder B(Br->getContext());
        Br->setMetadata(LLVMContext::MD_prof,
                        D.LateIsFirst
                            ? B.createBranchWeights(LateWeight, EarlyWeight)
                            : B.createBranchWeights(EarlyWeight, LateWeight));
      }
  }

private:
  bool hasPaths(const CallBase &CB) {
    const Function *Callee = CB.getCalledFunction();
    return Callee && isa<CallInst, InvokeInst>(CB) && Paths.contains(Callee) &&
           Callee->getFunctionType() == CB.getFunctionType() &&
           Callee->getCallingConv() == CB.getCallingConv() &&
           !CB.isMustTailCall() && !CB.hasOperandBundles() && !CB.getAttributes().hasFnAttr(Attribute::NoInline);
  }

  void rewriteCall(CallBase &CB) {
    Function &Callee = *CB.getCalledFunction();
    Cut C = cutAround(CB);
    SmallVector<Value *, 8> Args(CB.args());
    Decisions.append(copyPaths(Callee, Paths.find(&Callee)->second, Args, C.Head,
                               C.Done, C.Result, C.Call, CB.getDebugLoc()));
  }

  /// The helper has early paths if the function that it calls has, and if it
  /// does little else; found in a copy in which that call is rewritten.
  bool rewriteSpawn(CallBase &Marker) {
    auto *Helper = dyn_cast<Function>(Marker.getArgOperand(0));
    if (!Helper || !isOpen(*Helper) || Helper->hasFnAttribute(SpawnerAttr))
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
    std::optional<EarlyPaths> E = earlyPathsOf(*Copy);
    if (E) {
      SmallVector<Value *, 8> Args(Marker.arg_begin() + FirstOperand, Marker.arg_end());
      Cut C = cutAround(Marker);
      Decisions.append(copyPaths(*Copy, *E, Args, C.Head, C.Done, nullptr, C.Call,
                                 Marker.getDebugLoc()));
    }
    Copy->eraseFromParent();
    return E.has_value();
  }

  DenseMap<const Function *, EarlyPaths> Paths;
  SmallVector<Decision, 8> Decisions;
};

} // namespace

/// An early path often knows what the next test will say: of fib(2), whose
/// first child returns at once, so does the second. The analyses are ours, so
/// that a function comes out the same whoever asks (FramePrinterPass does it
/// in a copy of the module).
static void threadJumps(ArrayRef<Function *> Functions) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  for (Function *F : Functions)
    JumpThreadingPass().run(*F, FAM);
}

void nopal::takeEarlyExits(ArrayRef<Function *> Spawners) {
  EarlyExits Exits(Spawners);
  SmallVector<Function *, 16> Changed;
  for (Function *F : Spawners)
    if (Exits.rewrite(*F))
      Changed.push_back(F);
  if (!Changed.empty())
    threadJumps(Changed);
  Exits.preferLatePaths();
}
