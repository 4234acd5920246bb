//===- WorkerInRegister.cpp - Clones pass the worker on -------------------===//
//
// See WorkerInRegister.h. `read` stands for the few instructions that find the thread's worker.
//
//   define i64 @fib(i64 %n) {            define i64 @fib(i64 %n) {
//     ...                                  %w = read
//     %w1 = read                           %p = call {i64, ptr} @fib.with_worker(i64 %n, ptr %w)
//     push to %w1                          ret i64 (first of %p)
//     %x = call i64 @fib(i64 %a)   =>    }
//     %w2 = read                         define internal {i64, ptr} @fib.with_worker(i64 %n, ptr
//     pop from %w2                           %w1) {
//     ...                                  ...
//     %y = call i64 @fib(i64 %b)           push to %w1
//     ...                                  %p1 = call {i64, ptr} @fib.with_worker(i64 %a, ptr %w1)
//     ret i64 %r                           %w2 = second of %p1
//   }                                      pop from %w2
//                                          ...
//                                          %p2 = call {i64, ptr} @fib.with_worker(i64 %b, ptr %w2)
//                                          ret {i64 %r, second of %p2}
//                                        }
//
// The thread changes its worker only in calls, and a call may return on another thread. So what was
// read, passed or returned is right until the next call, but for these that return the worker. A
// call of the runtime's cold functions is followed by a read, out of the way; after any other call,
// or where an exception arrives, the next that needs the worker reads it.
//
//===----------------------------------------------------------------------===//
#include "WorkerInRegister.h"

#include "../analysis/Functions.h"
#include "../contract/Option.h"
#include "Marks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

/// -mllvm -nopal-worker-in-register: on x86-64, too, where a read takes two instructions.
static const cl::opt<bool> &OnAllTargets =
    option("nopal-worker-in-register", false, "Pass the worker from clone to clone on x86-64, too");

namespace {

/// With as many arguments, and the worker, no argument is on the stack.
constexpr unsigned MostArguments = 5;

/// The instructions of the fast path that find the worker, in order. The last one loads it.
using Read = SmallVector<Instruction *, 6>;

/// The read that begins with \p Asm; empty if that finds no worker.
Read readAt(CallInst &Asm) {
  auto *Text = dyn_cast<InlineAsm>(Asm.getCalledOperand());
  if (!Text || !StringRef(Text->getAsmString()).contains("nopal_tls_worker"))
    return {};
  SmallSetVector<Instruction *, 6> Chain;
  Chain.insert(&Asm);
  for (unsigned I = 0; I < Chain.size(); ++I)
    for (User *U : Chain[I]->users())
      if (!isa<LoadInst>(Chain[I]))
        Chain.insert(cast<Instruction>(U));
  Read Found(Chain.begin(), Chain.end());
  for (Instruction *I : Found)
    if (I->getParent() != Asm.getParent() || isa<PHINode>(I))
      return {};
  sort(Found, [](Instruction *A, Instruction *B) { return A->comesBefore(B); });
  if (count_if(Found, [](Instruction *I) { return isa<LoadInst>(I); }) != 1 ||
      !isa<LoadInst>(Found.back()))
    return {};
  return Found;
}

SmallVector<Read, 4> readsOf(Function &F) {
  SmallVector<Read, 4> Reads;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Read Found = readAt(*Call); !Found.empty())
        Reads.push_back(std::move(Found));
  return Reads;
}

Value *copyRead(const Read &From, IRBuilder<> &B) {
  DenseMap<Value *, Value *> Copies;
  Instruction *Copy = nullptr;
  for (Instruction *I : From) {
    Copy = I->clone();
    for (Use &U : Copy->operands())
      if (Value *New = Copies.lookup(U.get()))
        U.set(New);
    B.Insert(Copy);
    Copy->setDebugLoc(noLine(*Copy->getFunction()));
    Copies[I] = Copy;
  }
  return Copy;
}

bool mayHaveWorker(Function &F) {
  Type *Result = F.getReturnType();
  if (F.isInterposable() || F.hasAvailableExternallyLinkage() || F.isVarArg() ||
      F.hasFnAttribute(Attribute::Naked) || F.arg_size() > MostArguments || F.hasPrefixData() ||
      F.hasPrologueData() ||
      !(Result->isVoidTy() || Result->isPointerTy() || Result->isFloatTy() ||
        Result->isDoubleTy() || (Result->isIntegerTy() && Result->getIntegerBitWidth() <= 64)))
    return false;
  for (Argument &A : F.args())
    if (A.hasByValAttr() || A.hasInAllocaAttr() || A.hasPreallocatedAttr() || A.hasNestAttr() ||
        A.hasStructRetAttr() || A.hasSwiftErrorAttr() || A.hasAttribute(Attribute::SwiftSelf) ||
        A.hasAttribute(Attribute::SwiftAsync))
      return false;
  return none_of(
      F, [](BasicBlock &BB) { return BB.getTerminatingMustTailCall() || BB.hasAddressTaken(); });
}

