//===- EarlyPaths.cpp - The paths on which a function returns at once -----===//
//
// See EarlyPaths.h.
//
//===----------------------------------------------------------------------===//
#include "EarlyPaths.h"

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../split/SuspendPoints.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::early;
using namespace nopal::split;

bool early::isNothing(const Instruction &I) {
  if (isMarker(I, Marker::Sync))
    return true; // nothing is outstanding
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && (II->isLifetimeStartOrEnd() || II->getIntrinsicID() == Intrinsic::assume ||
                II->getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl);
}

SmallVector<BasicBlock *, 2> early::nextOnPath(BasicBlock &BB) {
  const Instruction *End = BB.getTerminator();
  if (const auto *II = dyn_cast<InvokeInst>(End); II && isNothing(*II))
    return {II->getNormalDest()};
  if (!isa<BranchInst, SwitchInst>(End))
    return {};
  return {succ_begin(&BB), succ_end(&BB)};
}

namespace {

/// True if \p I can be run in the caller, once more: it has no effect.
bool isPure(const Instruction &I) {
  if (I.mayHaveSideEffects() || I.isAtomic() || isa<AllocaInst>(I) || I.isEHPad())
    return false;
  if (const auto *CB = dyn_cast<CallBase>(&I))
    return isa<IntrinsicInst>(CB) && !CB->isConvergent();
  return true;
}

/// True if \p I can be run in the caller in place of the call.
bool isSimple(const Instruction &I) {
  if (const auto *SI = dyn_cast<StoreInst>(&I))
    return SI->isSimple();
  return isPure(I);
}

class Finder {
public:
  /// A helper's paths are those of the function that it calls, with a block before and after them.
  Finder(Function &F, unsigned Most)
      : F(F), Most(Most), MostTests(F.hasFnAttribute(HelperAttr) ? 5 : 4) {}

  std::optional<EarlyPaths> find() {
    if (visit(&F.getEntryBlock(), 0) != Way::Both || !usesNoLocals() || hasLoop())
      return std::nullopt;
    return std::move(E);
  }

private:
  /// What may follow a block: an early return, none, or either. Odd: the function is left alone.
  enum class Way { Early, Late, Both, Odd };

  /// \p Before plus the number of instructions in \p BB. None if one is not \p Allowed, or if there
  /// are too many.
  template <class Predicate>
  std::optional<unsigned> cost(BasicBlock *BB, unsigned Before, Predicate Allowed) {
    for (Instruction &I : *BB) {
      if (isNothing(I) || isa<PHINode>(I) || I.isTerminator())
        continue;
      if (isa<AllocaInst>(I) && BB == &F.getEntryBlock())
        continue; // usesNoLocals() looks at them
      if (!Allowed(I) || ++Before > Most)
        return std::nullopt;
    }
    return Before;
  }

  /// Whether every path from \p BB reaches a return within the bound.
  bool isEarly(BasicBlock *BB, unsigned Before, SmallSetVector<BasicBlock *, 8> &Path,
               unsigned Depth) {
    std::optional<unsigned> Cost = cost(BB, Before, isSimple);
    if (!Cost || Depth > MostTests || ++Visits > MostVisits)
      return false;
    Path.insert(BB);
    if (isa<ReturnInst>(BB->getTerminator()))
      return true;
    const auto Next = nextOnPath(*BB);
    return !Next.empty() &&
           all_of(Next, [&](BasicBlock *S) { return isEarly(S, *Cost + 1, Path, Depth + 1); });
  }

  /// Classifies \p BB and what follows.
  Way visit(BasicBlock *BB, unsigned Before) {
    if (OnPath.contains(BB) || Visits > MostVisits)
      return Way::Odd; // a loop, or too many paths
    SmallSetVector<BasicBlock *, 8> Path;
    if (isEarly(BB, Before, Path, 0)) {
      E.Blocks.insert(Path.begin(), Path.end());
      return Way::Early;
    }
    std::optional<unsigned> Cost = cost(BB, Before, isPure);
    const auto Next = nextOnPath(*BB);
    if (!Cost || Next.empty() || OnPath.size() >= MostTests)
      return Way::Late;
    OnPath.insert(BB);
    const bool IsNew = E.Blocks.insert(BB);
    bool IsEarly = false, IsLate = false, IsOdd = false;
    for (BasicBlock *S : Next) {
      const Way W = visit(S, *Cost + 1);
      IsOdd |= W == Way::Odd;
      IsEarly |= W == Way::Early || W == Way::Both;
      IsLate |= W == Way::Late || W == Way::Both;
    }
    OnPath.erase(BB);
    if (IsOdd)
      return Way::Odd;
    if (IsEarly)
      return IsLate ? Way::Both : Way::Early;
    if (IsNew)
      E.Blocks.remove(BB); // a test that decides nothing
    return Way::Late;
  }

  bool usesNoLocals() {
    for (BasicBlock *BB : E.Blocks)
      for (Instruction &I : *BB)
        if (!isNothing(I))
          for (Value *Op : I.operands())
            if (isa<AllocaInst>(Op))
              return false;
    return true;
  }

  /// This is rare: one path into a loop was too long to follow, and another was not.
  bool hasLoop() {
    return any_of(E.Blocks, [&](BasicBlock *BB) {
      SmallSetVector<BasicBlock *, 8> Later(succ_begin(BB), succ_end(BB));
      for (unsigned I = 0; I < Later.size(); ++I)
        if (E.Blocks.contains(Later[I]))
          Later.insert(succ_begin(Later[I]), succ_end(Later[I]));
      return Later.contains(BB);
    });
  }

  Function &F;
  const unsigned Most, MostTests;
  static constexpr unsigned MostVisits = 200; ///< of blocks, over all paths
  unsigned Visits = 0;
  EarlyPaths E;
  SmallPtrSet<BasicBlock *, 8> OnPath;
};

/// A function that could be inlined if it did not spawn.
bool isOpen(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !F.isVarArg() &&
         !F.hasFnAttribute(Attribute::OptimizeNone) && !F.hasFnAttribute(KeptOutOfLineAttr) &&
         !F.hasMinSize() &&
         none_of(F.args(), [](const Argument &A) { return A.hasPassPointeeByValueCopyAttr(); });
}

} // namespace

std::optional<EarlyPaths> early::findEarlyPaths(Function &F, unsigned Most) {
  if (!isOpen(F))
    return std::nullopt;
  return Finder(F, Most).find();
}
