//===- Returned.cpp - Objects returned before a sync that raises ----------===//
//
// See Returned.h.
//
//   before                                after
//   ------                                -----
//   call @T(%slot)                        store false, %returned     at the entry
//   invoke returned(%slot) . . pad M      call @T(%slot)
//   ...                                   store true, %returned
//   invoke sync(0) . . . . . . pad S      ...
// pad M:                                  invoke sync(0) . . . . . . pad S
//   call @~T(%slot)                     pad S:
//   br (into the inner handlers)          br %returned, destroy, next
// pad S:                                destroy:
//   ... (the outer handlers)              store false, %returned
//                                         call @~T(%slot); br next
//
// A sync in the scope of a variable that is itself in the slot has a pad that
// destroys it already.
//
//===----------------------------------------------------------------------===//
#include "Returned.h"

#include "../markers/Markers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;

static bool isCallTo(const Instruction &I, StringRef Name) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

/// \p I stands where an exception is in flight, and nothing is constructed.
static bool isDestructorCall(const Instruction &I, const Value *Object) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  if (!Callee || CB->arg_empty() ||
      CB->getArgOperand(0)->stripPointerCasts() != Object)
    return false;
  ItaniumPartialDemangler Name;
  return !Name.partialDemangle(Callee->getName().str().c_str()) &&
         Name.isCtorOrDtor();
}

/// What \p BB goes on to without a further exception.
static SmallVector<BasicBlock *, 4> ordinarySuccessors(BasicBlock *BB) {
  if (auto *II = dyn_cast<InvokeInst>(BB->getTerminator()))
    return {II->getNormalDest()};
  return SmallVector<BasicBlock *, 4>(successors(BB));
}

/// The call by which an exception that comes to \p Pad destroys \p Object, before
/// a handler takes it; or null.
static CallBase *destructionBehind(BasicBlock *Pad, const Value *Object) {
  SmallSetVector<BasicBlock *, 16> Work;
  Work.insert(Pad);
  for (unsigned I = 0; I < Work.size(); ++I) {
    bool Caught = false;
    for (Instruction &Inst : *Work[I]) {
      if (isDestructorCall(Inst, Object))
        return cast<CallBase>(&Inst);
      if ((Caught = isCallTo(Inst, "__cxa_begin_catch")))
        break;
    }
    if (!Caught)
      for (BasicBlock *S : ordinarySuccessors(Work[I]))
        Work.insert(S);
  }
  return nullptr;
}

/// Behind the landing pad and the stores of what it gives.
static Instruction *behindPad(BasicBlock *Pad) {
  Instruction *I = Pad->getLandingPadInst()->getNextNode();
  while (isa<ExtractValueInst>(I) || isa<StoreInst>(I))
    I = I->getNextNode();
  return I;
}

/// A landing pad of its own for \p Sync, out of the function.
static BasicBlock *padFor(CallInst *Sync) {
  Function &F = *Sync->getFunction();
  LLVMContext &C = F.getContext();
  auto *Pad = BasicBlock::Create(C, "returned.pad", &F);
  IRBuilder<> B(Pad);
  B.SetCurrentDebugLocation(Sync->getDebugLoc());
  LandingPadInst *LP = B.CreateLandingPad(
      StructType::get(PointerType::getUnqual(C), Type::getInt32Ty(C)), 0);
  LP->setCleanup(true);
  B.CreateResume(LP);
  changeToInvokeAndSplitBasicBlock(Sync, Pad);
  return Pad;
}

namespace {

/// The objects that one function returns, all in one slot.
class ReturnSlot {
public:
  ReturnSlot(Function &F, ArrayRef<InvokeInst *> Markers)
      : F(F), Markers(Markers),
        Slot(Markers.front()->getArgOperand(0)->stripPointerCasts()) {}

  bool run();

private:
  void findPads();
  void destroyAt(BasicBlock *Pad);

  Function &F;
  ArrayRef<InvokeInst *> Markers;
  Value *Slot;
  CallBase *Destruction = nullptr;
  AllocaInst *Flag = nullptr;
  SmallSetVector<BasicBlock *, 8> Raising; ///< pads that have to destroy
  SmallSetVector<BasicBlock *, 8> Others;  ///< where the flag ends otherwise
};

} // namespace

