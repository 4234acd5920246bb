//===- Access.cpp - The memory that an expression names -------------------===//
//
// See Access.h.
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// The variable that \p E, an rvalue, is the value of.
const VarDecl *variableRead(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  auto *Ref = dyn_cast<DeclRefExpr>(E);
  auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Var && Var->hasLocalStorage() && !Var->getType()->isReferenceType() &&
                 !Ref->refersToEnclosingVariableOrCapture()
             ? Var
             : nullptr;
}

bool pointee(const Expr *Pointer, Access &A, const ASTContext &Ctx);

/// std::move and the like: the result is the argument.
bool passesOn(const CallExpr *Call) {
  switch (Call->getNumArgs() == 1 ? Call->getBuiltinCallee() : 0) {
  case Builtin::BIas_const:
  case Builtin::BIforward:
  case Builtin::BIforward_like:
  case Builtin::BImove:
  case Builtin::BImove_if_noexcept:
    return true;
  default:
    return false;
  }
}

/// Of a complex number. That of another number is the number.
bool isPart(const UnaryOperator *UO) {
  return UO->getOpcode() == UO_Real || UO->getOpcode() == UO_Imag;
}

/// \p Depth: so many references lead here; one may be bound to itself.
bool lvalue(const Expr *E, Access &A, const ASTContext &Ctx, unsigned Depth = 0) {
  while (true) {
    if (auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (auto *UO = dyn_cast<UnaryOperator>(E);
             UO && (UO->getOpcode() == UO_Extension ||
                    (isPart(UO) && !UO->getSubExpr()->getType()->isAnyComplexType())))
      E = UO->getSubExpr();
    else if (auto *Call = dyn_cast<CallExpr>(E); Call && passesOn(Call))
      E = Call->getArg(0);
    else if (auto *Cast = dyn_cast<CastExpr>(E);
             Cast &&
             (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_UncheckedDerivedToBase ||
              Cast->getCastKind() == CK_DerivedToBase))
      E = Cast->getSubExpr();
    else
      break;
  }
  if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (auto *Part = dyn_cast<BindingDecl>(Ref->getDecl()))
      return Part->getBinding() && lvalue(Part->getBinding(), A, Ctx, Depth);
    A.Root = dyn_cast<VarDecl>(Ref->getDecl());
    // A reference is what it was bound to, if that is a fixed place.
    Access Bound;
    if (A.Root && A.Root->getType()->isReferenceType() && A.Root->hasLocalStorage() &&
        A.Root->getInit() && Depth < 8 && lvalue(A.Root->getInit(), Bound, Ctx, Depth + 1) &&
        Bound.isPartOfRoot() && Bound.dependsOn().empty())
      A = Bound;
    return A.Root && A.Root->getTLSKind() == VarDecl::TLS_None;
  }
  if (auto *Member = dyn_cast<MemberExpr>(E)) {
    auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || !(Member->isArrow() ? pointee(Member->getBase(), A, Ctx)
                                      : lvalue(Member->getBase(), A, Ctx, Depth)))
      return false;
    if (Member->isArrow() && A.Root)
      A.Path.push_back({Access::Step::Element});
    A.Path.push_back({Access::Step::Member, Field->getCanonicalDecl()});
    return true;
  }
  if (auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Element->getBase()->IgnoreParens();
    auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
    bool IsArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
    if (!(IsArray ? lvalue(Decay->getSubExpr(), A, Ctx, Depth) : pointee(Base, A, Ctx)))
      return false;
    const Expr *Index = Element->getIdx();
    Expr::EvalResult Value;
    if (Index->isValueDependent())
      return false;
    if (Index->EvaluateAsInt(Value, Ctx) && Value.Val.getInt().isRepresentableByInt64()) {
      A.Path.push_back({Access::Step::Element, nullptr, Value.Val.getInt().getExtValue()});
      return true;
    }
    const VarDecl *Var = variableRead(Index);
    if (Var)
      A.Path.push_back({Access::Step::ElementAt, Var});
    return Var;
  }
  if (auto *UO = dyn_cast<UnaryOperator>(E); UO && isPart(UO)) {
    if (!lvalue(UO->getSubExpr(), A, Ctx, Depth))
      return false;
    A.Path.push_back({Access::Step::Element, nullptr, UO->getOpcode() == UO_Imag});
    return true;
  }
  if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Deref) {
    if (!pointee(UO->getSubExpr(), A, Ctx))
      return false;
    if (A.Root)
      A.Path.push_back({Access::Step::Element}); // *p is p[0]
    return true;
  }
  return false;
}

bool pointee(const Expr *Pointer, Access &A, const ASTContext &) {
  const Expr *E = Pointer->IgnoreParenImpCasts();
  if (!isa<CXXThisExpr>(E)) {
    A.Root = variableRead(E);
    if (!A.Root || !A.Root->getType()->isPointerType())
      return false;
  }
  A.Path.push_back({Access::Step::Pointee});
  return true;
}

} // namespace

std::optional<Access> Access::of(const Expr *E, const ASTContext &Ctx) {
  Access A;
  if (!lvalue(E, A, Ctx))
    return std::nullopt;
  return A;
}

bool Access::overlaps(const Access &Other) const {
  if (Root != Other.Root)
    return false;
  const Access &Short = Path.size() < Other.Path.size() ? *this : Other;
  const Access &Long = &Short == this ? Other : *this;
  // What a pointer or a reference leads to is no part of it.
  auto LeadsAway = [](const Step &S) {
    return S.Kind == Step::Pointee ||
           (S.Kind == Step::Member &&
            static_cast<const FieldDecl *>(S.What)->getType()->isReferenceType());
  };
  for (size_t I = 0; I < Long.Path.size(); ++I)
    if (I < Short.Path.size() ? !(Short.Path[I] == Long.Path[I]) : LeadsAway(Long.Path[I]))
      return false;
  return true;
}

std::string Access::name() const {
  for (const Step &S : llvm::reverse(Path))
    if (S.Kind == Step::Member)
      return static_cast<const FieldDecl *>(S.What)->getNameAsString();
  if (auto *Decomposed = dyn_cast_or_null<DecompositionDecl>(Root);
      Decomposed && !Decomposed->bindings().empty())
    return Decomposed->bindings().front()->getNameAsString();
  return Root ? Root->getNameAsString() : "*this";
}

bool Access::isPartOfRoot() const {
  if (!Root)
    return false;
  for (const Step &S : Path)
    if (S.Kind == Step::Pointee)
      return false;
  return true;
}

llvm::SmallVector<const VarDecl *, 2> Access::dependsOn() const {
  llvm::SmallVector<const VarDecl *, 2> Result;
  for (const Step &S : Path) {
    if (S.Kind == Step::ElementAt)
      Result.push_back(static_cast<const VarDecl *>(S.What));
    else if (S.Kind == Step::Pointee && Root)
      Result.push_back(Root);
  }
  return Result;
}

} // namespace nopal::frontend
