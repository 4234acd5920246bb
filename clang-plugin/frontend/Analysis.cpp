//===- Analysis.cpp - The spawns and sync regions of one function ---------===//
//
// One walk over the statements. A Place goes down with it and says in which
// sync region, in which loop and in which construct a statement stands; what
// the walk finds goes into a FunctionPlan.
//
// A body may have been rewritten in part: instances of a template share the
// statements that depend on no parameter. What lies between begin and end
// markers is done and left alone.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Analyzer.h"
#include "MarkerBuilder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace nopal::frontend {
namespace {

bool isBegin(const Stmt *S) {
  return isCallOf(S, Marker::Begin) || isCallOf(S, Marker::BlockBegin);
}

const Attr *annotation(const AttributedStmt *S, llvm::StringRef Text) {
  for (const Attr *A : S->getAttrs())
    if (auto *Suppress = dyn_cast<SuppressAttr>(A))
      if (llvm::is_contained(Suppress->diagnosticIdentifiers(), Text))
        return A;
  return nullptr;
}

Stmt *loopBody(Stmt *S) {
  if (auto *For = dyn_cast<ForStmt>(S))
    return For->getBody();
  if (auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return Range->getBody();
  if (auto *While = dyn_cast<WhileStmt>(S))
    return While->getBody();
  if (auto *Do = dyn_cast<DoStmt>(S))
    return Do->getBody();
  return nullptr;
}

} // namespace

Region *Analyzer::region(Region::RegionKind Kind, Region *Parent, SourceLocation Loc) {
  Plan.Regions.push_back(std::make_unique<Region>(Region{Kind, Parent, Loc}));
  return Plan.Regions.back().get();
}

void Analyzer::found(SourceLocation Loc) {
  Keywords.found(Loc);
  Accepted.insert(Loc);
}

static SourceLocation forLocation(Stmt *S) {
  if (auto *For = dyn_cast_or_null<ForStmt>(S))
    return For->getForLoc();
  if (auto *Range = dyn_cast_or_null<CXXForRangeStmt>(S))
    return Range->getForLoc();
  return SourceLocation();
}

/// The cilk_for in \p S, after its attributes and its grain's loop, or null.
Stmt *Analyzer::parallelLoop(Stmt *S, ForStmt *&Grain) {
  for (;;) {
    auto *Attributed = dyn_cast_or_null<AttributedStmt>(S);
    Keyword K = Keywords.at(forLocation(S));
    if (K == Keyword::For)
      return S;
    if (Attributed && !annotation(Attributed, SpawnAnnotation)) {
      S = Attributed->getSubStmt();
    } else if (K == Keyword::Grain && isa<ForStmt>(S) && !Grain) {
      Grain = cast<ForStmt>(S);
      S = Grain->getBody();
    } else {
      return nullptr;
    }
  }
}

/// A break or continue statement. \p To: where the innermost loop stands that it may be for.
void Analyzer::loopJump(const Stmt *S, llvm::StringRef What, const Place &P, Region *To) {
  const Stmt *Named = compat::namedTarget(S);
  SourceLocation Loop = forLocation(const_cast<Stmt *>(Named));
  // The label does not follow a cilk_for that becomes calls.
  if (Keywords.at(Loop) == Keyword::For)
    return Report.reportAt(S->getBeginLoc(), Diag::JumpOut, Loop, What);
  leave(S->getBeginLoc(), What, P.Closed, Named ? Targets.lookup(Named) : To);
}

/// Enters the spawn into its region, unless it is refused.
bool Analyzer::admit(Spawn &S, const Place &P) {
  found(S.Loc);
  S.In = P.In;
  if (P.Ban != Diag::None) {
    Report.report(P.Ban, S.Loc, Entity);
    return false;
  }
  if (S.Form != Spawn::Statement && !S.Spawned && !S.Operation)
    return false;
  ++P.In->Spawns;
  if (AnySpawn.isInvalid())
    AnySpawn = S.Loc;
  return true;
}

void Analyzer::statement(Stmt *S, Place P) {
  if (!S)
    return;
  if (auto *E = dyn_cast<Expr>(S))
    return expressionStatement(E, P);
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return compound(cast<CompoundStmt>(S), P);
  case Stmt::DeclStmtClass:
    return declaration(cast<DeclStmt>(S), P);
  case Stmt::AttributedStmtClass:
    return attributed(cast<AttributedStmt>(S), P);
  case Stmt::ReturnStmtClass:
    return returned(cast<ReturnStmt>(S), P);
  case Stmt::CXXTryStmtClass:
    return tryBlock(cast<CXXTryStmt>(S), P);
  case Stmt::LabelStmtClass:
    Labels[cast<LabelStmt>(S)->getDecl()] = P.Closed;
    return statement(cast<LabelStmt>(S)->getSubStmt(), P);
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    if (P.Switch != P.Closed)
      Report.reportAt(S->getBeginLoc(), Diag::JumpInto, P.Closed->Loc,
                      isa<CaseStmt>(S) ? "case" : "default");
    if (auto *Case = dyn_cast<CaseStmt>(S)) {
      expression(Case->getLHS(), Diag::ConstantExpression, P);
      expression(Case->getRHS(), Diag::ConstantExpression, P);
    }
    return statement(cast<SwitchCase>(S)->getSubStmt(), P);
  case Stmt::GotoStmtClass:
    Gotos.push_back({S->getBeginLoc(), cast<GotoStmt>(S)->getLabel(), P.Closed});
    return;
  case Stmt::BreakStmtClass:
    return loopJump(S, "break", P, P.Break);
  case Stmt::ContinueStmtClass:
    return loopJump(S, "continue", P, P.Continue);
  case Stmt::IndirectGotoStmtClass:
    ComputedGotos.push_back({S->getBeginLoc(), P.Closed});
    break;
  case Stmt::GCCAsmStmtClass:
    if (cast<GCCAsmStmt>(S)->isAsmGoto())
      AsmGoto = S->getBeginLoc();
    break;
  case Stmt::CapturedStmtClass:
    P.Ban = Diag::OpenMP;
    return statement(cast<CapturedStmt>(S)->getCapturedStmt(), P);
  case Stmt::IfStmtClass: {
    auto *If = cast<IfStmt>(S);
    expression(If->getInit(), Diag::InitStatement, P);
    expression(If->getConditionVariableDeclStmt(), Diag::Condition, P);
    expression(If->getCond(), Diag::Condition, P);
    statement(If->getThen(), P);
    return statement(If->getElse(), P);
  }
  case Stmt::ForStmtClass:
  case Stmt::CXXForRangeStmtClass:
    if (loop(S, P))
      return;
    break;
  case Stmt::SwitchStmtClass: {
    auto *Switch = cast<SwitchStmt>(S);
    expression(Switch->getInit(), Diag::InitStatement, P);
    expression(Switch->getConditionVariableDeclStmt(), Diag::Condition, P);
    expression(Switch->getCond(), Diag::Condition, P);
    P.Break = P.Switch = Targets[S] = P.Closed;
    return statement(Switch->getBody(), P);
  }
  default:
    break;
  }
  if (S->getStmtClass() >= Stmt::firstOMPExecutableDirectiveConstant &&
      S->getStmtClass() <= Stmt::lastOMPExecutableDirectiveConstant)
    P.Ban = Diag::OpenMP;
  Stmt *Body = loopBody(S);
  if (Body)
    Targets[S] = P.Closed;
  for (Stmt *Child : S->children()) {
    if (!Child)
      continue;
    if (Body && Child != Body)
      expression(Child, Diag::LoopHeader, P);
    else if (!Body && isa<Expr>(Child))
      expression(Child, Diag::LargerExpression, P);
    else if (!Body)
      statement(Child, P);
  }
  P.Break = P.Continue = P.Closed;
  statement(Body, P);
}