/// Collects what the invokes behind the markers unwind to.
void ReturnSlot::findPads() {
  SmallVector<CallInst *, 4> Plain;
  SmallSetVector<BasicBlock *, 32> Behind;
  for (InvokeInst *Marker : Markers)
    Behind.insert(Marker->getNormalDest());
  for (unsigned I = 0; I < Behind.size(); ++I) {
    BasicBlock *BB = Behind[I];
    for (Instruction &Inst : *BB)
      if (isa<CallInst>(Inst) && isCallTo(Inst, marker::Sync))
        Plain.push_back(cast<CallInst>(&Inst));
    auto *II = dyn_cast<InvokeInst>(BB->getTerminator());
    if (II && !isCallTo(*II, marker::Returned)) {
      BasicBlock *Pad = II->getUnwindDest();
      bool Ends = isa<UnreachableInst>(Pad->getTerminator()); // noexcept
      if (isCallTo(*II, marker::Sync) && !Ends && !destructionBehind(Pad, Slot))
        Raising.insert(Pad);
      else if (!Ends)
        Others.insert(Pad);
    }
    for (BasicBlock *S : ordinarySuccessors(BB))
      Behind.insert(S);
  }
  for (CallInst *Sync : Plain)
    Raising.insert(padFor(Sync));
}

void ReturnSlot::destroyAt(BasicBlock *Pad) {
  Pad->getLandingPadInst()->setCleanup(true);
  Instruction *Where = behindPad(Pad);
  IRBuilder<> B(Where);
  B.SetCurrentDebugLocation(Markers.front()->getDebugLoc());
  Value *IsReturned = B.CreateLoad(B.getInt1Ty(), Flag, "is.returned");
  Instruction *Then =
      SplitBlockAndInsertIfThen(IsReturned, Where->getIterator(),
                                /*Unreachable=*/false);
  B.SetInsertPoint(Then);
  B.CreateStore(B.getFalse(), Flag);
  auto *New = cast<CallBase>(Destruction->clone());
  New->insertBefore(Then->getIterator());
  if (auto *II = dyn_cast<InvokeInst>(New)) {
    II->setNormalDest(Then->getSuccessor(0));
    Then->eraseFromParent();
  }
}

bool ReturnSlot::run() {
  for (InvokeInst *Marker : Markers) {
    CallBase *Found = destructionBehind(Marker->getUnwindDest(), Slot);
    if (!Found || Marker->getArgOperand(0)->stripPointerCasts() != Slot)
      return false;
    Destruction = Found;
  }
  findPads();
  if (Raising.empty())
    return true;
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Flag = B.CreateAlloca(B.getInt1Ty(), nullptr, "returned");
  B.SetInsertPoint(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.getFalse(), Flag);
  for (InvokeInst *Marker : Markers) {
    B.SetInsertPoint(Marker);
    B.CreateStore(B.getTrue(), Flag);
  }
  for (BasicBlock *Pad : Raising)
    destroyAt(Pad);
  for (BasicBlock *Pad : Others)
    if (!Raising.contains(Pad)) {
      B.SetInsertPoint(behindPad(Pad));
      B.CreateStore(B.getFalse(), Flag);
    }
  return true;
}

void nopal::destroyReturnedObjects(Module &M) {
  Function *Marker = M.getFunction(marker::Returned);
  if (!Marker)
    return;
  MapVector<Function *, SmallVector<InvokeInst *, 4>> Found;
  for (User *U : Marker->users())
    if (auto *II = dyn_cast<InvokeInst>(U))
      Found[II->getFunction()].push_back(II);
  for (auto &[F, Markers] : Found)
    if (!ReturnSlot(*F, Markers).run())
      F->getContext().diagnose(DiagnosticInfoUnsupported(
          *F,
          "an object that is returned from a function that spawns, and whose "
          "destruction is not found, is not supported",
          Markers.front()->getDebugLoc()));
  for (User *U : make_early_inc_range(Marker->users())) {
    auto *CB = cast<CallBase>(U);
    if (auto *II = dyn_cast<InvokeInst>(CB)) {
      II->getUnwindDest()->removePredecessor(II->getParent());
      BranchInst::Create(II->getNormalDest(), II->getIterator())
          ->setDebugLoc(II->getDebugLoc());
    }
    CB->eraseFromParent();
  }
  for (auto &[F, Markers] : Found)
    removeUnreachableBlocks(*F);
}
