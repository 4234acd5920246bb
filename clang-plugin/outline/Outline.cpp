//===- Outline.cpp - The early pass: spawned children become helpers ------===//
//
// See Outline.h. For `x = cilk_spawn f(a);` the control flow is cut like this
// (dotted edges only with exceptions):
//
//   before                               after
//   ------                               -----
//   begin(id)     . . . . pad P          %a = load ...
//   %a = load ...                        __nopal_spawn(@h, %x, %a) . . pad P
//   %r = call @f(%a) #flag . . pad C     br end
//   store %r, %x                       end: ...
//   end(id)
// pad C: cleanups of the child          define internal void @h(%x, %a):
//        br (into P's blocks)             %r = call @f(%a) . . pad C
// pad P: ...                              store %r, %x
//                                         ret void
//                                       pad C: cleanups of the child; resume
//
//===----------------------------------------------------------------------===//
#include "Outline.h"

#include "../markers/Markers.h"
#include "../split/ThreadBound.h"
#include "Labels.h"
#include "Region.h"
#include "Syncs.h"
#include "Unmade.h"
#include "VarArgs.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace nopal;

namespace {

/// Erases a marker call; an invoke becomes a branch to its normal successor.
void eraseMarker(CallBase &CB) {
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    II->getUnwindDest()->removePredecessor(II->getParent());
    BranchInst::Create(II->getNormalDest(), II->getIterator());
  }
  CB.eraseFromParent();
}

/// Builds the helper of one carved region and rewrites the parent.
class Outliner {
public:
  Outliner(Function &F, Region &R) : F(F), R(R), M(*F.getParent()) {}

  /// False if the child's part computes a value that the parent uses, which no
  /// well-formed statement does; the function is then unchanged.
  bool run();

private:
  bool collectInputs();
  void makePrivate(AllocaInst &AI, bool OnHeap);
  void createHelper();
  void remapDebugInfo();
  void finishHelper();
  void rewriteParent();
  void freeOnParentPads();

  Function &F;
  Region &R;
  Module &M;
  Function *Helper = nullptr;
  ValueToValueMapTy VMap;
  SmallSetVector<Value *, 16> Inputs;
  SmallSetVector<AllocaInst *, 8> Local;
  /// Scalars that are passed by value, with the loads that stand before the
  /// marker once it is there.
  SmallVector<std::pair<AllocaInst *, LoadInst *>, 4> ByValue;
  SmallVector<CallInst *, 2> HeapTemporaries;
  SmallVector<BasicBlock *, 16> Cloned;
  BasicBlock *RaiseBlock = nullptr; ///< where an exception leaves the helper
  AllocaInst *Exception = nullptr;  ///< the one that does
};

bool Outliner::collectInputs() {
  SmallSetVector<AllocaInst *, 8> Allocas;
  for (BasicBlock *BB : R.Child)
    for (Instruction &I : *BB) {
      for (Value *Op : I.operands()) {
        if (auto *AI = dyn_cast<AllocaInst>(Op); AI && AI->isStaticAlloca())
          Allocas.insert(AI);
        else if (isa<Argument>(Op))
          Inputs.insert(Op);
        else if (auto *OpI = dyn_cast<Instruction>(Op);
                 OpI && !R.Child.contains(OpI->getParent()))
          Inputs.insert(Op);
      }
      for (User *U : I.users())
        if (!R.Child.contains(cast<Instruction>(U)->getParent()))
          return false;
    }
  for (AllocaInst *AI : Allocas)
    switch (R.classify(*AI)) {
    case Storage::Parent:
      Inputs.insert(AI);
      break;
    case Storage::Helper:
      Local.insert(AI);
      break;
    case Storage::Value: {
      auto *Load = new LoadInst(AI->getAllocatedType(), AI,
                                AI->getName() + ".value", /*isVolatile=*/false,
                                AI->getAlign());
      ByValue.push_back({AI, Load});
      Inputs.insert(Load);
      break;
    }
    case Storage::Private:
      makePrivate(*AI, /*OnHeap=*/false);
      break;
    case Storage::PrivateHeap:
      makePrivate(*AI, /*OnHeap=*/true);
      break;
    }
  return true;
}

