//===- Pedigrees.cpp - Strands learn their place in the program -----------===//
//
// See Pedigrees.h.
//
//   f:                                   before                  after
//                                        ------                  -----
//                                                                save(%kept)
//                                        __nopal_spawn(@f.spawn) __nopal_spawn(@f.spawn)
//                                                                advance(%kept)
//   f.spawn: ..                          body                    enter(%node); body
//            an exception leaves it                              advance(%node)
//                                                                save(%kept)
//                                        __nopal_sync(0)         __nopal_sync(0)
//                                                                advance(%kept)
//
//                                                                loop(%loop)
//                                        __nopal_loop_begin(id)  __nopal_loop_begin(id)
//   the body of the serial loop over k   body                    iteration(%loop, %own, k); body
//   an exception leaves the leaf                                 advance(%loop)
//                                        __nopal_loop_end(id)    __nopal_loop_end(id)
//                                                                advance(%loop)
//
//===----------------------------------------------------------------------===//
#include "Pedigrees.h"

#include "../contract/Markers.h"
#include "../contract/Option.h"
#include "../contract/Refusal.h"
#include "nopal_pedigree.h"
#include "Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

static const cl::opt<bool> &Pedigrees =
    option("nopal-pedigrees", false, "Keep pedigrees, for random numbers that no schedule changes");

bool outline::choosesPedigrees(Module &M) {
  if (Pedigrees && !keepsPedigrees(M))
    M.addModuleFlag(Module::Max, PedigreeFlag, 1);
  return keepsPedigrees(M);
}

namespace {

/// Calls a function of nopal_pedigree.h, whose name the compiler checks.
#define NOPAL_CALL_PEDIGREE(Builder, Name, ...)                                                    \
  (static_cast<void>(sizeof(&(Name))), callRuntime(Builder, #Name, {__VA_ARGS__}))

void callRuntime(IRBuilderBase &B, StringRef Name, ArrayRef<Value *> Args) {
  SmallVector<Type *, 3> Types;
  for (Value *V : Args)
    Types.push_back(V->getType());
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Name, FunctionType::get(B.getVoidTy(), Types, false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
    F->addFnAttr(Attribute::NoCallback);
  }
  B.CreateCall(Callee, Args)->setDoesNotThrow();
}

AllocaInst *createNode(Function &F, const Twine &Name) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  static_assert(sizeof(nopal_pedigree_node) == 32 && alignof(nopal_pedigree_node) == 8);
  AllocaInst *Node = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), 4), nullptr, Name);
  Node->setAlignment(Align(alignof(nopal_pedigree_node)));
  return Node;
}

/// Sets \p B after \p Call, on its normal edge, where no other edge leads.
void setAfter(IRBuilderBase &B, CallBase &Call) {
  if (auto *II = dyn_cast<InvokeInst>(&Call)) {
    BasicBlock *Edge = SplitEdge(II->getParent(), II->getNormalDest());
    B.SetInsertPoint(Edge, Edge->getFirstInsertionPt());
  } else {
    B.SetInsertPoint(Call.getParent(), std::next(Call.getIterator()));
  }
  B.SetCurrentDebugLocation(Call.getDebugLoc());
}

/// Calls advance(\p Node) wherever an exception leaves \p F.
void advanceWhereThrown(Function &F, Value *Node) {
  if (F.doesNotThrow())
    return;
  for (BasicBlock &BB : F)
    if (LandingPadInst *Pad = BB.getLandingPadInst())
      Pad->setCleanup(true); // else an uncaught exception would leave F without a cleanup
  EscapeEnumerator Ends(F, "pedigree");
  while (IRBuilder<> *B = Ends.Next())
    if (!isa<ReturnInst>(B->GetInsertPoint()))
      NOPAL_CALL_PEDIGREE(*B, nopal_pedigree_advance, Node);
}

/// The block in which each iteration of the loop with the lower bound \p Low begins, and the
/// address of the iteration's number. The front-end emits `for (k = low; k < high; ++k)`; nulls if
/// another pass has changed that.
std::pair<BasicBlock *, Value *> bodyOf(LoopLowMarker &Low) {
  for (User *Stored : Low.users())
    if (auto *SI = dyn_cast<StoreInst>(Stored))
      for (User *U : SI->getPointerOperand()->users())
        if (auto *Load = dyn_cast<LoadInst>(U))
          for (User *Compared : Load->users()) {
            auto *Less = dyn_cast<ICmpInst>(Compared);
            if (!Less || Less->getPredicate() != ICmpInst::ICMP_ULT || Less->getOperand(0) != Load)
              continue;
            for (User *Branched : Less->users())
              if (auto *Branch = dyn_cast<BranchInst>(Branched))
                return {Branch->getSuccessor(0), SI->getPointerOperand()};
          }
  return {};
}

