//===- LoopTree.cpp - Dividing the range of a cilk_for --------------------===//
//
// See LoopTree.h. This is built once for each leaf:
//
//   f.part(operands, lo, hi, grain):
//           br hi - lo > grain, many, one
//   many:   f.loop(operands, lo, hi, grain); ret
//   one:    f.leaf(operands, lo, hi); ret
//
//   f.loop(operands, lo, hi, grain):          hi - lo > grain
//   split:  lo = phi [lo, entry], [mid, split]
//           mid = lo + the largest grain * 2^i that is less than hi - lo
//           __nopal_spawn(@f.part, operands, lo, mid, grain)
//           br hi - mid > grain, split, last
//   last:   f.leaf(operands, mid, hi)
//           __nopal_sync(0)
//           ret
//
// f.part is inlined at its spawn, and at a loop that has no grain of its own. So a leaf is called
// without the prologue of the code that divides. A loop with a small leaf is rarely divided
// (SmallLoops). It calls f.start, and so saves no registers for the calls in f.part:
//
//   f.start(operands, lo, hi, least):                                        cold
//           f.part(operands, lo, hi, nopal_loop_grain(hi - lo, least)); ret
//
// The continuation of each spawn is the upper part, so one worker runs the leaves in the serial
// order. All leaves but the last have exactly `grain` iterations. (Halving the range would give
// leaves of grain / 2 and more, up to twice as many.) A range not larger than the grain pushes
// nothing. More than MaxDirect operands travel in a record, a local of the caller, which waits. The
// record's address is then the only operand, and the caller of the leaf reads it.
//
//===----------------------------------------------------------------------===//
#include "LoopTree.h"

#include "../analysis/Remarks.h"
#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "../contract/Refusal.h"
#include "LeafCost.h"
#include "Runtime.h"
#include "SmallLoops.h"
#include "SuspendPoints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

namespace {

/// With lo, hi and grain, this many operands fill the argument registers.
constexpr unsigned MaxDirect = 3;

struct LoopTree {
  Function *Divide = nullptr, *Part = nullptr;
  Function *Start = nullptr;          ///< null until it is needed
  StructType *Record = nullptr;       ///< null if the operands are passed directly
  uint64_t Least = 1;                 ///< iterations that a leaf should have
  Function *LeastAtRunTime = nullptr; ///< computes them, or null if \a Least holds
};

/// The type of the record for the operands of \p Leaf; null if they need none.
StructType *recordFor(const Function &Leaf) {
  ArrayRef<Type *> Operands = Leaf.getFunctionType()->params().drop_back(2);
  return Operands.size() <= MaxDirect ? nullptr : StructType::get(Leaf.getContext(), Operands);
}

/// Gives the code that divides the line of the leaf's function.
DebugLoc describe(Function &Divide, const Function &Leaf) {
  DISubprogram *SP = Leaf.getSubprogram();
  if (!SP)
    return DebugLoc();
  DIBuilder DIB(*Divide.getParent(), /*AllowUnresolved=*/false, SP->getUnit());
  DISubprogram *New =
      DIB.createFunction(SP->getUnit(), Divide.getName(), Divide.getName(), SP->getFile(),
                         SP->getLine(), SP->getType(), 0, DINode::FlagArtificial, SP->getSPFlags());
  Divide.setSubprogram(New);
  DIB.finalizeSubprogram(New);
  return DILocation::get(Divide.getContext(), SP->getLine(), 0, New);
}

/// Builds the functions of a leaf.
class TreeBuilder {
public:
  TreeBuilder(Function &Leaf, LoopTree &Tree)
      : Leaf(Leaf), M(*Leaf.getParent()), C(M.getContext()), B(C), Tree(Tree) {}
  /// \p Marker says where the loop stands.
  void build(LoopMarker &Marker, const TargetTransformInfo &TTI) {
    Tree.Record = recordFor(Leaf);
    Tree.Least = leastGrain(Leaf, TTI);
    if (Tree.Least == 1)
      Tree.LeastAtRunTime = leastGrainFunction(Leaf, TTI);
    // As in a fast clone (Splitter::finish): a call of a leaf counts as a loop.
    Leaf.setAlignment(std::max(Align(64), Leaf.getAlign().valueOrOne()));
    Tree.Divide = create(".loop");
    Tree.Part = create(".part");
    buildPart();
    buildDivide(Marker);
  }
  void buildStart(Runtime &RT);

private:
  Function *create(StringRef Suffix);
  void enter(Function &F);
  void callLeaf(Value *From);
  void buildPart();
  void buildDivide(LoopMarker &Marker);

