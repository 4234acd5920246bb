//===- HyperTypes.cpp - Which types are hyperobjects ----------------------===//
//
// See HyperTypes.h.
//
//===----------------------------------------------------------------------===//
#include "HyperTypes.h"
#include "../compatibility/Compatibility.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace nopal::frontend {
namespace {

const AnnotateTypeAttr *ours(const Attr *A) {
  auto *Annotation = dyn_cast_or_null<AnnotateTypeAttr>(A);
  return Annotation && Annotation->getAnnotation() == HyperAnnotation ? Annotation : nullptr;
}

/// The annotation in the pattern of an alias template, whose specializations have lost it.
const AnnotateTypeAttr *annotationOf(const TemplateSpecializationType *Alias) {
  if (!Alias)
    return nullptr;
  auto *Template =
      dyn_cast_or_null<TypeAliasTemplateDecl>(Alias->getTemplateName().getAsTemplateDecl());
  if (!Template)
    return nullptr;
  while (auto *From = Template->getInstantiatedFromMemberTemplate())
    Template = From;
  for (TypeLoc L = Template->getTemplatedDecl()->getTypeSourceInfo()->getTypeLoc(); L;
       L = L.getNextTypeLoc())
    if (auto Attributed = L.getAs<AttributedTypeLoc>())
      if (auto *Annotation = ours(Attributed.getAttr()))
        return Annotation;
  return nullptr;
}

bool isOpaque(const Type *T) {
  return isa<SubstTemplateTypeParmType, DeducedType, DecltypeType, TypeOfExprType,
             UnaryTransformType, TemplateTypeParmType>(T);
}

/// The type of what \p E names, as it is declared; null if it names nothing.
Written typeOfNamed(const Expr *E) {
  if (auto *Ref = dyn_cast<DeclRefExpr>(E); Ref && isa<VarDecl>(Ref->getDecl()))
    return writtenType(Ref->getDecl());
  if (auto *Member = dyn_cast<MemberExpr>(E);
      Member && !isa<CXXMethodDecl>(Member->getMemberDecl()))
    return writtenType(Member->getMemberDecl());
  return {};
}

/// The same for `typeof`, which an element or a pointee may be named in, too.
Written typeOfObject(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  const Expr *Base = nullptr;
  if (auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    Base = Element->getBase();
  else if (auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->getOpcode() == UO_Deref)
    Base = Unary->getSubExpr();
  if (!Base)
    return withoutReference(typeOfNamed(E));
  Written T = typeOfObject(Base);
  Written Element = element(T);
  return Element ? Element : pointee(T);
}

/// What \p T repeats: the type of a declaration, or one that is written in it.
Written repeated(Written W) {
  const Type *T = W.Type.getTypePtr();
  if (auto *Of = dyn_cast<DecltypeType>(T))
    return typeOfNamed(Of->getUnderlyingExpr());
  if (auto *Of = dyn_cast<TypeOfExprType>(T))
    return typeOfObject(Of->getUnderlyingExpr());
  if (auto *Of = dyn_cast<TypeOfType>(T))
    return W.with(Of->getUnmodifiedType());
  return {};
}

/// Goes over sugar until an annotation, a type that is not sugar, or one that nobody wrote.
/// True if it is at an annotation, which \p Found is.
/// \p IsQualified becomes true if const, volatile or _Atomic stands outside of that.
bool desugar(Written &W, const AnnotateTypeAttr *&Found, bool &IsQualified) {
  Found = nullptr;
  while (W) {
    IsQualified |= W.Type.getLocalCVRQualifiers() != 0;
    const Type *T = W.Type.getTypePtr();
    if (Written Other = repeated(W)) {
      W = Other;
      continue;
    }
    if (isOpaque(T)) {
      W.Type = QualType();
      return false;
    }
    if (auto *A = dyn_cast<AttributedType>(T)) {
      if (A->getAttrKind() == attr::AnnotateType) {
        const Attr *Known = compat::annotationOf(A, W.Of ? W.Of : W.Context);
        Found = Known ? ours(Known) : annotationOf(W.Alias);
        if (Found)
          return true;
      }
      W.Type = A->getModifiedType();
      continue;
    }
    if (auto *Alias = dyn_cast<TemplateSpecializationType>(T)) {
      if (!Alias->isTypeAlias())
        return false;
      W.Alias = Alias;
      W.Type = Alias->getAliasedType();
      continue;
    }
    if (auto *Named = dyn_cast<TypedefType>(T)) {
      W = {Named->desugar(), Named->getDecl(), nullptr};
      continue;
    }
    if (auto *Atomic = dyn_cast<AtomicType>(T)) {
      Written Inner = W.with(Atomic->getValueType());
      if (!desugar(Inner, Found, IsQualified))
        return false;
      W = Inner;
      return IsQualified = true;
    }
    QualType Next = T->getLocallyUnqualifiedSingleStepDesugaredType();
    if (Next.getTypePtr() == T)
      return false;
    W.Type = Next;
  }
  return false;
}

/// \p W without sugar, or null if it is a hyperobject or not written.
Written plain(Written W) {
  const AnnotateTypeAttr *Found;
  bool IsQualified = false;
  return desugar(W, Found, IsQualified) ? Written() : W;
}

} // namespace

std::optional<HyperType> hyperType(Written W) {
  const AnnotateTypeAttr *Found;
  bool IsQualified = false;
  const Decl *Declared = W.Of;
  if (!desugar(W, Found, IsQualified))
    return std::nullopt;
  return HyperType{Found, W.with(compat::annotatedType(cast<AttributedType>(W.Type.getTypePtr()))),
                   IsQualified, Declared};
}

SourceLocation HyperType::place() const {
  if (!Declared || Declared->getLocation().isInvalid())
    return loc();
  const SourceManager &SM = Declared->getASTContext().getSourceManager();
  const SourceRange Range = SM.getExpansionRange(Declared->getSourceRange()).getAsRange();
  const bool IsWritten =
      SM.isPointWithin(SM.getExpansionLoc(loc()), Range.getBegin(), Range.getEnd());
  return IsWritten ? loc() : Declared->getLocation();
}

std::string nameOfView(QualType T) {
  // A typedef's name is better than the type, but not an annotation.
  std::string Name = T.getUnqualifiedType().getAsString();
  if (llvm::StringRef(Name).contains("annotate_type"))
    Name = T.getCanonicalType().getUnqualifiedType().getAsString();
  return Name;
}

Written pointee(Written T) {
  T = plain(T);
  auto *Pointer = T ? dyn_cast<PointerType>(T.Type.getTypePtr()) : nullptr;
  return Pointer ? T.with(Pointer->getPointeeType()) : Written();
}

Written element(Written T) {
  T = plain(T);
  auto *Array = T ? dyn_cast<ArrayType>(T.Type.getTypePtr()) : nullptr;
  return Array ? T.with(Array->getElementType()) : Written();
}

Written referee(Written T) {
  T = plain(T);
  auto *Reference = T ? dyn_cast<ReferenceType>(T.Type.getTypePtr()) : nullptr;
  return Reference ? T.with(Reference->getPointeeTypeAsWritten()) : Written();
}

Written withoutReference(Written T) {
  Written Inner = referee(T);
  return Inner ? Inner : T;
}

Written withoutArrays(Written T) {
  while (Written Element = element(T))
    T = Element;
  return T;
}

std::optional<HyperType> hyperTypeIn(Written T) {
  while (T) {
    if (auto Found = hyperType(T))
      return Found;
    Written Next = pointee(T);
    if (!Next)
      Next = element(T);
    T = Next ? Next : referee(T);
  }
  return std::nullopt;
}

bool isDeduced(QualType T) {
  for (;;) {
    if (isa<DeducedType>(T.getTypePtr()))
      return true;
    if (auto *Reference = dyn_cast<ReferenceType>(T.getTypePtr())) {
      T = Reference->getPointeeTypeAsWritten();
      continue;
    }
    if (auto *Pointer = dyn_cast<PointerType>(T.getTypePtr()))
      T = Pointer->getPointeeType();
    else
      return false;
  }
}

Written writtenType(const ValueDecl *D) {
  const Decl *Context = D; // of a variable template's instance, too
  if (!isa<FunctionDecl, VarTemplateSpecializationDecl>(D))
    Context = cast<Decl>(D->getDeclContext());
  return {D->getType(), Context, nullptr, D};
}

/// Whether \p Field of \p Record is what a lambda has copied of hyperobjects: values.
static bool isCopiedValue(const FieldDecl *Field, const RecordDecl *Record) {
  auto *Class = dyn_cast<CXXRecordDecl>(Record);
  return Class && Class->isLambda() && hyperType(withoutArrays(writtenType(Field)));
}

static const FieldDecl *hyperFieldOf(const RecordDecl *Record) {
  Record = Record->getDefinition();
  if (!Record || Record->isDependentType())
    return nullptr;
  for (const FieldDecl *Field : Record->fields()) {
    if (isCopiedValue(Field, Record))
      continue;
    if (hyperType(withoutArrays(writtenType(Field))))
      return Field;
    if (!Field->getType()->isReferenceType())
      if (const FieldDecl *Inner = hyperFieldOf(Field->getType()))
        return Inner;
  }
  if (auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (const FieldDecl *Inner = hyperFieldOf(Base.getType()))
        return Inner;
  return nullptr;
}

const FieldDecl *hyperFieldOf(QualType T) {
  const RecordDecl *Record = T->getBaseElementTypeUnsafe()->getAsRecordDecl();
  return Record ? hyperFieldOf(Record) : nullptr;
}

bool hasOwnHyperobjects(const CXXRecordDecl *Class) {
  return llvm::any_of(Class->fields(), [Class](const FieldDecl *Field) {
    if (Field->getType()->isReferenceType() || isCopiedValue(Field, Class))
      return false;
    if (hyperType(withoutArrays(writtenType(Field))))
      return true;
    auto *Inner = Field->getType()->getBaseElementTypeUnsafe()->getAsRecordDecl();
    return Inner && Inner->isUnion() && hyperFieldOf(Inner);
  });
}

namespace {

using Ranges = llvm::SmallVector<HyperRange, 2>;

/// \p Inner, repeated in each of \p Count elements.
Ranges repeat(const Ranges &Inner, uint64_t Count, uint64_t Bytes) {
  Ranges Result;
  for (const HyperRange &R : Inner) {
    if (R.Count == 1)
      Result.push_back({R.Offset, Count, Bytes});
    else if (R.Count * R.Stride == Bytes)
      Result.push_back({R.Offset, Count * R.Count, R.Stride});
    else if (R.Count <= Count)
      for (uint64_t I = 0; I < R.Count; ++I)
        Result.push_back({R.Offset + I * R.Stride, Count, Bytes});
    else
      for (uint64_t I = 0; I < Count; ++I)
        Result.push_back({R.Offset + I * Bytes, R.Count, R.Stride});
  }
  return Result;
}

void add(const RecordDecl *Record, uint64_t Offset, bool IsComplete, const ASTContext &Ctx,
         Ranges &Out);

void add(Written T, uint64_t Offset, const ASTContext &Ctx, Ranges &Out) {
  if (hyperType(T)) {
    Out.push_back({Offset, 1, 1});
    return;
  }
  QualType Type = T.Type;
  if (auto *Array = Ctx.getAsConstantArrayType(Type)) {
    Written Element = element(T);
    Ranges Inner;
    add(Element ? Element : T.with(Array->getElementType()), 0, Ctx, Inner);
    for (HyperRange R : repeat(Inner, Array->getSize().getZExtValue(),
                               Ctx.getTypeSizeInChars(Array->getElementType()).getQuantity()))
      Out.push_back({R.Offset + Offset, R.Count, R.Stride});
    return;
  }
  if (hyperFieldOf(Type))
    add(Type->getAsRecordDecl(), Offset, true, Ctx, Out);
}

void add(const RecordDecl *Record, uint64_t Offset, bool IsComplete, const ASTContext &Ctx,
         Ranges &Out) {
  Record = Record->getDefinition();
  if (!Record || Record->isInvalidDecl())
    return;
  const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(Record);
  if (auto *Class = dyn_cast<CXXRecordDecl>(Record)) {
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (auto *Inner = Base.getType()->getAsCXXRecordDecl();
          Inner && !Base.isVirtual() && hyperFieldOf(Base.getType()))
        add(Inner, Offset + Layout.getBaseClassOffset(Inner).getQuantity(), false, Ctx, Out);
    if (IsComplete)
      for (const CXXBaseSpecifier &Base : Class->vbases())
        if (auto *Inner = Base.getType()->getAsCXXRecordDecl(); hyperFieldOf(Base.getType()))
          add(Inner, Offset + Layout.getVBaseClassOffset(Inner).getQuantity(), false, Ctx, Out);
  }
  for (const FieldDecl *Field : Record->fields())
    if (!Field->getType()->isReferenceType() && !isCopiedValue(Field, Record))
      add(writtenType(Field),
          Offset + Layout.getFieldOffset(Field->getFieldIndex()) / Ctx.getCharWidth(), Ctx, Out);
}

} // namespace

llvm::SmallVector<HyperRange, 2> hyperRanges(Written T, const ASTContext &Ctx) {
  Ranges Result;
  add(T, 0, Ctx, Result);
  return Result;
}

llvm::SmallVector<HyperRange, 2> hyperRanges(const RecordDecl *Class, const ASTContext &Ctx) {
  Ranges Result;
  add(Class, 0, false, Ctx, Result);
  return Result;
}

} // namespace nopal::frontend
