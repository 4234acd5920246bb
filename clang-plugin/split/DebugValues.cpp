//===- DebugValues.cpp - What a debugger sees of clones -------------------===//
//
// See DebugValues.h.
//
//===----------------------------------------------------------------------===//
#include "DebugValues.h"

#include "../analysis/DebugScopes.h"
#include "../compatibility/Compatibility.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static SmallVector<DbgVariableRecord *, 16> allRecords(Function &F) {
  SmallVector<DbgVariableRecord *, 16> All;
  for (Instruction &I : instructions(F))
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange()))
      All.push_back(&R);
  return All;
}

//===----------------------------------------------------------------------===//
// Variables in live values
//===----------------------------------------------------------------------===//

namespace {
/// The record that says where a variable, or a part of it, is. What is not in the map is unknown.
using Known = MapVector<DebugVariable, DbgVariableRecord *>;
} // namespace

static bool isSame(const DbgVariableRecord *A, const DbgVariableRecord *B) {
  return A == B ||
         (A->getRawLocation() == B->getRawLocation() && A->getExpression() == B->getExpression());
}

/// Ignores dbg_assign: its variable may change in memory.
static void transfer(BasicBlock &BB, Known &State) {
  for (Instruction &I : BB)
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
      const DebugVariable Variable(&R);
      State.remove_if([&](const auto &Entry) {
        const DebugVariable &Other = Entry.first;
        return Other.getVariable() == Variable.getVariable() &&
               Other.getInlinedAt() == Variable.getInlinedAt() &&
               DIExpression::fragmentsOverlap(Other.getFragmentOrDefault(),
                                              Variable.getFragmentOrDefault());
      });
      if (!R.isDbgAssign() && !R.isKillLocation())
        State[Variable] = &R;
    }
}

/// What is known at the start of each block, on all paths to it.
static DenseMap<BasicBlock *, Known> computeKnown(Function &F) {
  DenseMap<BasicBlock *, Known> AtEnd, AtBegin;
  ReversePostOrderTraversal<Function *> RPO(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : RPO) {
      Known State;
      bool First = true;
      for (BasicBlock *Pred : predecessors(BB)) {
        auto It = AtEnd.find(Pred);
        if (It == AtEnd.end())
          continue; // not seen yet: anything
        if (First) {
          State = It->second;
          First = false;
          continue;
        }
        State.remove_if([&](const auto &Entry) {
          auto Other = It->second.find(Entry.first);
          return Other == It->second.end() || !isSame(Other->second, Entry.second);
        });
      }
      AtBegin[BB] = State;
      transfer(*BB, State);
      auto [It, IsNew] = AtEnd.try_emplace(BB, State);
      if (!IsNew && It->second.size() == State.size())
        continue; // states only shrink
      It->second = std::move(State);
      Changed = true;
    }
  }
  return AtBegin;
}

/// Records outside of the definition's block refer to the demoted slot, since a clone may not run
/// that block.
static void describeDemoted(Function &F, Frame &Fr) {
  for (auto &[V, Slot] : Fr.Demoted) {
    auto *DefI = dyn_cast<Instruction>(V);
    BasicBlock *DefBlock = DefI ? DefI->getParent() : &F.getEntryBlock();
    if (auto *II = dyn_cast_or_null<InvokeInst>(DefI))
      DefBlock = II->getNormalDest();
    SmallVector<DbgVariableRecord *, 8> Records;
    compat::findDebugRecords(V, Records);
    for (DbgVariableRecord *R : Records) {
      BasicBlock *BB = R->getParent();
      if (BB == DefBlock || R->getFunction() != &F)
        continue;
      Instruction *At = R->getMarker()->MarkedInstr;
      BasicBlock::iterator Where =
          isa<PHINode>(At) || At->isEHPad() ? BB->getFirstInsertionPt() : At->getIterator();
      auto *Load = new LoadInst(V->getType(), Slot, "", Where);
      if (is_contained(R->location_ops(), V))
        R->replaceVariableLocationOp(V, Load);
      if (R->isDbgAssign() && R->getAddress() == V)
        R->setAddress(Load);
    }
  }
}

/// Whether \p R also holds while a child runs.
static bool holdsInChild(const DbgVariableRecord &R, const Frame &Fr) {
  return all_of(R.location_ops(), [&](Value *V) {
    return isa<Constant>(V) || V == Fr.Memory || is_contained(Fr.Addresses, V) ||
           isa<AllocaInst>(V);
  });
}

