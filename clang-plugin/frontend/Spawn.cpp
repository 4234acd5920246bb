//===- Spawn.cpp - Which call a spawned statement spawns ------------------===//
//
// Peels a statement down to its spawned call. Between the statement and the
// keyword's marker only conversions may stand (and one assignment); between the
// marker and the call too. The child does them, after the call.
//
//===----------------------------------------------------------------------===//
#include "Spawn.h"
#include "../compatibility/Compatibility.h"
#include "Diagnostics.h"
#include "HyperExpressions.h"
#include "HyperLifetimes.h"
#include "Keywords.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace nopal::frontend {
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

/// Whether the builtin \p ID means something else in another function.
bool belongsToItsFrame(unsigned ID) {
  switch (ID) {
  case Builtin::BI__builtin_alloca:
  case Builtin::BI__builtin_alloca_uninitialized:
  case Builtin::BI__builtin_alloca_with_align:
  case Builtin::BI__builtin_alloca_with_align_uninitialized:
  case Builtin::BIalloca:
  case Builtin::BI_alloca:
  case Builtin::BI__builtin_return_address:
  case Builtin::BI__builtin_frame_address:
  case Builtin::BI__builtin_dwarf_cfa:
  case Builtin::BI__builtin_unwind_init:
  case Builtin::BI__builtin_eh_return:
  case Builtin::BI__builtin_setjmp:
  case Builtin::BI__builtin_longjmp:
  case Builtin::BI__builtin_va_start:
  case Builtin::BI__builtin_stdarg_start:
  case Builtin::BI__builtin_va_end:
  case Builtin::BI__builtin_va_copy:
  case Builtin::BI__builtin_ms_va_start:
  case Builtin::BI__builtin_ms_va_end:
  case Builtin::BI__builtin_ms_va_copy:
  case Builtin::BI__builtin_call_with_static_chain: // which wants a call for an operand
    return true;
  default:
    return compat::isNewerFrameBuiltin(ID);
  }
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
  if (auto *Generic = dyn_cast<GenericSelectionExpr>(E))
    return Generic->isResultDependent() ? nullptr : Generic->getResultExpr();
  if (auto *Choose = dyn_cast<ChooseExpr>(E))
    return Choose->isConditionDependent() ? nullptr : Choose->getChosenSubExpr();
  if (auto *Op = dyn_cast<UnaryOperator>(E); Op && Op->getOpcode() == UO_Extension)
    return Op->getSubExpr();
  if (Expr *Object = registeredUnnamed(E))
    return Object;
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
    return List->getUserSpecifiedInitExprs().size() == 1 ? List->getUserSpecifiedInitExprs()[0]
                                                         : nullptr;
  return nullptr;
}

bool isFixedVariable(const Expr *Left) {
  auto *Ref = dyn_cast<DeclRefExpr>(Left->IgnoreParens());
  if (!Ref || Ref->refersToEnclosingVariableOrCapture())
    return false;
  auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
  return Var && !Var->getType()->isReferenceType() && Var->getTLSKind() == VarDecl::TLS_None;
}

const Stmt *spawnedBody(const Stmt *Whole) {
  auto *Attributed = dyn_cast<AttributedStmt>(Whole);
  return Attributed ? Attributed->getSubStmt() : Whole;
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

/// Whether a spawned call of this callee stays a call in code generation.
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
  if (unsigned ID = Callee->getBuiltinID(); ID && belongsToItsFrame(ID))
    return Refuse(Diag::Builtin, Callee);
  if (isa<CXXDestructorDecl>(Callee))
    return Refuse(Diag::SpecialMember, Callee);
  if (auto *Method = dyn_cast<CXXMethodDecl>(Callee))
    if (Method->isDefaulted() &&
        (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()))
      return Refuse(Diag::SpecialMember, Callee);
  return true;
}

/// Finds the call or the operation under the marker, or reports why there is none.
void SpawnMatcher::spawned(Spawn &S) {
  SourceLocation Loc = S.Marker->getOperatorLoc();
  for (Expr *E = S.Marker->getSubExpr(); E; E = peelConversion(E)) {
    if (isView(E)) // of the hyperobject that a call gives
      E = const_cast<Expr *>(objectOfView(E));
    if (auto *Call = dyn_cast<CallExpr>(E)) {
      if (!mayCall(Loc, Call))
        return;
      // Clang compiles the known functions by themselves. A library function can
      // be called by address (MarkerBuilder::flag does that); another cannot be called.
      unsigned ID = Call->getBuiltinCallee();
      if (!ID ||
          (Ctx.BuiltinInfo.isPredefinedLibFunction(ID) && !Ctx.BuiltinInfo.isInStdNamespace(ID)))
        S.Spawned = Call;
      else
        S.Operation = Call;
      return;
    }
    // Operands of a PseudoObjectExpr were hoisted for another instance of a template.
    if (isa<CXXNewExpr, AtomicExpr, PseudoObjectExpr>(E)) {
      S.Operation = E;
      return;
    }
    if (isa<CXXConstructExpr, CXXFunctionalCastExpr>(E) && E->getType()->isRecordType()) {
      Report.report(Diag::Constructor, Loc,
                    E->getType().getUnqualifiedType().getAsString(Ctx.getPrintingPolicy()));
      return;
    }
    if (auto *Constant = dyn_cast<ConstantExpr>(E); Constant && Constant->isImmediateInvocation()) {
      auto *Call = dyn_cast<CallExpr>(Constant->getSubExpr()->IgnoreImplicit());
      auto *Callee = Call ? Call->getDirectCallee() : nullptr;
      Report.report(Diag::Immediate, Loc, Callee ? nameOf(Callee) : std::string());
      return;
    }
  }
  Report.report(Diag::NotACall, Loc);
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
    if (isa<BinaryOperator, UnaryOperator, AbstractConditionalOperator, CXXDeleteExpr,
            CXXThrowExpr>(Operand)) {
      S.Marker = Marker;
      return S;
    }
    S.Form = Spawn::Call;
    S.Marker = Marker;
    spawned(S);
    return S;
  }

  Expr *Assign = E;
  while (isa<ExprWithCleanups, ParenExpr, CXXBindTemporaryExpr>(Assign))
    Assign = peelConversion(Assign);
  Expr *Right = nullptr;
  if (auto *Operator = dyn_cast<BinaryOperator>(Assign);
      Operator && Operator->getOpcode() == BO_Assign)
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
    spawned(S);
  return S;
}

