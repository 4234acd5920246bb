//===- Sites.cpp - The constants that describe spawns ---------------------===//
//
// See Sites.h.
//
//===----------------------------------------------------------------------===//
#include "Sites.h"

#include "../contract/Attributes.h"
#include "../contract/Pedigree.h"
#include "../contract/SiteName.h"
#include "Marks.h"
#include "nopal_abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

static constexpr uint64_t CacheLineBytes = 64;

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
/// linker drop all of them with the function. `!associated` gives each entry an input section of
/// its own, linked to its site's (SHF_LINK_ORDER). The symbols for the bounds of the whole section
/// do not keep it.
GlobalVariable *split::createSite(Function &F, Function *Slow, SpawnMarker &Marker, unsigned Index,
                                  uint64_t FrameAddress, Runtime &RT) {
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Type *I32 = Type::getInt32Ty(C);
  StringRef Name = F.getName();
  if (F.hasFnAttribute(HelperAttr))
    Name = F.getFnAttribute(HelperAttr).getValueAsString();
  auto String = [&](StringRef S) {
    auto *Init = ConstantDataArray::getString(C, S);
    auto *G = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init,
                                 "nopal.name");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return G;
  };
  auto *File = dyn_cast<Constant>(Marker.file());
  if (!File || File->isNullValue())
    File = String(M.getSourceFileName());
  auto Number = [&](Value *Operand) -> Constant * {
    if (auto *N = dyn_cast<ConstantInt>(Operand))
      return N;
    return ConstantInt::get(I32, 0);
  };
  StructType *SiteType = RT.siteType();
  const StructLayout *Layout = M.getDataLayout().getStructLayout(SiteType);
  SmallVector<Constant *, 12> Fields;
  for (Type *T : SiteType->elements())
    Fields.push_back(Constant::getNullValue(T));
  auto Set = [&](uint64_t Offset, Constant *Value) {
    Fields[Layout->getElementContainingOffset(Offset)] = Value;
  };
  Set(offsetof(nopal_site, slow), Slow);
  Set(offsetof(nopal_site, function), String(nameInSite(Name)));
  Set(offsetof(nopal_site, file), File);
  Set(offsetof(nopal_site, line), Number(Marker.line()));
  Set(offsetof(nopal_site, column), Number(Marker.column()));
  Set(offsetof(nopal_site, index), ConstantInt::get(I32, Index));
  Set(offsetof(nopal_site, frame_address), ConstantInt::get(I32, FrameAddress));
  // GNU as does not find the symbol that a section is associated with if its name needs quotes.
  std::string Plain = F.getName().str();
  std::replace_if(
      Plain.begin(), Plain.end(), [](char C) { return !isAlnum(C) && C != '_' && C != '.'; }, '_');
  auto Internal = [&](Type *T, bool IsConstant, const Twine &Suffix, uint64_t Alignment) {
    auto *G = new GlobalVariable(M, T, IsConstant, GlobalValue::InternalLinkage,
                                 Constant::getNullValue(T), Plain + Suffix);
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
  Site->setMetadata(mark::FastClone, MDNode::get(C, ValueAsMetadata::get(&F)));
  return Site;
}

/// Defines a symbol whose name is the message if the linker finds it twice. Modules of one kind
/// define it in one COMDAT group, of which the linker keeps one copy. Modules of the other kind use
/// another group.
static void claimPedigrees(Module &M) {
  constexpr StringLiteral Name = "nopal_needs_fnopal_pedigrees_in_all_modules_or_in_none";
  if (M.getNamedGlobal(Name))
    return;
  Type *I8 = Type::getInt8Ty(M.getContext());
  auto *Claim = new GlobalVariable(M, I8, true, GlobalValue::ExternalLinkage,
                                   Constant::getNullValue(I8), Name);
  Claim->setVisibility(GlobalValue::HiddenVisibility);
  Claim->setComdat(
      M.getOrInsertComdat(keepsPedigrees(M) ? "nopal_pedigrees" : "nopal_no_pedigrees"));
}

/// The linker defines the bounds of the section. If one object has several modules, each registers
/// the same range, and the runtime takes it once. The bounds are weak: if the linker drops all
/// sites there is no section, and the range is null.
PreservedAnalyses RegisterSitesPass::run(Module &M, ModuleAnalysisManager &) {
  const bool HasSites =
      any_of(M.globals(), [](const GlobalVariable &G) { return G.hasMetadata(mark::FastClone); });
  if (HasSites || keepsPedigrees(M)) // without a spawn it may draw numbers
    claimPedigrees(M);
  if (!HasSites)
    return PreservedAnalyses::all();
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
  auto *Version = Declared(NOPAL_ABI_VERSION_SYMBOL, GlobalValue::ExternalLinkage);
  auto *Ctor = Function::Create(FunctionType::get(Type::getVoidTy(C), false),
                                GlobalValue::InternalLinkage, "nopal.register", &M);
  Ctor->setDoesNotThrow();
  Ctor->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(C, "", Ctor));
  B.CreateLoad(I8, Version, /*isVolatile=*/true);
  B.CreateCall(Runtime(M).entry("nopal_register_sites"), {Start, Stop});
  B.CreateRetVoid();
  appendToGlobalCtors(M, Ctor, 65535);
  return PreservedAnalyses::none();
}
