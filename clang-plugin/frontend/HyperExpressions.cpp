//===- HyperExpressions.cpp - The written type of an expression -----------===//
//
// See HyperExpressions.h.
//
//===----------------------------------------------------------------------===//
#include "HyperExpressions.h"
#include "../compatibility/Compatibility.h"
#include "MarkerBuilder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace nopal::frontend {

/// `*(T *)__nopal_view(...)` itself; an object that calls something is computed before it.
static const Expr *withoutObject(const Expr *E) {
  auto *Pseudo = dyn_cast<PseudoObjectExpr>(E);
  return Pseudo && Pseudo->getResultExpr() ? Pseudo->getResultExpr() : E;
}

bool isView(const Expr *E) {
  auto *Deref = dyn_cast<UnaryOperator>(withoutObject(E));
  if (!Deref || Deref->getOpcode() != UO_Deref)
    return false;
  auto *Call = dyn_cast<CallExpr>(Deref->getSubExpr()->IgnoreImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         (isCallOf(Call, Marker::View) ||
          (Callee->getName() == "nopal_view" &&
           isCallOf(Call->getArg(0)->IgnoreImpCasts(), Marker::Strand)));
}

const Expr *objectOfView(const Expr *View) {
  auto *Deref = cast<UnaryOperator>(withoutObject(View));
  auto *Call = cast<CallExpr>(Deref->getSubExpr()->IgnoreImpCasts());
  const Expr *Address = Call->getArg(1)->IgnoreImpCasts();
  if (auto *Before = dyn_cast<OpaqueValueExpr>(Address))
    Address = Before->getSourceExpr()->IgnoreImpCasts();
  return cast<UnaryOperator>(Address)->getSubExpr();
}

bool isBuiltinAddressOf(const CallExpr *Call) {
  return Call->getBuiltinCallee() == Builtin::BI__builtin_addressof;
}

Written HyperExpressions::pointerTo(Written T) const {
  return T ? T.with(Context->getASTContext().getPointerType(T.Type)) : Written();
}

Written HyperExpressions::valueOf(Expr *E) const {
  Written T = typeOf(E);
  auto Hyper = hyperType(T);
  return Hyper ? Hyper->View : T;
}

std::optional<HyperType> HyperExpressions::hyperobject(Expr *E) const {
  if (!E->isGLValue() ||
      !isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, UnaryOperator, CallExpr, ExplicitCastExpr>(
          E))
    return std::nullopt;
  if (auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->getOpcode() != UO_Deref)
    return std::nullopt;
  return hyperType(typeOf(E));
}

Written HyperExpressions::ofVariable(ValueDecl *D) const {
  if (auto *Part = dyn_cast<BindingDecl>(D))
    return Part->getBinding() ? typeOf(Part->getBinding()) : Written();
  if (!isa<VarDecl, FieldDecl>(D))
    return {};
  auto *Var = dyn_cast<VarDecl>(D);
  if (Var && isDeduced(Var->getType()))
    return Var->getInit() ? valueOf(Var->getInit()) : Written();
  return withoutReference(writtenType(D));
}

Written HyperExpressions::ofCall(CallExpr *Call) const {
  if (isBuiltinAddressOf(Call))
    return pointerTo(typeOf(Call->getArg(0)));
  if (FunctionDecl *Callee = Call->getDirectCallee())
    return withoutReference({Callee->getReturnType(), Callee});
  QualType Type = Call->getCallee()->getType();
  if (auto *Pointer = Type->getAs<PointerType>())
    Type = Pointer->getPointeeType();
  auto *Function = Type->getAs<FunctionType>();
  return Function ? withoutReference({Function->getReturnType(), Context}) : Written();
}

bool HyperExpressions::isCopied(const ValueDecl *D) const {
  // An inner lambda may refer to what an outer one has copied.
  for (const Decl *In = Context; auto *Method = dyn_cast<CXXMethodDecl>(In);
       In = cast<Decl>(Method->getParent()->getDeclContext())) {
    if (!Method->getParent()->isLambda())
      return false;
    llvm::DenseMap<const ValueDecl *, FieldDecl *> Captures;
    FieldDecl *This = nullptr;
    Method->getParent()->getCaptureFields(Captures, This);
    const FieldDecl *Capture = Captures.lookup(D);
    if (!Capture || !Capture->getType()->isReferenceType())
      return Capture;
  }
  return false;
}

Written HyperExpressions::typeOf(Expr *E) const {
  E = E->IgnoreParens();
  if (isView(E))
    return {E->getType(), Context};
  if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    Written T = ofVariable(Ref->getDecl());
    if (!isCopied(Ref->getDecl()))
      return T;
    // What a lambda has copied is a value.
    auto Hyper = hyperType(withoutArrays(T));
    return !Hyper ? T : element(T) ? Written() : Hyper->View;
  }
  if (auto *Member = dyn_cast<MemberExpr>(E))
    return ofVariable(Member->getMemberDecl());
  if (auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return pointee(valueOf(Element->getBase()));
  if (auto *Call = dyn_cast<CallExpr>(E))
    return ofCall(Call);
  if (auto *New = dyn_cast<CXXNewExpr>(E))
    return pointerTo({New->getAllocatedType(), Context});
  if (auto *Cast = dyn_cast<ExplicitCastExpr>(E))
    return withoutReference({Cast->getTypeAsWritten(), Context});
  if (auto *Full = dyn_cast<FullExpr>(E))
    return typeOf(Full->getSubExpr());
  if (auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
    return Opaque->getSourceExpr() ? typeOf(Opaque->getSourceExpr()) : Written();
  if (auto *Pseudo = dyn_cast<PseudoObjectExpr>(E))
    return Pseudo->getResultExpr() ? typeOf(Pseudo->getResultExpr()) : Written();
  if (auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
      return valueOf(Cast->getSubExpr());
    case CK_NoOp:
      return typeOf(Cast->getSubExpr());
    case CK_ArrayToPointerDecay:
      return pointerTo(element(typeOf(Cast->getSubExpr())));
    default:
      return {};
    }
  }
  if (auto *Unary = dyn_cast<UnaryOperator>(E)) {
    switch (Unary->getOpcode()) {
    case UO_Deref:
      return pointee(valueOf(Unary->getSubExpr()));
    case UO_AddrOf:
      return pointerTo(valueOf(Unary->getSubExpr()));
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec:
    case UO_Extension:
      return valueOf(Unary->getSubExpr());
    default:
      return {};
    }
  }
  if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Comma)
      return typeOf(Binary->getRHS());
    if (Binary->isAssignmentOp())
      return valueOf(Binary->getLHS());
    if (Binary->isAdditiveOp() && Binary->getType()->isPointerType())
      return valueOf(Binary->getLHS()->getType()->isPointerType() ? Binary->getLHS()
                                                                  : Binary->getRHS());
    return {};
  }
  if (auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
    Written T = typeOf(Choice->getTrueExpr());
    return T ? T : typeOf(Choice->getFalseExpr());
  }
  return {};
}

