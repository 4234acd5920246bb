//===- VarArgs.cpp - va_start after a spawn -------------------------------===//
//
// See VarArgs.h.
//
//===----------------------------------------------------------------------===//
#include "VarArgs.h"

#include "../contract/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

/// Room for a va_list of every Linux target: 24 bytes on x86-64, 32 on AArch64.
static constexpr uint64_t ListBytes = 32;
static constexpr uint64_t ListAlignment = 16;

static bool beginsSpawn(const Instruction &I) { return isa<BeginMarker, BlockBeginMarker>(I); }

void outline::startVarArgsAtEntry(Function &F) {
  if (!F.isVarArg())
    return;
  SmallVector<IntrinsicInst *, 2> Starts;
  bool Late = false, Begun = false;
  for (Instruction &I : instructions(F)) {
    Begun |= beginsSpawn(I);
    auto *II = dyn_cast<IntrinsicInst>(&I);
    if (!II || II->getIntrinsicID() != Intrinsic::vastart)
      continue;
    Starts.push_back(II);
    Late |= Begun || II->getParent() != &F.getEntryBlock();
  }
  if (!Late)
    return;
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *List =
      B.CreateAlloca(ArrayType::get(B.getInt8Ty(), ListBytes), nullptr, "variable.arguments");
  List->setAlignment(Align(ListAlignment));
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  B.SetCurrentDebugLocation(Starts.front()->getDebugLoc());
  B.CreateIntrinsic(Intrinsic::vastart, {B.getPtrTy()}, {List});
  for (IntrinsicInst *Start : Starts) {
    B.SetInsertPoint(Start);
    B.CreateIntrinsic(Intrinsic::vacopy, {B.getPtrTy()}, {Start->getArgOperand(0), List});
    Start->eraseFromParent();
  }
}
