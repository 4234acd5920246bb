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

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "LateEntry.h"
#include "Options.h"
#include "Points.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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
/// its return, if its callers do the test and the function does it again. About
/// what a push and a pop are.
constexpr unsigned MostInstructions = 16;
/// The same in a function that is to be small.
constexpr unsigned MostIfSmall = 4;
/// The same if no test is done twice: still a small part of what a theft takes,
/// so nobody could gain by stealing what comes later by that.
constexpr unsigned MostIfCut = 32;
/// The same in a helper of a function that was cut: what becomes of the result.
constexpr unsigned MostOfHelper = MostIfCut + 4;

/// Tests of more instructions than this are not done twice, if that can be.
const cl::opt<unsigned> &CheapTests = option<unsigned>(
    "nopal-cheap-tests", 4,
    "Cut a spawning function behind tests of more than so many instructions");

/// How often a child is said to return at once, and how often not. Nobody
/// knows, but the longer path should be the straight one: each jump that is
/// taken ends what a processor fetches at once.
constexpr unsigned EarlyWeight = 2, LateWeight = 3;

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

/// What copyPaths() has made.
struct Copied {
  SmallVector<Decision, 2> Decisions;
  SmallVector<Value *, 8> ForRest; ///< what the callee's Rest is given
};

/// Copies the early paths of \p Callee to behind \p Head, which has no
/// terminator: they end in \p Done, where \p Result (may be null) gets what was
/// returned, or in \p GiveUp.
Copied copyPaths(Function &Callee, const EarlyPaths &E, ArrayRef<Value *> Args,
                 BasicBlock *Head, BasicBlock *Done, PHINode *Result,
                 BasicBlock *GiveUp, const DebugLoc &Loc) {
  Function *Caller = Head->getParent();
  AttributeFuncs::mergeAttributesForInlining(*Caller, Callee); // isOpenCall() has seen that they are compatible
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
      if (&I == E.Rest) {
        BranchInst::Create(GiveUp, Copy)->setDebugLoc(Loc);
        break;
      }
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
  Copied C;
  BasicBlock *Late = GiveUp;
  if (E.Rest) {
    Late = cast<BasicBlock>(VMap[E.Rest->getParent()]);
    for (Value *V : E.Rest->args())
      C.ForRest.push_back(isa<Constant>(V) ? V : static_cast<Value *>(VMap[V]));
  }
  for (BasicBlock *Copy : Copies)
    if (std::optional<Decision> D = decisionOf(Copy, Late))
      C.Decisions.push_back(*D);
  return C;
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

/// \p CB calls \p Callee with \p Args instead, at the same place.
CallBase *replaceCall(CallBase &CB, FunctionCallee Callee, ArrayRef<Value *> Args) {
  CallBase *New;
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    New = InvokeInst::Create(Callee, II->getNormalDest(), II->getUnwindDest(), Args,
                             "", II->getIterator());
  } else {
    auto *Call = CallInst::Create(Callee, Args, "", CB.getIterator());
    Call->setTailCallKind(cast<CallInst>(CB).getTailCallKind());
    New = Call;
  }
  New->setDebugLoc(CB.getDebugLoc());
  CB.replaceAllUsesWith(New);
  CB.eraseFromParent();
  return New;
}

/// True if the early paths of the function that \p CB calls may be taken in place
/// of the call.
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

/// True if somebody may do the tests of \p F in its stead: a spawner that calls it,
/// or a helper, whose spawner does.
bool isTestedElsewhere(const Function &F) {
  return any_of(F.users(), [&](const User *U) {
    auto *CB = dyn_cast<CallBase>(U);
    return CB && CB->getCalledFunction() == &F && isOpenCall(*CB) &&
           !CB->getFunction()->hasOptSize() &&
           (CB->getFunction()->hasFnAttribute(SpawnerAttr) ||
            CB->getFunction()->hasFnAttribute(HelperAttr));
  });
}

class EarlyExits {
public:
  /// Cuts those of \p Spawners whose tests should not be done twice.
  explicit EarlyExits(ArrayRef<Function *> Spawners) {
    for (Function *F : Spawners) {
      Function *Spawner = F;
      if (std::optional<EarlyPaths> E = prepare(*F)) {
        if (E->Rest)
          Spawner = E->Rest->getCalledFunction();
        Paths.insert({F, std::move(*E)});
      }
      Rewritable.push_back(Spawner);
    }
  }