void HyperExpressions::checkPointer(Expr *From, Written To, Reporter &Report) const {
  if (!To || isDeduced(To.Type))
    return;
  Written Source = pointee(valueOf(From)), Target = pointee(To);
  if (!Source || !Target || Source.Type->isVoidType() || Target.Type->isVoidType())
    return;
  auto One = hyperType(Source), Other = hyperType(Target);
  if (One.has_value() == Other.has_value())
    return;
  Report.reportAt(From->getExprLoc(), Diag::HyperPointer, (One ? One : Other)->loc(),
                  nameOfView((One ? One : Other)->View.Type));
}

/// The hyperobjects that are the elements of an array.
static std::optional<HyperType> elementsOf(Written Array) {
  Written T = element(Array);
  while (Written Inner = element(T))
    T = Inner;
  return hyperType(T);
}

bool HyperExpressions::checkBinding(Expr *E, Written To, Reporter &Report) const {
  Written Object = To && !isDeduced(To.Type) ? referee(To) : Written();
  auto Hyper = hyperType(Object);
  if (!Hyper) {
    if (!Object)
      checkPointer(E, To, Report);
    else if (auto Elements = elementsOf(typeOf(E)); Elements && !elementsOf(Object))
      Report.reportAt(E->getExprLoc(), Diag::HyperPointer, Elements->loc(),
                      nameOfView(Elements->View.Type));
    return false;
  }
  Expr *Inner = E->IgnoreParenImpCasts();
  if (!hyperobject(Inner) && !isa<AbstractConditionalOperator, BinaryOperator>(Inner))
    Report.reportAt(E->getExprLoc(), Diag::HyperBinding, Hyper->loc(), nameOfView(E->getType()));
  return true;
}

bool usesHyperobjects(FunctionDecl *FD) {
  struct Finder : compat::DynamicRecursiveASTVisitor {
    explicit Finder(FunctionDecl *FD) : Types(FD) {}
    bool VisitExpr(Expr *E) override {
      auto *Member = dyn_cast<MemberExpr>(E);
      Found |=
          Types.hyperobject(E).has_value() ||
          (Member && Member->isArrow() && hyperType(pointee(Types.valueOf(Member->getBase()))));
      return !Found;
    }
    HyperExpressions Types;
    bool Found = false;
  } F(FD);
  F.TraverseStmt(FD->getBody());
  return F.Found;
}

} // namespace nopal::frontend
