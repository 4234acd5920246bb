//===- InlineHelper.cpp - Inlining helpers and leaves again ---------------===//
//
// See InlineHelper.h.
//
//===----------------------------------------------------------------------===//
#include "InlineHelper.h"

#include "../analysis/DebugScopes.h"
#include "Marks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

namespace {

/// Gives code of inlined helpers the scopes of \p F again.
class ScopeRestorer {
public:
  explicit ScopeRestorer(Function &F) : F(F) {
    for (Instruction &I : instructions(F))
      for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange()))
        Known.insert(Record.getVariable());
  }

  void add(Function &Helper) {
    auto [It, IsNew] = Helpers.try_emplace(Helper.getSubprogram());
    if (!IsNew)
      return;
    if (MDNode *Pairs = Helper.getMetadata(ScopeOrigins))
      for (unsigned I = 0; I + 1 < Pairs->getNumOperands(); I += 2)
        It->second[Pairs->getOperand(I)] = Pairs->getOperand(I + 1);
  }

  void run() {
    if (Helpers.empty())
      return;
    for (Instruction &I : instructions(F)) {
      for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange()))
        restoreRecord(R);
      if (const DebugLoc &L = I.getDebugLoc())
        I.setDebugLoc(restore(L));
    }
  }

private:
  using Originals = DenseMap<const Metadata *, Metadata *>;

  /// The originals of the helper that \p L was inlined from, or null.
  const Originals *originals(const DILocation *L) const {
    auto It = Helpers.find(L->getScope()->getSubprogram());
    return It == Helpers.end() || !L->getInlinedAt() ? nullptr : &It->second;
  }

  /// Whether \p Scope is one of the function in which the call at \p Call stood.
  static bool isOfCaller(const DILocalScope *Scope, const DILocation *Call) {
    return Scope->getSubprogram() == Call->getScope()->getSubprogram();
  }

  DILocation *restore(DILocation *L) const {
    LLVMContext &C = F.getContext();
    DILocation *At = L->getInlinedAt();
    if (const Originals *Origins = originals(L)) {
      auto *Scope = cast_or_null<DILocalScope>(Origins->lookup(L->getScope()));
      // (In a child of a child the originals belong to neither.)
      if (!Scope || isa<DISubprogram>(Scope) || !isOfCaller(Scope, At))
        Scope = At->getScope();
      return DILocation::get(C, L->getLine(), L->getColumn(), Scope, At->getInlinedAt());
    }
    DILocation *Now = At ? restore(At) : nullptr;
    if (Now == At)
      return L;
    return DILocation::get(C, L->getLine(), L->getColumn(), L->getScope(), Now,
                           L->isImplicitCode());
  }

  void restoreRecord(DbgRecord &R) {
    DILocation *L = R.getDebugLoc();
    const Originals *Origins = originals(L);
    R.setDebugLoc(restore(L));
    auto *Variable = dyn_cast<DbgVariableRecord>(&R);
    if (!Variable || !Origins)
      return;
    DILocation *At = L->getInlinedAt();
    auto *Origin = cast_or_null<DILocalVariable>(Origins->lookup(Variable->getVariable()));
    if (!Origin || Known.contains(Origin) || !isOfCaller(Origin->getScope(), At) ||
        DescribedBy.try_emplace(Origin, At).first->second != At)
      R.eraseFromParent(); // the parent describes it, or another child
    else
      Variable->setVariable(Origin);
  }

  Function &F;
  SmallPtrSet<const DILocalVariable *, 16> Known; ///< what the function describes itself
  DenseMap<const DISubprogram *, Originals> Helpers;
  DenseMap<const DILocalVariable *, const DILocation *> DescribedBy;
};

} // namespace

void split::inlineHelpers(ArrayRef<CallBase *> Calls) {
  if (Calls.empty())
    return;
  ScopeRestorer Scopes(*Calls.front()->getFunction());
  for (CallBase *Call : Calls) {
    Function &Helper = *Call->getCalledFunction();
    const bool HasLoc = static_cast<bool>(Call->getDebugLoc());
    InlineFunctionInfo IFI;
    if (InlineFunction(*Call, IFI, /*MergeAttributes=*/true).isSuccess() &&
        Helper.getSubprogram() && HasLoc)
      Scopes.add(Helper);
  }
  Scopes.run();
}

PreservedAnalyses InlineHelpersPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    if (!mark::isFastClone(F))
      continue;
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(F))
      if (I.hasMetadata(mark::Child))
        Calls.push_back(cast<CallBase>(&I));
    Changed |= !Calls.empty();
    inlineHelpers(Calls);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