  Function &Leaf;
  Module &M;
  LLVMContext &C;
  IRBuilder<> B;
  LoopTree &Tree;
  // State of the function that is being built:
  SmallVector<Value *, 4> Own; ///< its operands
  Argument *Low = nullptr, *High = nullptr, *Grain = nullptr;
};

Function *TreeBuilder::create(StringRef Suffix) {
  SmallVector<Type *, 8> Params;
  if (Tree.Record)
    Params.push_back(B.getPtrTy());
  else
    append_range(Params, Leaf.getFunctionType()->params().drop_back(2));
  const unsigned Operands = Params.size();
  Params.append(3, B.getInt64Ty());
  StringRef Name = Leaf.getName();
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), Params, false),
                             GlobalValue::InternalLinkage,
                             Name.substr(0, Name.rfind(".leaf")) + Suffix, &M);
  AttrBuilder Attrs(C, Leaf.getAttributes().getFnAttrs());
  for (Attribute::AttrKind K :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::NoReturn, Attribute::Memory,
        Attribute::WillReturn, Attribute::MustProgress, Attribute::NoRecurse, Attribute::NoSync,
        Attribute::NoFree, Attribute::Speculatable})
    Attrs.removeAttribute(K);
  Attrs.addAttribute(Attribute::NoInline);
  Attrs.addAttribute(MigratesAttr);
  F->addFnAttrs(Attrs);
  F->setComdat(Leaf.getComdat());
  F->setSection(Leaf.getSection());
  for (unsigned I = 0; I < Operands; ++I)
    F->getArg(I)->setName(Tree.Record ? "record" : Leaf.getArg(I)->getName());
  F->getArg(Operands)->setName("lo");
  F->getArg(Operands + 1)->setName("hi");
  F->getArg(Operands + 2)->setName("grain");
  return F;
}

/// Starts to build \p F.
void TreeBuilder::enter(Function &F) {
  const unsigned Operands = F.arg_size() - 3;
  Own.clear();
  for (unsigned I = 0; I < Operands; ++I)
    Own.push_back(F.getArg(I));
  Low = F.getArg(Operands);
  High = F.getArg(Operands + 1);
  Grain = F.getArg(Operands + 2);
  B.SetCurrentDebugLocation(describe(F, Leaf));
  B.SetInsertPoint(BasicBlock::Create(C, "entry", &F));
}

/// Builds the last leaf, which begins at \p From.
void TreeBuilder::callLeaf(Value *From) {
  SmallVector<Value *, 12> Args;
  if (Tree.Record)
    for (unsigned I = 0; I < Tree.Record->getNumElements(); ++I)
      Args.push_back(B.CreateLoad(Tree.Record->getElementType(I),
                                  B.CreateStructGEP(Tree.Record, Own[0], I),
                                  Leaf.getArg(I)->getName()));
  else
    append_range(Args, Own);
  Args.append({From, High});
  CallInst *Call = B.CreateCall(&Leaf, Args);
  Call->setCallingConv(Leaf.getCallingConv());
  Call->setIsNoInline(); // one body for both clones
  if (Leaf.doesNotThrow())
    Call->setDoesNotThrow();
}

