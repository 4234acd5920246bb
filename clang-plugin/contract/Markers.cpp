//===- Markers.cpp - The markers between front-end and passes -------------===//
//
// See Markers.h.
//
//===----------------------------------------------------------------------===//
#include "Markers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;
using namespace nopal;

// Of each marker the type of the result, then those of the operands.
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker)                                          \
  static constexpr MarkerType Name##Types[] = {MarkerType::Result,
#define NOPAL_OPERAND(Index, Name, Type) MarkerType::Type,
#define NOPAL_MARKER_END(Name)                                                                     \
  }                                                                                                \
  ;
#include "Markers.def"

// The numbers in the table are those of the positions.
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker)                                          \
  static constexpr unsigned Name##Positions[] = {0,
#define NOPAL_OPERAND(Index, Name, Type) Index + 1,
#define NOPAL_MARKER_END(Name)                                                                     \
  }                                                                                                \
  ;                                                                                                \
  static_assert([] {                                                                               \
    for (unsigned I = 0; I < std::size(Name##Positions); ++I)                                      \
      if (Name##Positions[I] != I)                                                                 \
        return false;                                                                              \
    return true;                                                                                   \
  }());
#include "Markers.def"

static constexpr MarkerSignature Signatures[] = {
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker)                                          \
  {                                                                                                \
    Symbol, MarkerType::Result, MarkerEffect::Effect, MarkerMaker::Maker,                          \
        {Name##Types + 1, std::size(Name##Types) - 1}, false
#define NOPAL_REST(Name) || true
#define NOPAL_MARKER_END(Name)                                                                     \
  }                                                                                                \
  ,
#include "Markers.def"
};

static constexpr Marker AllMarkers[] = {
#define NOPAL_MARKER(Name, Symbol, Result, Effect, Maker) Marker::Name,
#include "Markers.def"
};

const MarkerSignature &nopal::signatureOf(Marker M) { return Signatures[unsigned(M)]; }

std::optional<Marker> nopal::markerNamed(StringRef Name) {
  if (Name.starts_with("__nopal_"))
    for (Marker M : AllMarkers)
      if (Name == nameOf(M))
        return M;
  return std::nullopt;
}

static StringRef calleeName(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  const Function *Callee = CB ? CB->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

bool nopal::isMarker(const Instruction &I, Marker M) { return calleeName(I) == nameOf(M); }

std::optional<Marker> nopal::markerCalled(const Instruction &I) {
  return markerNamed(calleeName(I));
}

bool nopal::isMarker(const Instruction &I, ArrayRef<Marker> Any) {
  return any_of(Any, [&](Marker M) { return isMarker(I, M); });
}

bool nopal::hasMarker(const Function &F, Marker M) {
  return any_of(instructions(F), [=](const Instruction &I) { return isMarker(I, M); });
}

uint64_t nopal::numberOf(const Value *Operand) {
  const auto *Number = dyn_cast<ConstantInt>(Operand);
  return Number ? Number->getZExtValue() : ~0ull;
}

static Type *typeOf(MarkerType T, LLVMContext &C) {
  switch (T) {
  case MarkerType::Void:
    return Type::getVoidTy(C);
  case MarkerType::U32:
    return Type::getInt32Ty(C);
  case MarkerType::U64:
    return Type::getInt64Ty(C);
  default:
    return PointerType::getUnqual(C);
  }
}

static void setEffect(Function &F, MarkerEffect Effect) {
  if (Effect == MarkerEffect::MayThrow)
    return;
  F.setDoesNotThrow();
  if (Effect == MarkerEffect::FreshStorage) {
    F.addRetAttr(Attribute::NoAlias);
    F.addRetAttr(Attribute::NonNull);
  }
  if (Effect == MarkerEffect::NoThrow || Effect == MarkerEffect::FreshStorage)
    return;
  for (Attribute::AttrKind K :
       {Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback})
    F.addFnAttr(K);
  if (Effect == MarkerEffect::ReadsThread) {
    F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
    F.addFnAttr(Attribute::NoMerge); // its operand stays a constant
  } else if (Effect == MarkerEffect::Computes) {
    F.setDoesNotAccessMemory();
  } else {
    F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  }
}

void nopal::describe(Module &In, ArrayRef<Marker> Any) {
  for (Marker M : Any)
    if (Function *F = declarationOf(In, M))
      setEffect(*F, signatureOf(M).Effect);
}

FunctionCallee nopal::declare(Module &In, Marker M) {
  const MarkerSignature &S = signatureOf(M);
  LLVMContext &C = In.getContext();
  SmallVector<Type *, 8> Operands;
  for (MarkerType T : S.Operands)
    Operands.push_back(typeOf(T, C));
  FunctionCallee Callee =
      In.getOrInsertFunction(S.Name, FunctionType::get(typeOf(S.Result, C), Operands, S.HasRest));
  setEffect(*cast<Function>(Callee.getCallee()), S.Effect);
  return Callee;
}

SmallVector<CallBase *, 16> nopal::callsOf(const Module &In, ArrayRef<Marker> Any) {
  SmallVector<CallBase *, 16> Calls;
  for (Marker M : Any)
    if (Function *Callee = declarationOf(In, M))
      for (User *U : Callee->users())
        if (auto *CB = dyn_cast<CallBase>(U); CB && CB->getCalledFunction() == Callee)
          Calls.push_back(CB);
  return Calls;
}

SmallSetVector<Function *, 16> nopal::callersOf(Module &In, ArrayRef<Marker> Any) {
  SmallPtrSet<Function *, 16> Callers;
  for (CallBase *CB : callsOf(In, Any))
    Callers.insert(CB->getFunction());
  SmallSetVector<Function *, 16> Ordered;
  for (Function &F : In)
    if (Callers.contains(&F))
      Ordered.insert(&F);
  return Ordered;
}

CallBase *nopal::replaceMarker(CallBase &Old, Marker M, ArrayRef<Value *> Operands) {
  FunctionCallee Callee = declare(*Old.getModule(), M);
  CallBase *New;
  if (auto *II = dyn_cast<InvokeInst>(&Old))
    New = InvokeInst::Create(Callee, II->getNormalDest(), II->getUnwindDest(), Operands, "",
                             Old.getIterator());
  else
    New = CallInst::Create(Callee, Operands, "", Old.getIterator());
  New->setDebugLoc(Old.getDebugLoc());
  Old.eraseFromParent();
  return New;
}

void nopal::eraseMarker(CallBase &CB) {
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    II->getUnwindDest()->removePredecessor(II->getParent());
    BranchInst::Create(II->getNormalDest(), II->getIterator());
  }
  CB.eraseFromParent();
}

void nopal::eraseMarkers(Function &F, ArrayRef<Marker> Any) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isMarker(I, Any))
      eraseMarker(cast<CallBase>(I));
}

void nopal::eraseMarkerDeclarations(Module &M) {
  for (Marker One : AllMarkers)
    if (Function *F = declarationOf(M, One); F && F->use_empty())
      F->eraseFromParent();
}
