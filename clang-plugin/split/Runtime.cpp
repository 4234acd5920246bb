//===- Runtime.cpp - What the clones call ---------------------------------===//
//
// See Runtime.h.
//
//===----------------------------------------------------------------------===//
#include "Runtime.h"

#include "../analysis/ThreadBound.h"
#include "../contract/Attributes.h"
#include "FrameBytes.h"
#include "Prediction.h"
#include "nopal_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace nopal;

static constexpr uint64_t CacheLineBytes = 64;

static constexpr EntryPoint FastPathNames[] = {
    "nopal_fast_enter", "nopal_fast_site", "nopal_fast_push", "nopal_fast_pop"};

FunctionCallee Runtime::entry(EntryPoint Name) {
  FunctionCallee Callee = ABI.function(Name);
  auto *Fn = cast<Function>(Callee.getCallee());
  if (!Fn->isDeclaration())
    return Callee;
  if (Fn->getName() == "nopal_loop_grain") // but for nopal_least_counts, where an old 0 is as good
    Fn->setMemoryEffects(MemoryEffects::none());
  else if (!Fn->getName().starts_with("nopal_fast_"))
    Fn->addFnAttr(Attribute::Cold);
  return Callee;
}

/// For `@x` thread-local:
///   define internal ptr @nopal.thread.x() noinline {
///     call void asm sideeffect "", "~{memory}"()
///     %a = call ptr @llvm.threadlocal.address.p0(ptr @x)
///     ret ptr %a
///   }
/// The asm keeps later passes (in link-time optimization) from finding out that
/// the function reads no memory, which would let them merge two calls.
Function *Runtime::threadBoundAccessor(Constant *Key) {
  Function *&Accessor = Accessors[Key];
  if (Accessor)
    return Accessor;
  LLVMContext &C = M.getContext();
  Accessor = Function::Create(
      FunctionType::get(PointerType::getUnqual(C), false),
      GlobalValue::InternalLinkage,
      "nopal.thread." + (Key->hasName() ? Key->getName() : "pointer"), &M);
  Accessor->addFnAttr(Attribute::NoInline);
  Accessor->setDoesNotThrow();
  Accessor->addFnAttr("target-cpu", "x86-64");
  IRBuilder<> B(BasicBlock::Create(C, "", Accessor));
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "",
                              "~{memory}", /*hasSideEffects=*/true));
  B.CreateRet(createThreadBound(B, Key));
  return Accessor;
}

/// The constant `To - From` in 32 bits, which the linker fills in.
static Constant *distance(GlobalVariable &From, GlobalVariable &To) {
  LLVMContext &C = From.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Constant *Bytes = ConstantExpr::getSub(ConstantExpr::getPtrToInt(&To, I64),
                                         ConstantExpr::getPtrToInt(&From, I64));
  return ConstantExpr::getTrunc(Bytes, Type::getInt32Ty(C));
}

/// @f.steals     = internal global [8 x i64] zeroinitializer      a cache line of its own in .bss
/// @f.site       = internal constant { ..., ptr @f.steals, ..., i32 distance to the entry, ... }
/// @f.site.entry = internal constant i32 distance to the site, section "nopal_sites",
///                 !associated @f.site
///
/// Only the function refers to the site and only the site to the others. So the optimizer and the
/// linker drop all of them with the function. `!associated` gives each entry an input section of its
/// own, linked to its site's (SHF_LINK_ORDER), which the bounds of the whole section do not keep.
GlobalVariable *Runtime::createSite(Function &F, Function *Slow,
                                    CallBase &Marker, unsigned Index,
                                    uint64_t FrameAddress,
                                    AllocaInst *Header) {
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  StringRef Name = F.getName();
  if (F.hasFnAttribute(HelperAttr))
    Name = F.getFnAttribute(HelperAttr).getValueAsString();
  auto String = [&](StringRef S) {
    auto *Init = ConstantDataArray::getString(C, S);
    auto *G = new GlobalVariable(M, Init->getType(), true,
                                 GlobalValue::PrivateLinkage, Init,
                                 "nopal.name");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return G;
  };
  auto *File = dyn_cast<Constant>(Marker.getArgOperand(1));
  if (!File || File->isNullValue())
    File = String(M.getSourceFileName());
  auto Number = [&](unsigned Arg) -> Constant * {
    if (auto *N = dyn_cast<ConstantInt>(Marker.getArgOperand(Arg)))
      return N;
    return ConstantInt::get(I32, 0);
  };
  StructType *SiteType = ABI.siteType();
  const StructLayout *Layout = M.getDataLayout().getStructLayout(SiteType);
  SmallVector<Constant *, 12> Fields;
  for (Type *T : SiteType->elements())
    Fields.push_back(Constant::getNullValue(T));
  auto Set = [&](uint64_t Offset, Constant *Value) {
    Fields[Layout->getElementContainingOffset(Offset)] = Value;
  };
  Set(offsetof(nopal_site, slow), Slow);
  Set(offsetof(nopal_site, function), String(Name));
  Set(offsetof(nopal_site, file), File);
  Set(offsetof(nopal_site, line), Number(2));
  Set(offsetof(nopal_site, column), Number(3));
  Set(offsetof(nopal_site, index), ConstantInt::get(I32, Index));
  Set(offsetof(nopal_site, frame_address), ConstantInt::get(I32, FrameAddress));
  auto Internal = [&](Type *T, bool IsConstant, const Twine &Suffix, uint64_t Alignment) {
    auto *G = new GlobalVariable(M, T, IsConstant, GlobalValue::InternalLinkage,
                                 Constant::getNullValue(T), F.getName() + Suffix);
    G->setAlignment(Align(Alignment));
    G->setComdat(F.getComdat());
    // No sanitizer knows of the runtime's accesses; a redzone would only cost memory.
    GlobalValue::SanitizerMetadata None;
    None.NoAddress = None.NoHWAddress = true;
    G->setSanitizerMetadata(None);
    return G;
  };
  // Thieves of different spawns share no cache line.
  GlobalVariable *Steals = Internal(ArrayType::get(Type::getInt64Ty(C), CacheLineBytes / 8), false,
                                    ".steals", CacheLineBytes);
  GlobalVariable *Site = Internal(SiteType, true, ".site", CacheLineBytes);
  GlobalVariable *Entry = Internal(I32, true, ".site.entry", 4);
  Set(offsetof(nopal_site, steals), Steals);
  Set(offsetof(nopal_site, entry), distance(*Site, *Entry));
  Site->setInitializer(ConstantStruct::get(SiteType, Fields));
  Entry->setInitializer(distance(*Entry, *Site));
  Entry->setSection(NOPAL_SITES_SECTION);
  Entry->setMetadata(LLVMContext::MD_associated, MDNode::get(C, ValueAsMetadata::get(Site)));
  Sites.push_back({Site, &F, Header});
  return Site;
}

