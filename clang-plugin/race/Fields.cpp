//===- Fields.cpp - Which field an access is of ---------------------------===//
//
// See Fields.h. With -g the module describes its classes. The field's name becomes a function that
// is inlined at the access, as Clang says why a trap traps:
//
//   store i32 1, ptr %p, !dbg !1     =>    store i32 1, ptr %p, !dbg !2
//                                          !2 = !DILocation(.., scope: !3, inlinedAt: !1)
//                                          !3 = !DISubprogram(name: "__nopal_field:S::count", ..)
//
// So it is at its place in the program whatever becomes of the code, and takes no memory at run
// time. The report takes the function out of the stack (runtime/race/places.cpp).
//
//===----------------------------------------------------------------------===//
#include "Fields.h"

#include "nopal_race_memory.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

struct Place {
  StringRef Class; // as IR or TBAA names it
  uint64_t Offset;
};

/// Optimized accesses know their class by TBAA, others by their address.
std::optional<Place> placeOf(const Instruction &I, const Value *Pointer, const DataLayout &DL) {
  if (const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa); Tag && Tag->getNumOperands() >= 3)
    if (const auto *Base = dyn_cast<MDNode>(Tag->getOperand(0)); Base && Base != Tag->getOperand(1))
      if (const auto *Name = dyn_cast<MDString>(Base->getOperand(0)))
        return Place{Name->getString(),
                     mdconst::extract<ConstantInt>(Tag->getOperand(2))->getZExtValue()};
  while (const auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
    const auto *Class = dyn_cast<StructType>(GEP->getSourceElementType());
    const auto *Field =
        GEP->getNumIndices() >= 2 ? dyn_cast<ConstantInt>(GEP->getOperand(2)) : nullptr;
    if (Class && Class->hasName() && Field) {
      StringRef Name = Class->getName();
      if (!Name.consume_front("struct."))
        Name.consume_front("class.");
      return Place{Name, DL.getStructLayout(const_cast<StructType *>(Class))
                             ->getElementOffset(Field->getZExtValue())};
    }
    Pointer = GEP->getPointerOperand();
  }
  return std::nullopt;
}

const DIType *withoutQualifiers(const DIType *T) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    if (!is_contained({dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type,
                       dwarf::DW_TAG_atomic_type},
                      Derived->getTag()))
      break;
    T = Derived->getBaseType();
  }
  return T;
}

/// The field with that byte: "a.b". Empty: there is none, or are several.
std::string fieldAt(const DICompositeType *Class, uint64_t Offset) {
  const DIDerivedType *Found = nullptr;
  for (const DINode *Element : Class->getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Element);
    if (!Member || Member->isStaticMember() || Member->isBitField() ||
        !is_contained({dwarf::DW_TAG_member, dwarf::DW_TAG_inheritance}, Member->getTag()))
      continue;
    const DIType *T = withoutQualifiers(Member->getBaseType());
    if (!T || Offset - Member->getOffsetInBits() / 8 >= T->getSizeInBits() / 8)
      continue;
    if (Found)
      return "";
    Found = Member;
  }
  if (!Found)
    return "";
  std::string Name = Found->getTag() == dwarf::DW_TAG_inheritance ? "" : Found->getName().str();
  const auto *Inner = dyn_cast<DICompositeType>(withoutQualifiers(Found->getBaseType()));
  if (!Inner || Inner->getTag() == dwarf::DW_TAG_array_type)
    return Name;
  const std::string Rest = fieldAt(Inner, Offset - Found->getOffsetInBits() / 8);
  return Name + (Name.empty() || Rest.empty() ? "" : ".") + Rest;
}

/// With its namespaces and classes.
std::string qualifiedName(const DICompositeType &Class) {
  std::string Name = Class.getName().str();
  for (const DIScope *Scope = Class.getScope(); Scope; Scope = Scope->getScope())
    if (isa<DINamespace, DICompositeType>(Scope) && !Scope->getName().empty())
      Name = (Scope->getName() + "::" + Name).str();
  return Name;
}

class Namer {
public:
  explicit Namer(Module &M);
  void name(Instruction &I, const Value *Pointer);

private:
  DISubprogram *functionFor(StringRef Field, DIFile *File);

  Module &M;
  DIBuilder B;
  StringMap<const DICompositeType *> Classes; // by identifier and by name; null: several
  StringMap<DISubprogram *> Functions;
};

Namer::Namer(Module &M) : M(M), B(M, /*AllowUnresolved=*/true, *M.debug_compile_units_begin()) {
  DebugInfoFinder Finder;
  Finder.processModule(M);
  for (const DIType *T : Finder.types()) {
    const auto *Class = dyn_cast<DICompositeType>(T);
    if (!Class || Class->isForwardDecl() || Class->getName().empty() ||
        !is_contained({dwarf::DW_TAG_structure_type, dwarf::DW_TAG_class_type}, Class->getTag()))
      continue;
    if (!Class->getIdentifier().empty())
      Classes[Class->getIdentifier()] = Class;
    auto [Known, IsNew] = Classes.try_emplace(qualifiedName(*Class), Class);
    if (!IsNew && Known->second != Class)
      Known->second = nullptr;
  }
}

DISubprogram *Namer::functionFor(StringRef Field, DIFile *File) {
  DISubprogram *&Known = Functions[Field];
  if (!Known)
    Known = B.createFunction(File, (NOPAL_RACE_FIELD + Field).str(), StringRef(), File, 0,
                             B.createSubroutineType(B.getOrCreateTypeArray({})), 0,
                             DINode::FlagArtificial, DISubprogram::SPFlagDefinition);
  return Known;
}

void Namer::name(Instruction &I, const Value *Pointer) {
  const DebugLoc &Loc = I.getDebugLoc();
  const std::optional<Place> At = Loc ? placeOf(I, Pointer, M.getDataLayout()) : std::nullopt;
  if (!At)
    return;
  const auto Class = Classes.find(At->Class);
  if (Class == Classes.end() || !Class->second)
    return;
  const std::string Field = fieldAt(Class->second, At->Offset);
  if (Field.empty())
    return;
  DISubprogram *Function =
      functionFor(qualifiedName(*Class->second) + "::" + Field, Loc->getFile());
  I.setDebugLoc(DILocation::get(M.getContext(), Loc.getLine(), Loc.getCol(), Function, Loc));
}

} // namespace

void nopal::race::nameFields(Module &M) {
  if (M.debug_compile_units_begin() == M.debug_compile_units_end())
    return;
  Namer Names(M);
  for (Function &F : M)
    if (F.getSubprogram())
      for (Instruction &I : instructions(F))
        if (const Value *Pointer = getLoadStorePointerOperand(&I))
          Names.name(I, Pointer);
}