/// A record of the frame slot that holds the value of \p R; null if no expression can say it.
static DbgVariableRecord *inSlot(const DbgVariableRecord &R, const Frame &Fr) {
  if (R.getNumVariableLocationOps() != 1 || R.isDbgAssign())
    return nullptr;
  Value *V = R.getVariableLocationOp(0);
  auto Slot = Fr.Slots.find(V);
  const DataLayout &DL = Fr.Memory->getDataLayout();
  // A dereference before other operations reads as many bytes as an address has.
  const bool IsPlain = R.getExpression()->getNumElements() == 0;
  if (Slot == Fr.Slots.end() ||
      (!IsPlain && DL.getTypeStoreSize(V->getType()) != DL.getPointerSize()))
    return nullptr;
  return DbgVariableRecord::createDbgVariableRecord(
      Fr.Memory, R.getVariable(),
      DIExpression::prepend(R.getExpression(), DIExpression::DerefAfter, Slot->second),
      R.getDebugLoc());
}

/// \p State holds at the marker of \p S. Adds records of what still holds while the child runs. The
/// child may overwrite registers, so a value in a register becomes unknown. Returns their number.
static unsigned describeChild(const SpawnPoint &S, const Known &State, const LiveAcross &X,
                              const Frame &Fr) {
  unsigned Number = 0;
  for (auto &[Variable, R] : State) {
    if (R->isDbgDeclare() || holdsInChild(*R, Fr))
      continue;
    DbgVariableRecord *New = nullptr;
    if (all_of(R->location_ops(), [&](Value *V) { return X.liveInto(S.Cont).contains(V); }))
      New = inSlot(*R, Fr);
    if (!New) {
      New = R->clone();
      New->setKillLocation();
    }
    S.Marker->getParent()->insertDbgRecordBefore(New, S.Marker->getIterator());
    ++Number;
  }
  return Number;
}

SmallVector<DbgVariableRecord *, 8> split::takeLastRecords(Instruction &From, unsigned Number) {
  SmallVector<DbgVariableRecord *, 8> Records;
  for (DbgVariableRecord &R : filterDbgVars(From.getDbgRecordRange()))
    Records.push_back(&R);
  Records.erase(Records.begin(), Records.end() - std::min<size_t>(Number, Records.size()));
  for (DbgVariableRecord *R : Records)
    R->removeFromParent();
  return Records;
}

SmallVector<unsigned, 8> split::describeLive(Function &F, const SuspendPoints &P,
                                             const LiveAcross &X, Frame &Fr) {
  SmallVector<unsigned, 8> Numbers(P.Spawns.size());
  if (!F.getSubprogram())
    return Numbers;
  SmallSetVector<BasicBlock *, 16> Entries;
  for (const SpawnPoint &S : P.Spawns) {
    Entries.insert(S.Cont);
    if (S.Unwind)
      Entries.insert(S.Unwind.Rest);
  }
  for (const SyncPoint &S : P.Syncs) {
    Entries.insert(S.After);
    if (S.Unwind)
      Entries.insert(S.Unwind.Rest);
  }
  for (const ThrowPoint &T : P.Throws)
    Entries.insert(T.Unwind.Rest);
  // Compute it before the records refer to loads.
  DenseMap<BasicBlock *, Known> AtBegin = computeKnown(F);
  SmallVector<std::pair<DbgVariableRecord *, BasicBlock *>, 16> New;
  for (BasicBlock *Entry : Entries) {
    const auto &Live = X.liveInto(Entry);
    auto IsAnywhere = [&](Value *V) {
      return isa<Constant>(V) || V == Fr.Memory || is_contained(Fr.Addresses, V);
    };
    for (auto &[Variable, R] : AtBegin[Entry]) {
      if (R->isDbgDeclare() && IsAnywhere(R->getAddress()))
        continue;
      if (!all_of(R->location_ops(), [&](Value *V) {
            return IsAnywhere(V) || (Live.contains(V) && Fr.Demoted.contains(V));
          }))
        continue;
      New.push_back({R->clone(), Entry});
    }
  }
  // Before all other records of these variables in the block.
  for (auto &[R, Entry] : reverse(New))
    Entry->insertDbgRecordBefore(R, Entry->getFirstInsertionPt());
  for (auto [I, S] : enumerate(P.Spawns)) {
    Known State = AtBegin[S.Marker->getParent()];
    transfer(*S.Marker->getParent(), State);
    Numbers[I] = describeChild(S, State, X, Fr);
  }
  describeDemoted(F, Fr);
  return Numbers;
}

