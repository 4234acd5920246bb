//===- Loops.cpp - The code that replaces a cilk_for ----------------------===//
//
// See Loops.h.
//
//   before                            after
//   ------                            -----
//   begin(id, .., n, g) . . pad P     %a = load ...
//   %lo = low(id)                     br n <= max(g, 1), small, divide
//   %hi = high(id)                  small:
//   for (k = lo; k < hi; ++k)         f.leaf(%a, 0, n)  . . . . . . . . . pad P
//     ... load %a ...               divide:
//   end(id)                           __nopal_loop(@f.leaf, .., n, g, %a) pad P
//                                   end: ...
//
// With the small case a loop of few iterations costs only a comparison, and the optimizer may
// inline its leaf.
//
//===----------------------------------------------------------------------===//
#include "Loops.h"

#include "../contract/Markers.h"
#include "../contract/Serial.h"
#include "Outliner.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

void outline::replaceLoopBounds(Function &In, const Region &R, Value *Low, Value *High) {
  const uint64_t Id = numberOf(R.Begin->id());
  for (Instruction &I : make_early_inc_range(instructions(In))) {
    auto *AsLow = dyn_cast<LoopLowMarker>(&I);
    auto *AsHigh = dyn_cast<LoopHighMarker>(&I);
    if (AsLow ? numberOf(AsLow->id()) != Id : !AsHigh || numberOf(AsHigh->id()) != Id)
      continue;
    I.replaceAllUsesWith(AsLow ? Low : High);
    eraseMarker(cast<CallBase>(I));
  }
}

void outline::runLoopInPlace(LoopBeginMarker &Begin) {
  Region R;
  R.Begin = cast<AnyBeginMarker>(&Begin);
  Type *I64 = Type::getInt64Ty(Begin.getContext());
  replaceLoopBounds(*Begin.getFunction(), R, ConstantInt::get(I64, 0), Begin.count());
}

/// The argument that \p V is, or loads from a variable that never holds anything else; or null.
static const Argument *argumentOf(const Value *V) {
  if (const auto *A = dyn_cast<Argument>(V))
    return A;
  const auto *LI = dyn_cast<LoadInst>(V);
  const auto *AI = LI ? dyn_cast<AllocaInst>(LI->getPointerOperand()) : nullptr;
  const Argument *Result = nullptr;
  if (AI)
    for (const User *U : AI->users())
      if (const auto *SI = dyn_cast<StoreInst>(U)) {
        if (Result || !isa<Argument>(SI->getValueOperand()))
          return nullptr;
        Result = cast<Argument>(SI->getValueOperand());
      }
  return Result;
}

/// Tells the leaf what the function knows of an operand: the size of a local, and the caller's
/// promises about an argument.
void Outliner::describeLeafArguments() {
  const DataLayout &DL = M.getDataLayout();
  LLVMContext &C = M.getContext();
  Helper->getArg(Inputs.size())->setName("lo");
  Helper->getArg(Inputs.size() + 1)->setName("hi");
  for (auto [I, V] : enumerate(Inputs)) {
    if (!V->getType()->isPointerTy())
      continue;
    AttrBuilder Attrs(C);
    if (const auto *AI = dyn_cast<AllocaInst>(V)) {
      Attrs.addAttribute(Attribute::NonNull);
      Attrs.addAttribute(Attribute::NoUndef);
      Attrs.addAlignmentAttr(AI->getAlign());
      if (auto Bytes = AI->getAllocationSize(DL); Bytes && !Bytes->isScalable())
        Attrs.addDereferenceableAttr(Bytes->getFixedValue());
    } else if (const Argument *A = argumentOf(V)) {
      const AttributeSet Promised = A->getParent()->getAttributes().getParamAttrs(A->getArgNo());
      for (Attribute::AttrKind K : {Attribute::NonNull, Attribute::NoUndef, Attribute::Alignment,
                                    Attribute::Dereferenceable, Attribute::DereferenceableOrNull})
        if (Promised.hasAttribute(K))
          Attrs.addAttribute(Promised.getAttribute(K));
    }
    Helper->addParamAttrs(I, Attrs);
  }
}

/// Fills the block \p Marker, from which the loop is called.
void Outliner::callLoop(BasicBlock *Marker) {
  LLVMContext &C = M.getContext();
  auto *Invoke = dyn_cast<InvokeInst>(R.Begin);
  auto &Begin = *cast<LoopBeginMarker>(static_cast<CallBase *>(R.Begin));
  Value *Count = Begin.count(), *Grain = Begin.grain();
  IRBuilder<> B(Marker);
  B.SetCurrentDebugLocation(R.Begin->getDebugLoc());
  auto Call = [&](BasicBlock *At, FunctionCallee Callee, ArrayRef<Value *> Args) {
    B.SetInsertPoint(At);
    CallBase *Made;
    if (Invoke) {
      Made = B.CreateInvoke(Callee, R.EndBlock, Invoke->getUnwindDest(), Args);
      for (PHINode &Phi : Invoke->getUnwindDest()->phis())
        Phi.addIncoming(Phi.getIncomingValueForBlock(Invoke->getParent()), At);
    } else {
      Made = B.CreateCall(Callee, Args);
      B.CreateBr(R.EndBlock);
    }
    if (Helper->doesNotThrow())
      Made->setDoesNotThrow();
    return Made;
  };

  SmallVector<Value *, 16> Args{Helper, Begin.file(), Begin.line(), Begin.column(), Count, Grain};
  append_range(Args, Inputs);
  auto CallMarker = [&](BasicBlock *At) {
    // One marker for two loops would have an unknown leaf.
    Call(At, LoopMarker::declare(M), Args)->addFnAttr(Attribute::NoMerge);
  };
  if (isSerial(M)) // hooks must see each iteration
    return CallMarker(Marker);

  // If no grain is given, a loop of one iteration is rare, so the optimizer should spend no code on
  // it.
  auto *Small = BasicBlock::Create(C, "loop.small", &F, R.EndBlock);
  auto *Divide = BasicBlock::Create(C, "loop.divide", &F, R.EndBlock);
  Value *Limit = B.CreateBinaryIntrinsic(Intrinsic::umax, Grain, B.getInt64(1));
  auto *Given = dyn_cast<ConstantInt>(Grain);
  B.CreateCondBr(B.CreateICmpULE(Count, Limit), Small, Divide,
                 Given && Given->isZero() ? MDBuilder(C).createBranchWeights(1, 2000) : nullptr);

  SmallVector<Value *, 16> OfLeaf(Inputs.begin(), Inputs.end());
  OfLeaf.append({B.getInt64(0), Count});
  Call(Small, Helper, OfLeaf);
  CallMarker(Divide);
}
