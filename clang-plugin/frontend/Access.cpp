//===- Access.cpp - The memory that an expression names -------------------===//
//
// See Access.h.
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace nopal {
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

bool lvalue(const Expr *E, Access &A, const ASTContext &Ctx) {
  while (true) {
    if (auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Extension)
      E = UO->getSubExpr();
    else if (auto *Cast = dyn_cast<ImplicitCastExpr>(E);
             Cast && (Cast->getCastKind() == CK_NoOp || Cast->getCastKind() == CK_UncheckedDerivedToBase ||
                      Cast->getCastKind() == CK_DerivedToBase))
      E = Cast->getSubExpr();
    else
      break;
  }
  if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    A.Root = dyn_cast<VarDecl>(Ref->getDecl());
    return A.Root && A.Root->getTLSKind() == VarDecl::TLS_None;
  }
  if (auto *Member = dyn_cast<MemberExpr>(E)) {
    auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || !(Member->isArrow() ? pointee(Member->getBase(), A, Ctx) : lvalue(Member->getBase(), A, Ctx)))
      return false;
    A.Path.push_back({Access::Step::Member, Field->getCanonicalDecl()});
    return true;
  }
  if (auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Base = Element->getBase()->IgnoreParens();
    auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
    bool IsArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
    if (!(IsArray ? lvalue(Decay->getSubExpr(), A, Ctx) : pointee(Base, A, Ctx)))
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
  if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Deref)
    return pointee(UO->getSubExpr(), A, Ctx);
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
  for (size_t I = 0; I < Long.Path.size(); ++I)
    if (I < Short.Path.size() ? !(Short.Path[I] == Long.Path[I]) : Long.Path[I].Kind == Step::Pointee)
      return false;
  return true;
}

std::string Access::name() const {
  for (const Step &S : llvm::reverse(Path))
    if (S.Kind == Step::Member)
      return static_cast<const FieldDecl *>(S.What)->getNameAsString();
  if (auto *Decomposed = dyn_cast_or_null<DecompositionDecl>(Root); Decomposed && !Decomposed->bindings().empty())
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

} // namespace nopal