void split::dropDeadLoads(Function &Clone, ArrayRef<AllocaInst *> Demoted) {
  if (!Clone.getSubprogram())
    return;
  auto IsForRecords = [](Instruction &I) {
    return isa<LoadInst>(I) && I.use_empty() && I.isUsedByMetadata();
  };
  for (AllocaInst *Slot : Demoted) {
    SmallSetVector<BasicBlock *, 8> Blocks;
    SmallPtrSet<Instruction *, 8> Users;
    bool HasAny = false;
    for (User *U : Slot->users()) {
      auto *I = cast<Instruction>(U);
      Blocks.insert(I->getParent());
      Users.insert(I);
      HasAny |= IsForRecords(*I);
    }
    if (!HasAny)
      continue;
    // Blocks at whose end the demoted slot is live.
    SmallPtrSet<BasicBlock *, 16> LiveOut, Storing;
    SmallVector<BasicBlock *, 16> Work;
    for (BasicBlock *BB : Blocks) {
      bool IsStored = false;
      for (Instruction &I : *BB) {
        if (!Users.contains(&I) || IsForRecords(I))
          continue;
        if (isa<StoreInst>(I))
          IsStored = true;
        else if (!IsStored)
          Work.push_back(BB);
      }
      if (IsStored)
        Storing.insert(BB);
    }
    while (!Work.empty())
      for (BasicBlock *Pred : predecessors(Work.pop_back_val()))
        if (LiveOut.insert(Pred).second && !Storing.contains(Pred))
          Work.push_back(Pred);
    for (BasicBlock *BB : Blocks) {
      bool IsLive = LiveOut.contains(BB);
      for (Instruction &I : make_early_inc_range(reverse(*BB))) {
        if (!Users.contains(&I))
          continue;
        if (!IsForRecords(I)) {
          IsLive = isa<LoadInst>(I);
        } else if (!IsLive) {
          I.replaceAllUsesWith(PoisonValue::get(I.getType()));
          I.eraseFromParent();
        }
      }
    }
  }
}

void split::forgetStray(Function &Clone, const DominatorTree &DT) {
  if (!Clone.getSubprogram())
    return;
  for (Instruction &I : instructions(Clone))
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
      auto IsStray = [&](Value *V) {
        auto *Def = dyn_cast_or_null<Instruction>(V);
        return Def && !DT.dominates(Def, &I);
      };
      if (any_of(R.location_ops(), IsStray))
        R.setKillLocation();
      if (R.isDbgAssign() && IsStray(R.getAddress()))
        R.setKillAddress();
    }
}

void split::forgetAll(Function &F, Instruction &Where) {
  MapVector<DebugVariable, DbgVariableRecord *> Variables;
  for (DbgVariableRecord *R : allRecords(F))
    if (!R->isDbgDeclare())
      Variables.insert({DebugVariable(R), R});
  for (auto &[Variable, R] : Variables)
    Where.getParent()->insertDbgRecordBefore(DbgVariableRecord::createDbgVariableRecord(
                                                 PoisonValue::get(Type::getInt1Ty(F.getContext())),
                                                 R->getVariable(), R->getExpression(),
                                                 R->getDebugLoc()),
                                             Where.getIterator());
}

//===----------------------------------------------------------------------===//
// Variables in the frame
//===----------------------------------------------------------------------===//

/// Whether memory is up to date wherever \p R gives \p AI's variable a value: the store
/// comes before it, and was neither sunk nor removed.
static bool isStored(const DbgVariableRecord &R, const AllocaInst &AI) {
  if (!R.isDbgAssign() || R.isKillAddress() ||
      R.getAddress()->stripInBoundsConstantOffsets() != &AI)
    return false;
  auto Stores = at::getAssignmentInsts(&R);
  return any_of(Stores, [&](Instruction *Store) {
    return Store == &AI ||
           (Store->getParent() == R.getParent() && Store->comesBefore(R.getInstruction()));
  });
}

void split::declareAssigned(AllocaInst &AI, Instruction &Memory, uint64_t Offset) {
  MapVector<DebugVariableAggregate, DbgVariableRecord *> Whole;
  for (DbgVariableRecord *R : at::getDVRAssignmentMarkers(&AI))
    Whole.insert({DebugVariableAggregate(R), R});
  if (Whole.empty())
    return;
  const auto All = allRecords(*AI.getFunction());
  SmallVector<DbgVariableRecord *, 16> Done;
  for (auto &[Variable, First] : Whole) {
    SmallVector<DbgVariableRecord *, 8> Own;
    for (DbgVariableRecord *R : All)
      if (DebugVariableAggregate(R) == Variable)
        Own.push_back(R);
    if (!all_of(Own, [&](DbgVariableRecord *R) { return isStored(*R, AI); }))
      continue;
    auto *Declare = DbgVariableRecord::createDVRDeclare(
        &Memory, First->getVariable(),
        DIExpression::prepend(First->getExpression(), DIExpression::ApplyOffset, Offset),
        First->getDebugLoc());
    Memory.getParent()->insertDbgRecordAfter(Declare, &Memory);
    Done.append(Own);
  }
  for (DbgVariableRecord *R : Done)
    R->eraseFromParent();
}

