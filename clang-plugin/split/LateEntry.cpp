//===- LateEntry.cpp - A function behind its first tests ------------------===//
//
// See LateEntry.h. The edges on which the early paths give up meet in one block,
// whose phis are what depends on the way there:
//
//   F                            F                      F.late(live)
//   -                            -                      ------------
//   tests                        tests                  entry:
//   br early, late               br early, late           br late
//   early: return                early: return          late:
//   late: phis                   late: phis               rest
//     rest                         r = F.late(live)
//                                  ret r
//
// live: those phis, and what the tests or the caller have computed and the rest
// uses. It goes in registers, or F is not cut (but a helper, which will be inlined).
//
//===----------------------------------------------------------------------===//
#include "LateEntry.h"

#include "../analysis/DebugScopes.h"
#include "../analysis/Functions.h"
#include "../contract/Attributes.h"
#include "Clones.h"
#include "DebugValues.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;

namespace {

/// Arguments that the x86-64 psABI passes in registers, of either kind.
constexpr unsigned MostIntegers = 6, MostVectors = 8;

class Cutter {
public:
  Cutter(Function &F, EarlyPaths &E) : F(F), E(E) {}
  Function *run();

private:
  bool isCuttable();
  bool findTests();
  bool findLive();
  bool fitsInRegisters() const;
  Function *createLate();
  void placeLate(Function &Late);
  void fillLate(Function &Late);
  void describeLate(Function &Late, BasicBlock *Entry);
  void forgetLifetimes(Function &Late);
  void endEarly(Function &Late);

  Function &F;
  EarlyPaths &E;
  SmallSetVector<BasicBlock *, 4> Tests; ///< blocks in which a path gives up
  BasicBlock *Begin = nullptr;           ///< the first of the rest; once run() has split it off, only Tests lead to it
  SmallSetVector<BasicBlock *, 32> Rest; ///< reached from Begin
  SmallSetVector<Value *, 8> Live;
  SmallVector<BasicBlock *, 4> Above; ///< the blocks that dominate Begin, the entry first
  ValueToValueMapTy VMap;
};

} // namespace

/// Conventions that pass nothing in places of their own, no collector, nobody who
/// counts or patches entries and would find two.
bool Cutter::isCuttable() {
  return (F.getCallingConv() == CallingConv::C ||
          F.getCallingConv() == CallingConv::Fast) &&
         !F.hasGC() && !F.hasPrefixData() && !F.hasPrologueData() &&
         none_of(F.args(),
                 [](const Argument &A) {
                   return A.hasSwiftErrorAttr() || A.hasNestAttr();
                 }) &&
         none_of(ArrayRef<StringRef>{"fentry-call", "function-instrument",
                                     "instrument-function-entry-inlined",
                                     "instrument-function-exit-inlined",
                                     "patchable-function",
                                     "patchable-function-entry",
                                     "xray-instruction-threshold"},
                 [&](StringRef Name) { return F.hasFnAttribute(Name); });
}

/// One block begins the rest, and none of it comes back to a test.
bool Cutter::findTests() {
  for (BasicBlock *BB : E.Blocks)
    for (BasicBlock *S : successors(BB))
      if (!E.Blocks.contains(S)) {
        if (Begin && Begin != S)
          return false;
        Begin = S;
        Tests.insert(BB);
      }
  if (!Begin || Begin->isEHPad())
    return false;
  for (BasicBlock *BB : depth_first(Begin))
    Rest.insert(BB);
  return none_of(Tests, [&](BasicBlock *BB) { return Rest.contains(BB); });
}

/// What the rest needs, in the order in which it uses it.
bool Cutter::findLive() {
  for (BasicBlock *BB : Rest)
    for (Instruction &I : *BB) {
      if (BB == Begin && isa<PHINode>(I)) {
        if (any_of(I.operands(), [](const Use &U) { return isa<AllocaInst>(U); }))
          return false; // a local of the rest
        Live.insert(&I);
        continue;
      }
      for (Use &U : I.operands()) {
        Value *Op = U.get();
        if (auto *Phi = dyn_cast<PHINode>(&I); Phi && !Rest.contains(Phi->getIncomingBlock(U)))
          continue; // of an early path
        auto *Def = dyn_cast<Instruction>(Op);
        if (isa<Argument>(Op) || (Def && !Rest.contains(Def->getParent()) && !isa<AllocaInst>(Def)))
          Live.insert(Op);
      }
    }
  return F.hasFnAttribute(HelperAttr) || fitsInRegisters(); // helpers are inlined
}

bool Cutter::fitsInRegisters() const {
  const DataLayout &DL = F.getDataLayout();
  unsigned Integers = 0, Vectors = 0;
  for (Value *V : Live) {
    Type *Ty = V->getType();
    if (Ty->isIntegerTy() || Ty->isPointerTy()) {
      if (DL.getTypeSizeInBits(Ty) > 64)
        return false;
      ++Integers;
    } else if (Ty->isFloatTy() || Ty->isDoubleTy() ||
               (isa<FixedVectorType>(Ty) && DL.getTypeSizeInBits(Ty) == 128 &&
                !Ty->getScalarType()->isPointerTy())) {
      ++Vectors;
    } else {
      return false;
    }
  }
  return Integers <= MostIntegers && Vectors <= MostVectors;
}

