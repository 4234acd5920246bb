//===- LoopOperands.cpp - Members that a loop only reads ------------------===//
//
// See LoopOperands.h.
//
//   before                               after
//   ------                               -----
//   %v = alloca { ptr, ptr, ptr }        %0 = load ptr, %v
//   __nopal_loop(@f.leaf, .., %v)        __nopal_loop(@f.leaf, .., %0)
//
//   f.leaf(%v, lo, hi):                  f.leaf(%v.0, lo, hi):
//     ... %b = load ptr, %v ...            ... %v.0 ...
//
//===----------------------------------------------------------------------===//
#include "LoopOperands.h"

#include "../analysis/DebugScopes.h"
#include "../analysis/Functions.h"
#include "../contract/Markers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::outline;

namespace {

/// More values than this would cost more than the one address that they replace.
constexpr unsigned MostMembers = 4;

/// What the leaf loads from an operand: offset and type, with the loads.
using Members = MapVector<std::pair<int64_t, Type *>, SmallVector<LoadInst *, 4>>;

/// A call of a leaf, or the marker of its loop.
struct Site {
  CallBase *Call;
  unsigned First; ///< where the leaf's operands begin
};

/// All calls of \p Leaf; false if it has uses that are no calls.
bool findSites(Function &Leaf, SmallVectorImpl<Site> &Sites) {
  for (Use &U : Leaf.uses()) {
    auto *CB = dyn_cast<CallBase>(U.getUser());
    if (CB && CB->isCallee(&U))
      Sites.push_back({CB, 0});
    else if (isa_and_nonnull<LoopMarker>(CB) && U.getOperandNo() == 0 &&
             Leaf.arg_size() + LoopMarker::FirstOfRest == CB->arg_size() + 2)
      Sites.push_back({CB, LoopMarker::FirstOfRest});
    else
      return false;
  }
  return true;
}

/// True if \p A is only loaded from, at constant offsets.
bool collectMembers(Argument &A, const DataLayout &DL, Members &Result) {
  SmallVector<std::pair<Value *, int64_t>, 8> Work{{&A, 0}};
  while (!Work.empty()) {
    auto [V, Offset] = Work.pop_back_val();
    for (User *U : V->users()) {
      if (auto *LI = dyn_cast<LoadInst>(U)) {
        if (!LI->isSimple() || LI->getType()->isScalableTy())
          return false;
        Result[{Offset, LI->getType()}].push_back(LI);
      } else if (auto *GEP = dyn_cast<GetElementPtrInst>(U)) {
        APInt More(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        if (GEP->getType()->isVectorTy() || !GEP->accumulateConstantOffset(DL, More))
          return false;
        Work.push_back({GEP, Offset + More.getSExtValue()});
      } else {
        return false;
      }
    }
  }
  return Result.size() <= MostMembers;
}

/// True if only its function knows \p AI, and the functions that it calls while they run. \p Leaf
/// only reads its operand \p Index.
bool isNobodysElse(const AllocaInst &AI, const Function &Leaf, unsigned Index) {
  SmallVector<const Value *, 8> Work{&AI};
  SmallPtrSet<const Value *, 8> Seen{&AI};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    for (const Use &U : V->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (isa<LoadInst>(I) || I->isLifetimeStartOrEnd())
        continue;
      if (const auto *SI = dyn_cast<StoreInst>(I)) {
        if (&U != &SI->getOperandUse(SI->getPointerOperandIndex()))
          return false;
      } else if (isa<GetElementPtrInst, PHINode, SelectInst>(I)) {
        if (Seen.insert(I).second)
          Work.push_back(I);
      } else if (const auto *CB = dyn_cast<CallBase>(I)) {
        if (!CB->isArgOperand(&U))
          return false;
        const unsigned Arg = CB->getArgOperandNo(&U);
        const auto *Loop = dyn_cast<LoopMarker>(CB);
        const auto *Called = Loop ? Loop->helper() : dyn_cast<Function>(CB->getCalledOperand());
        const unsigned First = Loop ? LoopMarker::FirstOfRest : 0;
        if (Called == &Leaf && Arg - First == Index)
          continue;
        // The loop may have a second operand with the same address.
        if (Called == &Leaf && !Called->getArg(Arg - First)->onlyReadsMemory())
          return false;
        if (CB->doesNotCapture(Arg))
          continue;
        // A loop keeps its operands no longer than its leaf does.
        if (!Called || Arg < First || Arg - First >= Called->arg_size() ||
            !Called->getArg(Arg - First)->hasNoCaptureAttr())
          return false;
      } else if (!isa<ICmpInst>(I)) {
        return false;
      }
    }
  }
  return true;
}

/// True if each of \p Sites passes a local that contains all of \p M, and no code can write them
/// while the loop runs.
bool isReadOnlyLocal(ArrayRef<Site> Sites, const Function &Leaf, unsigned Index, const Members &M,
                     const DataLayout &DL) {
  for (const Site &S : Sites) {
    const Value *V = S.Call->getArgOperand(S.First + Index);
    APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
    const auto *AI = dyn_cast<AllocaInst>(
        V->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true));
    if (!AI || !AI->isStaticAlloca())
      return false;
    const auto Size = AI->getAllocationSize(DL);
    if (!Size || Size->isScalable())
      return false;
    for (const auto &[Where, Loads] : M) {
      const int64_t At = Offset.getSExtValue() + Where.first;
      if (At < 0 || At + DL.getTypeStoreSize(Where.second).getFixedValue() > Size->getFixedValue())
        return false;
    }
    if (!isNobodysElse(*AI, Leaf, Index))
      return false;
  }
  return true;
}

