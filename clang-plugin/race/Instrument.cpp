//===- Instrument.cpp - Accesses are reported to the race detector --------===//
//
// See Instrument.h. What Clang's pass leaves out is added:
//
//   %v = load <8 x float>, ptr %p        call void @__tsan_read_range(ptr %p, i64 32)
//   call void @f(ptr byval(%T) %p)       call void @__tsan_read_range(ptr %p, i64 24)
//   call i64 @strlen(ptr %s)             call i64 @__nopal_race_strlen(ptr %s)
//   atomicrmw fadd ptr %p, double %v     call void @__nopal_race_atomic(ptr %p, i64 8)
//
//===----------------------------------------------------------------------===//
#include "Instrument.h"
#include "../compatibility/Compatibility.h"
#include "Checks.h"
#include "Fields.h"
#include "Frames.h"
#include "Lanes.h"
#include "Locals.h"
#include "Ranges.h"

#include "../contract/Attributes.h"
#include "../contract/Declare.h"
#include "../contract/Option.h"
#include "../contract/Refusal.h"
#include "../contract/Serial.h"
#include "nopal_race.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::race;

/// Of a module that was instrumented: link-time optimization runs the pipeline again.
static constexpr const char DoneFlag[] = "nopal-race-done";

static const cl::opt<bool> &Race = option(RaceFlag, false, "Report each access to a race detector");

static bool isInstrumented(const Function &F) {
  return !F.isDeclaration() && !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !F.hasFnAttribute(Attribute::Naked);
}

/// A pragma that asks for vectors goes before the option that turns them off. An iteration that is
/// one lane of several would access memory beyond the loop's exit.
static void forgetVectorization(Function &F) {
  for (BasicBlock &BB : F) {
    Instruction *Latch = BB.getTerminator();
    if (MDNode *Loop = Latch ? Latch->getMetadata(LLVMContext::MD_loop) : nullptr)
      Latch->setMetadata(
          LLVMContext::MD_loop,
          makePostTransformationMetadata(F.getContext(), Loop,
                                         {"llvm.loop.vectorize.", "llvm.loop.interleave."}, {}));
  }
}

PreservedAnalyses ChooseRacePass::run(Module &M, ModuleAnalysisManager &) {
  if (!Race || isChecked(M))
    return PreservedAnalyses::all();
  for (const Function &F : M)
    for (auto [Kind, Option] : {std::pair(Attribute::SanitizeAddress, "-fsanitize=address"),
                                std::pair(Attribute::SanitizeHWAddress, "-fsanitize=hwaddress"),
                                std::pair(Attribute::SanitizeMemory, "-fsanitize=memory"),
                                std::pair(Attribute::SanitizeThread, "-fsanitize=thread")})
      if (F.hasFnAttribute(Kind)) {
        refuse(M, Refusal::TwoTools, "-fsanitize=cilk", Option);
        return PreservedAnalyses::all();
      }
  M.addModuleFlag(Module::Max, RaceFlag, 1);
  if (!isSerial(M))
    M.addModuleFlag(Module::Max, SerialFlag, 1);
  // The optimizer then reads and writes nothing that the program might not.
  for (Function &F : M)
    if (isInstrumented(F)) {
      F.addFnAttr(Attribute::SanitizeThread);
      forgetVectorization(F);
    }
  return PreservedAnalyses::all();
}

namespace {

class Instrumenter {
public:
  explicit Instrumenter(Module &M) : M(M), DL(M.getDataLayout()), B(M.getContext()) {}
  void prepare(Function &F);
  void expandCopies(Function &F);
  /// Adds what Clang's pass leaves out.
  void complete(Function &F);

private:
  void range(Instruction &Before, Value *Pointer, uint64_t Bytes, bool IsWrite);
  void completeAccess(Instruction &I, Value *Pointer, Type *Accessed, bool IsWrite);
  void completeCall(CallBase &Call);
  void completeAtomic(Instruction &I, Value *Pointer, Type *Accessed);
  void noteFrame(Function &F);

