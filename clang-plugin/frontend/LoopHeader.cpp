//===- LoopHeader.cpp - The header of a cilk_for --------------------------===//
//
// See Loop.h. Operators of classes are recognised by their form in the AST,
// whatever they do. Nothing is built and nothing is changed here. In the
// pattern of a template everything may be dependent; what is said about it is
// not heard.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Diagnostics.h"
#include "Keywords.h"
#include "Loop.h"
#include "References.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// Conversions that are not in the program's text, and the copy of an argument.
Expr *peel(Expr *E) {
  while (E) {
    auto *Construct = dyn_cast<CXXConstructExpr>(E);
    auto *Call = dyn_cast<CXXMemberCallExpr>(E);
    if (auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (Call && isa_and_nonnull<CXXConversionDecl>(Call->getMethodDecl()))
      E = Call->getImplicitObjectArgument();
    else if (Construct && !isa<CXXTemporaryObjectExpr>(Construct) && Construct->getNumArgs() > 0 &&
             Construct->getConstructor()->isCopyOrMoveConstructor())
      E = Construct->getArg(0);
    else if (Expr *Sub = E->IgnoreImplicit(); Sub != E)
      E = Sub;
    else
      break;
  }
  return E;
}

bool hasCleanups(const Expr *E) { return E && isa<ExprWithCleanups>(E); }

struct Operands {
  BinaryOperatorKind Kind;
  Expr *Left, *Right;
};

/// A comparison, assignment, addition or subtraction, builtin or overloaded.
std::optional<Operands> binary(Expr *E) {
  if (auto *Builtin = dyn_cast<BinaryOperator>(E))
    return Operands{Builtin->getOpcode(), Builtin->getLHS(), Builtin->getRHS()};
  if (auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(E)) {
    auto Form = Rewritten->getDecomposedForm();
    return Operands{Form.Opcode, const_cast<Expr *>(Form.LHS), const_cast<Expr *>(Form.RHS)};
  }
  auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  if (!Call || Call->getNumArgs() != 2 || !Call->isInfixBinaryOp())
    return std::nullopt;
  return Operands{BinaryOperator::getOverloadedOpcode(Call->getOperator()), Call->getArg(0),
                  Call->getArg(1)};
}

/// +1 for ++, -1 for --, of \p Operand; else 0.
int step(Expr *E, Expr *&Operand) {
  if (auto *Builtin = dyn_cast<UnaryOperator>(E); Builtin && Builtin->isIncrementDecrementOp()) {
    Operand = Builtin->getSubExpr();
    return Builtin->isIncrementOp() ? 1 : -1;
  }
  auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
  if (!Call || (Call->getOperator() != OO_PlusPlus && Call->getOperator() != OO_MinusMinus))
    return 0;
  Operand = Call->getArg(0);
  return Call->getOperator() == OO_PlusPlus ? 1 : -1;
}

/// The variable that \p E names, or null.
VarDecl *named(Expr *E) {
  auto *Ref = dyn_cast_or_null<DeclRefExpr>(peel(E));
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool mentions(Stmt *S, const VarDecl *Var) {
  return llvm::any_of(outerReferences(S),
                      [Var](const DeclRefExpr *Ref) { return Ref->getDecl() == Var; });
}

/// Finds where a variable itself is assigned to, outside of functions inside.
struct Change : compat::DynamicRecursiveASTVisitor {
  const VarDecl *Var;
  SourceLocation Where;

  explicit Change(const VarDecl *Var) : Var(Var) {}
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitExpr(Expr *E) override {
    Expr *Operand = nullptr;
    auto Two = binary(E);
    if (Two && BinaryOperator::isAssignmentOp(Two->Kind))
      Operand = Two->Left;
    else
      step(E, Operand);
    if (Operand && named(Operand) == Var)
      Where = E->getExprLoc();
    return Where.isInvalid();
  }
};

/// The one conversion function that makes an integer of a \p Type, or null.
CXXConversionDecl *conversionToInteger(QualType Type) {
  auto *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return nullptr;
  CXXConversionDecl *Found = nullptr;
  for (NamedDecl *D : Class->getVisibleConversionFunctions()) {
    auto *Conversion = dyn_cast<CXXConversionDecl>(D->getUnderlyingDecl());
    if (!Conversion || Conversion->isExplicit())
      continue;
    QualType To = Conversion->getConversionType().getNonReferenceType();
    if (!To->isIntegerType() || To->isBooleanType())
      continue;
    if (Found)
      return nullptr;
    Found = Conversion;
  }
  return Found;
}

class LoopMatcher {
public:
  LoopMatcher(Loop &L, ASTContext &Ctx, Reporter &Report) : L(L), Ctx(Ctx), Report(Report) {}

  bool match(ForStmt *S);
  bool match(CXXForRangeStmt *S);
  bool grain();
  void body();

private:
  bool init(ForStmt *S);
  bool outer(ForStmt *S);
  bool type();
  bool condition(ForStmt *S);
  bool increment(ForStmt *S);
  bool stride(Expr *E, Expr *Whole);
  bool direction(Expr *Whole);
  bool wrong(Diag ID, SourceLocation Where, llvm::StringRef Entity = "") {
    Report.reportAt(Where, ID, L.Loc, Entity);
    return false;
  }
  std::string quoted(QualType Type) const {
    return "'" + Type.getUnqualifiedType().getAsString(Ctx.getPrintingPolicy()) + "'";
  }

  Loop &L;
  ASTContext &Ctx;
  Reporter &Report;
};

/// Of C: `cilk_for (i = 0; ...)` with a variable that is declared before.
bool LoopMatcher::outer(ForStmt *S) {
  auto *Init = dyn_cast_or_null<Expr>(S->getInit());
  auto *Assign = Init ? dyn_cast<BinaryOperator>(Init->IgnoreParens()) : nullptr;
  if (!Assign || Assign->getOpcode() != BO_Assign || Ctx.getLangOpts().CPlusPlus)
    return false;
  auto *Ref = dyn_cast<DeclRefExpr>(Assign->getLHS()->IgnoreParens());
  L.Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  if (!L.Var || !L.Var->hasLocalStorage())
    return false;
  L.IsOuter = true;
  L.Start = Assign->getRHS();
  L.HeadLoc = Ref->getLocation();
  L.Others.push_back(nullptr);
  return true;
}

/// The control variable is the one that the increment changes.
bool LoopMatcher::init(ForStmt *S) {
  auto *Decls = dyn_cast_or_null<DeclStmt>(S->getInit());
  const bool IsOuter = !Decls && outer(S);
  if (!Decls && !IsOuter)
    return wrong(Diag::LoopInit, S->getInit() ? S->getInit()->getBeginLoc() : S->getLParenLoc());
  if (!S->getInc())
    return wrong(Diag::LoopNoIncrement, S->getRParenLoc());
  Expr *Operand = nullptr, *Inc = peel(S->getInc());
  if (auto Two = binary(Inc); Two && BinaryOperator::isAssignmentOp(Two->Kind))
    Operand = Two->Left;
  else
    step(Inc, Operand);
  if (IsOuter)
    return named(Operand) == L.Var || wrong(Diag::LoopIncrement, S->getInc()->getExprLoc());
  L.Var = named(Operand);
  if (!L.Var)
    return wrong(Diag::LoopIncrement, S->getInc()->getExprLoc());
  if (!llvm::is_contained(Decls->decls(), L.Var) || !L.Var->hasLocalStorage() || !L.Var->getInit())
    return wrong(Diag::LoopControl, Operand->getExprLoc(), L.Var->getName());
  L.HeadLoc = L.Var->getLocation();
  L.Start = L.Var->getInit();
  for (Decl *D : Decls->decls()) {
    if (D == L.Var) {
      L.Others.push_back(nullptr);
      continue;
    }
    if (auto *Var = dyn_cast<VarDecl>(D); Var && mentions(Var->getInit(), L.Var))
      return wrong(Diag::LoopOther, Var->getLocation(), Var->getName());
    L.Others.push_back(new (Ctx) DeclStmt(DeclGroupRef(D), D->getBeginLoc(), D->getEndLoc()));
  }
  return true;
}

bool LoopMatcher::type() {
  QualType Type = L.Var->getType();
  bool Enum = Type->isEnumeralType() && Ctx.getLangOpts().CPlusPlus;
  if (Type->isIntegerType() && !Type->isBooleanType() && !Type->isAtomicType() && !Enum)
    L.Kind = Loop::Integer;
  else if (Type->isObjectPointerType() || Type->isRecordType())
    L.Kind = Loop::Iterator;
  else
    return wrong(Diag::LoopType, L.HeadLoc, quoted(Type));
  if (Type.isVolatileQualified())
    wrong(Diag::LoopVolatile, L.HeadLoc, L.Var->getName());
  return true;
}

bool LoopMatcher::condition(ForStmt *S) {
  if (!S->getCond())
    return wrong(Diag::LoopNoCondition, S->getInit()->getEndLoc());
  SourceLocation Where = S->getCond()->getExprLoc();
  auto Two = S->getConditionVariable() ? std::nullopt : binary(peel(S->getCond()));
  if (!Two || !BinaryOperator::isComparisonOp(Two->Kind) || Two->Kind == BO_EQ ||
      Two->Kind == BO_Cmp)
    return wrong(Diag::LoopCondition, Where, L.Var->getName());
  L.Compare = Two->Kind;
  L.Limit = Two->Right;
  if (named(Two->Left) != L.Var) {
    if (named(Two->Right) != L.Var)
      return wrong(Diag::LoopCondition, Where, L.Var->getName());
    L.Limit = Two->Left;
    if (L.Compare != BO_NE)
      L.Compare = BinaryOperator::reverseComparisonOp(L.Compare);
  }
  if (mentions(L.Limit, L.Var))
    return wrong(Diag::LoopLimit, L.Limit->getExprLoc(), L.Var->getName());
  L.LimitHasCleanups = hasCleanups(S->getCond());
  if (L.Kind != Loop::Integer)
    return true;
  QualType Type = L.Limit->getType();
  L.LimitConversion = conversionToInteger(Type);
  if (L.LimitConversion)
    Type = L.LimitConversion->getConversionType().getNonReferenceType();
  if (!Type->isIntegerType())
    return wrong(Diag::LoopLimitType, L.Limit->getExprLoc(), quoted(Type));
  return true;
}

bool LoopMatcher::increment(ForStmt *S) {
  Expr *Inc = peel(S->getInc()), *Operand = nullptr;
  L.StrideHasCleanups = hasCleanups(S->getInc());
  if (int By = step(Inc, Operand)) {
    L.Subtract = By < 0;
    return direction(Inc);
  }
  Operands Two = *binary(Inc);
  switch (Two.Kind) {
  case BO_AddAssign:
  case BO_SubAssign:
    L.Subtract = Two.Kind == BO_SubAssign;
    return stride(Two.Right, Inc);
  case BO_Assign:
    break;
  default:
    return wrong(Diag::LoopIncrement, Inc->getExprLoc());
  }
  // i = i + c, i = c + i, i = i - c
  auto Sum = binary(peel(Two.Right));
  if (!Sum || (Sum->Kind != BO_Add && Sum->Kind != BO_Sub))
    return wrong(Diag::LoopIncrement, Inc->getExprLoc());
  L.Subtract = Sum->Kind == BO_Sub;
  if (named(Sum->Left) == L.Var)
    return stride(Sum->Right, Inc);
  if (!L.Subtract && named(Sum->Right) == L.Var)
    return stride(Sum->Left, Inc);
  return wrong(Diag::LoopIncrement, Inc->getExprLoc());
}

bool LoopMatcher::stride(Expr *E, Expr *Whole) {
  if (mentions(E, L.Var))
    return wrong(Diag::LoopStride, E->getExprLoc(), L.Var->getName());
  // As written: -1 is not the greatest number of an unsigned variable's type.
  if (Expr *Written = peel(E); Written->getType()->isIntegralOrUnscopedEnumerationType())
    E = Written;
  QualType Type = E->getType();
  if (!Type->isIntegralOrUnscopedEnumerationType())
    return wrong(Diag::LoopStrideType, E->getExprLoc(), quoted(Type));
  if (E->isValueDependent())
    return true;
  Expr::EvalResult Value;
  if (E->EvaluateAsInt(Value, Ctx) && !E->HasSideEffects(Ctx))
    L.Constant = llvm::APSInt(Value.Val.getInt().extend(Ctx.getIntWidth(Type) + 1), false);
  else
    L.Stride = E;
  return direction(Whole);
}

bool LoopMatcher::direction(Expr *Whole) {
  bool Falls = L.Compare == BO_GT || L.Compare == BO_GE;
  if (L.Stride) {
    L.Direction = L.Compare == BO_NE ? Loop::Unknown : Falls ? Loop::Down : Loop::Up;
    return true;
  }
  bool Down = L.Constant.isNegative() != L.Subtract;
  if (L.Constant.isZero() || (L.Compare != BO_NE && Down != Falls)) {
    std::string Entity;
    llvm::raw_string_ostream Stream(Entity);
    Whole->printPretty(Stream, nullptr, Ctx.getPrintingPolicy());
    return wrong(Diag::LoopDirection, Whole->getExprLoc(), Entity);
  }
  L.Direction = Down ? Loop::Down : Loop::Up;
  return true;
}

bool LoopMatcher::match(ForStmt *S) {
  L.Body = S->getBody();
  return init(S) && type() && condition(S) && increment(S);
}

bool LoopMatcher::match(CXXForRangeStmt *S) {
  L.Body = S->getBody();
  if (!S->getBeginStmt() || !S->getEndStmt()) // dependent
    return false;
  if (S->getInit())
    L.Others.push_back(S->getInit());
  L.Others.append({S->getRangeStmt(), nullptr, S->getEndStmt()});
  L.Var = cast<VarDecl>(S->getBeginStmt()->getSingleDecl());
  L.HeadLoc = S->getRangeInit()->getBeginLoc();
  L.Start = L.Var->getInit();
  auto *End = cast<VarDecl>(S->getEndStmt()->getSingleDecl());
  L.Limit = DeclRefExpr::Create(Ctx, NestedNameSpecifierLoc(), SourceLocation(), End, false,
                                S->getColonLoc(), End->getType().getNonReferenceType(), VK_LValue);
  L.Element = S->getLoopVarStmt();
  return type() &&
         (L.Kind == Loop::Iterator || wrong(Diag::LoopType, L.HeadLoc, quoted(L.Var->getType())));
}

/// What the handler of the pragma made: `(void)__extension__ + (GRAIN)`.
bool LoopMatcher::grain() {
  if (!L.Grain)
    return true;
  L.GrainHasCleanups = hasCleanups(L.Grain);
  L.Grain = cast<CStyleCastExpr>(L.Grain->IgnoreImplicit())->getSubExpr();
  if (L.Grain->isTypeDependent())
    return true;
  QualType Type = L.Grain->getType();
  const SourceLocation Pragma = L.Grain->IgnoreImplicit()->getBeginLoc();
  const SourceLocation Where = writtenPart(L.Grain, Pragma);
  if (!Type->isIntegralOrUnscopedEnumerationType()) {
    Report.reportAt(Where, Diag::GrainType, Pragma, quoted(Type));
    return false;
  }
  if (L.Grain->isValueDependent())
    return true;
  Expr::EvalResult Value;
  if (!L.Grain->EvaluateAsInt(Value, Ctx) || !Value.Val.getInt().isNegative())
    return true;
  Report.reportAt(Where, Diag::GrainNegative, Pragma, llvm::toString(Value.Val.getInt(), 10));
  return false;
}

void LoopMatcher::body() {
  auto *Block = dyn_cast<CompoundStmt>(L.Body);
  if (isa<NullStmt>(L.Body) || (Block && Block->body_empty()))
    wrong(Diag::LoopEmpty, L.Body->getBeginLoc());
  Change Found(L.Var);
  Found.TraverseStmt(L.Body);
  if (Found.Where.isValid())
    wrong(Diag::LoopModified, Found.Where, L.Var->getName());
}

} // namespace

std::optional<Loop> matchLoop(Stmt *Whole, Stmt *For, Expr *Grain, SourceLocation Loc,
                              ASTContext &Ctx, Reporter &Report) {
  Loop L;
  L.Loc = Loc;
  L.Grain = Grain;
  while (Whole != For) {
    if (auto *Attributed = dyn_cast<AttributedStmt>(Whole)) {
      L.Attributes.append(Attributed->getAttrs().begin(), Attributed->getAttrs().end());
      Whole = Attributed->getSubStmt();
    } else {
      Whole = cast<ForStmt>(Whole)->getBody();
    }
  }
  LoopMatcher Matcher(L, Ctx, Report);
  auto *Range = dyn_cast<CXXForRangeStmt>(For);
  if (!Matcher.grain() || !(Range ? Matcher.match(Range) : Matcher.match(cast<ForStmt>(For))))
    return std::nullopt;
  Matcher.body();
  return L;
}

} // namespace nopal::frontend