/// Replaces \p AI by storage that is fresh at each execution of the statement.
void Outliner::makePrivate(AllocaInst &AI, bool OnHeap) {
  const DataLayout &DL = M.getDataLayout();
  IRBuilder<> B(R.ParentStart, R.ParentStart->getFirstInsertionPt());
  B.SetCurrentDebugLocation(R.Begin->getDebugLoc());
  FunctionCallee Callee =
      M.getOrInsertFunction(OnHeap ? "nopal_temporary_alloc" : marker::Private,
                            B.getPtrTy(), B.getInt64Ty(), B.getInt64Ty());
  auto *Made = cast<Function>(Callee.getCallee());
  Made->addRetAttr(Attribute::NoAlias);
  Made->addRetAttr(Attribute::NonNull);
  Made->setDoesNotThrow();
  const uint64_t Bytes = AI.getAllocationSize(DL)->getFixedValue();
  CallInst *Memory = B.CreateCall(
      Callee, {B.getInt64(Bytes), B.getInt64(AI.getAlign().value())},
      AI.getName());
  SmallVector<Instruction *, 4> Lifetimes;
  for (User *U : AI.users())
    if (isa<LifetimeIntrinsic>(U))
      Lifetimes.push_back(cast<Instruction>(U));
  for (Instruction *I : Lifetimes)
    I->eraseFromParent();
  AI.replaceAllUsesWith(Memory);
  AI.eraseFromParent();
  Inputs.insert(Memory);
  if (OnHeap)
    HeapTemporaries.push_back(Memory);
}

void Outliner::createHelper() {
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 16> Params;
  for (Value *V : Inputs)
    Params.push_back(V->getType());
  Helper = Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false),
                            GlobalValue::InternalLinkage,
                            F.getName() + ".spawn", &M);
  AttrBuilder Attrs(C, F.getAttributes().getFnAttrs());
  for (Attribute::AttrKind K :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Naked,
        Attribute::NoReturn, Attribute::Memory, Attribute::WillReturn,
        Attribute::MustProgress, Attribute::NoRecurse, Attribute::AllocSize,
        Attribute::AllocKind})
    Attrs.removeAttribute(K);
  if (isa<InvokeInst>(R.Begin))
    Attrs.removeAttribute(Attribute::NoUnwind);
  Attrs.removeAttribute(SpawnerAttr);
  Attrs.addAttribute(HelperAttr, F.hasFnAttribute(HelperAttr)
                                     ? F.getFnAttribute(HelperAttr)
                                           .getValueAsString()
                                     : F.getName());
  Helper->addFnAttrs(Attrs);
  Helper->setComdat(F.getComdat());
  Helper->setSection(F.getSection());

  for (auto [Arg, V] : zip(Helper->args(), Inputs)) {
    Arg.setName(V->getName());
    VMap[V] = &Arg;
  }
  BasicBlock *Entry = BasicBlock::Create(C, "entry", Helper);
  for (AllocaInst *AI : Local) {
    Instruction *Copy = AI->clone();
    Copy->setName(AI->getName());
    Copy->insertInto(Entry, Entry->end());
    VMap[AI] = Copy;
  }
  for (auto [AI, Load] : ByValue) {
    Instruction *Copy = AI->clone();
    Copy->setName(AI->getName());
    Copy->insertInto(Entry, Entry->end());
    VMap[AI] = Copy;
  }
  for (auto [AI, Load] : ByValue)
    new StoreInst(VMap[Load], VMap[AI], Entry);
  for (BasicBlock *BB : R.Child) {
    BasicBlock *Copy = CloneBasicBlock(BB, VMap, "", Helper);
    Copy->setName(BB->getName());
    VMap[BB] = Copy;
    Cloned.push_back(Copy);
  }
  BranchInst::Create(cast<BasicBlock>(VMap[R.ChildStart]), Entry);

  // The way out: the normal one returns, the exceptional ones raise on.
  BasicBlock *Return = BasicBlock::Create(C, "child.done", Helper);
  for (CallInst *Memory : HeapTemporaries)
    CallInst::Create(M.getOrInsertFunction("nopal_temporary_free",
                                           Type::getVoidTy(C),
                                           PointerType::getUnqual(C)),
                     {VMap[Memory]}, "", Return);
  ReturnInst::Create(C, Return);
  VMap[R.EndBlock] = Return;
  BasicBlock *&Raise = RaiseBlock;
  for (BasicBlock *BB : R.Child)
    for (BasicBlock *S : successors(BB)) {
      if (VMap.count(S) || R.Child.contains(S))
        continue;
      if (!Raise)
        Raise = BasicBlock::Create(C, "child.raise", Helper);
      VMap[S] = Raise;
    }
  remapInstructionsInBlocks(Cloned, VMap);
  if (R.Spawned)
    cast<CallBase>(VMap[R.Spawned])->removeFnAttr(Attribute::CoroElideSafe);
  // What is the parent's lives as the parent says, and what began to live in
  // the parent lives as long as the helper.
  for (BasicBlock *BB : Cloned)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!I.isLifetimeStartOrEnd())
        continue;
      auto *AI = dyn_cast<AllocaInst>(I.getOperand(0));
      if (!AI || none_of(AI->users(), [](const User *U) {
            auto *II = dyn_cast<IntrinsicInst>(U);
            return II && II->getIntrinsicID() == Intrinsic::lifetime_start;
          }))
        I.eraseFromParent();
    }
  // Blocks that the map sent to Raise may have been landing pads or had phis;
  // neither Return nor Raise has any.
  for (BasicBlock *BB : Cloned)
    for (PHINode &Phi : make_early_inc_range(BB->phis()))
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (Phi.getIncomingBlock(I)->getParent() != Helper)
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  if (Raise) {
    IRBuilder<> B(C);
    Type *ExnTy = StructType::get(B.getPtrTy(), B.getInt32Ty());
    B.SetInsertPoint(Entry, Entry->begin());
    Exception = B.CreateAlloca(ExnTy, nullptr, "child.exception");
    B.SetInsertPoint(Raise);
    for (CallInst *Memory : HeapTemporaries)
      B.CreateCall(M.getFunction("nopal_temporary_free"), {VMap[Memory]});
    // A sync on the way here may have put another exception in the variables.
    Value *Raised = B.CreateLoad(ExnTy, Exception);
    for (AllocaInst *AI : Local)
      if (int Which = exceptionVariable(*AI); Which >= 0)
        Raised = B.CreateInsertValue(
            Raised, B.CreateLoad(AI->getAllocatedType(), VMap[AI]), Which);
    B.CreateResume(Raised);
  }
}

