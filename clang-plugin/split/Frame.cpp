//===- Frame.cpp - Layout of a frame, and demoted slots ------------------===//
//
// See Frame.h.
//
//===----------------------------------------------------------------------===//
#include "Frame.h"

#include "DebugValues.h"
#include "nopal_abi.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

Value *Frame::address(IRBuilderBase &B, Value *Base, uint64_t Offset, const Twine &Name) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset, Name);
}

Frame::Frame(Function &F, const SuspendPoints &P, const LiveAcross &X) {
  layOut(F, P, X);
  for (Value *V : X.values())
    demote(V);
  for (auto *Syncs : {&P.Syncs, &P.FastSyncs})
    for (const SyncPoint &S : *Syncs)
      demotePad(S.Unwind);
  for (auto *Throws : {&P.Throws, &P.FastThrows})
    for (const ThrowPoint &T : *Throws)
      demotePad(T.Unwind);
  for (const SpawnPoint &S : P.Spawns)
    demotePad(S.Unwind);
}

bool split::isScopeEdge(const Instruction &I) {
  auto *II = dyn_cast<IntrinsicInst>(&I);
  if (!II || II->getIntrinsicID() != Intrinsic::stacksave)
    return II && II->getIntrinsicID() == Intrinsic::stackrestore;
  // The front-end puts setjmp's next to it.
  for (const Instruction *Next = II->getNextNode(); Next; Next = Next->getNextNode())
    if (auto *Other = dyn_cast<IntrinsicInst>(Next)) {
      if (Other->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp)
        return false;
      if (Other->getIntrinsicID() == Intrinsic::stacksave ||
          Other->getIntrinsicID() == Intrinsic::stackrestore)
        return true;
    }
  return true;
}

/// Whether a slow clone would move the stack pointer if it were on the function's stack.
static bool movesStackWhenSlow(const SuspendPoints &P) {
  return any_of(P.SlowBlocks, [](BasicBlock *BB) {
    return any_of(*BB, [](Instruction &I) {
      if (auto *AI = dyn_cast<AllocaInst>(&I))
        return !AI->isStaticAlloca();
      return isScopeEdge(I);
    });
  });
}

/// Header, slots (small offsets, on the header's cache lines), then allocas.
void Frame::layOut(Function &F, const SuspendPoints &P, const LiveAcross &X) {
  const DataLayout &DL = F.getDataLayout();
  Size = sizeof(nopal_frame);
  Fields.push_back({FrameField::Header, 0, Size, "", nullptr});
  Align MaxAlign(alignof(max_align_t));
  auto Place = [&](uint64_t Bytes, Align A) {
    Size = alignTo(Size, A);
    MaxAlign = std::max(MaxAlign, A);
    const uint64_t Offset = Size;
    Size += Bytes;
    return Offset;
  };
  auto Named = [](const Value *V) {
    if (V->hasName())
      return ("%" + V->getName()).str();
    if (auto *I = dyn_cast<Instruction>(V))
      return (Twine("(") + I->getOpcodeName() + ")").str();
    return ("(argument " + Twine(cast<Argument>(V)->getArgNo()) + ")").str();
  };
  // Profilers follow frame pointers if functions are compiled with them.
  const StringRef FramePointer = F.getFnAttribute("frame-pointer").getValueAsString();
  if (FramePointer == "all" || FramePointer.starts_with("non-leaf")) {
    Type *Ptr = PointerType::getUnqual(F.getContext());
    FrameAddress = Place(DL.getPointerSize(), DL.getPointerABIAlignment(0));
    Fields.push_back({FrameField::Address, FrameAddress, DL.getPointerSize(), "", Ptr});
  }
  if (movesStackWhenSlow(P)) {
    Type *Ptr = PointerType::getUnqual(F.getContext());
    StackPointer = Place(DL.getPointerSize(), DL.getPointerABIAlignment(0));
    Fields.push_back({FrameField::Stack, StackPointer, DL.getPointerSize(), "", Ptr});
  }
  for (Value *V : X.values()) {
    const uint64_t Bytes = DL.getTypeAllocSize(V->getType()).getFixedValue();
    Slots[V] = Place(Bytes, DL.getABITypeAlign(V->getType()));
    Fields.push_back({FrameField::Value, Slots[V], Bytes, Named(V), V->getType()});
  }
  SmallVector<uint64_t, 8> Offsets;
  for (AllocaInst *AI : X.sharedAllocas()) {
    const uint64_t Bytes = AI->getAllocationSize(DL)->getFixedValue();
    Offsets.push_back(Place(Bytes, AI->getAlign()));
    Fields.push_back(
        {FrameField::Variable, Offsets.back(), Bytes, Named(AI), AI->getAllocatedType()});
  }
  Alignment = MaxAlign.value();

  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Memory = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size), nullptr, "nopal.frame");
  Memory->setAlignment(MaxAlign);
  DIBuilder DIB(*F.getParent(), /*AllowUnresolved=*/false);
  for (auto [AI, Offset] : zip(X.sharedAllocas(), Offsets)) {
    Instruction *Address =
        GetElementPtrInst::CreateInBounds(B.getInt8Ty(), Memory, {B.getInt64(Offset)});
    Address->insertAfter(Addresses.empty() ? Memory : Addresses.back());
    Address->takeName(AI);
    Addresses.push_back(Address);
    // Lifetime markers inside the frame mean nothing: the frame lives as a whole.
    for (User *U : make_early_inc_range(AI->users()))
      if (cast<Instruction>(U)->isLifetimeStartOrEnd())
        cast<Instruction>(U)->eraseFromParent();
    declareAssigned(*AI, *Memory, Offset);
    replaceDbgDeclare(AI, Memory, DIB, DIExpression::ApplyOffset, Offset);
    AI->replaceAllUsesWith(Address);
    AI->eraseFromParent();
  }
}

