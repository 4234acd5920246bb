//===- TimeStrands.cpp - Which strands the clock is read for --------------===//
//
// See TimeStrands.h.
//
//   nopal_hook_enter(@f.hooks)
//   nopal_hook_spawn(@site)                =>  __nopal_span_enter_spawn(@site, 9)
//   call f.spawn(..)                           call f.spawn(..)
//   nopal_hook_return(@site)               =>  __nopal_span_return(6)
//   call f(..)                                 call f(..)
//   nopal_hook_sync(@f.hooks)
//   nopal_hook_leave(@f.hooks)             =>  __nopal_span_sync_leave(8)
//
//===----------------------------------------------------------------------===//
#include "TimeStrands.h"

#include "CodeCost.h"
#include "Frames.h"

#include "../contract/HookCalls.h"
#include "../contract/Option.h"
#include "../contract/Refusal.h"
#include "../contract/Serial.h"
#include "nopal_span.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::span;

static constexpr const char SpanFlag[] = "nopal-span";

static const cl::opt<bool> &Span =
    option("nopal-span", false, "Tell a library of work and span of each strand");

PreservedAnalyses ChooseSpanPass::run(Module &M, ModuleAnalysisManager &) {
  if (!Span || M.getModuleFlag(SpanFlag))
    return PreservedAnalyses::all();
  if (isChecked(M)) {
    refuse(M, Refusal::TwoTools, "-fsanitize=cilk", "-fnopal-span");
    return PreservedAnalyses::all();
  }
  M.addModuleFlag(Module::Max, SpanFlag, 1);
  if (!isSerial(M))
    M.addModuleFlag(Module::Max, SerialFlag, 1);
  return PreservedAnalyses::all();
}

/// The first call after \p I, if it is reached on one path alone.
static CallBase *nextCall(Instruction &I) {
  for (Instruction *Next = I.getNextNode(); Next;) {
    auto *Call = dyn_cast<CallBase>(Next);
    auto *II = dyn_cast<IntrinsicInst>(Next);
    if (Call && !(II && II->isAssumeLikeIntrinsic()))
      return Call;
    if (!Next->isTerminator()) {
      Next = Next->getNextNode();
      continue;
    }
    BasicBlock *BB = Next->getParent(), *Only = BB->getSingleSuccessor();
    if (!Only || Only->getSinglePredecessor() != BB || Only == I.getParent())
      return nullptr;
    Next = &Only->front();
  }
  return nullptr;
}

namespace {

struct Strand {
  CallInst *Hook;
  uint32_t Code;
};

} // namespace

/// Replaces \p S, and the hook of the frame that stands beside it.
static void replace(const Strand &S, Module &M) {
  Value *Code = ConstantInt::get(Type::getInt32Ty(M.getContext()), S.Code);
  IRBuilder<> B(S.Hook);
  if (auto *Spawn = dyn_cast<SpawnHook>(S.Hook)) {
    auto *Enter = dyn_cast_or_null<EnterHook>(Spawn->getPrevNode());
    B.CreateCall(Enter ? NOPAL_DECLARE(M, __nopal_span_enter_spawn)
                       : NOPAL_DECLARE(M, __nopal_span_spawn),
                 {Spawn->site(), Code});
    if (Enter)
      Enter->eraseFromParent();
  } else if (isa<SyncHook>(S.Hook)) {
    auto *Leave = dyn_cast_or_null<LeaveHook>(nextCall(*S.Hook));
    B.CreateCall(Leave ? NOPAL_DECLARE(M, __nopal_span_sync_leave)
                       : NOPAL_DECLARE(M, __nopal_span_sync),
                 {Code});
    if (Leave)
      Leave->eraseFromParent();
  } else {
    B.CreateCall(NOPAL_DECLARE(M, __nopal_span_return), {Code});
  }
  S.Hook->eraseFromParent();
}

PreservedAnalyses TimeStrandsPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!M.getModuleFlag(SpanFlag))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M)
    placeFrameHooks(F);
  CodeCost Costs(FAM);
  SmallVector<Strand, 16> Strands;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isStrandHook(I))
        Strands.push_back(
            {cast<CallInst>(&I), Costs.sinceHook(I) | (Costs.upToHook(I) ? 0 : NOPAL_SPAN_LONG)});
  for (const Strand &S : Strands)
    replace(S, M);
  return Strands.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}