/// The function that \p I calls, if \p I may pass and return the worker.
Function *calleeOf(Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !isa<CallInst, InvokeInst>(Call) || Call->hasOperandBundles() ||
      Call->isMustTailCall())
    return nullptr;
  Function *Callee = Call->getCalledFunction();
  return Callee && Callee->getFunctionType() == Call->getFunctionType() ? Callee : nullptr;
}

/// A COMDAT group is the linker's to drop, so only its own functions may call its internal ones.
bool mayCallBody(const Function &Caller, const Function &Callee) {
  return !Callee.hasComdat() || Caller.getComdat() == Callee.getComdat();
}

/// \p Old, of a function or a call with so many arguments, without what it says of the result.
AttributeList withoutResult(const AttributeList &Old, unsigned Arguments, LLVMContext &C) {
  SmallVector<AttributeSet, 6> Parameters;
  for (unsigned I = 0; I < Arguments; ++I)
    Parameters.push_back(Old.getParamAttrs(I).removeAttribute(C, Attribute::Returned));
  return AttributeList::get(C, Old.getFnAttrs(), AttributeSet(), Parameters);
}

/// Moves the body of \p F to a function with the worker, and calls that one in \p F.
Function *moveBody(Function &F, const Read &AnyRead) {
  LLVMContext &C = F.getContext();
  Type *Pointer = PointerType::get(C, 0);
  Type *Result = F.getReturnType();
  Type *NewResult = Result->isVoidTy() ? Pointer : StructType::get(C, {Result, Pointer});
  SmallVector<Type *, 6> Parameters(F.getFunctionType()->params());
  Parameters.push_back(Pointer);
  Function *Body = Function::Create(FunctionType::get(NewResult, Parameters, false),
                                    GlobalValue::InternalLinkage, F.getAddressSpace(),
                                    F.getName() + ".with_worker");
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Body);
  Body->copyAttributesFrom(&F);
  Body->setLinkage(GlobalValue::InternalLinkage);
  Body->setVisibility(GlobalValue::DefaultVisibility);
  Body->setDSOLocal(true);
  Body->setComdat(F.getComdat());
  Body->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  AttributeList Attributes = withoutResult(F.getAttributes(), F.arg_size(), C);
  Body->setAttributes(Attributes);
  Body->splice(Body->begin(), &F);
  for (unsigned I = 0; I < F.arg_size(); ++I) {
    F.getArg(I)->replaceAllUsesWith(Body->getArg(I));
    Body->getArg(I)->takeName(F.getArg(I));
  }
  Body->copyMetadata(&F, 0);
  F.setSubprogram(nullptr);
  F.removeFnAttr(mark::Clone);

  IRBuilder<> B(BasicBlock::Create(C, "", &F));
  SmallVector<Value *, 6> Arguments;
  for (Argument &A : F.args())
    Arguments.push_back(&A);
  Arguments.push_back(copyRead(AnyRead, B));
  CallInst *Call = B.CreateCall(Body, Arguments);
  Call->setCallingConv(F.getCallingConv());
  for (unsigned I = 0; I < F.arg_size(); ++I) // how it is passed
    for (Attribute A : Attributes.getParamAttrs(I))
      Call->addParamAttr(I, A);
  if (Result->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(B.CreateExtractValue(Call, 0));
  return Body;
}

/// Calls \p Body in place of the function of \p Old. Returns the new call; its worker is null.
CallBase *callBody(CallBase &Old, Function &Body) {
  LLVMContext &C = Old.getContext();
  IRBuilder<> B(&Old);
  SmallVector<Value *, 6> Arguments(Old.args());
  Arguments.push_back(ConstantPointerNull::get(PointerType::get(C, 0)));
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Old)) {
    New = B.CreateInvoke(&Body, Invoke->getNormalDest(), Invoke->getUnwindDest(), Arguments);
  } else {
    CallInst *Call = B.CreateCall(&Body, Arguments);
    Call->setTailCallKind(cast<CallInst>(Old).getTailCallKind());
    New = Call;
  }
  New->setAttributes(withoutResult(Old.getAttributes(), Old.arg_size(), C));
  New->setCallingConv(Old.getCallingConv());
  New->copyMetadata(Old);
  New->setDebugLoc(Old.getDebugLoc());
  return New;
}

/// A place where \p Call has returned, and control comes from nowhere else.
Instruction *afterCall(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *Next = Invoke->getNormalDest();
  if (Next->getSinglePredecessor())
    FoldSingleEntryPHINodes(Next);
  else
    Next = SplitEdge(Invoke->getParent(), Next);
  return &*Next->getFirstInsertionPt();
}

