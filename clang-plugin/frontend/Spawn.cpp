//===- Spawn.cpp - Which call a spawned statement spawns ------------------===//
//
// Peels a statement down to its spawned call. Between the statement and the
// keyword's marker only conversions may stand (and one assignment); between the
// marker and the call too. The child does them, after the call.
//
//===----------------------------------------------------------------------===//
#include "Spawn.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace nopal {
namespace {

bool isMarkerOf(const Expr *E, Keyword K, KeywordTable &Keywords) {
  auto *UO = dyn_cast<UnaryOperator>(E);
  return UO && UO->getOpcode() == UO_Extension && Keywords.at(UO->getOperatorLoc()) == K;
}

/// The one argument of a constructor call that was not defaulted.
Expr *onlyArgument(CXXConstructExpr *Construct) {
  if (Construct->getNumArgs() == 0)
    return nullptr;
  for (unsigned I = 1; I < Construct->getNumArgs(); ++I)
    if (!isa<CXXDefaultArgExpr>(Construct->getArg(I)))
      return nullptr;
  return Construct->getArg(0);
}

std::string nameOf(const NamedDecl *D) { return D->getNameAsString(); }

} // namespace

Expr *peelConversion(Expr *E) {
  if (auto *Full = dyn_cast<FullExpr>(E)) {
    auto *Constant = dyn_cast<ConstantExpr>(Full);
    return Constant && Constant->isImmediateInvocation() ? nullptr : Full->getSubExpr();
  }
  if (auto *Paren = dyn_cast<ParenExpr>(E))
    return Paren->getSubExpr();
  if (auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return Temporary->getSubExpr();
  if (auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return Bind->getSubExpr();
  if (auto *Cast = dyn_cast<CastExpr>(E)) {
    Expr *Sub = Cast->getSubExpr();
    if (Cast->getCastKind() != CK_UserDefinedConversion)
      return Sub;
    // The conversion function's call stands between; look at its object.
    if (auto *Bind = dyn_cast<CXXBindTemporaryExpr>(Sub))
      Sub = Bind->getSubExpr();
    if (auto *Conversion = dyn_cast<CXXMemberCallExpr>(Sub))
      return Conversion->getImplicitObjectArgument();
    return Sub;
  }
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return onlyArgument(Construct);
  if (auto *List = dyn_cast<InitListExpr>(E)) {
    for (unsigned I = 1; I < List->getNumInits(); ++I)
      if (!isa<ImplicitValueInitExpr>(List->getInit(I)))
        return nullptr;
    return List->getNumInits() > 0 ? List->getInit(0) : nullptr;
  }
  if (auto *List = dyn_cast<CXXParenListInitExpr>(E))
    return List->getUserSpecifiedInitExprs().size() == 1 ? List->getUserSpecifiedInitExprs()[0] : nullptr;
  return nullptr;
}

bool isFixedVariable(const Expr *Left) {
  auto *Ref = dyn_cast<DeclRefExpr>(Left->IgnoreParens());
  if (!Ref || Ref->refersToEnclosingVariableOrCapture())
    return false;
  auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  return Var && !Var->getType()->isReferenceType() && Var->getTLSKind() == VarDecl::TLS_None;
}

Expr *leftSide(Expr *Assign) {
  if (auto *Operator = dyn_cast<BinaryOperator>(Assign))
    return Operator->getLHS();
  return cast<CXXOperatorCallExpr>(Assign)->getArg(0);
}

bool SpawnMatcher::isSpawnMarker(const Expr *E) { return isMarkerOf(E, Keyword::Spawn, Keywords); }

bool SpawnMatcher::isSyncMarker(const Expr *E) { return isMarkerOf(E, Keyword::Sync, Keywords); }

UnaryOperator *SpawnMatcher::syncStatement(Expr *E) {
  auto *Cast = dyn_cast<CStyleCastExpr>(E);
  if (!Cast || !isSyncMarker(Cast->getSubExpr()))
    return nullptr;
  return ::cast<UnaryOperator>(Cast->getSubExpr());
}

UnaryOperator *SpawnMatcher::markerUnder(Expr *E) {
  while (E) {
    if (isSpawnMarker(E))
      return cast<UnaryOperator>(E);
    E = peelConversion(E);
  }
  return nullptr;
}

/// Whether a flagged call of this callee stays a call in code generation.
bool SpawnMatcher::mayCall(SourceLocation Loc, CallExpr *Call) {
  auto Refuse = [&](Diag Row, const Decl *Callee) {
    auto *Named = dyn_cast_or_null<NamedDecl>(Callee);
    Report.report(Row, Loc, Named ? nameOf(Named) : "a pseudo-destructor");
    return false;
  };
  if (isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParens()))
    return Refuse(Diag::SpecialMember, nullptr);
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return true;
  if (Callee->isImmediateFunction())
    return Refuse(Diag::Immediate, Callee);
  // Clang compiles the known functions by themselves. A library function can
  // be called by address (Rewrite.cpp does that); another cannot be called.
  if (unsigned ID = Callee->getBuiltinID())
    if (!Ctx.BuiltinInfo.isPredefinedLibFunction(ID) || Ctx.BuiltinInfo.isInStdNamespace(ID))
      return Refuse(Diag::Builtin, Callee);
  if (isa<CXXDestructorDecl>(Callee))
    return Refuse(Diag::SpecialMember, Callee);
  if (auto *Method = dyn_cast<CXXMethodDecl>(Callee))
    if (Method->isDefaulted() && (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()))
      return Refuse(Diag::SpecialMember, Callee);
  return true;
}

/// The call under \p Marker, or null after a report.
CallExpr *SpawnMatcher::spawnedCall(UnaryOperator *Marker) {
  SourceLocation Loc = Marker->getOperatorLoc();
  for (Expr *E = Marker->getSubExpr(); E; E = peelConversion(E)) {
    if (auto *Call = dyn_cast<CallExpr>(E))
      return mayCall(Loc, Call) ? Call : nullptr;
    if (isa<CXXConstructExpr, CXXFunctionalCastExpr>(E) && E->getType()->isRecordType()) {
      Report.report(Diag::Constructor, Loc, E->getType().getUnqualifiedType().getAsString(Ctx.getPrintingPolicy()));
      return nullptr;
    }
    if (auto *Constant = dyn_cast<ConstantExpr>(E); Constant && Constant->isImmediateInvocation()) {
      auto *Call = dyn_cast<CallExpr>(Constant->getSubExpr()->IgnoreImplicit());
      auto *Callee = Call ? Call->getDirectCallee() : nullptr;
      Report.report(Diag::Immediate, Loc, Callee ? nameOf(Callee) : std::string());
      return nullptr;
    }
  }
  Report.report(Diag::NotACall, Loc);
  return nullptr;
}

/// Whether the parent can take the address of \p Left, or need not.
bool SpawnMatcher::mayAssignTo(SourceLocation Loc, Expr *Left) {
  if (FieldDecl *Field = Left->getSourceBitField()) {
    Report.report(Diag::BitField, Loc, nameOf(Field));
    return false;
  }
  if (isFixedVariable(Left))
    return true;
  if (Left->isGLValue() && Left->getObjectKind() == OK_Ordinary && !Left->refersToVectorElement())
    return true;
  Report.report(Diag::LeftSide, Loc);
  return false;
}

std::optional<Spawn> SpawnMatcher::matchExpression(Expr *E) {
  // A marker at the very beginning takes the statement, whatever it is.
  if (Keywords.at(E->getBeginLoc()) == Keyword::Spawn) {
    Spawn S{Spawn::Statement, E->getBeginLoc()};
    UnaryOperator *Marker = markerUnder(E);
    if (!Marker)
      return S;
    // `cilk_spawn i = f()` reads as an assignment to an operand of the marker,
    // but `cilk_spawn (i = f())`, `cilk_spawn ++i` and `cilk_spawn delete p`
    // are operands that are no calls: the statement is the child.
    Expr *Operand = Marker->getSubExpr()->IgnoreUnlessSpelledInSource();
    if (isa<BinaryOperator, UnaryOperator, AbstractConditionalOperator, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(
            Operand)) {
      S.Marker = Marker;
      return S;
    }
    S.Form = Spawn::Call;
    S.Marker = Marker;
    S.Spawned = spawnedCall(Marker);
    return S;
  }

  Expr *Assign = E;
  while (isa<ExprWithCleanups, ParenExpr, CXXBindTemporaryExpr>(Assign))
    Assign = peelConversion(Assign);
  Expr *Right = nullptr;
  if (auto *Operator = dyn_cast<BinaryOperator>(Assign); Operator && Operator->getOpcode() == BO_Assign)
    Right = Operator->getRHS();
  else if (auto *Call = dyn_cast<CXXOperatorCallExpr>(Assign);
           Call && Call->getOperator() == OO_Equal && Call->getNumArgs() == 2)
    Right = Call->getArg(1);
  UnaryOperator *Marker = Right ? markerUnder(Right) : nullptr;
  if (!Marker)
    return std::nullopt;
  Spawn S{Spawn::Assignment, Marker->getOperatorLoc()};
  S.Marker = Marker;
  S.Assign = Assign;
  if (mayAssignTo(S.Loc, leftSide(Assign)))
    S.Spawned = spawnedCall(Marker);
  return S;
}

std::optional<Spawn> SpawnMatcher::matchVariable(VarDecl *Var) {
  UnaryOperator *Marker = Var->getInit() ? markerUnder(Var->getInit()) : nullptr;
  if (!Marker)
    return std::nullopt;
  Spawn S{Spawn::Variable, Marker->getOperatorLoc()};
  S.Marker = Marker;
  S.Var = Var;
  if (!Var->hasLocalStorage())
    Report.report(Diag::StaticVariable, S.Loc, nameOf(Var));
  else if (Var->isConstexpr())
    Report.report(Diag::ConstexprVariable, S.Loc, nameOf(Var));
  else
    S.Spawned = spawnedCall(Marker);
  return S;
}

} // namespace nopal
