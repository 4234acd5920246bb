//===- DebugScopes.cpp - Debug info of functions made of parts ------------===//
//
// See DebugScopes.h.
//
//===----------------------------------------------------------------------===//
#include "DebugScopes.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

DIScope *analysis::scopeOfPart(const DISubprogram &SP) {
  DIScope *Scope = SP.getScope();
  while (isa_and_nonnull<DIType>(Scope))
    Scope = Scope->getScope();
  return Scope;
}

template <class T> static DIType *withOperand(T *Ty, Metadata *Old, Metadata *New) {
  auto Copy = Ty->clone();
  for (unsigned I = 0; I < Copy->getNumOperands(); ++I)
    if (Copy->getOperand(I) == Old)
      Copy->replaceOperandWith(I, New);
  return MDNode::replaceWithUniqued(std::move(Copy));
}

DIType *analysis::withLengths(DIType *Ty, function_ref<DILocalVariable *(DILocalVariable *)> Own) {
  if (auto *Derived = dyn_cast_or_null<DIDerivedType>(Ty)) {
    DIType *Base = Derived->getBaseType();
    DIType *Now = Derived->getTag() == dwarf::DW_TAG_member ? Base : withLengths(Base, Own);
    return Now == Base ? Ty : withOperand(Derived, Base, Now);
  }
  auto *Array = dyn_cast_or_null<DICompositeType>(Ty);
  if (!Array || Array->getTag() != dwarf::DW_TAG_array_type)
    return Ty;
  SmallVector<Metadata *, 4> Elements;
  for (DINode *Element : Array->getElements()) {
    auto *Range = dyn_cast_or_null<DISubrange>(Element);
    auto *Length = Range ? dyn_cast_or_null<DILocalVariable>(Range->getRawCountNode()) : nullptr;
    Elements.push_back(Length ? DISubrange::get(Ty->getContext(), Own(Length),
                                                Range->getRawLowerBound(),
                                                Range->getRawUpperBound(), Range->getRawStride())
                              : Element);
  }
  Metadata *Now = MDTuple::get(Ty->getContext(), Elements);
  if (Now != Array->getRawElements())
    Array = cast<DICompositeType>(withOperand(Array, Array->getRawElements(), Now));
  DIType *Base = Array->getBaseType();
  DIType *NewBase = withLengths(Base, Own);
  return NewBase == Base ? Array : withOperand(Array, Base, NewBase);
}