/// An alloca that holds \p V from the entry of \p F on.
static AllocaInst *keepOnStack(Function &F, Argument &V) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  B.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Home = B.CreateAlloca(V.getType(), nullptr, V.getName() + ".addr");
  B.CreateStore(&V, Home);
  return Home;
}

void split::declareFrame(Function &Slow, Value *Base, Instruction &Where,
                         ArrayRef<BasicBlock *> Conts) {
  AllocaInst *Home = nullptr;
  if (Slow.hasOptNone())
    Home = keepOnStack(Slow, *cast<Argument>(Base));
  SmallVector<DbgVariableRecord *, 16> Declared;
  for (DbgVariableRecord *R : allRecords(Slow))
    if (R->isDbgDeclare() && R->getAddress() == Base)
      Declared.push_back(R);
  for (DbgVariableRecord *R : Declared) {
    R->removeFromParent();
    if (Home) {
      R->setExpression(DIExpression::prepend(R->getExpression(), DIExpression::DerefBefore));
      R->replaceVariableLocationOp(0u, Home);
    } else {
      // The code generator does not follow an argument that has a declare record.
      auto *InMemory = DbgVariableRecord::createDbgVariableRecord(
          Base, R->getVariable(), DIExpression::append(R->getExpression(), dwarf::DW_OP_deref),
          R->getDebugLoc());
      R->deleteRecord();
      R = InMemory;
      for (BasicBlock *Cont : Conts)
        Cont->insertDbgRecordBefore(R->clone(), Cont->getFirstInsertionPt());
    }
    Where.getParent()->insertDbgRecordBefore(R, Where.getIterator());
  }
}

void split::keepArguments(Function &Helper) {
  if (!Helper.hasOptNone())
    return;
  for (Argument &A : Helper.args()) {
    if (!A.getType()->isPointerTy() || A.hasByValAttr())
      continue;
    AllocaInst *Home = keepOnStack(Helper, A);
    SmallVector<DbgVariableRecord *, 4> Records;
    compat::findDebugRecords(&A, Records);
    for (DbgVariableRecord *R : Records)
      if (R->isDbgDeclare()) {
        R->setExpression(DIExpression::prepend(R->getExpression(), DIExpression::DerefBefore));
        R->replaceVariableLocationOp(0u, Home);
      }
  }
}

/// Makes variables of \p Copy hold the lengths of its variable-length arrays.
static void ownLengths(Function &Copy, ValueToValueMapTy &VMap) {
  for (DbgVariableRecord *R : allRecords(Copy)) {
    DILocalVariable *Variable = R->getVariable();
    DIType *Own = withLengths(Variable->getType(), [&](DILocalVariable *Length) {
      if (auto Now = VMap.getMappedMD(Length))
        return cast<DILocalVariable>(*Now);
      const bool IsOwn = Length->getScope()->getSubprogram() == Copy.getSubprogram();
      return IsOwn ? Length : nullptr; // a variable with several records has its own by now
    });
    if (Own != Variable->getType())
      Variable->replaceOperandWith(3, Own); // its type
  }
}

namespace operand { // of a subprogram
enum { Scope = 1, Name = 2, LinkageName = 3, Type = 4, Declaration = 6 };
}

void split::describeSlowClone(Function &Slow, ValueToValueMapTy &VMap) {
  DISubprogram *SP = Slow.getSubprogram();
  if (!SP)
    return;
  ownLengths(Slow, VMap);
  LLVMContext &C = Slow.getContext();
  DIBuilder DIB(*Slow.getParent(), /*AllowUnresolved=*/false, SP->getUnit());
  SP->replaceOperandWith(operand::Scope, scopeOfPart(*SP));
  SP->replaceOperandWith(operand::Name, MDString::get(C, (SP->getName() + ".slow").str()));
  SP->replaceOperandWith(operand::LinkageName, MDString::get(C, Slow.getName()));
  SP->replaceOperandWith(operand::Type, DIB.createSubroutineType(DIB.getOrCreateTypeArray({})));
  SP->replaceOperandWith(operand::Declaration, nullptr);
}

void split::describePart(Function &Part, ValueToValueMapTy &VMap) {
  DISubprogram *SP = Part.getSubprogram();
  if (!SP)
    return;
  ownLengths(Part, VMap);
  SP->replaceOperandWith(operand::LinkageName, MDString::get(Part.getContext(), Part.getName()));
}