/// A copy of \p Leaf that takes the values of \p Promoted instead of addresses.
Function *promote(Function &Leaf, ArrayRef<Site> Sites, MapVector<unsigned, Members> &Promoted) {
  SmallVector<Type *, 16> Params;
  SmallVector<AttributeSet, 16> ParamAttrs;
  const AttributeList Attrs = Leaf.getAttributes();
  for (Argument &A : Leaf.args()) {
    auto It = Promoted.find(A.getArgNo());
    if (It == Promoted.end()) {
      Params.push_back(A.getType());
      ParamAttrs.push_back(Attrs.getParamAttrs(A.getArgNo()));
      continue;
    }
    for (const auto &[Where, Loads] : It->second) {
      Params.push_back(Where.second);
      ParamAttrs.push_back(AttributeSet());
    }
  }
  auto *New = Function::Create(FunctionType::get(Leaf.getReturnType(), Params, false),
                               Leaf.getLinkage(), Leaf.getAddressSpace());
  Leaf.getParent()->getFunctionList().insert(Leaf.getIterator(), New);
  New->copyAttributesFrom(&Leaf);
  New->setAttributes(
      AttributeList::get(Leaf.getContext(), Attrs.getFnAttrs(), Attrs.getRetAttrs(), ParamAttrs));
  New->setComdat(Leaf.getComdat());
  New->setSubprogram(Leaf.getSubprogram());
  Leaf.setSubprogram(nullptr);
  New->setMetadata(ScopeOrigins, Leaf.getMetadata(ScopeOrigins));
  New->splice(New->begin(), &Leaf);
  New->takeName(&Leaf);

  auto *Next = New->arg_begin();
  for (Argument &A : Leaf.args()) {
    auto It = Promoted.find(A.getArgNo());
    if (It == Promoted.end()) {
      Next->takeName(&A);
      A.replaceAllUsesWith(&*Next++);
      continue;
    }
    for (const auto &[Where, Loads] : It->second) {
      Next->setName(A.getName() + "." + Twine(Where.first));
      for (LoadInst *LI : Loads) {
        LI->replaceAllUsesWith(&*Next);
        LI->eraseFromParent();
      }
      ++Next;
    }
    // Only unused addresses are left.
    A.replaceAllUsesWith(PoisonValue::get(A.getType()));
  }

  for (const Site &S : Sites) {
    IRBuilder<> B(S.Call);
    SmallVector<Value *, 16> Args;
    for (unsigned I = 0; I < S.First; ++I)
      Args.push_back(I == 0 ? New : S.Call->getArgOperand(I));
    for (Argument &A : Leaf.args()) {
      const unsigned Index = S.First + A.getArgNo();
      if (Index >= S.Call->arg_size()) // a marker has no bounds
        break;
      Value *V = S.Call->getArgOperand(Index);
      auto It = Promoted.find(A.getArgNo());
      if (It == Promoted.end()) {
        Args.push_back(V);
        continue;
      }
      for (const auto &[Where, Loads] : It->second)
        Args.push_back(B.CreateAlignedLoad(Where.second, B.CreatePtrAdd(V, B.getInt64(Where.first)),
                                           Align(1)));
    }
    FunctionCallee Callee =
        S.First ? FunctionCallee(S.Call->getFunctionType(), S.Call->getCalledOperand())
                : FunctionCallee(New);
    CallBase *Call;
    if (auto *II = dyn_cast<InvokeInst>(S.Call))
      Call = B.CreateInvoke(Callee, II->getNormalDest(), II->getUnwindDest(), Args);
    else
      Call = B.CreateCall(Callee, Args);
    passVectorsAlike(*Call->getFunction(), *New);
    Call->setCallingConv(S.Call->getCallingConv());
    Call->setAttributes(
        AttributeList::get(Leaf.getContext(), AttributeList::FunctionIndex,
                           AttrBuilder(Leaf.getContext(), S.Call->getAttributes().getFnAttrs())));
    S.Call->eraseFromParent();
  }
  Leaf.eraseFromParent();
  return New;
}

} // namespace

PreservedAnalyses LoopOperandsPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!declarationOf(M, Marker::Loop))
    return PreservedAnalyses::all();
  SmallSetVector<Function *, 16> Leaves;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Loop = dyn_cast<LoopMarker>(&I); Loop && Loop->helper())
        Leaves.insert(Loop->helper());
  const DataLayout &DL = M.getDataLayout();
  SmallVector<Function *, 16> Changed;
  for (Function *Leaf : Leaves) {
    SmallVector<Site, 4> Sites;
    if (Leaf->isDeclaration() || !Leaf->hasLocalLinkage() || !findSites(*Leaf, Sites))
      continue;
    MapVector<unsigned, Members> Promoted;
    for (Argument &A : Leaf->args()) {
      Members Loaded;
      if (A.getType()->isPointerTy() && !A.use_empty() && A.getArgNo() + 2 < Leaf->arg_size() &&
          collectMembers(A, DL, Loaded) && isReadOnlyLocal(Sites, *Leaf, A.getArgNo(), Loaded, DL))
        Promoted.insert({A.getArgNo(), std::move(Loaded)});
    }
    if (!Promoted.empty())
      Changed.push_back(promote(*Leaf, Sites, Promoted));
  }
  if (Changed.empty())
    return PreservedAnalyses::all();
  simplifyChanged(Changed, Simplify, M, AM);
  return PreservedAnalyses::none();
}