void Analyzer::compound(CompoundStmt *Body, const Place &P) {
  SourceLocation Last; // The keyword, if the statement before spawns.
  unsigned Synced = 0; // Spawns of the region before the last sync here.
  for (unsigned I = 0; I < Body->size(); ++I) {
    Stmt *S = Body->body_begin()[I];
    if (isBegin(S)) { // Rewritten before: go on after its end.
      ++P.In->Spawns;
      while (++I < Body->size() && !isCallOf(Body->body_begin()[I], Marker::End))
        ;
      continue;
    }
    if (auto *DS = dyn_cast<DeclStmt>(S); DS && DS->isSingleDecl())
      if (auto *Var = dyn_cast<VarDecl>(DS->getSingleDecl()); Var && Var->hasAttr<CleanupAttr>() &&
                                                              Var->getIdentifier() &&
                                                              Var->getName() == HiddenName) {
        P.In->Anchored = true;
        continue;
      }
    statement(S, P);
    if (Plan.Syncs.contains(S)) {
      if (Last.isValid() && P.In->Spawns == Synced + 1)
        Report.report(Diag::SpawnBeforeSync, Last, "", S->getBeginLoc());
      Synced = P.In->Spawns;
    }
    auto It = Plan.Spawns.find(S);
    Last = It == Plan.Spawns.end() ? SourceLocation() : It->second.back().Loc;
  }
}

