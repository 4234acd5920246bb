//===- BlockLocals.cpp - Children that know a variable which ends ---------===//
//
// `for (...) { int x; cilk_spawn f(&x); }`: the block of x ends while the child
// runs. Looks at each variable of an inner block whose address the child surely
// has: &x, an array, a reference parameter, the object of a member call, a lambda
// that captures x by reference and is called, the result's own variable, and what
// a spawned statement mentions. Reported if the block is left, and no sync of the
// spawn's region can be reached in it behind the spawn. An address that comes out
// of a variable, or lies in an object, is not followed.
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace nopal {
namespace {

class BlockLocals {
public:
  BlockLocals(Flow &G, Reporter &Report) : G(G), Ctx(G.Ctx), Report(Report) {}
  void run();

private:
  void scopes(const Stmt *S, const Stmt *Scope);
  void enter(const VarDecl *Var, const Stmt *Scope) { Scopes[Var] = Scope; }
  void known(const Expr *Lvalue);
  void passed(const Expr *Argument);
  void captured(const LambdaExpr *Lambda);
  void called(const CallExpr *Call);
  void operands(const Expr *Operation);
  void mentioned(const Stmt *Body, const Extent &Inside);
  void judge(const Stmt *Key, const Spawn &S);
  bool endsUnsynced(const VarDecl *Var, const Stmt *Scope, Flow::Point From, Region *In);

  Flow &G;
  ASTContext &Ctx;
  Reporter &Report;
  llvm::DenseMap<const VarDecl *, const Stmt *> Scopes;
  llvm::SmallSetVector<const VarDecl *, 4> Known; ///< what the child in question knows
};

/// Where each variable lives: its compound statement, or the statement whose
/// header declares it.
void BlockLocals::scopes(const Stmt *S, const Stmt *Scope) {
  if (!S || isa<LambdaExpr, BlockExpr>(S))
    return;
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Decls->decls())
      if (auto *Var = dyn_cast<VarDecl>(D))
        enter(Var, Scope);
  if (isa<CompoundStmt, IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, CXXCatchStmt>(S))
    Scope = S;
  for (const Stmt *Child : S->children())
    scopes(Child, Scope);
}

/// The child has the address of \p Lvalue.
void BlockLocals::known(const Expr *Lvalue) {
  std::optional<Access> A = Access::of(Lvalue, Ctx);
  if (A && A->isPartOfRoot())
    Known.insert(A->Root);
}

void BlockLocals::captured(const LambdaExpr *Lambda) {
  for (const LambdaCapture &C : Lambda->captures())
    if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
      if (auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
        Known.insert(Var);
}

/// \p Argument is an operand of the child.
void BlockLocals::passed(const Expr *Argument) {
  if (Argument->isGLValue())
    return known(Argument);
  const Expr *E = Argument;
  while (true) {
    if (auto *Cast = dyn_cast<CastExpr>(E)) {
      switch (Cast->getCastKind()) {
      case CK_ArrayToPointerDecay:
        return known(Cast->getSubExpr());
      case CK_NoOp:
      case CK_BitCast:
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
        E = Cast->getSubExpr();
        continue;
      default:
        return;
      }
    }
    if (auto *Paren = dyn_cast<ParenExpr>(E)) {
      E = Paren->getSubExpr();
      continue;
    }
    break;
  }
  if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_AddrOf)
    known(UO->getSubExpr());
}

void BlockLocals::called(const CallExpr *Call) {
  if (auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
    auto *Callee = dyn_cast<MemberExpr>(Member->getCallee()->IgnoreParens());
    if (Callee && !Callee->isArrow())
      known(Callee->getBase());
  }
  if (isa<CXXOperatorCallExpr>(Call) && Call->getNumArgs() > 0)
    if (auto *Lambda = dyn_cast<LambdaExpr>(Call->getArg(0)->IgnoreUnlessSpelledInSource()))
      captured(Lambda);
  for (const Expr *Argument : Call->arguments())
    passed(Argument);
}

void BlockLocals::operands(const Expr *Operation) {
  if (auto *Call = dyn_cast<CallExpr>(Operation))
    called(Call);
  else if (auto *Atomic = dyn_cast<AtomicExpr>(Operation))
    for (const Stmt *Operand : Atomic->children())
      passed(cast<Expr>(Operand));
  else if (auto *New = dyn_cast<CXXNewExpr>(Operation); New && New->getConstructExpr())
    for (const Expr *Argument : New->getConstructExpr()->arguments())
      passed(Argument);
}

/// A spawned statement knows by reference all that it mentions.
void BlockLocals::mentioned(const Stmt *Body, const Extent &Inside) {
  llvm::SmallVector<const Stmt *, 32> Work{Body};
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S || isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(S))
      continue;
    if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
      // Its captures are mentioned; what they are initialized from, too.
      Work.append(Lambda->capture_init_begin(), Lambda->capture_init_end());
      continue;
    }
    if (auto *Ref = dyn_cast<DeclRefExpr>(S); Ref && Ref->isNonOdrUse() == NOUR_None)
      if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && !Inside.declares(Var))
        Known.insert(Var);
    Work.append(S->child_begin(), S->child_end());
  }
}