/// Landing pads of the helper keep the clauses of its own handlers; what those of
/// the parent would catch is raised on. A type is the helper's own if the helper
/// asks for it; a catch-all is if nothing leads on from it.
static void dropForeignClauses(LandingPadInst *Pad, const BasicBlock *Raise) {
  Function &Helper = *Pad->getFunction();
  SmallPtrSet<Value *, 4> Own;
  for (Instruction &I : instructions(Helper))
    if (auto *II = dyn_cast<IntrinsicInst>(&I);
        II && II->getIntrinsicID() == Intrinsic::eh_typeid_for)
      Own.insert(II->getArgOperand(0)->stripPointerCasts());
  SmallSetVector<const BasicBlock *, 16> Behind;
  Behind.insert(Pad->getParent());
  for (unsigned I = 0; I < Behind.size(); ++I) {
    if (auto *II = dyn_cast<InvokeInst>(Behind[I]->getTerminator()))
      Behind.insert(II->getNormalDest());
    else
      for (const BasicBlock *S : successors(Behind[I]))
        Behind.insert(S);
  }
  auto *New = LandingPadInst::Create(Pad->getType(), Pad->getNumClauses(), "",
                                     Pad->getIterator());
  New->setCleanup(true);
  New->setDebugLoc(Pad->getDebugLoc());
  New->takeName(Pad);
  for (unsigned I = 0; I < Pad->getNumClauses(); ++I) {
    Constant *Clause = Pad->getClause(I);
    if (!Pad->isCatch(I))
      continue;
    if (Clause->isNullValue() ? !Behind.contains(Raise)
                              : Own.contains(Clause->stripPointerCasts()))
      New->addClause(Clause);
  }
  Pad->replaceAllUsesWith(New);
  Pad->eraseFromParent();
}

/// Invokes whose pad was the parent's become calls.
void Outliner::finishHelper() {
  bool HasPads = false;
  for (BasicBlock &BB : *Helper) {
    auto *II = dyn_cast<InvokeInst>(BB.getTerminator());
    if (II && !II->getUnwindDest()->isLandingPad())
      removeUnwindEdge(&BB);
    LandingPadInst *Pad = BB.getLandingPadInst();
    if (!Pad)
      continue;
    HasPads = true;
    if (!Exception || isa<UnreachableInst>(BB.getTerminator()))
      continue; // a pad that terminates
    dropForeignClauses(Pad, RaiseBlock);
    Pad = BB.getLandingPadInst();
    new StoreInst(Pad, Exception, std::next(Pad->getIterator()));
  }
  if (HasPads && F.hasPersonalityFn())
    Helper->setPersonalityFn(F.getPersonalityFn());
  removeUnreachableBlocks(*Helper);
  if (none_of(instructions(*Helper),
              [](Instruction &I) { return isa<LandingPadInst>(I); }))
    Helper->setPersonalityFn(nullptr);
}