void Analyzer::expressionStatement(Expr *E, const Place &P) {
  // Another instance of the try block has a number already, which is in the
  // statements that they share.
  std::optional<Marker> M = markerCalled(E);
  if (M == Marker::TryBody || M == Marker::PassThroughSync || M == Marker::TryBegin) {
    const Expr *Arg = cast<CallExpr>(E)->getArg(M == Marker::TryBody ? 0 : 1);
    if (unsigned Id = cast<IntegerLiteral>(Arg)->getValue().getZExtValue()) {
      P.In->PassedBy = true;
      P.In->Id = Id;
    }
    return;
  }
  if (UnaryOperator *Sync = Matcher.syncStatement(E)) {
    found(Sync->getOperatorLoc());
    if (P.Ban != Diag::None)
      Report.report(P.Ban, Sync->getOperatorLoc(), Entity);
    else
      Plan.Syncs[E] = Plan.Innermost[E] = P.In;
    return;
  }
  std::optional<Spawn> S = Matcher.matchExpression(E);
  if (!S)
    return expression(E, Diag::LargerExpression, P);
  if (S->Form == Spawn::Statement)
    return spawnedStatement(E, E, S->Loc, P);
  if (admit(*S, P)) {
    Plan.Spawns[E].push_back(*S);
    operandJumps(E, *S);
  }
  expression(E, Diag::LargerExpression, P);
}

void Analyzer::declaration(DeclStmt *S, const Place &P) {
  for (Decl *D : S->decls()) {
    if (auto *Var = dyn_cast<VarDecl>(D))
      variable(S, Var, P);
    else if (isa<TagDecl>(D))
      Plan.Nested.push_back(D);
  }
}

void Analyzer::variable(DeclStmt *S, VarDecl *Var, const Place &P) {
  if (Var->isInitCapture() || !Var->getInit())
    return;
  if (std::optional<Spawn> Found = Matcher.matchVariable(Var))
    if (admit(*Found, P)) {
      Plan.Spawns[S].push_back(*Found);
      operandJumps(Var->getInit(), *Found);
    }
  for (Spawn &Found : Matcher.matchElements(Var))
    if (admit(Found, P)) {
      Plan.Spawns[S].push_back(Found);
      operandJumps(Found.Spawned, Found);
    }
  expression(Var->getInit(), Diag::LargerExpression, P);
}

void Analyzer::attributed(AttributedStmt *S, const Place &P) {
  if (auto *Attr = annotation(S, SpawnAnnotation))
    return spawnedStatement(S, S->getSubStmt(), Attr->getLocation(), P);
  if (loop(S, P))
    return;
  auto *Attr = annotation(S, ScopeAnnotation);
  if (!Attr)
    return statement(S->getSubStmt(), P);
  found(Attr->getLocation());
  if (P.Ban != Diag::None)
    return Report.report(P.Ban, Attr->getLocation(), Entity);
  Place Inner = P;
  Inner.In = Inner.Closed = region(Region::Scope, P.In, Attr->getLocation());
  Plan.Anchors[S->getSubStmt()] = Inner.In;
  statement(S->getSubStmt(), Inner);
}

/// \p Key, the statement to replace, is a cilk_for with its attributes and its
/// grain: `for (GRAIN; ...;) LOOP`, made by the pragma handler.
bool Analyzer::loop(Stmt *Key, Place P) {
  ForStmt *Grain = nullptr;
  Stmt *For = parallelLoop(Key, Grain);
  if (!For)
    return false;
  if (Grain) {
    found(Grain->getForLoc());
    expression(Grain->getInit(), Diag::LoopHeader, P);
  }
  SourceLocation Loc = forLocation(For);
  found(Loc);
  Stmt *Body = loopBody(For);
  if (P.Ban != Diag::None) {
    Report.report(P.Ban, Loc, Entity);
    return true;
  }
  if (AnySpawn.isInvalid())
    AnySpawn = Loc;
  for (Stmt *Child : For->children())
    if (Child && Child != Body)
      expression(Child, Diag::LoopHeader, P);

  Place Inner = P; // Break and Switch stay: they are outside.
  Inner.In = Inner.Closed = Inner.Continue = region(Region::Loop, P.In, Loc);
  Expr *Size = Grain ? cast<Expr>(Grain->getInit()) : nullptr;
  if (std::optional<Loop> L = matchLoop(Key, For, Size, Loc, Ctx, Report)) {
    L->In = P.In;
    L->Own = Inner.In;
    Plan.Loops[Key] = *L;
  }
  Plan.Anchors[Body] = Inner.In;
  statement(Body, Inner);
  return true;
}

