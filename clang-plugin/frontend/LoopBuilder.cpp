//===- LoopBuilder.cpp - What becomes of a cilk_for -----------------------===//
//
// See LoopBuilder.h. A node of the AST stands in one place only, so what is used
// twice is a variable or is made twice.
//
//===----------------------------------------------------------------------===//
#include "LoopBuilder.h"
#include "Analysis.h"
#include "MarkerBuilder.h"
#include "References.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/ScopeInfo.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal::frontend {
namespace {

class LoopBuilder {
public:
  LoopBuilder(Loop &L, unsigned Id, FunctionDecl *FD, Sema &S, MarkerBuilder &Build,
              Reporter &Report)
      : L(L), Id(Id), FD(FD), S(S), Build(Build), Report(Report), Ctx(S.Context), Loc(L.HeadLoc),
        U64(Build.typeOf(MarkerType::U64)), Wide(U64) {}

  Stmt *build();

private:
  // Expressions. What they are given becomes a part of them.
  Expr *load(VarDecl *Var) { return Build.load(Var, Loc); }
  Expr *convert(Expr *E, QualType Type);
  Expr *wide(Expr *E) { return convert(E, Wide); }
  Expr *number(uint64_t Value, QualType Type) { return Build.number(Value, Type, Loc); }
  Expr *number(uint64_t Value) { return number(Value, Wide); }
  Expr *number(const llvm::APSInt &Value) { return Build.number(Value, Wide, Loc); }
  Expr *arithmetic(BinaryOperatorKind Op, Expr *Left, Expr *Right) {
    return Build.binary(Op, Left, Right, Wide, Loc);
  }
  Expr *compare(BinaryOperatorKind Op, Expr *Left, Expr *Right) {
    return Build.binary(Op, Left, Right, Ctx.getLogicalOperationType(), Loc);
  }
  Expr *select(Expr *If, Expr *Then, Expr *Else) {
    return new (Ctx)
        ConditionalOperator(If, Loc, Then, Loc, Else, Then->getType(), VK_PRValue, OK_Ordinary);
  }
  Expr *finish(Expr *E, bool Cleanups);

  // Variables and statements of the header.
  VarDecl *declare(llvm::StringRef Name, QualType Type, Expr *Init);
  Stmt *statement(VarDecl *Var) { return Build.declare(Var, Loc); }
  void start();
  bool distance();
  QualType comparedAs(QualType Type) const;
  void chooseWide();
  void stride();
  void count();
  Expr *grain();
  Stmt *leaf();
  bool variable(llvm::SmallVectorImpl<Stmt *> &Out);
  bool isElement(const VarDecl *Var) const;
  void copyOuter();
  bool setOuter(VarDecl *Outer);
  Expr *after(VarDecl *Number);

  Expr *strideValue() { return Stride ? load(Stride) : number(L.Constant); }
  Expr *step();
  Expr *forward();
  Expr *magnitude(bool Up);
  Expr *span(bool Up);
  Expr *trips(bool Up);
  Expr *in64(VarDecl *Var);
  bool fail(Diag ID, QualType Type) {
    if (!Failed)
      Report.reportAt(Loc, ID, L.Loc, "'" + Type.getAsString(Ctx.getPrintingPolicy()) + "'");
    Failed = true;
    return false;
  }

