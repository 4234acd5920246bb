//===- Lanes.cpp - Vectors of which some lanes are accessed ---------------===//
//
// See Lanes.h.
//
//   call @llvm.masked.store(%v, %p, %m)     call void @__nopal_race_lane(%p + 4 * i, 4, %m[i], 1),
//                                           for each lane i
//   call @llvm.masked.compressstore(        call void @__tsan_write_range(%p, 4 * popcount(%m))
//       %v, %p, %m)
//
// Where the memory of all lanes is known to be there, the optimizer makes of a masked load one of
// all lanes and a select. Nobody uses the others' values, so these are not accessed:
//
//   %all = load <8 x i32>, ptr %p           %v = call @llvm.masked.load(%p, %m, %other)
//   %v = select %m, %all, %other
//
//===----------------------------------------------------------------------===//
#include "Lanes.h"

#include "../contract/Declare.h"
#include "nopal_race.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace nopal;

namespace {

class LaneReporter {
public:
  explicit LaneReporter(IntrinsicInst &II)
      : II(II), M(*II.getModule()), DL(M.getDataLayout()), B(&II), Last(II.arg_size() - 1) {}
  bool reportGeneric();
  void reportX86();

private:
  Value *argument(unsigned Index) const { return II.getArgOperand(Index); }
  /// \p Pointer is one address, or one for each lane.
  void lanes(Value *Pointer, Value *Mask, Type *Accessed, bool IsWrite);
  void lanesAt(Value *Base, Value *Index, Value *Mask, Type *Accessed, bool IsWrite);
  void packed(Value *Pointer, Value *Mask, Type *Accessed, bool IsWrite);
  /// All lanes, by an intrinsic.
  void whole(Value *Pointer, Type *Accessed, bool IsWrite) {
    range(Pointer, B.getInt64(DL.getTypeStoreSize(Accessed)), IsWrite);
  }
  void range(Value *Pointer, Value *Bytes, bool IsWrite);
  void lane(Value *Address, Value *Mask, unsigned Lane, Type *Accessed, bool IsWrite);
  /// A store of the low bits of each lane.
  void narrowed();
  /// x86 has the highest bit of each lane for a mask, too.
  Value *bitsOf(Value *Mask);

  IntrinsicInst &II;
  Module &M;
  const DataLayout &DL;
  IRBuilder<> B;
  const unsigned Last; // operand
};

unsigned lanesIn(const Value *V) { return cast<FixedVectorType>(V->getType())->getNumElements(); }

void LaneReporter::lane(Value *Address, Value *Mask, unsigned Lane, Type *Accessed, bool IsWrite) {
  Value *IsSet = B.CreateZExt(B.CreateExtractElement(Mask, Lane), B.getInt32Ty());
  const uint64_t Bytes = DL.getTypeStoreSize(Accessed->getScalarType());
  B.CreateCall(NOPAL_DECLARE(M, __nopal_race_lane),
               {Address, B.getInt64(Bytes), IsSet,
                B.getInt32(IsWrite ? NOPAL_RACE_WRITE : NOPAL_RACE_READ)});
}

void LaneReporter::lanes(Value *Pointer, Value *Mask, Type *Accessed, bool IsWrite) {
  for (unsigned Lane = 0; Lane != lanesIn(Mask); ++Lane)
    lane(Pointer->getType()->isVectorTy()
             ? B.CreateExtractElement(Pointer, Lane)
             : B.CreateConstGEP1_64(Accessed->getScalarType(), Pointer, Lane),
         Mask, Lane, Accessed, IsWrite);
}

/// The last operand is the scale of the indices, in bytes.
void LaneReporter::lanesAt(Value *Base, Value *Index, Value *Mask, Type *Accessed, bool IsWrite) {
  Value *Scale = B.CreateZExtOrTrunc(argument(Last), B.getInt64Ty());
  const unsigned Count = cast<FixedVectorType>(Accessed)->getNumElements();
  for (unsigned Lane = 0; Lane != std::min({Count, lanesIn(Index), lanesIn(Mask)}); ++Lane) {
    Value *At = B.CreateSExt(B.CreateExtractElement(Index, Lane), B.getInt64Ty());
    lane(B.CreateGEP(B.getInt8Ty(), Base, B.CreateMul(At, Scale)), Mask, Lane, Accessed, IsWrite);
  }
}

void LaneReporter::packed(Value *Pointer, Value *Mask, Type *Accessed, bool IsWrite) {
  Value *Bits = B.CreateBitCast(Mask, B.getIntNTy(lanesIn(Mask)));
  Value *Count = B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits), B.getInt64Ty());
  const uint64_t Bytes = DL.getTypeStoreSize(Accessed->getScalarType());
  range(Pointer, B.CreateMul(Count, B.getInt64(Bytes)), IsWrite);
}

void LaneReporter::range(Value *Pointer, Value *Bytes, bool IsWrite) {
  auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  B.CreateCall(declareTool(M, IsWrite ? "__tsan_write_range" : "__tsan_read_range", Type),
               {Pointer, Bytes});
}

