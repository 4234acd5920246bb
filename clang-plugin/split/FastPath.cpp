//===- FastPath.cpp - The runtime's fast path in a module -----------------===//
//
// See FastPath.h.
//
//===----------------------------------------------------------------------===//
#include "FastPath.h"

#include "../contract/Option.h"
#include "Marks.h"
#include "Runtime.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static constexpr EntryPoint Names[] = {"nopal_fast_enter", "nopal_fast_site", "nopal_fast_push",
                                       "nopal_fast_pop"};

/// -mllvm -nopal-predict-bottom=false: expect nothing in r10, where a memory checker may
/// find what the program never initialized.
static const cl::opt<bool> &PredictBottom =
    option("nopal-predict-bottom", true, "Expect the deque's bottom in r10");

/// The fast path compares bottom with r10 (runtime/src/platform/atoms.h, load_predicted). Replaces
/// that in \p F, a function of the fast path that is not inlined yet, by a value that never
/// matches:
///
///   %b = call i64 asm sideeffect "", "={r10}..."()    %b = 0
static void forgetPrediction(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    auto *Asm = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
    if (!Asm || !Call->arg_empty() || !StringRef(Asm->getConstraintString()).starts_with("={r10}"))
      continue;
    I.replaceAllUsesWith(ConstantInt::get(I.getType(), 0));
    I.eraseFromParent();
  }
}

PreservedAnalyses LinkFastPathPass::run(Module &M, ModuleAnalysisManager &) {
  const bool IsCalled = any_of(Names, [&](EntryPoint Name) {
    const Function *F = M.getFunction(Name.name());
    return F && F->isDeclaration() && !F->use_empty();
  });
  if (!IsCalled)
    return PreservedAnalyses::all();
  Runtime RT(M);
  for (EntryPoint Name : Names)
    RT.entry(Name);
  std::unique_ptr<Module> Source = Abi(M).takeBitcode();
  Source->setTargetTriple(M.getTargetTriple());
  Source->setDataLayout(M.getDataLayout());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Flags = Source->getNamedMetadata(Name))
      Source->eraseNamedMetadata(Flags);
  SmallVector<std::string, 8> Defined;
  for (Function &F : *Source)
    if (!F.isDeclaration())
      Defined.push_back(F.getName().str());
  if (Linker::linkModules(M, std::move(Source), Linker::Flags::LinkOnlyNeeded))
    return PreservedAnalyses::none(); // It has reported an error.
  for (const std::string &Name : Defined)
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration()) {
      F->setLinkage(GlobalValue::InternalLinkage);
      F->setComdat(nullptr);
      F->addFnAttr(mark::FastPath);
      if (!PredictBottom)
        forgetPrediction(*F);
    }
  return PreservedAnalyses::none();
}

PreservedAnalyses InlineFastPathPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  for (Function &F : M) {
    if (!F.hasFnAttribute(mark::FastPath))
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallBase>(U);
      if (Call->isNoInline())
        continue;
      InlineFunctionInfo IFI;
      InlineFunction(*Call, IFI);
      Changed = true;
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Rare places and large functions call the module's own copy. It preserves its callers' registers:
/// an exception that a landing pad holds must not cost the fast path a saved register.
static void keepOutOfLine(Function &F) {
  F.setCallingConv(CallingConv::PreserveMost);
  for (User *U : F.users())
    cast<CallBase>(U)->setCallingConv(CallingConv::PreserveMost);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
  F.setUWTableKind(F.getParent()->getUwtable());
  if (const FramePointerKind Kind = F.getParent()->getFramePointer();
      Kind != FramePointerKind::None && Kind != FramePointerKind::Reserved)
    F.addFnAttr("frame-pointer", Kind == FramePointerKind::All ? "all" : "non-leaf");
}

/// Computes the address of a frame once if many calls use it. Otherwise each call has its own LEA.
/// The code generator's search for common subexpressions then walks up the dominator tree from each
/// of them, a large part of the compile time of a function with thousands of spawns.
static void shareFrameAddresses(Module &M) {
  constexpr unsigned Many = 64;
  MapVector<AllocaInst *, SmallVector<Use *, 2>> Uses;
  for (Function &F : M)
    if (F.hasFnAttribute(mark::FastPath))
      for (User *U : F.users())
        for (Use &Arg : cast<CallBase>(U)->args())
          if (auto *Frame = dyn_cast<AllocaInst>(Arg); Frame && Frame->isStaticAlloca())
            Uses[Frame].push_back(&Arg);
  for (auto &[Frame, Of] : Uses) {
    if (Of.size() < Many)
      continue;
    Type *Pointer = Frame->getType();
    IRBuilder<> B(Frame->getParent(), Frame->getParent()->getFirstNonPHIOrDbgOrAlloca());
    CallInst *Address = B.CreateCall(
        InlineAsm::get(FunctionType::get(Pointer, {Pointer}, false), "", "=r,0", false), {Frame});
    for (Use *Arg : Of)
      Arg->set(Address);
  }
}

void split::keepFastPathOutOfLine(Module &M) {
  shareFrameAddresses(M);
  for (Function &F : make_early_inc_range(M))
    if (F.hasFnAttribute(mark::FastPath)) {
      if (F.use_empty())
        F.eraseFromParent();
      else
        keepOutOfLine(F);
    }
}
