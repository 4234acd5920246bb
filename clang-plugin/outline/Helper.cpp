//===- Helper.cpp - Building the helper of one region ---------------------===//
//
// See Outliner.h. The picture is at the top of Outline.cpp.
//
//===----------------------------------------------------------------------===//
#include "Outliner.h"

#include "../compatibility/Compatibility.h"
#include "../contract/Abi.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "DebugInfo.h"
#include "Loops.h"
#include "SpawnedCalls.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

/// The only constant that is ever stored to \p AI, or null.
static Constant *onlyConstant(const AllocaInst &AI) {
  Constant *Result = nullptr;
  for (const User *U : AI.users())
    if (const auto *SI = dyn_cast<StoreInst>(U)) {
      auto *C = dyn_cast<Constant>(const_cast<Value *>(SI->getValueOperand()));
      if (!C || (Result && Result != C))
        return nullptr;
      Result = C;
    }
  return Result;
}

/// The call itself copies an argument in memory (`byval`). That is after the push, while the
/// continuation may already write to the original. So the parent copies the argument before the
/// push.
void Outliner::copyByValueArguments() {
  if (!R.Spawned)
    return;
  const DataLayout &DL = M.getDataLayout();
  for (Use &Argument : R.Spawned->args()) {
    const unsigned Index = R.Spawned->getArgOperandNo(&Argument);
    if (!R.Spawned->isByValArgument(Index))
      continue;
    if (auto *AI = dyn_cast<AllocaInst>(Argument);
        AI && AI->isStaticAlloca() && R.classify(*AI) != Storage::Parent)
      continue; // made for this child alone
    Type *Ty = R.Spawned->getParamByValType(Index);
    const Align Alignment = R.Spawned->getParamAlign(Index).value_or(DL.getABITypeAlign(Ty));
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Copy = B.CreateAlloca(Ty, nullptr, Argument->getName() + ".byval");
    Copy->setAlignment(Alignment);
    B.SetInsertPoint(R.ChildStart->getSinglePredecessor()->getTerminator());
    B.SetCurrentDebugLocation(R.Spawned->getDebugLoc());
    B.CreateMemCpy(Copy, Alignment, Argument, Alignment, DL.getTypeAllocSize(Ty).getFixedValue());
    Argument.set(Copy);
  }
}

bool Outliner::collectInputs() {
  SmallSetVector<AllocaInst *, 8> Allocas;
  for (BasicBlock *BB : R.Child)
    for (Instruction &I : *BB) {
      for (Value *Op : I.operands()) {
        if (auto *AI = dyn_cast<AllocaInst>(Op); AI && AI->isStaticAlloca())
          Allocas.insert(AI);
        else if (isa<Argument>(Op))
          Inputs.insert(Op);
        else if (auto *OpI = dyn_cast<Instruction>(Op); OpI && !R.Child.contains(OpI->getParent()))
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
      if (Constant *C = R.IsLoop ? onlyConstant(*AI) : nullptr) {
        ByConstant.push_back({AI, C});
        break;
      }
      auto *Load = new LoadInst(AI->getAllocatedType(), AI, AI->getName() + ".value",
                                /*isVolatile=*/false, AI->getAlign());
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
  ConstantInt *Bytes = B.getInt64(AI.getAllocationSize(DL)->getFixedValue());
  ConstantInt *Alignment = B.getInt64(AI.getAlign().value());
  CallInst *Memory;
  if (OnHeap) {
    FunctionCallee Callee = Abi(M).function("nopal_temporary_alloc");
    auto *Made = cast<Function>(Callee.getCallee());
    Made->addRetAttr(Attribute::NoAlias);
    Made->addRetAttr(Attribute::NonNull);
    Memory = B.CreateCall(Callee, {Bytes, Alignment});
  } else {
    Memory = PrivateMarker::create(B.GetInsertPoint(), Bytes, Alignment);
    Memory->setDebugLoc(R.Begin->getDebugLoc());
  }
  Memory->setName(AI.getName());
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
  if (R.IsLoop)
    Params.append(2, Type::getInt64Ty(C));
  Helper = Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false),
                            GlobalValue::InternalLinkage,
                            F.getName() + (R.IsLoop     ? ".leaf"
                                           : R.IsCalled ? ".region"
                                                        : ".spawn"),
                            &M);
  AttrBuilder Attrs(C, F.getAttributes().getFnAttrs());
  for (Attribute::AttrKind K :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::Naked, Attribute::NoReturn,
        Attribute::Memory, Attribute::WillReturn, Attribute::MustProgress, Attribute::NoRecurse,
        Attribute::AllocSize, Attribute::AllocKind})
    Attrs.removeAttribute(K);
  if (isa<InvokeInst>(R.Begin))
    Attrs.removeAttribute(Attribute::NoUnwind);
  if (R.IsLoop && !F.hasOptNone())
    Attrs.removeAttribute(Attribute::NoInline);
  Attrs.removeAttribute(SpawnerAttr);
  Attrs.addAttribute(HelperAttr, F.hasFnAttribute(HelperAttr)
                                     ? F.getFnAttribute(HelperAttr).getValueAsString()
                                     : F.getName());
  Helper->addFnAttrs(Attrs);
  Helper->setComdat(F.getComdat());
  Helper->setSection(F.getSection());

  for (auto [Arg, V] : zip(Helper->args(), Inputs)) {
    Arg.setName(V->getName());
    VMap[V] = &Arg;
  }
  if (R.IsLoop)
    describeLeafArguments();
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
  for (auto [AI, C] : ByConstant) {
    Instruction *Copy = AI->clone();
    Copy->setName(AI->getName());
    Copy->insertInto(Entry, Entry->begin());
    VMap[AI] = Copy;
    new StoreInst(C, Copy, Entry);
  }
  for (BasicBlock *BB : R.Child) {
    BasicBlock *Copy = CloneBasicBlock(BB, VMap, "", Helper);
    Copy->setName(BB->getName());
    VMap[BB] = Copy;
    Cloned.push_back(Copy);
  }
  BranchInst::Create(cast<BasicBlock>(VMap[R.ChildStart]), Entry);

  // The normal exit returns, and the exceptional exits raise on.
  BasicBlock *Return = BasicBlock::Create(C, "child.done", Helper);
  for (CallInst *Memory : HeapTemporaries)
    CallInst::Create(Abi(M).function("nopal_temporary_free"), {VMap[Memory]}, "", Return);
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
  if (R.IsLoop)
    replaceLoopBounds(*Helper, R, Helper->getArg(Inputs.size()), Helper->getArg(Inputs.size() + 1));
  if (R.Spawned)
    forgetSpawned(*cast<CallBase>(VMap[R.Spawned]));
  // The parent keeps the lifetime markers of its own variables. A variable whose life began in the
  // parent lives as long as the helper.
  for (BasicBlock *BB : Cloned)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (!I.isLifetimeStartOrEnd())
        continue;
      auto *AI = dyn_cast<AllocaInst>(compat::variableOf(I));
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
      B.CreateCall(Abi(M).function("nopal_temporary_free"), {VMap[Memory]});
    // A sync on the way here may have put another exception in the variables.
    Value *Raised = B.CreateLoad(ExnTy, Exception);
    for (AllocaInst *AI : Local)
      if (int Which = exceptionVariable(*AI); Which >= 0)
        Raised = B.CreateInsertValue(Raised, B.CreateLoad(AI->getAllocatedType(), VMap[AI]), Which);
    B.CreateResume(Raised);
  }
}

