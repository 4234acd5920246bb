//===- Abi.cpp - The runtime's types and entry points ---------------------===//
//
// See Abi.h.
//
//===----------------------------------------------------------------------===//
#include "Abi.h"

#include "../compatibility/Compatibility.h"
#include "Target.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace nopal;

void Abi::read() {
  if (SiteType)
    return;
  auto Parsed = parseBitcodeFile(abiBitcode(compat::targetOf(M).getArch()), M.getContext());
  if (!Parsed)
    report_fatal_error("nopal: the plugin's fast path cannot be read: " +
                       Twine(toString(Parsed.takeError())));
  Bitcode = std::move(*Parsed);
#define NOPAL_ENTRY(ENTRY) Types[#ENTRY] = Bitcode->getFunction(#ENTRY)->getFunctionType();
  NOPAL_ENTRY_POINTS(NOPAL_ENTRY)
#undef NOPAL_ENTRY
  auto TypeOf = [&](StringRef Global) { return Bitcode->getNamedGlobal(Global)->getValueType(); };
  FrameType = cast<StructType>(TypeOf("nopal_abi_frame"));
  LeastCountsType = TypeOf("nopal_least_counts");
  auto *Named = cast<StructType>(TypeOf("nopal_abi_site"));
  SiteType = StructType::get(M.getContext(), Named->elements());
}

FunctionCallee Abi::function(EntryPoint Entry) {
  Function *F = M.getFunction(Entry.name());
  if (!F) {
    read();
    F = cast<Function>(M.getOrInsertFunction(Entry.name(), Types.lookup(Entry.name())).getCallee());
  }
  if (F->isDeclaration() && Entry != "nopal_raise_pending" && Entry != "nopal_merge_pending")
    F->setDoesNotThrow();
  return F;
}

StructType *Abi::siteType() {
  read();
  return SiteType;
}

static Type *fieldOf(StructType *T, uint64_t Offset, const DataLayout &DL) {
  return T->getElementType(DL.getStructLayout(T)->getElementContainingOffset(Offset));
}

Type *Abi::frameField(uint64_t Offset) {
  read();
  return fieldOf(FrameType, Offset, M.getDataLayout());
}

Type *Abi::siteField(uint64_t Offset) {
  read();
  return fieldOf(SiteType, Offset, M.getDataLayout());
}

GlobalVariable *Abi::leastCounts() {
  read();
  return cast<GlobalVariable>(M.getOrInsertGlobal("nopal_least_counts", LeastCountsType));
}

std::unique_ptr<Module> Abi::takeBitcode() {
  read();
  return std::move(Bitcode);
}

bool nopal::isCallOf(const Instruction &I, EntryPoint Entry) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == StringRef(Entry.name());
}
