//===- LoopTree.cpp - Dividing the range of a cilk_for --------------------===//
//
// See LoopTree.h. What is made for a leaf with operands, once for each leaf:
//
//   f.loop(operands, lo, hi, grain):
//   head:   lo = phi [lo, entry], [mid, split]
//           br hi - lo > grain, split, last
//   split:  mid = lo + the largest grain * 2^i that is less than hi - lo
//           __nopal_spawn(@f.loop, operands, lo, mid, grain)
//           br head
//   last:   f.leaf(operands, lo, hi)
//           __nopal_sync(0)
//           ret
//
// So the continuation of each spawn is the upper part, and one worker runs the
// leaves in the serial order. All leaves but the last have just `grain`
// iterations: with halves they had anything from grain / 2, which is up to twice
// as many leaves. A range that is not larger than the grain pushes
// nothing. More than MaxDirect operands travel in a record (a local of the
// caller, which waits) whose address is the only operand; `last` reads it.
//
//===----------------------------------------------------------------------===//
#include "LoopTree.h"

#include "../markers/Markers.h"
#include "../outline/Outline.h"
#include "Points.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace nopal;

namespace {

/// With lo, hi and grain they fill the registers of a call.
constexpr unsigned MaxDirect = 3;
/// Operands of the marker in front of those of the leaf.
constexpr unsigned FirstLoopOperand = 6;

struct LoopTree {
  Function *Divide = nullptr;
  StructType *Record = nullptr; ///< null if the operands are passed directly
};

/// The type of the record for the operands of \p Leaf; null if they are few.
StructType *recordFor(const Function &Leaf) {
  ArrayRef<Type *> Operands = Leaf.getFunctionType()->params().drop_back(2);
  return Operands.size() <= MaxDirect
             ? nullptr
             : StructType::get(Leaf.getContext(), Operands);
}

/// The leaf's lines are its function's; so is the line of what divides.
DebugLoc describe(Function &Divide, const Function &Leaf) {
  DISubprogram *SP = Leaf.getSubprogram();
  if (!SP)
    return DebugLoc();
  DIBuilder DIB(*Divide.getParent(), /*AllowUnresolved=*/false, SP->getUnit());
  DISubprogram *New = DIB.createFunction(
      SP->getUnit(), Divide.getName(), Divide.getName(), SP->getFile(),
      SP->getLine(), SP->getType(), 0, DINode::FlagArtificial, SP->getSPFlags());
  Divide.setSubprogram(New);
  DIB.finalizeSubprogram(New);
  return DILocation::get(Divide.getContext(), SP->getLine(), 0, New);
}

/// \p Marker says where the loop stands.
LoopTree createTree(Function &Leaf, CallBase &Marker) {
  Module &M = *Leaf.getParent();
  LLVMContext &C = M.getContext();
  LoopTree Tree;
  Tree.Record = recordFor(Leaf);
  IRBuilder<> B(C);
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
                             Name.substr(0, Name.rfind(".leaf")) + ".loop", &M);
  Tree.Divide = F;
  AttrBuilder Attrs(C, Leaf.getAttributes().getFnAttrs());
  for (Attribute::AttrKind K :
       {Attribute::AlwaysInline, Attribute::InlineHint, Attribute::NoReturn,
        Attribute::Memory, Attribute::WillReturn, Attribute::MustProgress,
        Attribute::NoRecurse, Attribute::NoSync, Attribute::NoFree,
        Attribute::Speculatable})
    Attrs.removeAttribute(K);
  Attrs.addAttribute(Attribute::NoInline);
  Attrs.addAttribute(SpawnerAttr);
  Attrs.addAttribute(MigratesAttr);
  F->addFnAttrs(Attrs);
  F->setComdat(Leaf.getComdat());
  F->setSection(Leaf.getSection());
  const DebugLoc Loc = describe(*F, Leaf);

  SmallVector<Value *, 8> Own;
  for (unsigned I = 0; I < Operands; ++I) {
    F->getArg(I)->setName(Tree.Record ? "record" : Leaf.getArg(I)->getName());
    Own.push_back(F->getArg(I));
  }
  Argument *Low = F->getArg(Operands), *High = F->getArg(Operands + 1),
           *Grain = F->getArg(Operands + 2);
  Low->setName("lo");
  High->setName("hi");
  Grain->setName("grain");

  auto *Entry = BasicBlock::Create(C, "entry", F);
  auto *Head = BasicBlock::Create(C, "head", F);
  auto *Split = BasicBlock::Create(C, "split", F);
  auto *Last = BasicBlock::Create(C, "last", F);
  B.SetCurrentDebugLocation(Loc);
  B.SetInsertPoint(Entry);
  B.CreateBr(Head);

  B.SetInsertPoint(Head);
  PHINode *From = B.CreatePHI(B.getInt64Ty(), 2, "from");
  Value *Length = B.CreateSub(High, From, "length", /*HasNUW=*/true);
  B.CreateCondBr(B.CreateICmpUGT(Length, Grain), Split, Last);

