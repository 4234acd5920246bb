//===- ThreadBoundLowering.cpp - Markers of thread-bound values -----------===//
//
// See ThreadBoundLowering.h.
//
//===----------------------------------------------------------------------===//
#include "ThreadBoundLowering.h"

#include "../analysis/Migration.h"
#include "../analysis/ThreadBound.h"
#include "../compatibility/Compatibility.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

namespace {

/// Where in a function the thread may be another than at its beginning.
class ThreadChange {
public:
  ThreadChange(Function &F, const Migration &Calls) {
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
    return isMarker(
        I, {Marker::Spawn, Marker::Sync, Marker::SyncInFlight, Marker::SyncCleanup, Marker::Loop});
  }

  DenseMap<BasicBlock *, CallBase *> First; ///< of a block, if any
  SmallPtrSet<BasicBlock *, 16> Entered;    ///< from after such a call
};

} // namespace

/// Whether \p Read, and all that is computed from it without memory, is used only while the
/// function is still on its first thread. Then it does not matter where a later pass, or the code
/// generator, puts them.
static bool isUsedBefore(Instruction &Read, const ThreadChange &Change) {
  SmallSetVector<Instruction *, 16> Values;
  Values.insert(&Read);
  for (unsigned N = 0; N < Values.size(); ++N) {
    if (Change.contains(*Values[N]))
      return false;
    for (User *U : Values[N]->users()) {
      auto *I = cast<Instruction>(U);
      if (Change.contains(*I))
        return false;
      if (!I->mayReadOrWriteMemory() && !I->mayHaveSideEffects() && !I->isTerminator())
        Values.insert(I);
    }
  }
  return true;
}

/// For `@x` thread-local:
///   define internal ptr @nopal.thread.x() noinline {
///     call void asm sideeffect "", "~{memory}"()
///     %a = call ptr @llvm.threadlocal.address.p0(ptr @x)
///     ret ptr %a
///   }
/// The asm keeps later passes (in link-time optimization) from finding out that
/// the function reads no memory, which would let them merge two calls.
static Function *createAccessor(Module &M, Constant *Key) {
  LLVMContext &C = M.getContext();
  auto *Accessor = Function::Create(
      FunctionType::get(PointerType::getUnqual(C), false), GlobalValue::InternalLinkage,
      "nopal.thread." + (Key->hasName() ? Key->getName() : "pointer"), &M);
  Accessor->addFnAttr(Attribute::NoInline);
  Accessor->setDoesNotThrow();
  if (compat::targetOf(M).getArch() == Triple::x86_64)
    Accessor->addFnAttr("target-cpu", "x86-64");
  IRBuilder<> B(BasicBlock::Create(C, "", Accessor));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "~{memory}",
                              /*hasSideEffects=*/true));
  B.CreateRet(createThreadBound(B, Key));
  return Accessor;
}

using Accessors = MapVector<Constant *, Function *>;

static void lowerReads(Function &F, const Migration &Calls, Accessors &Known) {
  const ThreadChange Change(F, Calls);
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
    if (!IsHelper && isUsedBefore(*Read, Change)) {
      replaceThreadBound(*Read, createThreadBound(B, Key));
      continue;
    }
    Function *&Accessor = Known[Key];
    if (!Accessor)
      Accessor = createAccessor(*F.getParent(), Key);
    replaceThreadBound(*Read, B.CreateCall(Accessor));
  }
}

static void eraseThreadMarkers(Module &M) {
  // The optimizer at link time would infer the same as this one. An empty asm prevents that, and
  // costs nothing.
  if (Function *Apart = declarationOf(M, Marker::ThreadApart)) {
    for (User *U : make_early_inc_range(Apart->users())) {
      IRBuilder<> B(cast<CallInst>(U));
      CallInst *Asm = B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "",
                                                  /*hasSideEffects=*/true));
      Asm->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
      Asm->setDoesNotThrow();
      cast<CallInst>(U)->eraseFromParent();
    }
    Apart->eraseFromParent();
  }
  Function *Bound = declarationOf(M, Marker::ThreadBound);
  if (!Bound)
    return;
  for (User *U : Bound->users())
    refuse(*cast<CallBase>(U)->getFunction(), Refusal::MergedThreadLocal,
           cast<CallBase>(U)->getDebugLoc());
  if (Bound->use_empty())
    Bound->eraseFromParent();
}

PreservedAnalyses ThreadBoundLoweringPass::run(Module &M, ModuleAnalysisManager &AM) {
  const bool HasReads =
      declarationOf(M, Marker::ThreadBound) || !callersOf(M, Marker::Spawn).empty();
  if (!HasReads && !declarationOf(M, Marker::ThreadApart))
    return PreservedAnalyses::all();
  if (HasReads) {
    const Migration Calls(M, AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
    Accessors Known;
    for (Function &F : M)
      if (!F.isDeclaration())
        lowerReads(F, Calls, Known);
  }
  eraseThreadMarkers(M);
  return PreservedAnalyses::none();
}