/// \p Key is the statement to replace, \p Body what the child does.
void Analyzer::spawnedStatement(Stmt *Key, Stmt *Body, SourceLocation Loc, Place P) {
  Spawn S{Spawn::Statement, Loc};
  if (!admit(S, P))
    return;
  S.Own = P.In = P.Closed = region(Region::Statement, P.In, Loc);
  Plan.Spawns[Key].push_back(S);
  Plan.Anchors[Body] = S.Own;
  if (auto *E = dyn_cast<Expr>(Body))
    return expression(E, Diag::LargerExpression, P);
  // `cilk_spawn cilk_scope { }` is one statement with both attributes; the
  // scope adds nothing, as the child syncs at its end anyway.
  if (auto *Scope = annotation(cast<AttributedStmt>(Key), ScopeAnnotation))
    found(Scope->getLocation());
  statement(Body, P);
}

void Analyzer::returned(ReturnStmt *S, const Place &P) {
  leave(S->getBeginLoc(), "return", P.Closed, nullptr);
  Expr *Value = S->getRetValue();
  if (!Value)
    return;
  Plan.Returns[S] = Plan.Innermost[S] = P.In;
  if (UnaryOperator *Marker = Matcher.markerUnder(Value)) {
    found(Marker->getOperatorLoc());
    if (P.Ban != Diag::None)
      Report.report(P.Ban, Marker->getOperatorLoc(), Entity);
    else
      Report.report(Diag::ReturnSpawn, Marker->getOperatorLoc());
  }
  expression(Value, Diag::LargerExpression, P);
}

void Analyzer::tryBlock(CXXTryStmt *S, const Place &P) {
  Place Inner = P;
  Inner.In = region(Region::Try, P.In, S->getTryLoc());
  Plan.Anchors[S->getTryBlock()] = Inner.In;
  statement(S->getTryBlock(), Inner);
  Place Handler = P;
  if (Handler.Ban == Diag::None)
    Handler.Ban = Diag::Handler;
  for (unsigned I = 0; I < S->getNumHandlers(); ++I)
    statement(S->getHandler(I)->getHandlerBlock(), Handler);
}

/// A function, a spawned statement and an iteration have number 0, their regions 1, 2, ...
void Analyzer::number() {
  llvm::DenseMap<Region *, unsigned> Last;
  for (auto &R : Plan.Regions) {
    if (!R->Spawns || R->isRoot())
      continue;
    Region *Root = R->Parent;
    while (!Root->isRoot())
      Root = Root->Parent;
    R->Number = ++Last[Root];
  }
  for (auto &[S, R] : Plan.Syncs) // any order: each by itself
    R = R->effective();
  for (auto &[S, L] : Plan.Loops) // any order: each by itself
    L.In = L.In->effective();
  // A cilk_scope that does not spawn waits for nothing: a return in it is one of the region around.
  auto SkipEmpty = [](Region *&R) {
    while (R && R->Kind == Region::Scope && !R->Spawns)
      R = R->Parent;
  };
  for (auto &R : Plan.Regions)
    SkipEmpty(R->Parent);
  for (auto &[S, R] : Plan.Returns) { // any order: each by itself
    SkipEmpty(R);
    SkipEmpty(Plan.Innermost[S]);
    R = R->effective();
  }
}

void Analyzer::function(FunctionDecl *FD) {
  Place P;
  P.In = region(Region::Function, nullptr, FD->getLocation());
  Stmt *Body = FD->getBody();
  Entity = FD->getNameAsString();
  bool Lambda = isa<CXXMethodDecl>(FD) && cast<CXXMethodDecl>(FD)->getParent()->isLambda();
  if (FD->isConsteval() || (FD->isConstexpr() && !Lambda))
    P.Ban = Diag::ConstexprFunction;
  if (auto *Coroutine = dyn_cast_or_null<CoroutineBodyStmt>(Body)) {
    P.Ban = Diag::Coroutine;
    Body = Coroutine->getBody();
  }
  if (FD->getASTContext().getLangOpts().Sanitize.has(SanitizerKind::Memory))
    P.Ban = Diag::MemorySanitizer;
  if (FD->getASTContext().getLangOpts().Sanitize.has(SanitizerKind::DataFlow))
    P.Ban = Diag::DataFlowSanitizer;
  if (compat::hasTypeSanitizer(FD->getASTContext().getLangOpts()))
    P.Ban = Diag::TypeSanitizer;
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(FD))
    for (CXXCtorInitializer *Init : Constructor->inits())
      expression(Init->getInit(), Diag::MemberInitializer, P);
  if (Body && !isa<CXXTryStmt>(Body))
    Plan.Anchors[Body] = P.In;
  statement(Body, P);
  jumps();
  refuseInSpawning();
  number();
}

FunctionPlan analyze(FunctionDecl *FD, SpawnMatcher &Matcher, KeywordTable &Keywords,
                     Reporter &Report) {
  Analyzer A(FD->getASTContext(), Matcher, Keywords, Report);
  A.function(FD);
  return std::move(A.Plan);
}

} // namespace nopal::frontend
