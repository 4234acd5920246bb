//===- DebugInfo.cpp - What a debugger sees of a helper -------------------===//
//
// See DebugInfo.h.
//
//===----------------------------------------------------------------------===//
#include "DebugInfo.h"

#include "../analysis/DebugScopes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::outline;

namespace {

/// Copies scopes and variables of one subprogram into another one.
class ScopeCopier {
public:
  ScopeCopier(DISubprogram *From, DISubprogram *To, function_ref<bool(unsigned)> IsParents)
      : C(To->getContext()), From(From), IsParents(IsParents) {
    Scopes[From] = To;
  }

  /// The same place in the new subprogram.
  DILocation *location(const DILocation *L) {
    if (const DILocation *At = L->getInlinedAt()) // of a function inlined there
      return DILocation::get(C, L->getLine(), L->getColumn(), L->getScope(), location(At),
                             L->isImplicitCode());
    return DILocation::get(C, L->getLine(), L->getColumn(), scope(L->getScope()), nullptr,
                           L->isImplicitCode() || IsParents(L->getLine()));
  }

  DILocalVariable *variable(DILocalVariable *V) {
    if (V->getScope()->getSubprogram() != From)
      return V;
    DILocalVariable *&Copy = Variables[V];
    if (Copy)
      return Copy;
    // The variable with an array's length belongs to the parent alone.
    DIType *Type =
        withLengths(V->getType(), [](DILocalVariable *) -> DILocalVariable * { return nullptr; });
    // A parameter of the parent is a plain variable in the helper.
    Copy = DILocalVariable::get(C, scope(V->getScope()), V->getName(), V->getFile(), V->getLine(),
                                Type, /*Arg=*/0, V->getFlags(), V->getAlignInBits(),
                                V->getAnnotations());
    return Copy;
  }

  /// What ScopeOrigins holds.
  MDNode *origins() const {
    SmallVector<Metadata *, 16> Pairs;
    for (auto &[Old, New] : Scopes)
      Pairs.append({New, Old});
    for (auto &[Old, New] : Variables)
      Pairs.append({New, Old});
    return MDTuple::get(C, Pairs);
  }

private:
  DILocalScope *scope(DILocalScope *S) {
    if (DILocalScope *Known = Scopes.lookup(S))
      return Known;
    DILocalScope *Copy;
    if (auto *Block = dyn_cast<DILexicalBlock>(S))
      Copy = DILexicalBlock::getDistinct(C, scope(Block->getScope()), Block->getFile(),
                                         Block->getLine(), Block->getColumn());
    else if (auto *File = dyn_cast<DILexicalBlockFile>(S))
      Copy = DILexicalBlockFile::get(C, scope(File->getScope()), File->getFile(),
                                     File->getDiscriminator());
    else
      Copy = Scopes.lookup(From); // other subprograms have no code here
    Scopes[S] = Copy;
    return Copy;
  }

  LLVMContext &C;
  DISubprogram *From;
  function_ref<bool(unsigned)> IsParents;
  MapVector<DILocalScope *, DILocalScope *> Scopes;
  MapVector<DILocalVariable *, DILocalVariable *> Variables;
};

} // namespace

/// Whether \p Record refers to values of its own function alone.
static bool isWhole(const DbgVariableRecord &Record, const Function &F) {
  return all_of(Record.location_ops(), [&](const Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      return I->getFunction() == &F;
    if (auto *A = dyn_cast<Argument>(V))
      return A->getParent() == &F;
    return true;
  });
}

/// Copies the records in \p I of variables that the helper has too. Drops assignment tracking,
/// which needs both of its halves in one function.
static void copyRecords(Instruction &I, ScopeCopier *Copier) {
  I.setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange())) {
    auto *Variable = dyn_cast<DbgVariableRecord>(&R);
    if (!Copier || !Variable || Variable->isDbgAssign() || !isWhole(*Variable, *I.getFunction())) {
      R.eraseFromParent();
      continue;
    }
    if (!R.getDebugLoc().getInlinedAt())
      Variable->setVariable(Copier->variable(Variable->getVariable()));
    R.setDebugLoc(Copier->location(R.getDebugLoc()));
  }
}

void outline::describeHelper(Function &F, Function &Helper, const CallBase &Begin,
                             ArrayRef<std::pair<Value *, Value *>> Variables,
                             function_ref<bool(unsigned)> IsParents) {
  DISubprogram *SP = F.getSubprogram();
  if (!SP) {
    for (Instruction &I : instructions(Helper))
      copyRecords(I, nullptr);
    return;
  }
  Module &M = *F.getParent();
  DIBuilder DIB(M, /*AllowUnresolved=*/false, SP->getUnit());
  auto *Type = DIB.createSubroutineType(DIB.getOrCreateTypeArray({}));
  DISubprogram *New = DIB.createFunction(
      scopeOfPart(*SP), (SP->getName() + ".spawn").str(), Helper.getName(), SP->getFile(),
      Begin.getDebugLoc() ? Begin.getDebugLoc().getLine() : SP->getLine(), Type, 0,
      DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          (SP->isOptimized() ? DISubprogram::SPFlagOptimized : DISubprogram::SPFlagZero));
  Helper.setSubprogram(New);
  DIB.finalizeSubprogram(New);

  ScopeCopier Copier(SP, New, IsParents);
  for (Instruction &I : instructions(Helper)) {
    copyRecords(I, &Copier);
    const DebugLoc &L = I.getDebugLoc();
    if (L)
      I.setDebugLoc(Copier.location(L));
    else if (isa<CallBase>(I))
      I.setDebugLoc(DILocation::get(M.getContext(), New->getLine(), 0, New, nullptr,
                                    IsParents(New->getLine())));
    updateLoopMetadataDebugLocations(I, [&](Metadata *MD) -> Metadata * {
      if (auto *Loc = dyn_cast_or_null<DILocation>(MD))
        return Copier.location(Loc);
      return MD;
    });
  }
  // Variables of the parent that the child uses.
  BasicBlock::iterator Where = Helper.getEntryBlock().getTerminator()->getIterator();
  for (auto [Old, Now] : Variables)
    for (DbgVariableRecord *Record : findDVRDeclares(Old)) {
      if (Record->getFunction() != &F || Record->getDebugLoc().getInlinedAt())
        continue;
      auto *Copy = DbgVariableRecord::createDVRDeclare(Now, Copier.variable(Record->getVariable()),
                                                       Record->getExpression(),
                                                       Copier.location(Record->getDebugLoc()));
      Where->getParent()->insertDbgRecordBefore(Copy, Where);
    }
  Helper.setMetadata(ScopeOrigins, Copier.origins());
}