/// Landing pads of the helper keep the clauses of its own handlers, and raise on what the parent's
/// handlers would catch. A type belongs to the helper if the helper tests for it. A catch-all does
/// if no path leads from it to \p Raise.
static void dropForeignClauses(LandingPadInst *Pad, const BasicBlock *Raise) {
  SmallPtrSet<Value *, 4> Own;
  SmallSetVector<const BasicBlock *, 16> Later;
  Later.insert(Pad->getParent());
  for (unsigned I = 0; I < Later.size(); ++I) {
    if (auto *II = dyn_cast<InvokeInst>(Later[I]->getTerminator()))
      Later.insert(II->getNormalDest());
    else
      for (const BasicBlock *S : successors(Later[I]))
        Later.insert(S);
  }
  for (const BasicBlock *BB : Later)
    for (const Instruction &I : *BB)
      if (auto *II = dyn_cast<IntrinsicInst>(&I);
          II && II->getIntrinsicID() == Intrinsic::eh_typeid_for)
        Own.insert(II->getArgOperand(0)->stripPointerCasts());
  auto *New = LandingPadInst::Create(Pad->getType(), Pad->getNumClauses(), "", Pad->getIterator());
  New->setCleanup(true);
  New->setDebugLoc(Pad->getDebugLoc());
  New->takeName(Pad);
  for (unsigned I = 0; I < Pad->getNumClauses(); ++I) {
    Constant *Clause = Pad->getClause(I);
    if (!Pad->isCatch(I))
      continue;
    if (Clause->isNullValue() ? !Later.contains(Raise) : Own.contains(Clause->stripPointerCasts()))
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
  if (none_of(instructions(*Helper), [](Instruction &I) { return isa<LandingPadInst>(I); }))
    Helper->setPersonalityFn(nullptr);
}

/// The same location as implicit code, which --coverage does not count.
static DebugLoc hiddenFromCoverage(const DebugLoc &L) {
  if (!L)
    return L;
  return DILocation::get(L->getContext(), L.getLine(), L.getCol(), L.getScope(), L.getInlinedAt(),
                         /*ImplicitCode=*/true);
}

/// Describes the helper's variables and where they are.
void Outliner::describe() {
  SmallVector<std::pair<Value *, Value *>, 16> Variables;
  for (Value *V : Inputs)
    Variables.push_back({V, VMap[V]});
  for (AllocaInst *AI : Local) // one that is declared in the child has been copied
    if (all_of(findDVRDeclares(AI),
               [&](DbgVariableRecord *Record) { return !R.Child.contains(Record->getParent()); }))
      Variables.push_back({AI, VMap[AI]});
  for (auto [AI, Load] : ByValue)
    Variables.push_back({AI, VMap[AI]});
  SmallSet<unsigned, 8> ParentLines;
  if (R.IsBlock) // the keyword's own line has no code in the serial program
    R.Begin->setDebugLoc(hiddenFromCoverage(R.Begin->getDebugLoc()));
  else if (R.Begin->getDebugLoc())
    ParentLines.insert(R.Begin->getDebugLoc().getLine());
  for (BasicBlock *BB : R.Parent)
    for (Instruction &I : *BB)
      if (I.getDebugLoc() && !R.Child.contains(BB) && !isa<BranchInst>(I))
        ParentLines.insert(I.getDebugLoc().getLine());
  describeHelper(F, *Helper, *R.Begin, Variables,
                 [&](unsigned Line) { return ParentLines.contains(Line); });
}
