//===- InFlight.cpp - What runs while an exception is in flight -----------===//
//
// See InFlight.h.
//
//===----------------------------------------------------------------------===//
#include "InFlight.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

BlocksInFlight analysis::blocksInFlight(Function &F) {
  BlocksInFlight Result;
  SmallVector<BasicBlock *, 16> Work;
  for (BasicBlock &BB : F)
    if (BB.isLandingPad())
      Work.push_back(&BB);
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    if (none_of(*BB,
                [](Instruction &I) {
                  auto *CB = dyn_cast<CallBase>(&I);
                  return CB && CB->getCalledFunction() &&
                         CB->getCalledFunction()->getName() == "__cxa_begin_catch";
                }) &&
        Result.insert(BB))
      append_range(Work, successors(BB));
  }
  return Result;
}