void LaneReporter::narrowed() {
  // llvm.x86.avx512.mask.pmov.qw.mem.512: from 64 bits to 16.
  const StringRef Name = II.getCalledFunction()->getName();
  const char To = Name[Name.find(".mem.") - 1];
  Type *Bits = B.getIntNTy(To == 'b' ? 8 : To == 'w' ? 16 : 32);
  auto *Stored = FixedVectorType::get(Bits, lanesIn(argument(1)));
  Value *Mask = argument(2);
  auto *Wide = FixedVectorType::get(B.getInt1Ty(), Mask->getType()->getIntegerBitWidth());
  Mask = B.CreateBitCast(Mask, Wide);
  for (unsigned Lane = 0; Lane != Stored->getNumElements(); ++Lane)
    lane(B.CreateConstGEP1_64(Bits, argument(0), Lane), Mask, Lane, Stored, true);
}

Value *LaneReporter::bitsOf(Value *Mask) {
  if (Mask->getType()->isIntOrIntVectorTy(1))
    return Mask;
  auto *Vector = cast<FixedVectorType>(Mask->getType());
  auto *Integers = FixedVectorType::get(B.getIntNTy(Vector->getScalarSizeInBits()), Vector);
  return B.CreateICmpSLT(B.CreateBitCast(Mask, Integers), Constant::getNullValue(Integers));
}

bool LaneReporter::reportGeneric() {
  // Older versions of LLVM have the alignment before the mask.
  switch (II.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    lanes(argument(0), argument(Last - 1), II.getType(), false);
    return true;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    lanes(argument(1), argument(Last), argument(0)->getType(), true);
    return true;
  case Intrinsic::masked_expandload:
    packed(argument(0), argument(1), II.getType(), false);
    return true;
  case Intrinsic::masked_compressstore:
    packed(argument(1), argument(2), argument(0)->getType(), true);
    return true;
  default:
    return false;
  }
}

void LaneReporter::reportX86() {
  StringRef Name = II.getCalledFunction()->getName();
  if (!Name.consume_front("llvm.x86."))
    return;
  if (Name.starts_with("avx.maskload.") || Name.starts_with("avx2.maskload."))
    lanes(argument(0), bitsOf(argument(1)), II.getType(), false);
  else if (Name.starts_with("avx.maskstore.") || Name.starts_with("avx2.maskstore."))
    lanes(argument(0), bitsOf(argument(1)), argument(2)->getType(), true);
  else if (Name == "sse2.maskmov.dqu")
    lanes(argument(2), bitsOf(argument(1)), argument(0)->getType(), true);
  else if (Name.starts_with("avx2.gather.") || Name.starts_with("avx512.mask.gather"))
    lanesAt(argument(1), argument(2), bitsOf(argument(3)), II.getType(), false);
  else if (Name.starts_with("avx512.mask.scatter"))
    lanesAt(argument(0), argument(2), bitsOf(argument(1)), argument(3)->getType(), true);
  else if (Name.starts_with("avx512.mask.pmov") && Name.contains(".mem."))
    narrowed();
  else if (Name == "sse3.ldu.dq" || Name == "avx.ldu.dq.256" || Name.starts_with("avx10.vmovrs") ||
           Name.starts_with("movrs"))
    whole(argument(0), II.getType(), false);
  else if (Name.starts_with("directstore"))
    whole(argument(0), argument(1)->getType(), true);
}

} // namespace

void nopal::race::restoreMaskedLoads(Function &F) {
  using namespace PatternMatch;
  // Only there are masked loads of the program's own.
  if (!F.getFnAttribute("target-features").getValueAsString().contains("+avx"))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    Value *Mask, *All, *Other;
    if (!match(&I, m_Select(m_Value(Mask), m_Value(All), m_Value(Other))) ||
        !isa<FixedVectorType>(Mask->getType()))
      continue;
    const bool IsInverse = !isa<LoadInst>(All) || !All->hasOneUse();
    auto *Load = dyn_cast<LoadInst>(IsInverse ? Other : All);
    if (!Load || !Load->hasOneUse() || !Load->isSimple() || Load->getPointerAddressSpace() != 0 ||
        Load->getParent() != I.getParent())
      continue;
    IRBuilder<> B(Load);
    // The mask and the other value may be computed after the load, so the new one stands at the
    // select. Nothing in between may write.
    if (any_of(make_range(Load->getIterator(), I.getIterator()),
               [](const Instruction &Between) { return Between.mayWriteToMemory(); }))
      continue;
    B.SetInsertPoint(&I);
    B.SetCurrentDebugLocation(Load->getDebugLoc());
    CallInst *Masked =
        B.CreateMaskedLoad(Load->getType(), Load->getPointerOperand(), Load->getAlign(),
                           IsInverse ? B.CreateNot(Mask) : Mask, IsInverse ? All : Other);
    I.replaceAllUsesWith(Masked);
    I.eraseFromParent();
    Load->eraseFromParent();
  }
}

void nopal::race::reportLanes(IntrinsicInst &II) {
  LaneReporter Reporter(II);
  if (II.arg_size() != 0 && !Reporter.reportGeneric())
    Reporter.reportX86();
}