  B.SetInsertPoint(Split);
  // grain shifted so that its highest bit is that of length - 1; half of it if
  // that is not less than length.
  Value *Most = B.CreateSub(Length, B.getInt64(1));
  auto Zeros = [&](Value *V) {
    return B.CreateBinaryIntrinsic(Intrinsic::ctlz, V, B.getTrue());
  };
  Value *Part = B.CreateShl(Grain, B.CreateSub(Zeros(Grain), Zeros(Most)));
  Part = B.CreateSelect(B.CreateICmpUGT(Part, Most), B.CreateLShr(Part, 1), Part);
  Value *Mid = B.CreateAdd(From, Part, "mid", /*HasNUW=*/true);
  FunctionCallee Spawn = M.getOrInsertFunction(
      marker::Spawn,
      FunctionType::get(B.getVoidTy(),
                        {B.getPtrTy(), B.getPtrTy(), B.getInt32Ty(),
                         B.getInt32Ty(), B.getInt32Ty()},
                        true));
  SmallVector<Value *, 12> Args{F, Marker.getArgOperand(1),
                                Marker.getArgOperand(2),
                                Marker.getArgOperand(3), B.getInt32(0)};
  append_range(Args, Own);
  Args.append({From, Mid, Grain});
  CallInst *Spawned = B.CreateCall(Spawn, Args);
  if (Leaf.doesNotThrow())
    Spawned->setDoesNotThrow();
  B.CreateBr(Head);
  From->addIncoming(Low, Entry);
  From->addIncoming(Mid, Split);

  B.SetInsertPoint(Last);
  SmallVector<Value *, 12> LeafArgs;
  if (Tree.Record)
    for (unsigned I = 0; I < Tree.Record->getNumElements(); ++I)
      LeafArgs.push_back(B.CreateLoad(
          Tree.Record->getElementType(I),
          B.CreateStructGEP(Tree.Record, Own[0], I), Leaf.getArg(I)->getName()));
  else
    append_range(LeafArgs, Own);
  LeafArgs.append({From, High});
  CallInst *Call = B.CreateCall(&Leaf, LeafArgs);
  Call->setCallingConv(Leaf.getCallingConv());
  Call->setIsNoInline(); // one body for both clones
  if (Leaf.doesNotThrow())
    Call->setDoesNotThrow();
  B.CreateCall(M.getOrInsertFunction(marker::Sync, B.getVoidTy(), B.getInt32Ty()),
               {B.getInt32(0)});
  B.CreateRetVoid();
  return Tree;
}

/// The marker becomes a call of the tree's function.
void lowerLoop(CallBase &Marker, const LoopTree &Tree, Runtime &RT) {
  Function &F = *Marker.getFunction();
  IRBuilder<> B(&Marker);
  Value *Count = Marker.getArgOperand(4), *Grain = Marker.getArgOperand(5);
  auto *Given = dyn_cast<ConstantInt>(Grain);
  if (!Given || Given->isZero()) {
    Value *Default = B.CreateCall(RT.entry("nopal_loop_grain"), {Count});
    Grain = Given ? Default
                  : B.CreateSelect(B.CreateICmpEQ(Grain, B.getInt64(0)), Default,
                                   Grain);
  }
  SmallVector<Value *, 8> Args(Marker.arg_begin() + FirstLoopOperand,
                               Marker.arg_end());
  if (Tree.Record) {
    IRBuilder<> AtEntry(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Record = AtEntry.CreateAlloca(Tree.Record, nullptr, "loop.record");
    for (auto [I, V] : enumerate(Args))
      B.CreateStore(V, B.CreateStructGEP(Tree.Record, Record, I));
    Args.assign({Record});
  }
  Args.append({B.getInt64(0), Count, Grain});
  CallBase *Call;
  if (auto *II = dyn_cast<InvokeInst>(&Marker)) {
    Call = B.CreateInvoke(Tree.Divide, II->getNormalDest(), II->getUnwindDest(),
                          Args);
  } else {
    Call = B.CreateCall(Tree.Divide, Args);
    cast<CallInst>(Call)->setTailCallKind(CallInst::TCK_NoTail);
  }
  if (Marker.doesNotThrow())
    Call->setDoesNotThrow();
  Marker.eraseFromParent();
}

} // namespace

void nopal::lowerLoops(Module &M, Runtime &RT) {
  Function *Loop = M.getFunction(marker::Loop);
  if (!Loop)
    return;
  DenseMap<Function *, LoopTree> Trees;
  SmallVector<CallBase *, 8> Markers;
  for (Function &F : M)
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        if (isMarker(I, marker::Loop))
          Markers.push_back(cast<CallBase>(&I));
  for (CallBase *Marker : Markers) {
    auto *Leaf = dyn_cast<Function>(Marker->getArgOperand(0));
    if (!Leaf || Leaf->arg_size() + FirstLoopOperand != Marker->arg_size() + 2) {
      M.getContext().diagnose(DiagnosticInfoUnsupported(
          *Marker->getFunction(),
          "cilk_for whose body another pass has merged with a second one is not "
          "supported; compile without that pass",
          Marker->getDebugLoc()));
      continue;
    }
    LoopTree &Tree = Trees[Leaf];
    if (!Tree.Divide)
      Tree = createTree(*Leaf, *Marker);
    lowerLoop(*Marker, Tree, RT);
  }
  if (Loop->use_empty())
    Loop->eraseFromParent();
}