/// The first place where an instruction can use \p V's value.
static BasicBlock::iterator afterDefinition(Value *V, Function &F) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I) { // an argument: after the allocas
    BasicBlock::iterator It = F.getEntryBlock().begin();
    while (isa<AllocaInst>(It))
      ++It;
    return It;
  }
  if (auto *II = dyn_cast<InvokeInst>(I)) // has a normal successor of its own
    return II->getNormalDest()->getFirstInsertionPt();
  if (isa<PHINode>(I))
    return I->getParent()->getFirstInsertionPt();
  return std::next(I->getIterator());
}

void Frame::demote(Value *V) {
  auto *DefI = dyn_cast<Instruction>(V);
  Function &F = DefI ? *DefI->getFunction() : *cast<Argument>(V)->getParent();
  BasicBlock *DefBlock = DefI ? DefI->getParent() : nullptr;
  if (auto *II = dyn_cast_or_null<InvokeInst>(DefI))
    DefBlock = II->getNormalDest();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Slot = B.CreateAlloca(V->getType(), nullptr, "demoted");
  Demoted[V] = Slot;
  // A load for phis stands at the end of the incoming block, one for each block.
  SmallVector<Use *, 8> Uses;
  for (Use &U : V->uses())
    Uses.push_back(&U);
  DenseMap<BasicBlock *, Value *> AtEnd;
  for (Use *U : Uses) {
    auto *User = cast<Instruction>(U->getUser());
    if (auto *Phi = dyn_cast<PHINode>(User)) {
      BasicBlock *Pred = Phi->getIncomingBlock(*U);
      if (Pred == DefBlock)
        continue;
      Value *&Load = AtEnd[Pred];
      if (!Load) {
        B.SetInsertPoint(Pred->getTerminator());
        B.SetCurrentDebugLocation(DebugLoc());
        Load = B.CreateLoad(V->getType(), Slot);
      }
      U->set(Load);
      continue;
    }
    if (User->getParent() == DefBlock)
      continue;
    B.SetInsertPoint(User);
    B.SetCurrentDebugLocation(DebugLoc());
    U->set(B.CreateLoad(V->getType(), Slot));
  }
  auto Where = afterDefinition(V, F);
  new StoreInst(V, Slot, Where);
}

void Frame::demotePad(const Landing &L) {
  if (!L || Demoted.contains(L.inst())) // several points may share it
    return;
  LandingPadInst *LP = L.inst();
  Function &F = *LP->getFunction();
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *Slot = B.CreateAlloca(LP->getType(), nullptr, "demoted.pad");
  Demoted[LP] = Slot;
  B.SetInsertPoint(L.Rest, L.Rest->getFirstInsertionPt());
  LP->replaceAllUsesWith(B.CreateLoad(LP->getType(), Slot));
  new StoreInst(LP, Slot, std::next(LP->getIterator()));
}