void TreeBuilder::buildPart() {
  enter(*Tree.Part);
  auto *Many = BasicBlock::Create(C, "many", Tree.Part);
  auto *One = BasicBlock::Create(C, "one", Tree.Part);
  Value *Length = B.CreateSub(High, Low, "length", /*HasNUW=*/true);
  B.CreateCondBr(B.CreateICmpUGT(Length, Grain), Many, One);

  B.SetInsertPoint(Many);
  SmallVector<Value *, 8> Args;
  for (Argument &A : Tree.Part->args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(Tree.Divide, Args);
  if (Leaf.doesNotThrow())
    Call->setDoesNotThrow();
  B.CreateRetVoid();

  B.SetInsertPoint(One);
  callLeaf(Low);
  B.CreateRetVoid();
}

void TreeBuilder::buildDivide(LoopMarker &Marker) {
  Function &F = *Tree.Divide;
  F.addFnAttr(SpawnerAttr);
  enter(F);
  BasicBlock *Entry = B.GetInsertBlock();
  auto *Split = BasicBlock::Create(C, "split", &F);
  auto *Last = BasicBlock::Create(C, "last", &F);
  Value *All = B.CreateSub(High, Low, "all", /*HasNUW=*/true);
  B.CreateBr(Split);

  B.SetInsertPoint(Split);
  PHINode *From = B.CreatePHI(B.getInt64Ty(), 2, "from");
  PHINode *Length = B.CreatePHI(B.getInt64Ty(), 2, "length");
  // Shift the grain until its highest bit is that of length - 1. Halve it if it is then at least
  // length.
  Value *Most = B.CreateSub(Length, B.getInt64(1));
  auto Zeros = [&](Value *V) { return B.CreateBinaryIntrinsic(Intrinsic::ctlz, V, B.getTrue()); };
  Value *Size = B.CreateShl(Grain, B.CreateSub(Zeros(Grain), Zeros(Most)));
  Size = B.CreateSelect(B.CreateICmpUGT(Size, Most), B.CreateLShr(Size, 1), Size);
  Value *Mid = B.CreateAdd(From, Size, "mid", /*HasNUW=*/true);
  SmallVector<Value *, 12> Args{Tree.Part, Marker.file(), Marker.line(), Marker.column(),
                                B.getInt32(0)};
  append_range(Args, Own);
  Args.append({From, Mid, Grain});
  CallInst *Spawned = B.CreateCall(SpawnMarker::declare(M), Args);
  if (Leaf.doesNotThrow())
    Spawned->setDoesNotThrow();
  Value *Left = B.CreateSub(High, Mid, "left", /*HasNUW=*/true);
  B.CreateCondBr(B.CreateICmpUGT(Left, Grain), Split, Last);
  From->addIncoming(Low, Entry);
  From->addIncoming(Mid, Split);
  Length->addIncoming(All, Entry);
  Length->addIncoming(Left, Split);

  B.SetInsertPoint(Last);
  callLeaf(Mid);
  B.CreateCall(SyncMarker::declare(M), {B.getInt32(0)});
  B.CreateRetVoid();
}

void TreeBuilder::buildStart(Runtime &RT) {
  Tree.Start = create(".start");
  Tree.Start->addFnAttr(Attribute::Cold);
  enter(*Tree.Start);
  SmallVector<Value *, 8> Args(Own.begin(), Own.end());
  Args.append(
      {Low, High, B.CreateCall(RT.entry("nopal_loop_grain"), {B.CreateSub(High, Low), Grain})});
  CallInst *Call = B.CreateCall(Tree.Part, Args);
  if (Leaf.doesNotThrow())
    Call->setDoesNotThrow();
  B.CreateRetVoid();
}

/// Emits, at \p B, the least number of iterations of a leaf of \p Marker's loop.
Value *leastFor(LoopMarker &Marker, const LoopTree &Tree, IRBuilder<> &B) {
  if (!Tree.LeastAtRunTime)
    return B.getInt64(Tree.Least);
  remarkLeastAtRunTime(Marker);
  SmallVector<Value *, 8> Args(Marker.helperOperands());
  Args.append({B.getInt64(0), Marker.count()});
  CallInst *Call = B.CreateCall(Tree.LeastAtRunTime, Args);
  auto *Freeze = cast<FreezeInst>(B.CreateFreeze(Call)); // the value that inlining yields
  InlineFunctionInfo IFI;
  InlineFunction(*Call, IFI);
  Value *Least = Freeze->getOperand(0);
  Freeze->replaceAllUsesWith(Least);
  Freeze->eraseFromParent();
  return Least;
}

/// The marker becomes a call. If the program gave a grain, the outliner has already compared
/// it with the count.
void lowerLoop(LoopMarker &Marker, Function &Leaf, LoopTree &Tree, Runtime &RT) {
  Function &F = *Marker.getFunction();
  IRBuilder<> B(&Marker);
  Value *Count = Marker.count(), *Grain = Marker.grain();
  auto *Given = dyn_cast<ConstantInt>(Grain);
  Function *Callee = Tree.Divide;
  if (hasSmallVersion(Marker)) {
    if (!Tree.Start)
      TreeBuilder(Leaf, Tree).buildStart(RT);
    Callee = Tree.Start;
    Grain = B.getInt64(Tree.Least);
  } else if (!Given || Given->isZero()) {
    Callee = Tree.Part;
    Value *Default = B.CreateCall(RT.entry("nopal_loop_grain"), {Count, leastFor(Marker, Tree, B)});
    Grain = Given ? Default : B.CreateSelect(B.CreateICmpEQ(Grain, B.getInt64(0)), Default, Grain);
  }
  SmallVector<Value *, 8> Args(Marker.helperOperands());
  if (Tree.Record) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Record = AtEntry.CreateAlloca(Tree.Record, nullptr, "loop.record");
    for (auto [I, V] : enumerate(Args))
      B.CreateStore(V, B.CreateStructGEP(Tree.Record, Record, I));
    Args.assign({Record});
  }
  Args.append({B.getInt64(0), Count, Grain});
  CallBase *Call;
  if (auto *II = dyn_cast<InvokeInst>(static_cast<CallBase *>(&Marker))) {
    Call = B.CreateInvoke(Callee, II->getNormalDest(), II->getUnwindDest(), Args);
  } else {
    Call = B.CreateCall(Callee, Args);
    cast<CallInst>(Call)->setTailCallKind(CallInst::TCK_NoTail);
  }
  if (Marker.doesNotThrow())
    Call->setDoesNotThrow();
  Marker.eraseFromParent();
  if (Callee == Tree.Part) {
    InlineFunctionInfo IFI;
    InlineFunction(*Call, IFI);
  }
}

} // namespace

PreservedAnalyses LowerLoopsPass::run(Module &M, ModuleAnalysisManager &AM) {
  Function *Loop = declarationOf(M, Marker::Loop);
  if (!Loop)
    return PreservedAnalyses::all();
  Runtime RT(M);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  DenseMap<Function *, LoopTree> Trees;
  for (LoopMarker *Marker : loopMarkers(M)) {
    Function *Leaf = leafOf(*Marker);
    if (!Leaf) {
      refuse(*Marker->getFunction(), Refusal::MergedLoop, Marker->getDebugLoc());
      continue;
    }
    LoopTree &Tree = Trees[Leaf];
    if (!Tree.Divide)
      TreeBuilder(*Leaf, Tree).build(*Marker, FAM.getResult<TargetIRAnalysis>(*Leaf));
    lowerLoop(*Marker, *Leaf, Tree, RT);
  }
  for (auto &[Leaf, Tree] : Trees) // any order: only erases
    if (Tree.LeastAtRunTime)
      Tree.LeastAtRunTime->eraseFromParent();
  if (Loop->use_empty())
    Loop->eraseFromParent();
  return PreservedAnalyses::none();
}
