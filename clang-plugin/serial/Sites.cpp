//===- Sites.cpp - The records that hooks get -----------------------------===//
//
// See Sites.h.
//
//===----------------------------------------------------------------------===//
#include "Sites.h"

#include "../contract/Attributes.h"
#include "../contract/Serial.h"
#include "../contract/SiteName.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::serial;

Sites::Sites(Module &M) : M(M), C(M.getContext()) {
  Type *Ptr = PointerType::getUnqual(C), *I32 = Type::getInt32Ty(C);
  SiteType = StructType::get(C, {Ptr, Ptr, I32, I32, I32, I32, Ptr});
  static_assert(sizeof(nopal_hook_site) == 40 && offsetof(nopal_hook_site, line) == 16 &&
                    offsetof(nopal_hook_site, kind) == 24 && offsetof(nopal_hook_site, tool) == 32,
                "the fields of SiteType");
}

Constant *Sites::text(StringRef S) {
  Constant *&Known = Texts[S];
  if (!Known) {
    Constant *Init = ConstantDataArray::getString(C, S);
    auto *G = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init,
                                 "nopal.name");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    Known = G;
  }
  return Known;
}

/// The user's function that \p F is, or is a part of.
static StringRef nameOfUsers(const Function &F) {
  return F.hasFnAttribute(HelperAttr) ? F.getFnAttribute(HelperAttr).getValueAsString()
                                      : F.getName();
}

/// As a table of lines names it: without the directory where the compiler ran.
static std::string fileOf(const DILocation &Where) {
  const DISubprogram *SP = Where.getScope()->getSubprogram();
  const StringRef Directory = Where.getDirectory(), File = Where.getFilename();
  if (Directory.empty() || sys::path::is_absolute(File) ||
      (SP && SP->getUnit() && SP->getUnit()->getDirectory() == Directory))
    return File.str();
  return (Directory + "/" + File).str();
}

GlobalVariable *Sites::create(Function &F, nopal_hook_kind Kind, Value *File, Value *Line,
                              Value *Column, const DILocation *Where) {
  Type *I32 = Type::getInt32Ty(C);
  auto Number = [&](Value *V) -> Constant * {
    auto *N = dyn_cast<ConstantInt>(V);
    return N ? N : ConstantInt::get(I32, 0);
  };
  auto *Known = dyn_cast<Constant>(File);
  const auto *LineNumber = dyn_cast<ConstantInt>(Line);
  if (isChecked(M) && Where && LineNumber && LineNumber->equalsInt(Where->getLine()))
    Known = text(fileOf(*Where));
  Constant *Fields[] = {text(nameInSite(nameOfUsers(F))),
                        Known && !Known->isNullValue() ? Known : text(M.getSourceFileName()),
                        Number(Line),
                        Number(Column),
                        ConstantInt::get(I32, Kind),
                        ConstantInt::get(I32, 0),
                        ConstantPointerNull::get(PointerType::getUnqual(C))};
  static constexpr const char *Suffixes[] = {".hooks", ".spawn.hooks", ".loop.hooks"};
  // Not a constant, because of the field `tool`.
  auto *G = new GlobalVariable(M, SiteType, false, GlobalValue::InternalLinkage,
                               ConstantStruct::get(SiteType, Fields), F.getName() + Suffixes[Kind]);
  G->setAlignment(Align(8));
  GlobalValue::SanitizerMetadata None;
  None.NoAddress = None.NoHWAddress = true;
  G->setSanitizerMetadata(None);
  return G;
}

GlobalVariable *Sites::of(Function &F) {
  GlobalVariable *&Known = Functions[&F];
  if (!Known) {
    const DISubprogram *SP = F.getSubprogram();
    auto *Line = ConstantInt::get(Type::getInt32Ty(C), SP ? SP->getLine() : 0);
    Known = create(F, NOPAL_HOOK_FUNCTION, text(SP ? SP->getFilename() : M.getSourceFileName()),
                   Line, ConstantInt::get(Line->getType(), 0));
  }
  return Known;
}
