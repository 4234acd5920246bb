//===- Functions.cpp - What passes do with whole functions ----------------===//
//
// See Functions.h.
//
//===----------------------------------------------------------------------===//
#include "Functions.h"

#include "../compatibility/Compatibility.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
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

void analysis::ensurePersonality(Function &F) {
  auto *Type = FunctionType::get(Type::getInt32Ty(F.getContext()), /*isVarArg=*/true);
  if (!F.hasPersonalityFn())
    F.setPersonalityFn(cast<Constant>(
        F.getParent()->getOrInsertFunction("__gxx_personality_v0", Type).getCallee()));
}

BasicBlock *analysis::createNever(Function &F, const Twine &Name) {
  auto *Never = BasicBlock::Create(F.getContext(), Name, &F);
  new UnreachableInst(F.getContext(), Never);
  return Never;
}

DebugLoc analysis::noLine(const Function &F) {
  DISubprogram *SP = F.getSubprogram();
  return SP ? DebugLoc(DILocation::get(F.getContext(), 0, 0, SP)) : DebugLoc();
}

bool analysis::isInstrumented(const Function &F) {
  return any_of(compat::SanitizerAttrs, [&](Attribute::AttrKind K) { return F.hasFnAttribute(K); });
}

bool analysis::endsInTerminate(const BasicBlock &BB) {
  return isa<UnreachableInst>(BB.getTerminator()) && any_of(BB, [](const Instruction &I) {
           const auto *CB = dyn_cast<CallBase>(&I);
           const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
           return Callee && (Callee->getName() == "__clang_call_terminate" ||
                             Callee->getName() == "_ZSt9terminatev");
         });
}

bool analysis::mayUnwind(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  return CB && !CB->doesNotThrow();
}

void analysis::simplifyChanged(ArrayRef<Function *> Changed, FunctionPassManager &Simplify,
                               Module &M, ModuleAnalysisManager &AM) {
  FunctionAnalysisManager &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : Changed) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    Simplify.run(*F, FAM);
  }
}