/// Variables are the parent's, and assignment tracking wants both of its halves
/// in one function.
static void dropVariables(Instruction &I) {
  I.dropDbgRecords();
  I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
}

/// The helper is a subprogram of its own; its lines are the parent's. (The
/// splitter gives them back to the parent's scopes when it inlines the helper.)
void Outliner::remapDebugInfo() {
  DISubprogram *SP = F.getSubprogram();
  if (!SP) {
    for (Instruction &I : instructions(*Helper))
      dropVariables(I);
    return;
  }
  DIBuilder DIB(M, /*AllowUnresolved=*/false, SP->getUnit());
  auto *Type = DIB.createSubroutineType(DIB.getOrCreateTypeArray({}));
  DISubprogram *New = DIB.createFunction(
      SP->getUnit(), Helper->getName(), Helper->getName(), SP->getFile(),
      R.Begin->getDebugLoc() ? R.Begin->getDebugLoc().getLine() : SP->getLine(),
      Type, 0, DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          (SP->isOptimized() ? DISubprogram::SPFlagOptimized
                             : DISubprogram::SPFlagZero));
  Helper->setSubprogram(New);
  DIB.finalizeSubprogram(New);
  for (Instruction &I : instructions(*Helper)) {
    dropVariables(I);
    const DebugLoc &L = I.getDebugLoc();
    if (!L) {
      if (isa<CallBase>(I))
        I.setDebugLoc(DILocation::get(M.getContext(), New->getLine(), 0, New));
      continue;
    }
    I.setDebugLoc(DILocation::get(M.getContext(), L.getLine(), L.getCol(), New));
    updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
      if (auto *Loc = dyn_cast_or_null<DILocation>(MD))
        return DILocation::get(M.getContext(), Loc->getLine(),
                               Loc->getColumn(), New);
      return MD;
    });
  }
}

/// A temporary on the heap that an exception of the parent has destroyed is
/// freed where that exception leaves the statement.
void Outliner::freeOnParentPads() {
  if (HeapTemporaries.empty())
    return;
  DominatorTree DT(F);
  // What comes behind the statement may share pads with it; there the helper has
  // freed them.
  SmallPtrSet<BasicBlock *, 32> Behind;
  SmallVector<BasicBlock *, 16> Work{R.EndBlock};
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (BB != R.ParentStart && Behind.insert(BB).second)
      append_range(Work, successors(BB));
  }
  auto IsMine = [&](BasicBlock *BB) {
    return R.ParentPads.contains(BB) && !R.Shared.contains(BB) &&
           !Behind.contains(BB) && DT.dominates(R.ParentStart, BB);
  };
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> Exits;
  SmallVector<Instruction *, 4> Resumes;
  for (BasicBlock *BB : R.ParentPads) {
    if (!IsMine(BB))
      continue;
    if (isa<ResumeInst>(BB->getTerminator()))
      Resumes.push_back(BB->getTerminator());
    for (BasicBlock *S : successors(BB))
      if (!IsMine(S) && !S->isLandingPad())
        Exits.push_back({BB, S});
  }
  FunctionCallee Free = M.getOrInsertFunction(
      "nopal_temporary_free", Type::getVoidTy(M.getContext()),
      PointerType::getUnqual(M.getContext()));
  auto FreeAt = [&](Instruction *Where) {
    for (CallInst *Memory : HeapTemporaries)
      CallInst::Create(Free, {Memory}, "", Where->getIterator())
          ->setDebugLoc(R.Begin->getDebugLoc());
  };
  for (auto [From, To] : Exits)
    FreeAt(SplitEdge(From, To)->getTerminator());
  for (Instruction *I : Resumes)
    FreeAt(I);
}

