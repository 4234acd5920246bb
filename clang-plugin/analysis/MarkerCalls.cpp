//===- MarkerCalls.cpp - Calls of markers in IR ---------------------------===//
//
// See MarkerCalls.h.
//
//===----------------------------------------------------------------------===//
#include "MarkerCalls.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace nopal;

bool nopal::isMarker(const Instruction &I, StringRef Name) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

bool nopal::mayUnwind(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  return CB && !CB->doesNotThrow();
}

void nopal::eraseMarker(CallBase &CB) {
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    II->getUnwindDest()->removePredecessor(II->getParent());
    BranchInst::Create(II->getNormalDest(), II->getIterator());
  }
  CB.eraseFromParent();
}