  Module &M;
  const DataLayout &DL;
  IRBuilder<> B;
};

/// Copies of a few bytes become a load and a store: Clang's pass reports these by cheaper calls,
/// and they can be reported before a loop.
void Instrumenter::expandCopies(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Copy = dyn_cast<MemTransferInst>(&I);
    const auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
    if (!Length || Copy->isVolatile() || Copy->getSourceAddressSpace() != 0 ||
        Copy->getDestAddressSpace() != 0 || Copy->hasMetadata(LLVMContext::MD_nosanitize))
      continue;
    const uint64_t Bytes = Length->getZExtValue();
    if (Bytes == 0 || Bytes > 64 || (Bytes % 8 != 0 && !(isPowerOf2_64(Bytes) && Bytes < 8)))
      continue;
    Type *Whole = Bytes <= 8 ? cast<Type>(B.getIntNTy(8 * Bytes))
                             : FixedVectorType::get(B.getInt64Ty(), Bytes / 8);
    B.SetInsertPoint(Copy);
    B.SetCurrentDebugLocation(Copy->getDebugLoc());
    Value *V = B.CreateAlignedLoad(Whole, Copy->getSource(), Copy->getSourceAlign());
    B.CreateAlignedStore(V, Copy->getDest(), Copy->getDestAlign());
    Copy->eraseFromParent();
  }
}

/// A child is another strand: what is passed to it can be accessed beside its parent. Clang's
/// pass leaves out the locals of a function that nobody else knows of.
void Instrumenter::prepare(Function &F) {
  if (!isInstrumented(F))
    return;
  F.addFnAttr(Attribute::SanitizeThread);
  // The detector follows the chain of frames, and takes the end of a frame from it.
  F.addFnAttr("frame-pointer", "all");
  if (!F.hasOptNone()) {
    expandCopies(F);
    restoreMaskedLoads(F);
  }
  if (!F.hasFnAttribute(HelperAttr))
    return;
  F.removeFnAttr(Attribute::Memory);
  for (Argument &A : F.args()) {
    A.removeAttr(compat::CapturesAttr);
    A.removeAttr(Attribute::ReadNone);
    A.removeAttr(Attribute::ReadOnly);
  }
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U)) {
      Call->removeFnAttr(Attribute::Memory);
      for (unsigned I = 0; I != Call->arg_size(); ++I)
        for (Attribute::AttrKind Kind :
             {compat::CapturesAttr, Attribute::ReadNone, Attribute::ReadOnly})
          Call->removeParamAttr(I, Kind);
    }
}

void Instrumenter::range(Instruction &Before, Value *Pointer, uint64_t Bytes, bool IsWrite) {
  if (Bytes == 0 || Pointer->getType()->getPointerAddressSpace() != 0)
    return;
  B.SetInsertPoint(&Before);
  auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy(), B.getInt64Ty()}, false);
  B.CreateCall(declareTool(M, IsWrite ? "__tsan_write_range" : "__tsan_read_range", Type),
               {Pointer, B.getInt64(Bytes)});
}

/// The sizes that Clang's pass knows are powers of two up to 16 bytes.
void Instrumenter::completeAccess(Instruction &I, Value *Pointer, Type *Accessed, bool IsWrite) {
  const TypeSize Bytes = DL.getTypeStoreSize(Accessed);
  if (Bytes.isScalable() || I.hasMetadata(LLVMContext::MD_nosanitize) ||
      (isPowerOf2_64(Bytes) && Bytes <= 16))
    return;
  range(I, Pointer, Bytes, IsWrite);
}

/// Of the operations that read and write, Clang's pass knows those of integers that C has.
void Instrumenter::completeAtomic(Instruction &I, Value *Pointer, Type *Accessed) {
  if (Pointer->getType()->getPointerAddressSpace() != 0 ||
      I.hasMetadata(LLVMContext::MD_nosanitize))
    return;
  B.SetInsertPoint(&I);
  B.CreateCall(NOPAL_DECLARE(M, __nopal_race_atomic),
               {Pointer, B.getInt64(DL.getTypeStoreSize(Accessed))});
}