/// The blocks of \p F that are entered without an exception in flight. In all others an exception
/// passes the sync, which begins no rank.
SmallPtrSet<BasicBlock *, 32> blocksWithoutException(Function &F) {
  SmallPtrSet<BasicBlock *, 32> Found;
  SmallVector<BasicBlock *, 32> Work{&F.getEntryBlock()};
  for (BasicBlock &BB : F)
    if (any_of(BB, [](const Instruction &I) {
          const auto *Call = dyn_cast<CallBase>(&I);
          const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
          return Callee && Callee->getName() == "__cxa_begin_catch";
        }))
      Work.push_back(&BB);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (!Found.insert(BB).second)
      continue;
    for (BasicBlock *S : successors(BB))
      if (!S->isLandingPad())
        Work.push_back(S);
  }
  return Found;
}

} // namespace

void outline::keepPedigreesOfLoops(Function &F) {
  SmallVector<LoopBeginMarker *, 4> Loops;
  for (Instruction &I : instructions(F))
    if (auto *Begin = dyn_cast<LoopBeginMarker>(&I))
      Loops.push_back(Begin);
  for (LoopBeginMarker *Begin : Loops) {
    AllocaInst *Loop = createNode(F, "pedigree.loop"), *Own = createNode(F, "pedigree.iteration");
    IRBuilder<> B(Begin);
    NOPAL_CALL_PEDIGREE(B, nopal_pedigree_loop, Loop);
    const uint64_t Id = numberOf(Begin->id());
    SmallVector<LoopEndMarker *, 1> Ends;
    SmallVector<LoopLowMarker *, 1> Lows;
    for (Instruction &I : instructions(F)) {
      if (auto *End = dyn_cast<LoopEndMarker>(&I); End && numberOf(End->id()) == Id)
        Ends.push_back(End);
      if (auto *Low = dyn_cast<LoopLowMarker>(&I); Low && numberOf(Low->id()) == Id)
        Lows.push_back(Low);
    }
    for (LoopEndMarker *End : Ends) {
      setAfter(B, *End);
      NOPAL_CALL_PEDIGREE(B, nopal_pedigree_advance, Loop);
    }
    for (LoopLowMarker *Low : Lows) {
      auto [Body, Number] = bodyOf(*Low);
      if (!Body)
        return refuse(F, Refusal::ChangedLoop, Begin->getDebugLoc());
      B.SetInsertPoint(Body, Body->getFirstInsertionPt());
      B.SetCurrentDebugLocation(Begin->getDebugLoc());
      Value *K = B.CreateLoad(B.getInt64Ty(), Number);
      NOPAL_CALL_PEDIGREE(B, nopal_pedigree_iteration, Loop, Own, K);
    }
  }
}

void outline::keepPedigrees(Module &M) {
  SmallSetVector<Function *, 16> Helpers;
  for (Function *F : callersOf(M, Marker::Spawn)) {
    AllocaInst *Kept = createNode(*F, "pedigree");
    const auto Normal = blocksWithoutException(*F);
    SmallVector<CallBase *, 16> Points;
    for (Instruction &I : instructions(*F)) {
      if (auto *Spawn = dyn_cast<SpawnMarker>(&I)) {
        if (Function *Helper = Spawn->helper())
          Helpers.insert(Helper);
        Points.push_back(Spawn);
      } else if (isMarker(I, {Marker::Sync, Marker::SyncInFlight}) &&
                 Normal.contains(I.getParent())) {
        Points.push_back(cast<CallBase>(&I));
      }
    }
    for (CallBase *Point : Points) {
      IRBuilder<> B(Point);
      NOPAL_CALL_PEDIGREE(B, nopal_pedigree_save, Kept);
      setAfter(B, *Point);
      NOPAL_CALL_PEDIGREE(B, nopal_pedigree_advance, Kept);
    }
  }
  for (Function *Helper : Helpers) {
    AllocaInst *Node = createNode(*Helper, "pedigree.node");
    IRBuilder<> B(Node->getParent(), Helper->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    NOPAL_CALL_PEDIGREE(B, nopal_pedigree_enter, Node);
    advanceWhereThrown(*Helper, Node);
  }
  if (Function *Iteration = M.getFunction("nopal_pedigree_iteration")) {
    SmallVector<std::pair<Function *, Value *>, 8> Leaves;
    for (User *U : Iteration->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Value *Loop = Call->getArgOperand(0); isa<Argument>(Loop))
          Leaves.push_back({Call->getFunction(), Loop});
    for (auto [Leaf, Loop] : Leaves)
      advanceWhereThrown(*Leaf, Loop);
  }
}

PreservedAnalyses PedigreeLoopsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!choosesPedigrees(M))
    return PreservedAnalyses::all();
  for (Function *F : callersOf(M, Marker::LoopBegin))
    keepPedigreesOfLoops(*F);
  return PreservedAnalyses::none();
}

PreservedAnalyses PedigreesPass::run(Module &M, ModuleAnalysisManager &) {
  if (!keepsPedigrees(M))
    return PreservedAnalyses::all();
  keepPedigrees(M);
  return PreservedAnalyses::none();
}
