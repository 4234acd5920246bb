//===- Functions.cpp - What passes do with whole functions ----------------===//
//
// See Functions.h.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

void analysis::passVectorsAlike(Function &F, Function &Part) {
  for (const Type *T : Part.getFunctionType()->params())
    if (const auto *VT = dyn_cast<VectorType>(T))
      for (Function *One : {&F, &Part})
        AttributeFuncs::updateMinLegalVectorWidthAttr(
            *One, VT->getPrimitiveSizeInBits().getKnownMinValue());
}

bool analysis::mayUnwind(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  return CB && !CB->doesNotThrow();
}

void analysis::simplifyChanged(ArrayRef<Function *> Changed, FunctionPassManager &Simplify, Module &M,
                            ModuleAnalysisManager &AM) {
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : Changed) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    Simplify.run(*F, FAM);
  }
}
