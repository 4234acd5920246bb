//===- Migration.cpp - Calls that may come back on another thread ---------===//
//
// See Migration.h.
//
//===----------------------------------------------------------------------===//
#include "Migration.h"

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Points.h"
#include "ThreadBound.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace nopal;

/// Of a callee without a body that this module may rely on.
static bool neverMigrates(const Function &Callee,
                          const TargetLibraryInfo &Library) {
  if (Callee.isIntrinsic() || Callee.hasFnAttribute(Attribute::NoSync) ||
      Callee.hasFnAttribute(Attribute::NoCallback) ||
      Callee.doesNotAccessMemory())
    return true;
  // Entry points of the runtime and markers: the clones know about these.
  StringRef Name = Callee.getName();
  if (Name.starts_with("__nopal_") || Name.starts_with("nopal_") ||
      Name.starts_with("__cxa_"))
    return true;
  LibFunc Known;
  return Library.getLibFunc(Callee, Known) && Known != LibFunc_qsort;
}

bool Migration::mayMigrate(const Function &Callee) const {
  if (Callee.hasFnAttribute(MigratesAttr)) // a loop of its caller
    return true;
  if (Callee.isDeclaration() || Callee.isInterposable())
    return !neverMigrates(
        Callee, FAM.getResult<TargetLibraryAnalysis>(
                    const_cast<Function &>(Callee)));
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
      if (isMarker(I, marker::Spawn) || isMarker(I, marker::Loop) || mayMigrate(*Call)) {
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

namespace {

/// Where in a function the thread may be another than at its beginning.
class Behind {
public:
  Behind(Function &F, const Migration &Calls) {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && (isPoint(I) || Calls.mayMigrate(*Call)))
        First.try_emplace(I.getParent(), Call);
    }
    SmallVector<BasicBlock *, 16> Work;
    for (auto &[BB, Call] : First) // any order: fills a set
      Work.push_back(BB);
    while (!Work.empty())
      for (BasicBlock *S : successors(Work.pop_back_val()))
        if (Entered.insert(S).second)
          Work.push_back(S);
  }

  bool isAnywhere() const { return !First.empty(); }

  bool contains(const Instruction &I) const {
    if (Entered.contains(I.getParent()))
      return true;
    auto It = First.find(const_cast<BasicBlock *>(I.getParent()));
    return It != First.end() && It->second->comesBefore(&I);
  }

private:
  static bool isPoint(const Instruction &I) {
    return any_of(ArrayRef({marker::Spawn, marker::Sync, marker::SyncInFlight,
                            marker::SyncCleanup, marker::Loop}),
                  [&](const char *Name) { return isMarker(I, Name); });
  }

  DenseMap<BasicBlock *, CallBase *> First;  ///< of a block, if any
  SmallPtrSet<BasicBlock *, 16> Entered;       ///< from behind such a call
};

} // namespace

/// Whether \p Read, and whatever is computed from it without a look at memory, is
/// used only where the thread is still the one that the function began on. Then it
/// does not matter where a later pass, or the code generator, puts these.
static bool isUsedInFront(Instruction &Read, const Behind &Change) {
  SmallSetVector<Instruction *, 16> Values;
  Values.insert(&Read);
  for (unsigned N = 0; N < Values.size(); ++N) {
    if (Change.contains(*Values[N]))
      return false;
    for (User *U : Values[N]->users()) {
      auto *I = cast<Instruction>(U);
      if (Change.contains(*I))
        return false;
      if (!I->mayReadOrWriteMemory() && !I->mayHaveSideEffects() &&
          !I->isTerminator())
        Values.insert(I);
    }
  }
  return true;
}

void nopal::lowerThreadBoundReads(Function &F, const Migration &Calls,
                                  Runtime &RT) {
  const Behind Change(F, Calls);
  const bool IsHelper = isSpawned(F);
  if (IsHelper || Change.isAnywhere())
    markThreadBoundReads(F);
  SmallVector<CallBase *, 8> Reads;
  for (Instruction &I : instructions(F))
    if (isThreadBoundRead(I))
      Reads.push_back(cast<CallBase>(&I));
  for (CallBase *Read : Reads) {
    Constant *Key = keyOf(*Read);
    IRBuilder<> B(Read);
    replaceThreadBound(*Read, !IsHelper && isUsedInFront(*Read, Change)
                                  ? createThreadBound(B, Key)
                                  : B.CreateCall(RT.threadBoundAccessor(Key)));
  }
}