  Loop &L;
  const unsigned Id;
  FunctionDecl *FD;
  Sema &S;
  MarkerBuilder &Build;
  Reporter &Report;
  ASTContext &Ctx;
  const SourceLocation Loc;
  const QualType U64;
  QualType Wide; ///< of the arithmetic: U64, or unsigned and as wide as the widest type
  llvm::SmallVector<Stmt *, 16> Out;
  VarDecl *Start = nullptr, *Limit = nullptr, *Distance = nullptr, *Stride = nullptr,
          *Count = nullptr;
  bool Failed = false;
};

/// As an explicit cast does, whatever a sanitizer thinks of implicit ones.
Expr *LoopBuilder::convert(Expr *E, QualType Type) {
  E = Build.load(E);
  if (Ctx.hasSameUnqualifiedType(E->getType(), Type))
    return E;
  CastKind Kind = Type->isBooleanType() ? CK_IntegralToBoolean : CK_IntegralCast;
  auto *Cast = Build.implicitCast(Kind, Type.getUnqualifiedType(), E);
  Cast->setIsPartOfExplicitCast(true);
  return Cast;
}

/// \p E as a full expression; \p Cleanups if a part of it was taken from one
/// that destroys temporaries.
Expr *LoopBuilder::finish(Expr *E, bool Cleanups) {
  if (!E)
    return nullptr;
  if (Cleanups)
    S.Cleanup.setExprNeedsCleanups(true);
  return S.MaybeCreateExprWithCleanups(E);
}

VarDecl *LoopBuilder::declare(llvm::StringRef Name, QualType Type, Expr *Init) {
  VarDecl *Var = Build.variable(FD, Name, Type.getUnqualifiedType(), Loc, Init);
  Out.push_back(statement(Var));
  return Var;
}

/// The variable's initializer, where the variable stands among the others.
void LoopBuilder::start() {
  for (Stmt *Other : L.Others) {
    if (Other) {
      Out.push_back(Other);
      continue;
    }
    Start = declare("__nopal_start", L.Var->getType(), L.Start);
    if (!L.IsOuter)
      Start->setInitStyle(L.Var->getInitStyle());
  }
}

/// The type in which an integer control variable and a limit of \p Type are compared.
QualType LoopBuilder::comparedAs(QualType Type) const {
  QualType Result = Ctx.IntTy;
  for (QualType One : {Type, L.Var->getType()}) {
    const unsigned Width = Ctx.getIntWidth(One), Known = Ctx.getIntWidth(Result);
    if (Width > Known || (Width == Known && One->isUnsignedIntegerOrEnumerationType()))
      Result = One;
  }
  return Result.getUnqualifiedType();
}

/// The limit of integers, the distance of iterators; both evaluate the limit.
bool LoopBuilder::distance() {
  if (L.Kind == Loop::Integer) {
    Expr *Value = L.Limit;
    if (L.LimitConversion) {
      ExprResult Converted =
          S.BuildCXXMemberCallExpr(Value, L.LimitConversion, L.LimitConversion, false);
      if (Converted.isInvalid())
        return fail(Diag::LoopLimitType, Value->getType());
      Value = Build.load(Converted.get());
      Value = convert(Value, comparedAs(Value->getType()));
    }
    Value = Build.load(Value);
    Limit = declare("__nopal_limit", Value->getType(), finish(Value, L.LimitHasCleanups));
    return true;
  }
  Expr *From = Build.reference(Start, Loc), *To = L.Limit;
  if (L.Direction == Loop::Down)
    std::swap(From, To);
  ExprResult Result;
  {
    Sema::SFINAETrap Trap(S, /*WithAccessChecking=*/true);
    Result = S.BuildBinOp(nullptr, Loc, BO_Sub, To, From);
    if (Result.isInvalid() || Trap.hasErrorOccurred())
      return fail(Diag::LoopDistance, L.Var->getType());
  }
  QualType Type = Result.get()->getType();
  if (!Type->isIntegralOrUnscopedEnumerationType() || Type->isBooleanType())
    return fail(Diag::LoopDistance, L.Var->getType());
  Distance =
      declare("__nopal_distance", Type, finish(Build.load(Result.get()), L.LimitHasCleanups));
  return true;
}

/// After distance(), which makes Limit or Distance.
void LoopBuilder::chooseWide() {
  unsigned Bits = std::max(64u, L.Constant.getSignificantBits());
  for (QualType Type : {L.Var->getType(), (Limit ? Limit : Distance)->getType(),
                        L.Stride ? L.Stride->getType() : U64})
    if (Type->isIntegerType())
      Bits = std::max(Bits, Ctx.getIntWidth(Type));
  if (Bits > 64)
    Wide = Bits <= 128 && Ctx.getTargetInfo().hasInt128Type() ? Ctx.UnsignedInt128Ty
                                                              : Ctx.getBitIntType(true, Bits);
}

void LoopBuilder::stride() {
  if (L.Stride)
    Stride = declare("__nopal_stride", Wide, finish(wide(L.Stride), L.StrideHasCleanups));
}

/// What one iteration adds, in two's complement.
Expr *LoopBuilder::step() {
  return L.Subtract ? arithmetic(BO_Sub, number(0), strideValue()) : strideValue();
}

/// Whether the stride leads upwards.
Expr *LoopBuilder::forward() {
  QualType Signed = Ctx.getCorrespondingSignedType(Wide);
  return compare(BO_GT, convert(step(), Signed), number(0, Signed));
}

/// The stride's absolute value. A stride of 0 makes no sense, but no division
/// by zero either.
Expr *LoopBuilder::magnitude(bool Up) {
  if (!L.Stride)
    return number(L.Constant.isNegative() ? -L.Constant : L.Constant);
  auto Value = [&] { return Up ? step() : arithmetic(BO_Sub, number(0), step()); };
  return select(compare(BO_EQ, Value(), number(0)), number(1), Value());
}

/// The distance from start to limit, in the direction that is asked for.
Expr *LoopBuilder::span(bool Up) {
  if (L.Kind == Loop::Iterator) {
    bool Negate = L.Direction == Loop::Unknown && !Up; // Distance is limit - start
    return Negate ? arithmetic(BO_Sub, number(0), wide(load(Distance))) : wide(load(Distance));
  }
  QualType Type = Limit->getType();
  Expr *From = wide(convert(Build.reference(Start, Loc), Type)), *To = wide(load(Limit));
  if (!Up)
    std::swap(From, To);
  Expr *Span = arithmetic(BO_Sub, To, From);
  // i != limit goes around the end of its type, which may be narrower than that of the comparison.
  QualType Own = L.Var->getType();
  if (L.Compare != BO_NE || Ctx.getIntWidth(Own) >= Ctx.getIntWidth(Wide))
    return Span;
  QualType Unsigned =
      Own->isUnsignedIntegerOrEnumerationType() ? Own : Ctx.getCorrespondingUnsignedType(Own);
  return wide(convert(Span, Unsigned));
}

Expr *LoopBuilder::trips(bool Up) {
  if (L.Compare == BO_NE)
    return arithmetic(BO_Div, span(Up), magnitude(Up));
  bool Strict = L.Compare == BO_LT || L.Compare == BO_GT;
  Expr *Enter;
  if (L.Kind == Loop::Integer)
    Enter = compare(L.Compare, convert(Build.reference(Start, Loc), Limit->getType()), load(Limit));
  else
    Enter = compare(Strict ? BO_GT : BO_GE, load(Distance), number(0, Distance->getType()));
  if (Strict)
    return select(
        Enter,
        arithmetic(BO_Add,
                   arithmetic(BO_Div, arithmetic(BO_Sub, span(Up), number(1)), magnitude(Up)),
                   number(1)),
        number(0));
  // All of a type as wide as Wide is one iteration more than can be counted.
  auto Last = [&] { return arithmetic(BO_Div, span(Up), magnitude(Up)); };
  Expr *All = arithmetic(BO_Add, Last(), number(1));
  if (!L.Stride && (L.Constant == 1 || L.Constant == -1)) {
    const llvm::APSInt Most = llvm::APSInt::get(-1);
    All = select(compare(BO_EQ, span(Up), number(Most)), number(Most), All);
  }
  return select(Enter, All, number(0));
}

/// \p Var, which is positive, in 64 bits. More iterations than that never end either.
Expr *LoopBuilder::in64(VarDecl *Var) {
  QualType Type = Var->getType();
  return select(compare(BO_GT, load(Var), number(UINT64_MAX, Type)), number(UINT64_MAX, U64),
                convert(load(Var), U64));
}

void LoopBuilder::count() {
  Expr *Value;
  if (L.Direction == Loop::Unknown)
    Value = select(forward(), trips(true), trips(false));
  else
    Value = trips(L.Direction == Loop::Up);
  if (Wide != U64)
    Value = in64(declare("__nopal_trips", Wide, Value));
  Count = declare("__nopal_count", U64, Value);
}

/// The pragma's expression, evaluated first. What is negative at run time is
/// the default.
Expr *LoopBuilder::grain() {
  if (!L.Grain)
    return number(0, U64);
  QualType Type = L.Grain->getType();
  VarDecl *Grain = declare("__nopal_grain", Type, finish(Build.load(L.Grain), L.GrainHasCleanups));
  Expr *Value = Ctx.getIntWidth(Type) > 64 ? in64(Grain) : convert(load(Grain), U64);
  if (Type->isUnsignedIntegerOrEnumerationType())
    return Value;
  return select(compare(BO_GT, load(Grain), number(0, Type)), Value, number(0, U64));
}

/// The value of an integer control variable after \p Number iterations.
Expr *LoopBuilder::after(VarDecl *Number) {
  Expr *Way = arithmetic(BO_Mul, wide(load(Number)), step());
  return convert(arithmetic(BO_Add, wide(Build.reference(Start, Loc)), Way), L.Var->getType());
}

/// Gives each iteration a variable of its own in place of one that is declared before
/// the loop.
void LoopBuilder::copyOuter() {
  VarDecl *Outer = L.Var;
  L.Var = VarDecl::Create(Ctx, FD, Loc, Loc, Outer->getIdentifier(), Outer->getType(),
                          Outer->getTypeSourceInfo(), SC_None);
  L.Var->setIsUsed();
  for (DeclRefExpr *Ref : outerReferences(L.Body))
    if (Ref->getDecl() == Outer)
      Ref->setDecl(L.Var);
}

/// The value that the serial loop leaves in the variable.
bool LoopBuilder::setOuter(VarDecl *Outer) {
  if (L.Kind == Loop::Integer) {
    Out.push_back(Build.assign(Build.reference(Outer, Loc), after(Count), Loc));
    return true;
  }
  Expr *Way = convert(arithmetic(BO_Mul, wide(load(Count)), strideValue()), Distance->getType());
  BinaryOperatorKind Op = L.Subtract ? BO_Sub : BO_Add;
  ExprResult Value = S.BuildBinOp(nullptr, Loc, Op, Build.reference(Start, Loc), Way);
  if (Value.isInvalid())
    return fail(Diag::LoopAdvance, Outer->getType());
  Out.push_back(Build.assign(Build.reference(Outer, Loc), Value.get(), Loc));
  return true;
}

/// The control variable of one iteration, from __nopal_k.
bool LoopBuilder::variable(llvm::SmallVectorImpl<Stmt *> &Body) {
  auto *K = cast<VarDecl>(cast<DeclStmt>(Body.pop_back_val())->getSingleDecl());
  QualType Type = L.Var->getType();
  L.Var->setInitStyle(VarDecl::CInit);
  if (L.Kind == Loop::Integer) {
    L.Var->setInit(after(K));
    Body.push_back(statement(L.Var));
    return true;
  }
  Sema::SFINAETrap Trap(S, /*WithAccessChecking=*/true);
  Expr *Way = convert(arithmetic(BO_Mul, wide(load(K)), strideValue()), Distance->getType());
  Expr *From = Build.reference(Start, Loc);
  if (Type->isPointerType()) {
    ExprResult Value = S.BuildBinOp(nullptr, Loc, L.Subtract ? BO_Sub : BO_Add, From, Way);
    if (Value.isInvalid() || Trap.hasErrorOccurred())
      return fail(Diag::LoopAdvance, Type);
    L.Var->setInit(Value.get());
    Body.push_back(statement(L.Var));
    return true;
  }
  ExprResult Copy =
      S.PerformCopyInitialization(InitializedEntity::InitializeVariable(L.Var), Loc, From);
  if (Copy.isInvalid() || Trap.hasErrorOccurred())
    return fail(Diag::LoopAdvance, Type);
  L.Var->setInit(finish(Copy.get(), false));
  Body.push_back(statement(L.Var));
  ExprResult Move = S.BuildBinOp(nullptr, Loc, L.Subtract ? BO_SubAssign : BO_AddAssign,
                                 Build.reference(L.Var, Loc), Way);
  if (Move.isInvalid() || Trap.hasErrorOccurred())
    return fail(Diag::LoopAdvance, Type);
  Body.push_back(finish(Move.get(), false));
  return true;
}

Stmt *LoopBuilder::leaf() {
  VarDecl *K = Build.variable(FD, "__nopal_k", U64, Loc, Build.call(Marker::LoopLow, {Id}, Loc));
  VarDecl *End =
      Build.variable(FD, "__nopal_end", U64, Loc, Build.call(Marker::LoopHigh, {Id}, Loc));
  Decl *Both[] = {K, End};
  Stmt *Init = new (Ctx) DeclStmt(DeclGroupRef::Create(Ctx, Both, 2), Loc, Loc);
  Expr *Next = Build.unary(UO_PreInc, Build.reference(K, Loc), U64, Build.ofLeftSide(), Loc);
  llvm::SmallVector<Stmt *, 4> Body = {statement(K)};
  if (!variable(Body))
    return nullptr;
  if (L.Element)
    Body.push_back(L.Element);
  Body.push_back(L.Body);
  SourceRange Range(Loc, L.Body->getEndLoc());
  Stmt *For = new (Ctx) ForStmt(Ctx, Init, compare(BO_LT, load(K), load(End)), nullptr, Next,
                                Build.compound(Body, Range), L.Loc, Loc, L.Body->getBeginLoc());
  return L.Attributes.empty() ? For : AttributedStmt::Create(Ctx, L.Loc, L.Attributes, For);
}

/// The variable of a loop over a range.
bool LoopBuilder::isElement(const VarDecl *Var) const {
  auto *Decls = dyn_cast_or_null<DeclStmt>(L.Element);
  return Decls && llvm::is_contained(Decls->decls(), Var);
}

Stmt *LoopBuilder::build() {
  Sema::ContextRAII Context(S, FD);
  Sema::FunctionScopeRAII Scope(S);
  S.PushFunctionScope();
  EnterExpressionEvaluationContext Evaluated(
      S, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  VarDecl *Outer = L.IsOuter ? L.Var : nullptr;
  if (Outer)
    copyOuter();
  Expr *Grain = grain();
  start();
  if (!distance())
    return nullptr;
  chooseWide();
  stride();
  count();
  for (Stmt *Mentioning : {L.Element, L.Body})
    for (VarDecl *Var : outerVariables(FD, Mentioning))
      if (Var != L.Var && !isElement(Var))
        Out.push_back(Build.call(Marker::Outer, {Id, Var}, Loc));
  Out.push_back(Build.begin(Marker::LoopBegin, Id, L.In->Number, L.Loc, {}, {load(Count), Grain}));
  Stmt *Leaf = leaf();
  if (!Leaf)
    return nullptr;
  Out.push_back(Leaf);
  Out.push_back(Build.call(Marker::LoopEnd, {Id}, L.Loc));
  if (Outer && !setOuter(Outer))
    return nullptr;
  return Build.compound(Out, SourceRange(L.Loc, L.Body->getEndLoc()));
}

} // namespace

Stmt *buildLoop(Loop L, unsigned Id, FunctionDecl *FD, Sema &S, MarkerBuilder &Build,
                Reporter &Report) {
  return LoopBuilder(L, Id, FD, S, Build, Report).build();
}

} // namespace nopal::frontend