bool mayReturn(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  Instruction *Next =
      Invoke ? &*Invoke->getNormalDest()->getFirstNonPHIOrDbg() : Call.getNextNode();
  return !isa<UnreachableInst>(Next);
}

/// Calls bodies in \p F, which is no fast clone: then debuggers show no entry between the two.
void callBodies(Function &F, const MapVector<Function *, Function *> &Bodies) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Function *Callee = calleeOf(I);
    if (!Callee || !Bodies.contains(Callee) || !mayCallBody(F, *Callee) ||
        isa_and_nonnull<ReturnInst>(I.getNextNode())) // may be a jump
      continue;
    auto &Old = cast<CallBase>(I);
    IRBuilder<> Before(&Old), After(afterCall(Old));
    Value *Worker = copyRead(readsOf(*Callee).front(), Before);
    CallBase *New = callBody(Old, *Bodies.lookup(Callee));
    New->setArgOperand(New->arg_size() - 1, Worker);
    New->takeName(&Old);
    if (!Old.getType()->isVoidTy())
      Old.replaceAllUsesWith(After.CreateExtractValue(New, 0));
    Old.eraseFromParent();
  }
}

/// One function in which the worker is passed on.
class PassOn {
public:
  PassOn(Function &F, bool HasWorker) : F(F), HasWorker(HasWorker), Reads(readsOf(F)) {}
  void run(const MapVector<Function *, Function *> &Bodies);

private:
  /// What an instruction does to the knowledge of the worker.
  enum class Effect { None, Sets, Forgets };
  Effect effectOf(Instruction &I) const;
  void findKnown();
  bool isUse(Instruction &I) const { return Calls.contains(&I) || Returns.contains(&I); }

  Function &F;
  const bool HasWorker;
  SmallVector<Read, 4> Reads;
  /// The loads of Reads, the calls that pass the worker, the returns that return it, and the reads
  /// after cold calls.
  SmallSetVector<Instruction *, 8> Loads, Calls, Returns;
  DenseMap<BasicBlock *, bool> Known; // at the beginning
};

} // namespace

PassOn::Effect PassOn::effectOf(Instruction &I) const {
  if (Loads.contains(&I) || Calls.contains(&I))
    return Effect::Sets;
  if (I.isEHPad())
    return Effect::Forgets;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm())
    return Effect::None;
  return Effect::Forgets;
}

/// At the beginning of a block the worker is known if it is at the end of all blocks before.
void PassOn::findKnown() {
  ReversePostOrderTraversal<Function *> Order(&F);
  DenseMap<BasicBlock *, Effect> Effects;
  for (BasicBlock *BB : Order) {
    Known[BB] = BB != &F.getEntryBlock() || HasWorker;
    Effect &Last = Effects[BB] = Effect::None;
    for (Instruction &I : *BB)
      if (Effect E = effectOf(I); E != Effect::None)
        Last = E;
  }
  auto IsKnownAtEnd = [&](BasicBlock *BB) {
    const Effect Last = Effects.lookup(BB);
    return Last == Effect::Sets || (Last == Effect::None && Known.lookup(BB));
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Order) {
      if (BB == &F.getEntryBlock() || !Known[BB])
        continue;
      if (all_of(predecessors(BB), [&](BasicBlock *Before) {
            return !Known.contains(Before) || IsKnownAtEnd(Before);
          }))
        continue;
      Known[BB] = false;
      Changed = true;
    }
  }
}