bool BlockLocals::endsUnsynced(const VarDecl *Var, const Stmt *Scope, Flow::Point From, Region *In) {
  bool Ended = false, Synced = false;
  Extent Within(G, Scope);
  bool Left = G.forward(From, &Within, [&](const Stmt *S) {
    if (G.syncs(S, In))
      Synced = true;
    auto *Decls = dyn_cast<DeclStmt>(S);
    if (!Decls || !llvm::is_contained(Decls->decls(), Var))
      return Flow::Go::On;
    Ended = true; // The next iteration has one of its own.
    return Flow::Go::Stop;
  });
  return (Ended || Left) && !Synced;
}

void BlockLocals::judge(const Stmt *Key, const Spawn &S) {
  const Stmt *Anchor = G.anchor(S.In);
  if (!Anchor)
    return;
  Known.clear();
  Flow::Point From;
  if (S.Form == Spawn::Statement) {
    const Stmt *Body = Key;
    if (auto *Attributed = dyn_cast<AttributedStmt>(Body))
      Body = Attributed->getSubStmt();
    mentioned(Body, Extent(G, Body));
    // Any element of it will do: what is behind it is behind the spawn.
    llvm::SmallVector<const Stmt *, 16> Work{Body};
    while (!Work.empty() && !From) {
      const Stmt *Inner = Work.pop_back_val();
      if (!Inner)
        continue;
      From = G.at(Inner);
      Work.append(Inner->child_begin(), Inner->child_end());
    }
  } else {
    From = G.startOf(Key, S);
    if (S.Spawned)
      called(S.Spawned);
    else
      operands(S.Operation);
    if (S.Form == Spawn::Variable || S.Form == Spawn::Element)
      Known.insert(S.Var);
    else if (S.Form == Spawn::Assignment)
      known(leftSide(S.Assign));
  }
  if (!From)
    return;
  Extent Whole(G, Anchor);
  for (const VarDecl *Var : Known) {
    const Stmt *Scope = Scopes.lookup(Var);
    if (!Scope || Scope == Anchor || !Whole.contains(Scope) || !Var->hasLocalStorage() ||
        Var->getType()->isReferenceType())
      continue;
    if (!endsUnsynced(Var, Scope, From, S.In))
      continue;
    Report.report(Diag::BlockLocal, S.Loc, Var->getNameAsString(), Var->getLocation());
    return;
  }
}

void BlockLocals::run() {
  scopes(G.Body, nullptr);
  llvm::SmallVector<std::pair<const Stmt *, const Spawn *>, 8> Ordered;
  for (auto &[Key, Spawns] : G.Plan.Spawns) // any order: sorted below
    for (const Spawn &S : Spawns)
      Ordered.push_back({Key, &S});
  llvm::sort(Ordered, [](auto &A, auto &B) { return A.second->Loc < B.second->Loc; });
  for (auto [Key, S] : Ordered)
    judge(Key, *S);
}

} // namespace

void warnOfBlockLocals(Flow &G, Reporter &Report) { BlockLocals(G, Report).run(); }

} // namespace nopal
