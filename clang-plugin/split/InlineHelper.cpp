//===- InlineHelper.cpp - A helper back in its function -------------------===//
//
// See InlineHelper.h.
//
//===----------------------------------------------------------------------===//
#include "InlineHelper.h"

#include "../outline/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <functional>

using namespace llvm;
using namespace nopal;

void nopal::inlineHelper(CallBase &Call) {
  Function &F = *Call.getFunction();
  Function &Helper = *Call.getCalledFunction();
  DISubprogram *Inlined = Helper.getSubprogram();
  const DebugLoc CallLoc = Call.getDebugLoc();
  DenseMap<const Metadata *, Metadata *> Origins;
  if (MDNode *Pairs = Helper.getMetadata(ScopeOrigins))
    for (unsigned I = 0; I + 1 < Pairs->getNumOperands(); I += 2)
      Origins[Pairs->getOperand(I)] = Pairs->getOperand(I + 1);
  SmallPtrSet<const DILocalVariable *, 16> Known;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
      Known.insert(Record.getVariable());
  InlineFunctionInfo IFI;
  if (!InlineFunction(Call, IFI, /*MergeAttributes=*/true).isSuccess() || !Inlined || !CallLoc)
    return;
  LLVMContext &C = F.getContext();
  auto IsOfCaller = [&](const DILocalScope *Scope) {
    return Scope->getSubprogram() == CallLoc->getScope()->getSubprogram();
  };
  std::function<DILocation *(DILocation *)> Restore = [&](DILocation *L) {
    if (L->getScope()->getSubprogram() == Inlined) {
      auto *Scope = cast_or_null<DILocalScope>(Origins.lookup(L->getScope()));
      // (In a child of a child the originals are of neither.)
      if (!Scope || isa<DISubprogram>(Scope) || !IsOfCaller(Scope))
        Scope = CallLoc->getScope();
      return DILocation::get(C, L->getLine(), L->getColumn(), Scope,
                             CallLoc->getInlinedAt());
    }
    DILocation *At = L->getInlinedAt();
    DILocation *Now = At ? Restore(At) : nullptr;
    if (Now == At)
      return L;
    return DILocation::get(C, L->getLine(), L->getColumn(), L->getScope(), Now,
                           L->isImplicitCode());
  };
  for (Instruction &I : instructions(F)) {
    for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange())) {
      const bool IsOwn = R.getDebugLoc()->getScope()->getSubprogram() == Inlined;
      R.setDebugLoc(Restore(R.getDebugLoc()));
      auto *Variable = dyn_cast<DbgVariableRecord>(&R);
      if (!Variable || !IsOwn)
        continue;
      auto *Origin = cast_or_null<DILocalVariable>(
          Origins.lookup(Variable->getVariable()));
      if (!Origin || Known.contains(Origin) || !IsOfCaller(Origin->getScope()))
        R.eraseFromParent(); // the parent describes it
      else
        Variable->setVariable(Origin);
    }
    if (const DebugLoc &L = I.getDebugLoc())
      I.setDebugLoc(Restore(L));
  }
}
