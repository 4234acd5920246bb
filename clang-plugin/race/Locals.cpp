//===- Locals.cpp - Locals that cannot race -------------------------------===//
//
// See Locals.h. Only what a function calls or spawns knows of its locals, and only its children run
// beside it. Two kinds of access cannot race, and none is left out that a race is found by:
//
//   x = cilk_spawn f(n);    f.spawn(%n, %x): store %r, %x     (2) alone with %x until the sync
//   g(&y);                  load %y                           (2) or checked: a child may have it
//   cilk_sync;              nopal_hook_sync
//   return x + y;           load %x, load %y                  (1) no child runs
//
// (1) The function accesses its local where none of its children runs. Whatever touched the local
//     before is waited for, and whatever touches it later comes after.
// (2) The local is known to nobody but the function and children that load and store it. From the
//     spawn of one of these to the sync neither the function nor another child touches it.
//
//===----------------------------------------------------------------------===//
#include "Locals.h"

#include "../compatibility/Compatibility.h"
#include "../contract/Attributes.h"
#include "../contract/Option.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;

static const cl::opt<bool> &LeaveOut =
    option("nopal-race-locals", true, "Leave out accesses of locals that cannot race");

namespace {

bool isLifetime(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && II->isLifetimeStartOrEnd();
}

/// Null: none, or not known.
const AllocaInst *localOf(const Value *Pointer) {
  return Pointer->getType()->isPointerTy()
             ? dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0))
             : nullptr;
}

/// Its loads and stores, and the spawned calls that get its address. False: more is done with it.
struct Uses {
  SmallVector<Instruction *, 8> Accesses;
  SmallVector<Use *, 2> Spawns;

  bool collect(Value &Pointer) {
    for (Use &U : Pointer.uses()) {
      auto *I = dyn_cast<Instruction>(U.getUser());
      if (!I)
        return false;
      if (isa<GetElementPtrInst>(I)) {
        if (!collect(*I))
          return false;
      } else if (getLoadStorePointerOperand(I) == &Pointer && !I->isAtomic() &&
                 !(isa<StoreInst>(I) && I->getOperand(0) == &Pointer)) {
        Accesses.push_back(I);
      } else if (auto *Call = dyn_cast<CallBase>(I);
                 Call && nopal::race::spawnOf(*Call) && Call->isDataOperand(&U)) {
        Spawns.push_back(&U);
      } else if (!isLifetime(*I) && !isa<FreshHook>(I)) {
        return false;
      }
    }
    return true;
  }
};

/// A local, and whether (2) holds of it.
struct Local {
  Uses Of;
  bool IsAlone;
};

using Locals = MapVector<AllocaInst *, Local>;

/// Which children may run at each instruction of a function: bit 0 is any, each local has a bit of
/// those that know of it.
class Running {
public:
  Running(Function &F, Locals &All);
  /// Calls \p Visit with the state before each instruction.
  void visit(function_ref<void(Instruction &, const BitVector &)> Visit);
  unsigned bitOf(const AllocaInst *A) const { return Bits.lookup(A); }

private:
  void step(Instruction &I, BitVector &State) const;

  Function &F;
  DenseMap<const AllocaInst *, unsigned> Bits;
  DenseMap<const BasicBlock *, BitVector> AtBegin;
};

Running::Running(Function &F, Locals &All) : F(F) {
  for (auto &[A, L] : All) {
    const unsigned Bit = Bits.size() + 1;
    Bits[A] = Bit;
  }
  SmallSetVector<BasicBlock *, 32> Work;
  for (BasicBlock &BB : F) {
    AtBegin[&BB] = BitVector(Bits.size() + 1);
    Work.insert(&BB);
  }
  while (!Work.empty()) {
    BasicBlock *BB = Work.pop_back_val();
    BitVector State = AtBegin[BB];
    for (Instruction &I : *BB)
      step(I, State);
    for (BasicBlock *Next : successors(BB)) {
      BitVector &Known = AtBegin[Next];
      if (!State.test(Known))
        continue;
      Known |= State;
      Work.insert(Next);
    }
  }
}

void Running::step(Instruction &I, BitVector &State) const {
  if (isa<SyncHook>(I)) {
    State.reset();
  } else if (isa<SpawnHook>(I)) {
    State.set(0);
  } else if (auto *Call = dyn_cast<CallBase>(&I); Call && nopal::race::spawnOf(*Call)) {
    for (const Value *Operand : Call->args())
      if (const unsigned Bit = bitOf(localOf(Operand)))
        State.set(Bit);
  }
}

void Running::visit(function_ref<void(Instruction &, const BitVector &)> Visit) {
  for (BasicBlock &BB : F) {
    BitVector State = AtBegin[&BB];
    for (Instruction &I : BB) {
      Visit(I, State);
      step(I, State);
    }
  }
}