void Instrumenter::completeCall(CallBase &Call) {
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    if (Call.isByValArgument(I))
      range(Call, Call.getArgOperand(I), DL.getTypeStoreSize(Call.getParamByValType(I)), false);
  if (auto *II = dyn_cast<IntrinsicInst>(&Call))
    return reportLanes(*II);
  static const StringSet<> Renamed = {
#define RENAMED(NAME) #NAME,
#include "nopal_race.def"
#undef RENAMED
  };
  Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->isDeclaration() && Renamed.contains(Callee->getName()))
    Call.setCalledFunction(M.getOrInsertFunction(("__nopal_race_" + Callee->getName()).str(),
                                                 Callee->getFunctionType(),
                                                 Callee->getAttributes()));
  else
    return;
  // The detector asks for the place that it returns to, which a tail call has not.
  if (auto *Tail = dyn_cast<CallInst>(&Call); Tail && !Tail->isMustTailCall())
    Tail->setTailCallKind(CallInst::TCK_NoTail);
}

/// Clang's pass notes the frames of functions with calls, or with accesses that it knows itself. A
/// function without either neither throws nor is left by a jump.
void Instrumenter::noteFrame(Function &F) {
  IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  auto *Type = FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, false);
  Entry.CreateCall(declareTool(M, "__tsan_func_entry", Type),
                   Entry.CreateIntrinsic(Intrinsic::returnaddress, {}, {Entry.getInt32(0)}));
  auto *ExitType = FunctionType::get(B.getVoidTy(), false);
  for (BasicBlock &BB : F)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
      IRBuilder<>(Return).CreateCall(declareTool(M, "__tsan_func_exit", ExitType));
}

void Instrumenter::complete(Function &F) {
  if (!isInstrumented(F))
    return;
  const bool HasCalls = any_of(instructions(F), [](Instruction &I) { return isa<CallBase>(I); });
  // One frame, one pair of __tsan_func_entry and __tsan_func_exit, at link time as well.
  F.removeFnAttr(Attribute::AlwaysInline);
  F.removeFnAttr(Attribute::InlineHint);
  F.addFnAttr(Attribute::NoInline);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      completeAccess(I, Load->getPointerOperand(), Load->getType(), false);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      completeAccess(I, Store->getPointerOperand(), Store->getValueOperand()->getType(), true);
    else if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
      completeAtomic(I, Update->getPointerOperand(), Update->getType());
    else if (auto *Call = dyn_cast<CallBase>(&I))
      completeCall(*Call);
  }
  if (!HasCalls && any_of(instructions(F), [](Instruction &I) { return isa<CallBase>(I); }))
    noteFrame(F);
}

} // namespace

PreservedAnalyses InstrumentPass::run(Module &M, ModuleAnalysisManager &AM) {
  if (!isChecked(M) || M.getModuleFlag(DoneFlag))
    return PreservedAnalyses::all();
  M.addModuleFlag(Module::Max, DoneFlag, 1);
  Instrumenter I(M);
  for (Function &F : M)
    I.prepare(F);
  ModulePassManager Stock;
  Stock.addPass(ModuleThreadSanitizerPass());
  Stock.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
  // Clang's analyses may know what `prepare` has changed.
  AM.invalidate(M, PreservedAnalyses::none());
  FunctionAnalysisManager &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  nameFields(M);
  leaveOutLocals(M);
  reportRanges(M, FAM);
  Stock.run(M, AM);
  // The detector finds the module by where this function calls it from, so the call must stay one.
  if (Function *Constructor = M.getFunction("tsan.module_ctor"))
    for (Instruction &I : instructions(*Constructor))
      if (auto *Call = dyn_cast<CallInst>(&I))
        Call->setTailCallKind(CallInst::TCK_NoTail);
  foldChildFrames(M);
  for (Function &F : M) {
    I.complete(F);
    if (!isInstrumented(F))
      continue;
    placeFrameCalls(F);
    inlineChecks(F); // the calls are gone from the paths that placeFrameCalls asks for
    // Debug records of a branch that was replaced go to the new one.
    for (BasicBlock &BB : F)
      BB.flushTerminatorDbgRecords();
  }
  // No detour for the dynamic linker at each call.
  for (Function &F : M)
    if (F.isDeclaration() &&
        (F.getName().starts_with("__tsan_") || F.getName().starts_with("__nopal_race_")))
      F.addFnAttr(Attribute::NonLazyBind);
  return PreservedAnalyses::none();
}
