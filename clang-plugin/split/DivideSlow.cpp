//===- DivideSlow.cpp - Parts of the slow clone of many spawns ------------===//
//
// See DivideSlow.h.
//
//===----------------------------------------------------------------------===//
#include "DivideSlow.h"
#include "DebugValues.h"
#include "SharedMetadata.h"

#include "../contract/Option.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

using Blocks = SmallSetVector<BasicBlock *, 32>;

/// -mllvm -nopal-spawns-of-part=N: small parts, for tests.
static const cl::opt<unsigned> &SpawnsOption =
    option("nopal-spawns-of-part", SpawnsOfPart, "So many spawns have one slow clone");

unsigned split::spawnsOfPart() { return std::max(1u, +SpawnsOption); }

/// The part, 0 for \p Slow itself, of the case \p Case of its switch.
static unsigned partOf(const SwitchInst::CaseHandle &Case) {
  return Case.getCaseValue()->getZExtValue() / spawnsOfPart();
}

/// The blocks of each part, or nothing if the parts have more than an eighth of the function in
/// common (small parts: more than eight times as much), or if somebody knows a block by its
/// address.
static SmallVector<Blocks, 8> blocksOfParts(SwitchInst &Switch, size_t Number) {
  size_t Left = 0; // how many instructions the parts may have
  for (BasicBlock &BB : *Switch.getFunction()) {
    if (BB.hasAddressTaken())
      return {};
    Left += BB.size();
  }
  Left += spawnsOfPart() < SpawnsOfPart ? Left * 8 : Left / 8;
  SmallVector<Blocks, 8> Of(Number);
  for (auto &Case : Switch.cases())
    Of[partOf(Case)].insert(Case.getCaseSuccessor());
  for (Blocks &Part : Of) {
    Part.insert(Switch.getDefaultDest());
    for (size_t I = 0; I < Part.size(); ++I) { // grows
      if (Part[I]->size() > Left)
        return {};
      Left -= Part[I]->size();
      Part.insert(succ_begin(Part[I]), succ_end(Part[I]));
    }
  }
  return Of;
}

/// What of the entry block \p Entry does something, or the blocks of \p Part use, at once or by
/// another such.
static SmallPtrSet<Instruction *, 16> usedOf(BasicBlock &Entry, const Blocks &Part) {
  SmallPtrSet<Instruction *, 16> Used;
  SmallVector<Instruction *, 16> Work;
  auto Note = [&](Instruction &User) {
    for (Value *V : User.operands())
      if (auto *I = dyn_cast<Instruction>(V);
          I && I->getParent() == &Entry && Used.insert(I).second)
        Work.push_back(I);
  };
  for (BasicBlock *BB : Part)
    for (Instruction &I : *BB)
      Note(I);
  for (Instruction &I : Entry)
    if (I.isTerminator() || I.mayHaveSideEffects())
      Note(I);
  while (!Work.empty())
    Note(*Work.pop_back_val());
  return Used;
}

/// Edges from blocks that are not in \p Part do not exist there.
static void dropEdges(BasicBlock &Copy, const Blocks &Part, const BasicBlock &Entry) {
  for (PHINode &Phi : make_early_inc_range(Copy.phis()))
    Phi.removeIncomingValueIf(
        [&](unsigned I) {
          BasicBlock *From = Phi.getIncomingBlock(I);
          return From != &Entry && !Part.contains(From);
        },
        /*DeletePHIIfEmpty=*/false);
}

static void fill(Function &Part, unsigned Number, Function &Slow, const Blocks &Of) {
  BasicBlock &Entry = Slow.getEntryBlock();
  Part.copyAttributesFrom(&Slow);
  Part.setComdat(Slow.getComdat());
  ValueToValueMapTy VMap;
  VMap[Slow.getArg(0)] = Part.getArg(0);
  auto *Enter = BasicBlock::Create(Part.getContext(), "entry", &Part);
  VMap[&Entry] = Enter;
  const SmallPtrSet<Instruction *, 16> Used = usedOf(Entry, Of);
  for (Instruction &I : Entry) {
    if (I.isTerminator() || (!Used.contains(&I) && !I.mayHaveSideEffects()))
      continue;
    Instruction *Copy = I.clone();
    Copy->insertInto(Enter, Enter->end());
    Copy->setName(I.getName());
    Copy->cloneDebugInfoFrom(&I);
    VMap[&I] = Copy;
  }
  for (BasicBlock *BB : Of) {
    BasicBlock *Copy = CloneBasicBlock(BB, VMap, "", &Part);
    VMap[BB] = Copy;
    dropEdges(*Copy, Of, Entry);
  }
  auto &Switch = cast<SwitchInst>(*Entry.getTerminator());
  IRBuilder<> B(Enter);
  SwitchInst *Own = B.CreateSwitch(Switch.getCondition(), Switch.getDefaultDest(), spawnsOfPart());
  Own->setDebugLoc(Switch.getDebugLoc());
  for (auto &Case : Switch.cases())
    if (partOf(Case) == Number)
      Own->addCase(Case.getCaseValue(), Case.getCaseSuccessor());
  SharedMetadata Shared(Slow.getSubprogram(), VMap);
  SmallVector<std::pair<unsigned, MDNode *>, 4> OfFunction;
  Slow.getAllMetadata(OfFunction);
  for (auto &[Kind, Node] : OfFunction) {
    Shared.add(Kind, *Node);
    Part.addMetadata(Kind, *MapMetadata(Node, VMap));
  }
  for (BasicBlock &BB : Part)
    for (Instruction &I : BB) {
      Shared.add(I);
      RemapDbgRecordRange(Part.getParent(), I.getDbgRecordRange(), VMap);
      RemapInstruction(&I, VMap);
    }
  describePart(Part, VMap);
}

void split::divideSlow(Function &Slow, ArrayRef<Function *> Parts) {
  if (Parts.empty())
    return;
  auto *Switch = dyn_cast<SwitchInst>(Slow.getEntryBlock().getTerminator());
  SmallVector<Blocks, 8> Of;
  if (Switch)
    Of = blocksOfParts(*Switch, Parts.size() + 1);
  if (Of.empty()) {
    for (Function *Part : Parts) {
      Part->replaceAllUsesWith(&Slow);
      Part->eraseFromParent();
    }
    return;
  }
  for (auto [I, Part] : enumerate(Parts))
    fill(*Part, I + 1, Slow, Of[I + 1]);
  for (auto Case = Switch->case_begin(); Case != Switch->case_end();)
    if (partOf(*Case) == 0) {
      ++Case;
    } else {
      Case->getCaseSuccessor()->removePredecessor(&Slow.getEntryBlock(), /*KeepOneInputPHIs=*/true);
      Case = Switch->removeCase(Case);
    }
  removeUnreachableBlocks(Slow);
  for (Instruction &I : make_early_inc_range(reverse(Slow.getEntryBlock())))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
}
