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

/// How a layout calls \p V.
static std::string fieldName(const Value &V) {
  if (V.hasName())
    return ("%" + V.getName()).str();
  if (auto *I = dyn_cast<Instruction>(&V))
    return (Twine("(") + I->getOpcodeName() + ")").str();
  return ("(argument " + Twine(cast<Argument>(V).getArgNo()) + ")").str();
}

/// Header, the frame address and the stack pointer where they are needed, slots (small offsets, on
/// the header's cache lines), then shared allocas.
void Frame::layOut(Function &F, const SuspendPoints &P, const LiveAcross &X) {
  const DataLayout &DL = F.getDataLayout();
  Size = sizeof(nopal_frame);
  Alignment = alignof(max_align_t);
  Fields.push_back({FrameField::Header, 0, Size, "", nullptr});
  auto Place = [&](FrameField::FieldKind Kind, uint64_t Bytes, Align A, Type *Ty,
                   std::string Name = "") {
    const uint64_t Offset = alignTo(Size, A);
    Size = Offset + Bytes;
    Alignment = std::max(Alignment, A.value());
    Fields.push_back({Kind, Offset, Bytes, std::move(Name), Ty});
    return Offset;
  };
  auto PlacePointer = [&](FrameField::FieldKind Kind) {
    return Place(Kind, DL.getPointerSize(), DL.getPointerABIAlignment(0),
                 PointerType::getUnqual(F.getContext()));
  };
  // Profilers follow frame pointers if functions are compiled with them.
  const StringRef FramePointer = F.getFnAttribute("frame-pointer").getValueAsString();
  if (FramePointer == "all" || FramePointer.starts_with("non-leaf"))
    FrameAddress = PlacePointer(FrameField::Address);
  if (movesStackWhenSlow(P))
    StackPointer = PlacePointer(FrameField::Stack);
  for (Value *V : X.values()) {
    Type *Ty = V->getType();
    Slots[V] = Place(FrameField::Value, DL.getTypeAllocSize(Ty).getFixedValue(),
                     DL.getABITypeAlign(Ty), Ty, fieldName(*V));
  }
  SmallVector<uint64_t, 8> Offsets;
  for (AllocaInst *AI : X.sharedAllocas())
    Offsets.push_back(Place(FrameField::Variable, AI->getAllocationSize(DL)->getFixedValue(),
                            AI->getAlign(), AI->getAllocatedType(), fieldName(*AI)));
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Memory = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size), nullptr, "nopal.frame");
  Memory->setAlignment(Align(Alignment));
  replaceSharedAllocas(X, Offsets);
}

/// Replaces each shared alloca by the address of its field, at the same place in \p Offsets.
void Frame::replaceSharedAllocas(const LiveAcross &X, ArrayRef<uint64_t> Offsets) {
  Type *Byte = Type::getInt8Ty(Memory->getContext());
  Type *Word = Type::getInt64Ty(Memory->getContext());
  DIBuilder DIB(*Memory->getModule(), /*AllowUnresolved=*/false);
  for (auto [AI, Offset] : zip(X.sharedAllocas(), Offsets)) {
    Instruction *Address =
        GetElementPtrInst::CreateInBounds(Byte, Memory, {ConstantInt::get(Word, Offset)});
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