void PassOn::run(const MapVector<Function *, Function *> &Bodies) {
  Type *Pointer = PointerType::get(F.getContext(), 0);
  const Read AnyRead = Reads.front();
  for (Read &R : Reads)
    Loads.insert(R.back());

  // Calls that pass the worker on, and reads after those that may change it, where they are cold.
  SmallVector<CallBase *, 8> Old, Cold;
  for (Instruction &I : instructions(F)) {
    Function *Callee = calleeOf(I);
    if (Callee && Bodies.contains(Callee) && mayCallBody(F, *Callee))
      Old.push_back(cast<CallBase>(&I));
    else if (auto *Call = dyn_cast<CallBase>(&I);
             Call && !isa<IntrinsicInst>(Call) && !Call->isInlineAsm() &&
             Call->hasFnAttr(Attribute::Cold) && mayReturn(*Call))
      Cold.push_back(Call);
  }
  auto *Slot = new AllocaInst(Pointer, F.getDataLayout().getAllocaAddrSpace(), "worker",
                              F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (HasWorker) {
    IRBuilder<> B(Slot->getNextNode());
    B.CreateStore(F.getArg(F.arg_size() - 1), Slot);
  }
  for (CallBase *Call : Cold) {
    IRBuilder<> B(afterCall(*Call));
    auto *Load = cast<Instruction>(copyRead(AnyRead, B));
    Loads.insert(Load);
    B.CreateStore(Load, Slot);
  }
  for (CallBase *Call : Old) {
    IRBuilder<> B(afterCall(*Call));
    CallBase *New = callBody(*Call, *Bodies.lookup(Call->getCalledFunction()));
    Calls.insert(New);
    Value *Worker = New;
    if (!Call->getType()->isVoidTy()) {
      Call->replaceAllUsesWith(B.CreateExtractValue(New, 0));
      Worker = B.CreateExtractValue(New, 1);
    }
    B.CreateStore(Worker, Slot);
    New->takeName(Call);
    Call->eraseFromParent();
  }
  if (HasWorker)
    for (BasicBlock &BB : F)
      if (isa<ReturnInst>(BB.getTerminator()))
        Returns.insert(BB.getTerminator());

  findKnown();
  SmallPtrSet<Instruction *, 8> Needless;
  SmallVector<Instruction *, 8> Needing; // without a known worker
  for (BasicBlock &BB : F) {
    if (!Known.contains(&BB)) // unreachable
      continue;
    bool IsKnown = Known[&BB];
    for (Instruction &I : BB) {
      if (Loads.contains(&I) && IsKnown)
        Needless.insert(&I);
      if (isUse(I) && !IsKnown)
        Needing.push_back(&I);
      if (Effect E = effectOf(I); E != Effect::None)
        IsKnown = E == Effect::Sets;
    }
  }
  for (Instruction *I : Needing) {
    IRBuilder<> B(I);
    B.CreateStore(copyRead(AnyRead, B), Slot);
  }
  for (Read &R : Reads) {
    Instruction *Load = R.back();
    IRBuilder<> B(Load->getNextNode());
    if (!Needless.contains(Load)) {
      B.CreateStore(Load, Slot);
      continue;
    }
    Load->replaceAllUsesWith(B.CreateLoad(Pointer, Slot));
  }
  for (Instruction *I : Calls) {
    IRBuilder<> B(I);
    auto *Call = cast<CallBase>(I);
    Call->setArgOperand(Call->arg_size() - 1, B.CreateLoad(Pointer, Slot));
  }
  for (Instruction *I : Returns) {
    IRBuilder<> B(I);
    Value *Result = B.CreateLoad(Pointer, Slot);
    if (Value *V = cast<ReturnInst>(I)->getReturnValue())
      Result = B.CreateInsertValue(B.CreateInsertValue(PoisonValue::get(F.getReturnType()), V, 0),
                                   Result, 1);
    B.CreateRet(Result);
    I->eraseFromParent();
  }
  for (Read &R : Reads)
    if (Needless.contains(R.back()))
      for (Instruction *I : reverse(R))
        I->eraseFromParent();
  DominatorTree DT(F);
  PromoteMemToReg({Slot}, DT);
}

PreservedAnalyses WorkerInRegisterPass::run(Module &M, ModuleAnalysisManager &) {
  if (!Triple(M.getTargetTriple()).isAArch64() && !OnAllTargets)
    return PreservedAnalyses::all();
  SmallSetVector<Function *, 16> Callers;
  for (Function &F : M)
    if (mark::isFastClone(F) && !isInstrumented(F) && !F.hasFnAttribute(Attribute::OptimizeNone) &&
        !readsOf(F).empty())
      Callers.insert(&F);
  MapVector<Function *, Function *> Bodies;
  for (Function *Caller : Callers)
    for (Instruction &I : instructions(*Caller))
      if (Function *Callee = calleeOf(I); Callee && Callers.contains(Callee) &&
                                          mayCallBody(*Caller, *Callee) && mayHaveWorker(*Callee))
        Bodies.insert({Callee, nullptr});
  if (Bodies.empty())
    return PreservedAnalyses::all();
  for (auto &[F, Body] : Bodies)
    Body = moveBody(*F, readsOf(*F).front());
  for (GlobalVariable &Site : M.globals())
    if (const MDNode *Mark = Site.getMetadata(mark::FastClone))
      if (Function *Body =
              Bodies.lookup(mdconst::dyn_extract_or_null<Function>(Mark->getOperand(0))))
        Site.setMetadata(mark::FastClone, MDNode::get(M.getContext(), ValueAsMetadata::get(Body)));
  for (Function &F : M)
    if (!mark::isFastClone(F) && !Bodies.contains(&F) && !isInstrumented(F) &&
        !F.hasFnAttribute(Attribute::OptimizeNone))
      callBodies(F, Bodies);
  for (Function *Caller : Callers) {
    Function *Body = Bodies.lookup(Caller);
    PassOn(Body ? *Body : *Caller, Body).run(Bodies);
  }
  return PreservedAnalyses::none();
}
