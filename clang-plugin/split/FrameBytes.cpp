//===- FrameBytes.cpp - How far a fast clone's stack frame can reach -----------===//
//
// See FrameBytes.h. The sum, in the order of the addresses:
//
//   header and frame     (not counted: they lie at the header's address and above)
//   other locals         size, and alignment where it is more than the stack's
//   results by memory    of calls whose result is too large for registers
//   spilled registers    SpareBytes, or what all values of a large function take
//   outgoing arguments   the largest of all calls
//
// Code generation may choose another order. The sum is the same, since all locals are counted.
//
//===----------------------------------------------------------------------===//
#include "FrameBytes.h"

#include "../analysis/Functions.h"
#include "../compatibility/Compatibility.h"
#include "Marks.h"
#include "nopal_abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

/// What every function may use besides its locals. Some of these bytes are for spills and some for
/// the arguments of calls. The rest is for saved registers and the return address, a stack
/// protector's canary, the register save area of variable arguments, and the alignment of spill
/// slots.
static constexpr uint64_t SpareBytes = 4096, SpareForSpills = 3072, SpareForOutgoing = 128;
/// The most that one scalar instruction can spill: its result, and one value that its lowering
/// needs (an address, a constant).
static constexpr uint64_t ScalarSpillBytes = 16;
/// The most bytes in registers while a copy of known length is expanded inline.
static constexpr uint64_t InlineCopyBytes = 1024;
static constexpr uint64_t StackAlignment = 16;

/// Whether \p F saves more registers than the spare bytes can hold.
static bool savesManyRegisters(const Function &F) {
  return F.hasFnAttribute("no_caller_saved_registers") ||
         F.getCallingConv() == CallingConv::X86_INTR;
}

/// The bytes of a value of type \p T if each of its parts has its own register or stack slot.
static uint64_t bytesInParts(Type *T, const DataLayout &DL) {
  if (auto *Struct = dyn_cast<StructType>(T)) {
    uint64_t Sum = 0;
    for (Type *Element : Struct->elements())
      Sum = SaturatingAdd(Sum, bytesInParts(Element, DL));
    return Sum;
  }
  if (auto *Array = dyn_cast<ArrayType>(T))
    return SaturatingMultiply(Array->getNumElements(), bytesInParts(Array->getElementType(), DL));
  if (!T->isSized() || T->isEmptyTy())
    return 0; // void, labels, metadata
  const uint64_t Whole = DL.getTypeAllocSize(T).getKnownMinValue();
  if (auto *Vector = dyn_cast<FixedVectorType>(T))
    return std::max(Whole, 8 * uint64_t(Vector->getNumElements()));
  return std::max<uint64_t>(8, Whole);
}

/// The same if \p T does not fit into one general register, else 0.
static uint64_t bytesIfWide(Type *T, const DataLayout &DL) {
  const uint64_t Bytes = bytesInParts(T, DL);
  return Bytes > 8 ? Bytes : 0;
}

static bool hasUnknownSize(Type *T) {
  return T->isScalableTy() || T->isX86_AMXTy() || T->isTargetExtTy();
}

/// Whether assembly may move the stack pointer. It cannot declare that, so a word that may name the
/// stack pointer, or an instruction that moves it, is enough.
static bool mayMoveStack(const InlineAsm &Asm, const Module &M) {
  if (Asm.isAlignStack())
    return true;
  const bool IsAArch64 = compat::targetOf(M).isAArch64();
  for (StringRef Text : {Asm.getAsmString(), Asm.getConstraintString()})
    for (StringRef Word : {IsAArch64 ? "sp" : "rsp", "esp", "push", "enter"})
      if (Text.contains_insensitive(Word))
        return true;
  return false;
}

static bool mayMoveStack(const CallBase &CB) {
  if (auto *Asm = dyn_cast<InlineAsm>(CB.getCalledOperand()))
    return mayMoveStack(*Asm, *CB.getModule());
  switch (CB.getIntrinsicID()) {
  case Intrinsic::stacksave:
  case Intrinsic::stackrestore:
  case Intrinsic::write_register:
  case Intrinsic::eh_return_i32:
  case Intrinsic::eh_return_i64:
  case Intrinsic::eh_unwind_init:
  case Intrinsic::localescape:
  case Intrinsic::call_preallocated_setup:
    return true;
  default:
    return CB.isMustTailCall();
  }
}

/// The bytes of \p CB's arguments if all are passed on the stack.
static uint64_t outgoingBytes(const CallBase &CB, const DataLayout &DL) {
  uint64_t Sum = 0;
  for (unsigned I = 0; I < CB.arg_size(); ++I) {
    uint64_t Bytes = bytesInParts(CB.getArgOperand(I)->getType(), DL);
    uint64_t Alignment = Bytes > 8 ? 64 : 8;
    if (Type *T = CB.getParamByValType(I)) {
      Bytes = DL.getTypeAllocSize(T).getFixedValue();
      Alignment =
          std::max<uint64_t>(8, CB.getParamAlign(I).value_or(DL.getABITypeAlign(T)).value());
    }
    Sum = SaturatingAdd(alignTo(Sum, Alignment), alignTo(Bytes, 8));
  }
  return Sum;
}