class Finder {
public:
  explicit Finder(Module &M) : M(M) {}
  void run();

private:
  void lookAt(Function &F);
  bool isAlone(const Use &Spawn);
  void leaveOut(Instruction &Access) {
    Access.setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
  }

  Module &M;
  Locals Candidates; // for (2)
  /// What children do with a parameter.
  DenseMap<Argument *, std::optional<Uses>> Parameters;
};

void Finder::lookAt(Function &F) {
  unsigned Enters = 0;
  Locals All;
  for (Instruction &I : instructions(F)) {
    Enters += isa<EnterHook>(I);
    if (auto *A = dyn_cast<AllocaInst>(&I))
      All[A] = {};
  }
  // After inlining a sync may be that of the inlined function alone.
  if (Enters > 1 || All.empty())
    return;
  Running Children(F, All);
  SmallVector<Instruction *, 16> AtRest; // (1)
  bool IsScopeLeft = false;
  for (auto &[A, L] : All)
    L.IsAlone = L.Of.collect(*A) && !L.Of.Spawns.empty();
  Children.visit([&](Instruction &I, const BitVector &State) {
    const auto Touch = [&](const AllocaInst *A) {
      const unsigned Bit = A ? Children.bitOf(A) : 0;
      if (Bit == 0 || !State.test(Bit))
        return false;
      All.find(const_cast<AllocaInst *>(A))->second.IsAlone = false;
      return true;
    };
    if (const Value *Pointer = getLoadStorePointerOperand(&I)) {
      const AllocaInst *A = localOf(Pointer);
      Touch(A);
      if (A && !I.isAtomic() && !State.test(0))
        AtRest.push_back(&I);
    } else if (isLifetime(I)) {
      IsScopeLeft |= Touch(localOf(compat::variableOf(I)));
    } else if (const auto *Call = dyn_cast<CallBase>(&I)) {
      for (const Value *Operand : Call->args())
        Touch(localOf(Operand));
    }
  });
  // A child may still use it, and another local may have its memory.
  if (IsScopeLeft)
    return;
  for (Instruction *I : AtRest)
    leaveOut(*I);
  for (auto &[A, L] : All)
    if (L.IsAlone)
      Candidates[A] = std::move(L);
}

/// All that the child does with that operand is load and store, at each call the operand is a local
/// that is alone.
bool Finder::isAlone(const Use &Spawn) {
  const auto &Call = cast<CallBase>(*Spawn.getUser());
  Function *Child = Call.getCalledFunction();
  const unsigned Index = Call.getDataOperandNo(&Spawn);
  if (!Child || !Child->hasLocalLinkage() || Index >= Child->arg_size())
    return false;
  Argument *A = Child->getArg(Index);
  auto [Known, IsNew] = Parameters.try_emplace(A);
  if (IsNew) {
    Uses Of;
    if (!A->hasByValAttr() && Of.collect(*A) && Of.Spawns.empty())
      Known->second = std::move(Of);
  }
  if (!Known->second)
    return false;
  return all_of(Child->uses(), [&](const Use &U) {
    auto *Caller = dyn_cast<CallBase>(U.getUser());
    if (!Caller || !Caller->isCallee(&U) || !nopal::race::spawnOf(*Caller))
      return false;
    auto *Found = Candidates.find(const_cast<AllocaInst *>(localOf(Caller->getArgOperand(Index))));
    return Found != Candidates.end() && Found->second.IsAlone;
  });
}

void Finder::run() {
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() && !F.callsFunctionThatReturnsTwice())
      lookAt(F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[A, L] : Candidates) {
      if (!L.IsAlone || all_of(L.Of.Spawns, [&](const Use *U) { return isAlone(*U); }))
        continue;
      L.IsAlone = false;
      Changed = true;
    }
  }
  for (auto &[A, L] : Candidates) {
    if (!L.IsAlone)
      continue;
    for (Instruction *I : L.Of.Accesses)
      leaveOut(*I);
    for (const Use *U : L.Of.Spawns) {
      const auto &Call = cast<CallBase>(*U->getUser());
      Argument *Parameter = Call.getCalledFunction()->getArg(Call.getDataOperandNo(U));
      for (Instruction *I : Parameters[Parameter]->Accesses)
        leaveOut(*I);
    }
  }
}

} // namespace

SpawnHook *nopal::race::spawnOf(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->hasFnAttribute(HelperAttr))
    return nullptr;
  for (Instruction *I = Call.getPrevNode(); I; I = I->getPrevNode())
    if (isa<CallBase>(I) && !isLifetime(*I))
      return dyn_cast<SpawnHook>(I);
  return nullptr;
}

void nopal::race::leaveOutLocals(Module &M) {
  if (LeaveOut)
    Finder(M).run();
}