void Outliner::rewriteParent() {
  freeOnParentPads();
  LLVMContext &C = M.getContext();
  BasicBlock *Marker =
      BasicBlock::Create(C, "spawn", &F, R.ChildStart);
  // Everything that came to the child comes to the marker; the child's blocks
  // stay only as far as the parent's own exceptions need them.
  for (BasicBlock *Pred : to_vector(predecessors(R.ChildStart)))
    Pred->getTerminator()->replaceSuccessorWith(R.ChildStart, Marker);
  Type *PtrTy = PointerType::getUnqual(C), *I32 = Type::getInt32Ty(C);
  FunctionCallee Spawn = M.getOrInsertFunction(
      marker::Spawn, FunctionType::get(Type::getVoidTy(C),
                                       {PtrTy, PtrTy, I32, I32, I32}, true));
  SmallVector<Value *, 16> Args{Helper};
  Args.append(R.Begin->arg_begin() + 1, R.Begin->arg_end());
  append_range(Args, Inputs);
  for (auto [AI, Load] : ByValue) {
    Load->insertInto(Marker, Marker->end());
    Load->setDebugLoc(R.Begin->getDebugLoc());
  }
  CallBase *Call;
  if (auto *II = dyn_cast<InvokeInst>(R.Begin)) {
    Call = InvokeInst::Create(Spawn, R.EndBlock, II->getUnwindDest(), Args, "",
                              Marker);
    for (PHINode &Phi : II->getUnwindDest()->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(II->getParent()), Marker);
  } else {
    Call = CallInst::Create(Spawn, Args, "", Marker);
    BranchInst::Create(R.EndBlock, Marker)
        ->setDebugLoc(R.Begin->getDebugLoc());
  }
  Call->setDebugLoc(R.Begin->getDebugLoc());
  if (Helper->doesNotThrow())
    Call->setDoesNotThrow();
  // One marker for two spawns would have a helper that is not known.
  Call->addFnAttr(Attribute::NoMerge);
  R.End->eraseFromParent();
  eraseMarker(*R.Begin);
  removeUnreachableBlocks(F);
}

bool Outliner::run() {
  if (!collectInputs())
    return false;
  createHelper();
  finishHelper();
  remapDebugInfo();
  rewriteParent();
  return true;
}

void refuse(Function &F, const CallBase &Where, const Twine &Message) {
  F.getContext().diagnose(
      DiagnosticInfoUnsupported(F, Message, Where.getDebugLoc()));
}

/// Takes the markers of a region away that has nothing to spawn, or that never
/// ends: what it does is done here and now.
void dissolve(Region &R) {
  if (R.End)
    R.End->eraseFromParent();
  if (R.Spawned)
    R.Spawned->removeFnAttr(Attribute::CoroElideSafe);
  eraseMarker(*R.Begin);
}

bool containsSpawn(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *CB = dyn_cast<CallBase>(&I);
    const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
    return Callee && Callee->getName() == marker::Spawn;
  });
}

void outlineFunction(Function &F) {
  PrettyStackTraceString Where("Nopal: outlining spawned statements");
  guardUnmadeResults(F);
  Region R;
  while (findInnermostRegion(F, R)) {
    if (!R.End || (!R.IsBlock && !R.Spawned)) {
      dissolve(R);
      continue;
    }
    R.carve();
    if (!Outliner(F, R).run()) {
      refuse(F, *R.Begin, "cilk_spawn whose child computes a value of its "
                          "parent; store it into a variable instead");
      return;
    }
  }
}

/// A spawning function keeps its frame and its syncs to itself until the split.
/// The front-end has put the implicit sync before the destructors of locals;
/// one more before each return makes it true whatever the front-end did, and
/// costs nothing: a sync in a fast clone is no code.
void markSpawner(Function &F) {
  F.addFnAttr(SpawnerAttr);
  if (F.hasFnAttribute(Attribute::NoInline))
    F.addFnAttr(KeptOutOfLineAttr);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::InlineHint);
  F.addFnAttr(Attribute::NoInline);
  LLVMContext &C = F.getContext();
  FunctionCallee Sync = F.getParent()->getOrInsertFunction(
      marker::Sync, Type::getVoidTy(C), Type::getInt32Ty(C));
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()))
      CallInst::Create(Sync, {ConstantInt::get(Type::getInt32Ty(C), 0)}, "",
                       Ret->getIterator())
          ->setDebugLoc(Ret->getDebugLoc());
}

} // namespace

PreservedAnalyses OutlinePass::run(Module &M, ModuleAnalysisManager &) {
  normalizeSyncs(M);
  Function *Begin = M.getFunction(marker::Begin);
  Function *Block = M.getFunction(marker::BlockBegin);
  if (!Begin && !Block)
    return PreservedAnalyses::all();
  keepThreadBoundResultsApart(M);
  SmallSetVector<Function *, 16> Work;
  for (Function *Marker : {Begin, Block})
    if (Marker)
      for (User *U : Marker->users())
        if (auto *CB = dyn_cast<CallBase>(U))
          Work.insert(CB->getFunction());
  for (Function *F : Work) {
    numberLabels(*F);
    startVarArgsAtEntry(*F);
    nameExceptionsInFlight(*F);
    outlineFunction(*F);
  }
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(SpawnerAttr) &&
        containsSpawn(F))
      markSpawner(F);
  return PreservedAnalyses::none();
}