bool Runtime::linkFastPath() {
  for (EntryPoint Name : FastPathNames)
    entry(Name);
  std::unique_ptr<Module> Source = ABI.takeBitcode();
  Source->setTargetTriple(M.getTargetTriple());
  Source->setDataLayout(M.getDataLayout());
  for (const char *Name : {"llvm.module.flags", "llvm.ident"})
    if (NamedMDNode *Flags = Source->getNamedMetadata(Name))
      Source->eraseNamedMetadata(Flags);
  SmallVector<std::string, 8> Names;
  for (Function &F : *Source)
    if (!F.isDeclaration())
      Names.push_back(F.getName().str());
  if (Linker::linkModules(M, std::move(Source), Linker::Flags::LinkOnlyNeeded))
    return false;
  for (const std::string &Name : Names)
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration()) {
      F->setLinkage(GlobalValue::InternalLinkage);
      F->setComdat(nullptr);
      findPrediction(*F);
      FastPath.push_back(F);
    }
  return true;
}

/// What is called at rare places, and by large functions, is one function of the module.
/// It keeps the registers of its callers: an exception that a landing pad holds must not
/// cost the fast path one to save.
static void keepOutOfLine(Function &F) {
  F.setCallingConv(CallingConv::PreserveMost);
  for (User *U : F.users())
    cast<CallBase>(U)->setCallingConv(CallingConv::PreserveMost);
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
  F.setUWTableKind(F.getParent()->getUwtable());
  if (const FramePointerKind Kind = F.getParent()->getFramePointer();
      Kind == FramePointerKind::All || Kind == FramePointerKind::NonLeaf)
    F.addFnAttr("frame-pointer", Kind == FramePointerKind::All ? "all" : "non-leaf");
  carryPrediction(F);
}

void Runtime::inlineFastPath() {
  for (Function *F : FastPath)
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = cast<CallBase>(U);
      if (Call->isNoInline())
        continue;
      InlineFunctionInfo IFI;
      InlineFunction(*Call, IFI);
    }
  for (Function *F : FastPath)
    if (F->use_empty())
      F->eraseFromParent();
    else
      keepOutOfLine(*F);
  FastPath.clear();
}

/// The bounds of the section are the linker's; with several modules in one
/// object each registers the same range, which the runtime takes once. Weak: if
/// the linker drops all sites there is no section, and the range is null.
void Runtime::emitRegistration() {
  if (Sites.empty())
    return;
  LLVMContext &C = M.getContext();
  Type *I8 = Type::getInt8Ty(C);
  auto Declared = [&](StringRef Name, GlobalValue::LinkageTypes Linkage) {
    if (GlobalVariable *G = M.getNamedGlobal(Name))
      return G;
    return new GlobalVariable(M, I8, false, Linkage, nullptr, Name);
  };
  auto *Start = Declared("__start_" NOPAL_SITES_SECTION, GlobalValue::ExternalWeakLinkage);
  auto *Stop = Declared("__stop_" NOPAL_SITES_SECTION, GlobalValue::ExternalWeakLinkage);
  for (GlobalVariable *Bound : {Start, Stop})
    Bound->setVisibility(GlobalValue::HiddenVisibility);
  auto *Version =
      Declared(NOPAL_ABI_VERSION_SYMBOL, GlobalValue::ExternalLinkage);
  auto *Ctor = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                                GlobalValue::InternalLinkage,
                                "nopal.register", &M);
  Ctor->setDoesNotThrow();
  Ctor->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(C, "", Ctor));
  B.CreateLoad(I8, Version, /*isVolatile=*/true);
  B.CreateCall(entry("nopal_register_sites"), {Start, Stop});
  B.CreateRetVoid();
  appendToGlobalCtors(M, Ctor, 65535);
}

void Runtime::boundFrames() {
  const Function *Last = nullptr;
  uint32_t Bytes = 0;
  for (SiteOfFrame &S : Sites) { // those of one function lie side by side
    auto *Fast = dyn_cast_or_null<Function>(S.Fast);
    if (!Fast)
      continue;
    if (Fast != Last)
      Bytes = frameBytesBelow(*Fast, dyn_cast_or_null<AllocaInst>(S.Header));
    Last = Fast;
    setFrameBytes(*S.Site, Bytes);
  }
}