  /// Gives the functions in which something was rewritten.
  SmallVector<Function *, 16> rewriteAll() {
    SmallVector<Function *, 16> Changed;
    for (Function *F : Rewritable)
      if (rewrite(*F))
        Changed.push_back(F);
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
  static std::optional<EarlyPaths> prepare(Function &F) {
    if (F.hasOptSize())
      return findEarlyPaths(F, MostIfSmall);
    if (!F.hasFnAttribute(HelperAttr) && isTestedElsewhere(F))
      if (std::optional<EarlyPaths> E = findEarlyPaths(F, MostIfCut);
          E && E->Tests > CheapTests && cutBehind(F, *E))
        return E;
    return findEarlyPaths(F, MostInstructions);
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

  bool hasPaths(const CallBase &CB) {
    if (!isOpenCall(CB))
      return false;
    auto Found = Paths.find(CB.getCalledFunction());
    return Found != Paths.end() && !(Found->second.Rest && CB.getFunction()->hasOptSize());
  }

  void rewriteCall(CallBase &CB) {
    Function &Callee = *CB.getCalledFunction();
    const EarlyPaths &E = Paths.find(&Callee)->second;
    Cut C = cutAround(CB);
    SmallVector<Value *, 8> Args(CB.args());
    Copied Made = copyPaths(Callee, E, Args, C.Head, C.Done, C.Result, C.Call, CB.getDebugLoc());
    Decisions.append(Made.Decisions);
    if (!E.Rest)
      return;
    AttributeList Attrs = E.Rest->getAttributes();
    if (CB.doesNotThrow())
      Attrs = Attrs.addFnAttribute(CB.getContext(), Attribute::NoUnwind);
    replaceCall(CB, E.Rest->getCalledFunction(), Made.ForRest)->setAttributes(Attrs);
  }

  /// The early paths of \p Helper, in which \p Call has some: found in a copy in
  /// which it is rewritten, or in \p Helper itself if the callee was cut, as it is
  /// then, too.
  std::optional<EarlyPaths> pathsOfHelper(Function *&Helper, CallBase *Call) {
    if (Paths.find(Call->getCalledFunction())->second.Rest) {
      rewriteCall(*Call);
      removeUnreachableBlocks(*Helper); // what it passes may decide a test
      std::optional<EarlyPaths> E = findEarlyPaths(*Helper, MostOfHelper);
      if (E && !cutBehind(*Helper, *E))
        E.reset();
      CutHelpers.insert({Helper, E});
      return E;
    }
    ValueToValueMapTy VMap;
    Helper = CloneFunction(Helper, VMap);
    rewriteCall(*cast<CallBase>(VMap[Call]));
    return findEarlyPaths(*Helper, Helper->hasOptSize() ? MostIfSmall : MostInstructions);
  }

  /// The helper has early paths if the function that it calls has, and if it
  /// does little else.
  bool rewriteSpawn(CallBase &Marker) {
    auto *Helper = dyn_cast<Function>(Marker.getArgOperand(0));
    if (!Helper || Helper->isDeclaration() || Helper->hasFnAttribute(SpawnerAttr))
      return false;
    Function *Read = Helper;
    std::optional<EarlyPaths> E;
    if (auto Known = CutHelpers.find(Helper); Known != CutHelpers.end()) {
      E = Known->second;
    } else {
      CallBase *Call = nullptr;
      for (Instruction &I : instructions(*Helper))
        if (auto *CB = dyn_cast<CallBase>(&I); CB && !Call && hasPaths(*CB))
          Call = CB;
      if (!Call)
        return false;
      E = pathsOfHelper(Read, Call);
    }
    if (E)
      rewriteMarker(Marker, *Read, *E);
    if (Read != Helper)
      Read->eraseFromParent();
    return E.has_value();
  }

  void rewriteMarker(CallBase &Marker, Function &Helper, const EarlyPaths &E) {
    SmallVector<Value *, 8> Args(Marker.arg_begin() + SpawnMarker::FirstOfRest, Marker.arg_end());
    Cut C = cutAround(Marker);
    Copied Made = copyPaths(Helper, E, Args, C.Head, C.Done, nullptr, C.Call, Marker.getDebugLoc());
    Decisions.append(Made.Decisions);
    if (!E.Rest)
      return;
    SmallVector<Value *, 16> Operands(Marker.arg_begin(), Marker.arg_begin() + SpawnMarker::FirstOfRest);
    Operands[0] = E.Rest->getCalledFunction();
    Operands.append(Made.ForRest);
    LLVMContext &Context = Marker.getContext();
    AttributeSet Fn = Marker.getAttributes().getFnAttrs(); // nomerge above all
    replaceCall(Marker, {Marker.getFunctionType(), Marker.getCalledOperand()}, Operands)
        ->setAttributes(AttributeList::get(Context, Fn, {}, {}));
  }

  DenseMap<const Function *, EarlyPaths> Paths;
  DenseMap<const Function *, std::optional<EarlyPaths>> CutHelpers;
  SmallVector<Function *, 16> Rewritable; ///< for a function that was cut its rest
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
  SmallVector<Function *, 16> Changed = Exits.rewriteAll();
  if (!Changed.empty())
    threadJumps(Changed);
  Exits.preferLatePaths();
}