/// How often the profile, if there is one, says that paths give up.
static std::optional<uint64_t> countOf(Function &F, const BasicBlock *BB) {
  if (!F.getEntryCount())
    return std::nullopt;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  BranchProbabilityInfo BPI(F, LI);
  return BlockFrequencyInfo(F, BPI, LI).getBlockProfileCount(BB);
}

/// Others of this module call \p Late, whichever F the linker takes of those that
/// several modules have; so it is not in F's group, nor is what it may refer to:
/// helpers, leaves, regions, which have local names. But what is cut off a helper
/// is called where the helper was, and stays with it.
void Cutter::placeLate(Function &Late) {
  if (F.hasFnAttribute(HelperAttr)) {
    Late.setComdat(F.getComdat());
    return;
  }
  if (const Comdat *Group = F.getComdat())
    for (Function &Part : *F.getParent())
      if (Part.hasLocalLinkage() && Part.getComdat() == Group)
        Part.setComdat(nullptr);
}

Function *Cutter::createLate() {
  SmallVector<Type *, 8> Types;
  for (Value *V : Live)
    Types.push_back(V->getType());
  auto *Late = Function::Create(
      FunctionType::get(F.getReturnType(), Types, false),
      GlobalValue::InternalLinkage, F.getAddressSpace(), F.getName() + ".late");
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Late);
  for (Argument &A : F.args())
    VMap[&A] = PoisonValue::get(A.getType());
  for (auto [V, P] : zip(Live, Late->args())) {
    P.setName(V->getName());
    if (isa<Argument>(V))
      VMap[V] = &P;
  }
  const std::optional<uint64_t> Count = countOf(F, Begin);
  // A helper's origins stay what they are; a copy would copy the parent's, too.
  MDNode *Origins = F.getMetadata(ScopeOrigins);
  F.setMetadata(ScopeOrigins, nullptr);
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Late, &F, VMap, CloneFunctionChangeType::LocalChangesOnly, Returns);
  if (Origins) {
    F.setMetadata(ScopeOrigins, Origins);
    SmallVector<Metadata *, 8> Pairs(Origins->operands());
    for (unsigned I = 0; I + 1 < Pairs.size(); I += 2)
      if (auto Copy = VMap.getMappedMD(Pairs[I]))
        Pairs[I] = *Copy;
    Late->setMetadata(ScopeOrigins, MDNode::get(F.getContext(), Pairs));
  }
  placeLate(*Late);
  Late->setCallingConv(CallingConv::C);
  Late->setVisibility(GlobalValue::DefaultVisibility);
  Late->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Late->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Late->setDSOLocal(true);
  Late->setMetadata(LLVMContext::MD_kcfi_type, nullptr);
  Late->setMetadata(LLVMContext::MD_type, nullptr);
  Late->setMetadata(LLVMContext::MD_prof, nullptr);
  if (Count)
    Late->setEntryCount(*Count);
  return Late;
}

/// Of a parameter what is true of its value, whatever else is passed: a pointer
/// that F's argument alone led to (noalias, initializes, ...) may now come by
/// itself. Of the function what is true of any part of it.
static void narrowAttributes(Function &Late) {
  LLVMContext &C = Late.getContext();
  AttributeSet Fn = Late.getAttributes().getFnAttrs();
  for (Attribute::AttrKind K : {Attribute::AllocSize, Attribute::AllocKind})
    Fn = Fn.removeAttribute(C, K);
  SmallVector<AttributeSet, 8> Params;
  for (Argument &A : Late.args()) {
    AttrBuilder B(C);
    for (Attribute::AttrKind K :
         {Attribute::NoUndef, Attribute::NonNull, Attribute::Alignment,
          Attribute::Dereferenceable, Attribute::DereferenceableOrNull,
          Attribute::ZExt, Attribute::SExt, Attribute::Range, Attribute::NoFPClass})
      if (Attribute At = A.getAttribute(K); At.isValid())
        B.addAttribute(At);
    Params.push_back(AttributeSet::get(C, B));
  }
  Late.setAttributes(AttributeList::get(C, Fn, Late.getAttributes().getRetAttrs(), Params));
}

