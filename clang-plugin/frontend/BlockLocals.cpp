//===- BlockLocals.cpp - Children that use a variable which ends ----------===//
//
// `for (...) { int x; cilk_spawn f(&x); }`: the block of x ends while the child
// runs. Looks at each variable of an inner block whose address the child surely
// has: &x, an array, a reference parameter, the object of a member call, a lambda
// that captures x by reference and is called, the result's own variable, and what
// a spawned statement mentions. Reported if control leaves the block, and can reach
// no sync of the spawn's region in it after the spawn. An address that is read from
// a variable, or lies in an object, is not followed.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Access.h"
#include "Flow.h"
#include "References.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// Finds where each variable lives: its compound statement, or the statement whose header
/// declares it.
struct ScopeFinder : compat::DynamicRecursiveASTVisitor {
  llvm::DenseMap<const VarDecl *, const Stmt *> Scopes;
  const Stmt *Scope = nullptr;

  bool TraverseStmt(Stmt *S) override {
    if (!S || isa<LambdaExpr, BlockExpr>(S))
      return true;
    const bool IsScope = isa<CompoundStmt, IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt,
                             CXXForRangeStmt, CXXCatchStmt>(S);
    llvm::SaveAndRestore Inside(Scope, IsScope ? S : Scope);
    return compat::DynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitVarDecl(VarDecl *Var) override {
    Scopes[Var] = Scope;
    return true;
  }
};

class BlockLocals {
public:
  BlockLocals(Flow &G, Reporter &Report) : G(G), Ctx(G.Ctx), Report(Report) {}
  void run();

private:
  void known(const Expr *Lvalue);
  void passed(const Expr *Argument);
  void called(const CallExpr *Call);
  void operands(const Expr *Operation);
  void judge(Stmt *Key, const Spawn &S);
  bool endsUnsynced(const VarDecl *Var, const Stmt *Scope, Flow::Point From, Region *In);

  Flow &G;
  ASTContext &Ctx;
  Reporter &Report;
  ScopeFinder Finder;
  llvm::SmallSetVector<const VarDecl *, 4> Known; ///< what the child in question uses
};

/// The child has the address of \p Lvalue.
void BlockLocals::known(const Expr *Lvalue) {
  std::optional<Access> A = Access::of(Lvalue, Ctx);
  if (A && A->isPartOfRoot())
    Known.insert(A->Root);
}

/// \p Argument is an operand of the child.
void BlockLocals::passed(const Expr *Argument) {
  if (Argument->isGLValue())
    return known(Argument);
  const Expr *E = Argument->IgnoreParens();
  while (auto *Cast = dyn_cast<CastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_ArrayToPointerDecay:
      return known(Cast->getSubExpr());
    case CK_NoOp:
    case CK_BitCast:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
      E = Cast->getSubExpr()->IgnoreParens();
      continue;
    default:
      return;
    }
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
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          if (auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
            Known.insert(Var);
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

bool BlockLocals::endsUnsynced(const VarDecl *Var, const Stmt *Scope, Flow::Point From,
                               Region *In) {
  bool Ended = false, Synced = false;
  Extent Within(G, Scope);
  bool Left = G.forward(From, &Within, [&](const Stmt *S) {
    Synced |= G.syncs(S, In);
    auto *Decls = dyn_cast<DeclStmt>(S);
    if (!Decls || !llvm::is_contained(Decls->decls(), Var))
      return Flow::Go::On;
    Ended = true; // The next iteration has one of its own.
    return Flow::Go::Stop;
  });
  return (Ended || Left) && !Synced;
}

void BlockLocals::judge(Stmt *Key, const Spawn &S) {
  const Stmt *Anchor = G.anchor(S.In);
  Flow::Point From = G.startOf(Key, S);
  if (!Anchor || !From)
    return;
  Known.clear();
  if (S.Form == Spawn::Statement) {
    // It has the address of all that it mentions.
    for (const DeclRefExpr *Ref : outerReferences(Key))
      if (Ref->isNonOdrUse() == NOUR_None)
        Known.insert(cast<VarDecl>(Ref->getDecl()));
  } else {
    if (S.Spawned)
      called(S.Spawned);
    else
      operands(S.Operation);
    if (S.Form == Spawn::Variable || S.Form == Spawn::Element)
      Known.insert(S.Var);
    else if (S.Form == Spawn::Assignment)
      known(leftSide(S.Assign));
  }
  Extent Whole(G, Anchor);
  for (const VarDecl *Var : Known) {
    const Stmt *Scope = Finder.Scopes.lookup(Var);
    if (Scope && Scope != Anchor && Whole.contains(Scope) && Var->hasLocalStorage() &&
        !Var->getType()->isReferenceType() && endsUnsynced(Var, Scope, From, S.In))
      return Report.report(Diag::BlockLocal, S.Loc, Var->getNameAsString(), Var->getLocation());
  }
}

void BlockLocals::run() {
  Finder.TraverseStmt(const_cast<Stmt *>(G.Body));
  for (auto [Key, S] : G.spawns())
    judge(Key, *S);
}

} // namespace

void warnOfBlockLocals(Flow &G, Reporter &Report) { BlockLocals(G, Report).run(); }

} // namespace nopal::frontend
