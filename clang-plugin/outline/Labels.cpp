//===- Labels.cpp - Computed goto in a spawning function ------------------===//
//
// See Labels.h.
//
//===----------------------------------------------------------------------===//
#include "Labels.h"

#include "../analysis/Functions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

/// Whether inline assembly, which may want a real address, has \p Address as an
/// operand, directly or through a constant expression.
static bool reachesAsm(const Constant &Address) {
  return any_of(Address.users(), [](const User *U) {
    if (const auto *CB = dyn_cast<CallBase>(U))
      return CB->isInlineAsm();
    const auto *Expr = dyn_cast<ConstantExpr>(U);
    return Expr && reachesAsm(*Expr);
  });
}

static void replaceBySwitch(IndirectBrInst &Jump,
                            const MapVector<BasicBlock *, uint64_t> &Numbers) {
  BasicBlock *From = Jump.getParent();
  IRBuilder<> B(&Jump);
  Type *Int = B.getInt64Ty();
  BasicBlock *Never = analysis::createNever(*From->getParent());
  Value *Number = B.CreatePtrToInt(Jump.getAddress(), Int, "label.number");
  SwitchInst *Switch = B.CreateSwitch(Number, Never, Jump.getNumDestinations());
  SmallPtrSet<BasicBlock *, 16> Seen;
  for (unsigned I = 0; I < Jump.getNumDestinations(); ++I) {
    BasicBlock *To = Jump.getDestination(I);
    auto It = Numbers.find(To);
    if (It != Numbers.end() && Seen.insert(To).second)
      Switch->addCase(ConstantInt::get(cast<IntegerType>(Int), It->second), To);
    else
      To->removePredecessor(From, /*KeepOneInputPHIs=*/true);
  }
  Jump.eraseFromParent();
}

void outline::numberLabels(Function &F) {
  SmallVector<IndirectBrInst *, 2> Jumps;
  for (Instruction &I : instructions(F))
    if (auto *Jump = dyn_cast<IndirectBrInst>(&I))
      Jumps.push_back(Jump);
  SmallSetVector<BasicBlock *, 16> Order;
  for (IndirectBrInst *Jump : Jumps)
    for (BasicBlock *To : Jump->successors())
      Order.insert(To);
  for (BasicBlock &BB : F)
    Order.insert(&BB);
  MapVector<BasicBlock *, uint64_t> Numbers;
  for (BasicBlock *BB : Order)
    if (BlockAddress *Address = BlockAddress::lookup(BB)) {
      if (reachesAsm(*Address))
        return;
      const uint64_t Number = Numbers.size() + 1;
      Numbers[BB] = Number;
    }
  for (IndirectBrInst *Jump : Jumps)
    replaceBySwitch(*Jump, Numbers);
  for (auto [BB, Number] : Numbers) {
    BlockAddress *Address = BlockAddress::lookup(BB);
    Address->replaceAllUsesWith(ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(F.getContext()), Number), Address->getType()));
    Address->destroyConstant();
  }
}
