//===- Migration.cpp - Calls that may come back on another thread ---------===//
//
// See Migration.h.
//
//===----------------------------------------------------------------------===//
#include "Migration.h"

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

/// Of a callee without a body that this module may rely on.
static bool neverMigrates(const Function &Callee, const TargetLibraryInfo &Library) {
  if (Callee.isIntrinsic() || Callee.hasFnAttribute(Attribute::NoSync) ||
      Callee.hasFnAttribute(Attribute::NoCallback) || Callee.doesNotAccessMemory())
    return true;
  // Entry points of the runtime and markers: the clones know about these.
  StringRef Name = Callee.getName();
  if (Name.starts_with("__nopal_") || Name.starts_with("nopal_") || Name.starts_with("__cxa_"))
    return true;
  LibFunc Known;
  return Library.getLibFunc(Callee, Known) && Known != LibFunc_qsort;
}

bool Migration::mayMigrate(const Function &Callee) const {
  if (Callee.hasFnAttribute(MigratesAttr)) // a loop of its caller
    return true;
  if (Callee.isDeclaration() || Callee.isInterposable())
    return !neverMigrates(Callee,
                          FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(Callee)));
  return Migrating.contains(&Callee);
}

static const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool Migration::mayMigrate(const CallBase &Call) const {
  if (Call.isInlineAsm() || Call.hasFnAttr(Attribute::NoSync))
    return false;
  const Function *Callee = calleeOf(Call);
  return !Callee || mayMigrate(*Callee);
}

/// From each call that may migrate by itself to its function's callers, each function
/// once: a module has thousands of them, and callers come before what they call.
Migration::Migration(Module &M, FunctionAnalysisManager &FAM) : FAM(FAM) {
  DenseMap<const Function *, SmallVector<const Function *, 4>> Callers;
  SmallVector<const Function *, 16> Work;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (isMarker(I, Marker::Spawn) || isMarker(I, Marker::Loop) || mayMigrate(*Call)) {
        Migrating.insert(&F);
        Work.push_back(&F);
        break;
      }
      if (const Function *Callee = calleeOf(*Call))
        Callers[Callee].push_back(&F);
    }
  while (!Work.empty())
    for (const Function *Caller : Callers.lookup(Work.pop_back_val()))
      if (Migrating.insert(Caller).second)
        Work.push_back(Caller);
}

void Migration::mark(Module &M) const {
  for (Function &F : M)
    if (Migrating.contains(&F))
      F.addFnAttr(ThreadChangesAttr);
}