/// An upper bound of the bytes of \p F's activation that lie below \p Header, its frame. 0 if none
/// is known. \p Header may be null (optimized away): then the frame counts as well.
static uint32_t frameBytesBelow(const Function &F, const AllocaInst *Header) {
  // Instrumentation replaces or pads the locals, or adds about as many values as there are.
  if (isInstrumented(F) || savesManyRegisters(F))
    return 0;
  const DataLayout &DL = F.getDataLayout();
  uint64_t Locals = 0, Values = 0, Outgoing = 0;
  // (Saturated: an array type can be longer than the address space.)
  auto Add = [](uint64_t &Sum, uint64_t Bytes) { Sum = SaturatingAdd(Sum, Bytes); };
  for (const Instruction &I : instructions(F)) {
    if (auto *AI = dyn_cast<AllocaInst>(&I)) {
      const std::optional<TypeSize> Size = AI->getAllocationSize(DL);
      if (!AI->isStaticAlloca() || !Size || Size->isScalable())
        return 0;
      if (AI != Header)
        Add(Locals, alignTo(Size->getFixedValue(), StackAlignment));
      if (AI->getAlign().value() > StackAlignment)
        Add(Locals, AI->getAlign().value());
      continue;
    }
    if (hasUnknownSize(I.getType()) ||
        any_of(I.operands(), [](const Use &U) { return hasUnknownSize(U->getType()); }))
      return 0;
    if (isa<PseudoProbeInst, DbgInfoIntrinsic>(I))
      continue;
    Add(Values, ScalarSpillBytes);
    Add(Values, bytesIfWide(I.getType(), DL));
    // Legalization may split wide operands in memory, or copy them.
    for (const Use &U : I.operands())
      Add(Values, bytesIfWide(U->getType(), DL));
    auto *CB = dyn_cast<CallBase>(&I);
    if (!CB)
      continue;
    if (mayMoveStack(*CB) || CB->hasInAllocaArgument() ||
        CB->countOperandBundlesOfType(LLVMContext::OB_preallocated))
      return 0;
    if (auto *Copy = dyn_cast<MemIntrinsic>(CB)) {
      auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
      Add(Values,
          Length ? std::min(2 * Length->getLimitedValue(InlineCopyBytes), InlineCopyBytes) : 0);
    }
    if (isa<IntrinsicInst>(CB))
      continue;
    Outgoing = std::max(Outgoing, outgoingBytes(*CB, DL));
  }
  uint64_t Sum = SpareBytes;
  Add(Sum, Values > SpareForSpills ? Values - SpareForSpills : 0);
  Add(Sum, Outgoing > SpareForOutgoing ? Outgoing - SpareForOutgoing : 0);
  Add(Sum, Locals);
  return Sum <= INT32_MAX ? uint32_t(Sum) : 0;
}

/// Sets the field `frame_bytes` of \p Site.
static void setFrameBytes(GlobalVariable &Site, uint32_t Bytes) {
  auto *Old = cast<ConstantStruct>(Site.getInitializer());
  const StructLayout *Layout = Site.getDataLayout().getStructLayout(Old->getType());
  SmallVector<Constant *, 12> Fields;
  for (const Use &U : Old->operands())
    Fields.push_back(cast<Constant>(U.get()));
  Fields[Layout->getElementContainingOffset(offsetof(nopal_site, frame_bytes))] =
      ConstantInt::get(Type::getInt32Ty(Site.getContext()), Bytes);
  Site.setInitializer(ConstantStruct::get(Old->getType(), Fields));
}

static const AllocaInst *frameOf(const Function &F) {
  for (const Instruction &I : F.getEntryBlock())
    if (I.hasMetadata(mark::Frame))
      return cast<AllocaInst>(&I);
  return nullptr;
}

PreservedAnalyses BoundFramesPass::run(Module &M, ModuleAnalysisManager &) {
  DenseMap<const Function *, uint32_t> Bounds;
  for (GlobalVariable &Site : M.globals()) {
    const MDNode *Mark = Site.getMetadata(mark::FastClone);
    const auto *Fast = Mark ? mdconst::dyn_extract_or_null<Function>(Mark->getOperand(0)) : nullptr;
    if (!Fast)
      continue;
    auto [Known, IsNew] = Bounds.try_emplace(Fast, 0);
    if (IsNew)
      Known->second = frameBytesBelow(*Fast, frameOf(*Fast));
    setFrameBytes(Site, Known->second);
  }
  return PreservedAnalyses::all(); // changes no function
}

PreservedAnalyses ForgetFrameBytesPass::run(Module &M, ModuleAnalysisManager &) {
  for (GlobalVariable &Entry : M.globals()) {
    if (Entry.getSection() != NOPAL_SITES_SECTION)
      continue;
    // (Bitcode of another ABI version has other entries, or none. The linker reports that.)
    const MDNode *Associated = Entry.getMetadata(LLVMContext::MD_associated);
    auto *Site = Associated
                     ? mdconst::dyn_extract_or_null<GlobalVariable>(Associated->getOperand(0))
                     : nullptr;
    if (Site && Site->hasInitializer() && isa<ConstantStruct>(Site->getInitializer()))
      setFrameBytes(*Site, 0);
  }
  return PreservedAnalyses::all();
}