InitListExpr *initializerList(Expr *Init) {
  while (auto *Full = dyn_cast_or_null<FullExpr>(Init))
    Init = Full->getSubExpr();
  auto *List = dyn_cast_or_null<InitListExpr>(Init);
  if (!List)
    return nullptr;
  if (!List->isSemanticForm() && List->getSemanticForm())
    List = List->getSemanticForm();
  return List->getType()->isArrayType() || List->getType()->isRecordType() ? List : nullptr;
}

llvm::SmallVector<ListPart, 8> partsOf(InitListExpr *List) {
  llvm::SmallVector<ListPart, 8> Result;
  auto *Record = List->getType()->getAsRecordDecl();
  auto Field = Record ? Record->field_begin() : RecordDecl::field_iterator();
  for (unsigned I = 0; I < List->getNumInits(); ++I) {
    while (Record && Field != Record->field_end() && Field->isUnnamedBitField())
      ++Field;
    const bool HasField = Record && Field != Record->field_end();
    Result.push_back({List->getInit(I), HasField ? *Field++ : nullptr, I});
  }
  return Result;
}

/// Whether \p Init makes all of an object zero, as the rest of an array.
static bool isZero(const Expr *Init) {
  auto *List = dyn_cast_or_null<InitListExpr>(Init);
  return !Init || isa<ImplicitValueInitExpr>(Init) ||
         (List && isZero(List->getArrayFiller()) && llvm::all_of(List->inits(), isZero));
}

/// Whether each part of what \p List initializes can be assigned by itself.
static bool isDivisible(InitListExpr *List, ASTContext &Ctx) {
  QualType Type = List->getType();
  if (!isZero(List->getArrayFiller()))
    return false;
  if (auto *Record = Type->getAsRecordDecl()) {
    auto *Class = dyn_cast<CXXRecordDecl>(Record);
    if (Record->isUnion() || (Class && Class->getNumBases() > 0))
      return false;
    for (const FieldDecl *Field : Record->fields())
      if (Field->getType()->isReferenceType())
        return false;
  }
  for (Expr *Part : List->inits()) {
    if (!Part || isa<ImplicitValueInitExpr>(Part))
      continue;
    if (InitListExpr *Inner = initializerList(Part)) {
      if (!isDivisible(Inner, Ctx))
        return false;
    } else if (isa<CXXDefaultInitExpr>(Part) || Part->getType()->isArrayType() ||
               Part->isGLValue() || !Part->getType().isTriviallyCopyableType(Ctx)) {
      return false;
    }
  }
  return true;
}

llvm::SmallVector<Spawn, 1> SpawnMatcher::matchElements(VarDecl *Var) {
  llvm::SmallVector<Spawn, 1> Result;
  InitListExpr *Whole = initializerList(Var->getInit());
  if (!Whole || markerUnder(Var->getInit()))
    return Result;
  llvm::SmallVector<InitListExpr *, 4> Lists{Whole};
  bool InBitField = false;
  for (unsigned I = 0; I < Lists.size(); ++I) {
    for (const ListPart &P : partsOf(Lists[I])) {
      if (UnaryOperator *Marker = P.Init ? markerUnder(P.Init) : nullptr) {
        Spawn S{Spawn::Element, Marker->getOperatorLoc()};
        S.Marker = Marker;
        S.Var = Var;
        S.Part = P.Init;
        InBitField |= P.Field && P.Field->isBitField();
        Result.push_back(S);
      } else if (InitListExpr *Inner = initializerList(P.Init)) {
        Lists.push_back(Inner);
      }
    }
  }
  if (Result.empty())
    return Result;
  const bool Divisible =
      !InBitField && Var->needsDestruction(Ctx) == QualType::DK_none && isDivisible(Whole, Ctx);
  for (Spawn &S : Result)
    if (!Var->hasLocalStorage())
      Report.report(Diag::StaticVariable, S.Loc, nameOf(Var));
    else if (Var->isConstexpr())
      Report.report(Diag::ConstexprVariable, S.Loc, nameOf(Var));
    else if (!Divisible)
      Report.report(Diag::SpawnedElement, S.Loc, nameOf(Var));
    else
      spawned(S);
  return Result;
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
    spawned(S);
  return S;
}

} // namespace nopal::frontend