/// What a debugger knows at the cut: what was said on the way to it, but of a
/// variable that is assigned on some of the ways only, nothing.
void Cutter::describeLate(Function &Late, BasicBlock *Entry) {
  auto Move = [&](BasicBlock *BB, bool IsKnown) {
    for (Instruction &I : *cast<BasicBlock>(VMap[BB]))
      for (DbgRecord &R : make_early_inc_range(I.getDbgRecordRange())) {
        auto *Variable = dyn_cast<DbgVariableRecord>(&R);
        if (!Variable)
          continue;
        R.removeFromParent();
        if (!IsKnown)
          Variable->setKillLocation();
        if (!IsKnown && Variable->isDbgAssign())
          Variable->setKillAddress();
        Entry->insertDbgRecordBefore(&R, Entry->getTerminator()->getIterator());
      }
  };
  for (BasicBlock *BB : Above)
    Move(BB, true);
  for (BasicBlock *BB : E.Blocks)
    if (!is_contained(Above, BB) && is_contained(depth_first(BB), Begin))
      Move(BB, false);
  ownLengths(Late, VMap);
}

/// A local whose life begins in a test lives in all of the rest.
void Cutter::forgetLifetimes(Function &Late) {
  SmallPtrSet<Value *, 4> Begun;
  for (BasicBlock *BB : E.Blocks)
    for (Instruction &I : *BB)
      if (I.isLifetimeStartOrEnd())
        Begun.insert(VMap[cast<IntrinsicInst>(I).getArgOperand(0)]);
  for (Instruction &I : make_early_inc_range(instructions(Late)))
    if (I.isLifetimeStartOrEnd() && Begun.contains(cast<IntrinsicInst>(I).getArgOperand(0)))
      I.eraseFromParent();
}

void Cutter::fillLate(Function &Late) {
  BasicBlock *Old = &Late.getEntryBlock();
  auto *From = cast<BasicBlock>(VMap[Begin]);
  auto *Entry = BasicBlock::Create(Late.getContext(), "entry", &Late, Old);
  for (Instruction &I : make_early_inc_range(*Old))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Entry, Entry->end());
  BranchInst::Create(From, Entry);
  for (auto [V, P] : zip(Live, Late.args()))
    if (auto *I = dyn_cast<Instruction>(V)) {
      auto *Copy = cast<Instruction>(VMap[I]);
      Copy->replaceAllUsesWith(&P);
      if (I->getParent() == Begin)
        Copy->eraseFromParent();
    }
  describeLate(Late, Entry);
  forgetLifetimes(Late);
  EliminateUnreachableBlocks(Late);
}

/// Behind the tests F calls the rest.
void Cutter::endEarly(Function &Late) {
  DebugLoc Loc = Begin->getTerminator()->getDebugLoc();
  if (DISubprogram *SP = F.getSubprogram(); SP && !Loc)
    Loc = DILocation::get(F.getContext(), 0, 0, SP);
  Begin->getTerminator()->eraseFromParent();
  SmallVector<Value *, 8> Args(Live.getArrayRef());
  E.Rest = CallInst::Create(&Late, Args, "", Begin);
  E.Rest->setDebugLoc(Loc);
  E.Rest->setTailCallKind(CallInst::TCK_Tail);
  E.Rest->setAttributes(AttributeList::get(
      F.getContext(), {}, Late.getAttributes().getRetAttrs(),
      map_to_vector(Late.args(), [](Argument &A) { return A.getAttributes(); })));
  ReturnInst::Create(F.getContext(), F.getReturnType()->isVoidTy() ? nullptr : E.Rest, Begin)
      ->setDebugLoc(Loc);
  E.Blocks.insert(Begin);
  EliminateUnreachableBlocks(F); // and folds nothing: E's blocks stay
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (I.isLifetimeStartOrEnd())
      I.eraseFromParent();
  for (Instruction &I : make_early_inc_range(F.getEntryBlock()))
    if (isa<AllocaInst>(I) && I.use_empty())
      I.eraseFromParent();
}

Function *Cutter::run() {
  if (!isCuttable() || !findTests())
    return nullptr;
  for (Instruction &I : F.getEntryBlock())
    if (auto *AI = dyn_cast<AllocaInst>(&I); AI && !AI->isStaticAlloca())
      return nullptr;
  Begin = SplitBlockPredecessors(Begin, Tests.getArrayRef(), ".late");
  Rest.clear();
  for (BasicBlock *BB : depth_first(Begin))
    Rest.insert(BB);
  if (!findLive())
    return nullptr;
  DominatorTree DT(F);
  for (DomTreeNode *N = DT.getNode(Begin)->getIDom(); N; N = N->getIDom())
    Above.insert(Above.begin(), N->getBlock());
  Function *Late = createLate();
  narrowAttributes(*Late);
  passVectorsAlike(F, *Late);
  fillLate(*Late);
  endEarly(*Late);
  // It returns what the rest returns: link-time optimization, which knows better,
  // would leave nobody to return the argument.
  for (Argument &A : F.args())
    A.removeAttr(Attribute::Returned);
  F.removeFnAttr(SpawnerAttr);
  if (!F.hasFnAttribute(HelperAttr))
    Late->addFnAttr(LateAttr, F.getName());
  forgetEffects(F);
  forgetEffects(*Late);
  return Late;
}

Function *nopal::cutBehind(Function &F, EarlyPaths &E) {
  return Cutter(F, E).run();
}
