//===- SmallLoops.cpp - Loops that are not worth dividing -----------------===//
//
// See SmallLoops.h.
//
//   before                         after
//   ------                         -----
//   __nopal_loop(@f.leaf,            %few = icmp ule %n, least
//       .., %n, 0, operands)         %counts = load atomic i8, @nopal_least_counts
//                                    br %few and %counts, whole, divide
//                                  whole:
//                                    f.leaf(operands, 0, %n)
//                                    br done
//                                  divide:
//                                    __nopal_loop(@f.leaf, .., %n, 0, operands)
//                                    br done
//
// The byte belongs to the runtime. It is 0 under chaos, under the thread sanitizer, and before the
// first request for a grain. While it is 0, the runtime decides whether the loop is divided. A leaf
// whose cost is known contains no call, so it cannot throw, spawn, or return on another thread.
//
//===----------------------------------------------------------------------===//
#include "SmallLoops.h"

#include "../analysis/Functions.h"
#include "../analysis/Remarks.h"
#include "../contract/Abi.h"
#include "../contract/Markers.h"
#include "../contract/Serial.h"
#include "InlineHelper.h"
#include "LeafCost.h"
#include "SuspendPoints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static constexpr char TestedAttr[] = "nopal-tested";

/// The trip count of \p Marker's loop if it is a constant, else null.
static const ConstantInt *countOf(const LoopMarker &Marker) {
  return dyn_cast<ConstantInt>(Marker.count());
}

/// False where the program gives a grain, and where a tool must see every iteration.
static bool mayHaveSmallVersion(const LoopMarker &Marker) {
  auto *Grain = dyn_cast<ConstantInt>(Marker.grain());
  return Grain && Grain->isZero() && !isSerial(*Marker.getModule()) &&
         !Marker.getFunction()->hasFnAttribute(Attribute::SanitizeThread);
}

Function *split::leafOf(const LoopMarker &Marker) {
  Function *Leaf = Marker.helper();
  return Leaf && Leaf->arg_size() + LoopMarker::FirstOfRest == Marker.arg_size() + 2 ? Leaf
                                                                                     : nullptr;
}

bool split::hasSmallVersion(const LoopMarker &Marker) { return Marker.hasFnAttr(TestedAttr); }

/// Puts the test before \p Marker, which becomes a call if it was an invoke. Returns the call of
/// the leaf.
static CallInst *addVersion(LoopMarker &Marker, Function &Leaf, uint64_t Least, Abi &ABI) {
  LLVMContext &C = Marker.getContext();
  CallBase *Divide = &Marker;
  if (auto *II = dyn_cast<InvokeInst>(Divide))
    Divide = changeToCall(II);
  Divide->setDoesNotThrow();
  Divide->addFnAttr(Attribute::get(C, TestedAttr));
  IRBuilder<> B(Divide);
  auto &Loop = cast<LoopMarker>(*Divide);
  Value *Count = Loop.count();
  GlobalVariable *LeastCounts = ABI.leastCounts();
  LoadInst *Byte = B.CreateAlignedLoad(LeastCounts->getValueType(), LeastCounts, Align(1));
  Byte->setAtomic(AtomicOrdering::Unordered);
  Value *Few = B.CreateICmpULE(Count, B.getInt64(Least), "few");
  Value *IsWhole = B.CreateAnd(Few, B.CreateIsNotNull(Byte, "counts"));
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(IsWhole, Divide->getIterator(), &Then, &Else,
                                countOf(Loop) ? MDBuilder(C).createLikelyBranchWeights() : nullptr);
  Divide->moveBefore(*Else->getParent(), Else->getIterator());
  Then->getParent()->setName("loop.small");
  Else->getParent()->setName("loop.divide");
  B.SetInsertPoint(Then);
  B.SetCurrentDebugLocation(Divide->getDebugLoc());
  SmallVector<Value *, 16> Args(Loop.helperOperands());
  Args.append({B.getInt64(0), Count});
  CallInst *Whole = B.CreateCall(&Leaf, Args);
  Whole->setCallingConv(Leaf.getCallingConv());
  Whole->setDoesNotThrow();
  return Whole;
}

SmallVector<LoopMarker *, 8> split::loopMarkers(Module &M) {
  SmallVector<LoopMarker *, 8> Markers;
  if (declarationOf(M, Marker::Loop))
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Loop = dyn_cast<LoopMarker>(&I))
          Markers.push_back(Loop);
  return Markers;
}

namespace {

/// leastGrain() of each leaf, computed once.
class LeastGrains {
public:
  LeastGrains(Module &M, ModuleAnalysisManager &AM)
      : FAM(AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()) {}
  uint64_t of(Function &Leaf) {
    auto [Known, IsNew] = Least.try_emplace(&Leaf, 0);
    if (IsNew)
      Known->second = leastGrain(Leaf, FAM.getResult<TargetIRAnalysis>(Leaf));
    return Known->second;
  }

private:
  FunctionAnalysisManager &FAM;
  DenseMap<const Function *, uint64_t> Least;
};

} // namespace

PreservedAnalyses SmallLoopTestsPass::run(Module &M, ModuleAnalysisManager &AM) {
  LeastGrains Grains(M, AM);
  Abi ABI(M);
  bool Changed = false;
  for (LoopMarker *Marker : loopMarkers(M)) {
    Function *Leaf = leafOf(*Marker);
    if (!Leaf || !mayHaveSmallVersion(*Marker) || hasSmallVersion(*Marker))
      continue;
    const uint64_t Least = Grains.of(*Leaf);
    if (Least == 1)
      continue;
    const ConstantInt *Count = countOf(*Marker);
    remarkLeast(*Marker, Count, Least);
    if (Count && Count->getValue().ugt(Least))
      continue;
    addVersion(*Marker, *Leaf, Least, ABI);
    Changed = true;
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses SmallLoopsPass::run(Module &M, ModuleAnalysisManager &AM) {
  LeastGrains Grains(M, AM);
  Abi ABI(M);
  SmallSetVector<Function *, 16> Changed;
  for (LoopMarker *Marker : loopMarkers(M)) {
    const Function &F = *Marker->getFunction();
    Function *Leaf = leafOf(*Marker);
    const ConstantInt *Count = countOf(*Marker);
    if (F.hasOptNone() || F.hasOptSize() || !Leaf || Leaf->isDeclaration() || !Count ||
        !mayHaveSmallVersion(*Marker))
      continue;
    const uint64_t Least = Grains.of(*Leaf);
    if (Least == 1 || Count->getValue().ugt(Least))
      continue;
    remarkLeast(*Marker, Count, Least);
    Changed.insert(Marker->getFunction());
    inlineHelpers({addVersion(*Marker, *Leaf, Least, ABI)});
  }
  if (Changed.empty())
    return PreservedAnalyses::all();
  simplifyChanged(Changed.getArrayRef(), Simplify, M, AM);
  return PreservedAnalyses::none();
}
