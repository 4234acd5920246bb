//===- ResultUse.cpp - Results that are used before the sync --------------===//
//
// `x = cilk_spawn f(); use(x); cilk_sync;` reads x while the child may still
// write it. Follows the control flow from each spawn that has a result, to the
// syncs that wait for it. A use is reported if
//  - it surely names what the child writes (Access.h), and
//  - no way from the spawn to it passes a sync, and
//  - conditions cannot keep the two apart: the spawn stands on every way to the
//    use, or every way from the spawn comes to a use, or both stand in a loop
//    where no way comes from the use to itself but through the spawn.
// So `if (c) x = cilk_spawn f(); if (!c) use(x);` and `if (c) cilk_sync; use(x);`
// get no warning. An address that is taken or passed on is no use.
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace nopal {
namespace {

/// What a child writes, and where.
struct Result {
  const Spawn *Of;
  Access To;
  const Stmt *Write;   ///< an assignment, or null for a variable's initializer
  const Extent *Child; ///< the spawned statement that the write stands in, if so
  Flow::Point Start;
};

class ResultUses {
public:
  ResultUses(Flow &G, Reporter &Report) : G(G), Ctx(G.Ctx), Report(Report) {}
  void run();

private:
  struct Use {
    const Stmt *At;
    SourceLocation Loc;
    bool Writes;
  };
  void surveyBody();
  void collect(Stmt *Key, const Spawn &S);
  void statement(const Spawn &S, const Stmt *Body);
  void add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child, Flow::Point Start);
  std::optional<Use> useIn(const Stmt *S, const Result &R);
  bool ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends);
  bool isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R, const Extent *Within);
  void judge(const Result &R);
  bool readsObject(const CXXMethodDecl *Method, unsigned Depth);
  bool callsThrough(const Stmt *S, unsigned Depth);

  Flow &G;
  ASTContext &Ctx;
  Reporter &Report;
  std::vector<Result> Results;
  std::vector<std::unique_ptr<Extent>> Extents;
  /// References to variables that are read, written in place, or discarded; all
  /// others may let the address out.
  llvm::DenseSet<const Stmt *> Reads, Writes, Discarded;
  llvm::DenseSet<const VarDecl *> Escaped;
};

const Expr *plain(const Expr *E) {
  while (true) {
    if (auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Extension)
      E = UO->getSubExpr();
    else
      return E;
  }
}

/// How each variable is mentioned, once for the function.
void ResultUses::surveyBody() {
  llvm::SmallVector<const Stmt *, 64> Work{G.Body};
  llvm::SmallVector<const DeclRefExpr *, 64> Refs;
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S)
      continue;
    if (auto *Cast = dyn_cast<CastExpr>(S)) {
      if (Cast->getCastKind() == CK_LValueToRValue)
        Reads.insert(plain(Cast->getSubExpr()));
      else if (Cast->getCastKind() == CK_ToVoid)
        Discarded.insert(Cast->getSubExpr()->IgnoreParens());
    } else if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isAssignmentOp()) {
      Writes.insert(plain(Operator->getLHS()));
    } else if (auto *UO = dyn_cast<UnaryOperator>(S); UO && UO->isIncrementDecrementOp()) {
      Writes.insert(plain(UO->getSubExpr()));
    } else if (auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getNRVOCandidate()) {
      Discarded.insert(Return->getRetValue()->IgnoreImplicit()); // Built in the return slot.
    } else if (auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      Refs.push_back(Ref);
    }
    if (auto *Lambda = dyn_cast<LambdaExpr>(S))
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          if (auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
            Escaped.insert(Var);
    Work.append(S->child_begin(), S->child_end());
  }
  for (const DeclRefExpr *Ref : Refs)
    if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && !Reads.contains(Ref) && !Writes.contains(Ref))
      Escaped.insert(Var);
}

void ResultUses::add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child, Flow::Point Start) {
  QualType T = Left->getType();
  std::optional<Access> To = Access::of(Left, Ctx);
  // Volatile and atomic objects are how threads talk to each other.
  if (!To || !Start || T.isVolatileQualified() || T->isAtomicType())
    return;
  for (const VarDecl *Var : To->dependsOn())
    if (Escaped.contains(Var))
      return;
  Results.push_back({&S, *To, Write, Child, Start});
}

/// The assignments that stand in a spawned statement under no condition.
void ResultUses::statement(const Spawn &S, const Stmt *Body) {
  if (auto *Attributed = dyn_cast<AttributedStmt>(Body))
    Body = Attributed->getSubStmt();
  Extents.push_back(std::make_unique<Extent>(G, Body));
  const Extent *Child = Extents.back().get();
  auto Assigned = [&](const Stmt *Statement) {
    auto *E = dyn_cast<Expr>(Statement);
    auto *Operator = E ? dyn_cast<BinaryOperator>(plain(E->IgnoreImplicit())) : nullptr;
    if (!Operator || !Operator->isAssignmentOp())
      return;
    std::optional<Access> To = Access::of(Operator->getLHS(), Ctx);
    if (To && To->isPartOfRoot() && !Child->declares(To->Root))
      add(S, Operator->getLHS(), Operator, Child, G.at(Operator));
  };
  if (auto *Block = dyn_cast<CompoundStmt>(Body))
    for (const Stmt *Inner : Block->body())
      Assigned(Inner);
  else
    Assigned(Body);
}

void ResultUses::collect(Stmt *Key, const Spawn &S) {
  switch (S.Form) {
  case Spawn::Call:
  case Spawn::Element: // others of the variable may be used
    return;
  case Spawn::Statement:
    return statement(S, Key);
  case Spawn::Assignment:
    // Of the assignments of a class, only those that do not do more.
    if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(S.Assign)) {
      auto *Method = dyn_cast_or_null<CXXMethodDecl>(Operator->getDirectCallee());
      if (!Method || (!Method->isCopyAssignmentOperator() && !Method->isMoveAssignmentOperator()))
        return;
    }
    return add(S, leftSide(S.Assign), S.Assign, nullptr, G.startOf(Key, S));
  case Spawn::Variable:
    if (S.Var->getType().isVolatileQualified() || S.Var->getType()->isAtomicType())
      return;
    Results.push_back({&S, Access{S.Var, {}}, nullptr, nullptr, G.startOf(Key, S)});
  }
}

/// Whether \p S reads a field of `this`, directly or in a method that it calls.
bool ResultUses::callsThrough(const Stmt *S, unsigned Depth) {
  if (!S)
    return false;
  if (auto *Cast = dyn_cast<CastExpr>(S); Cast && Cast->getCastKind() == CK_LValueToRValue) {
    const Expr *E = Cast->getSubExpr()->IgnoreParenImpCasts();
    while (auto *Member = dyn_cast<MemberExpr>(E)) {
      E = Member->getBase()->IgnoreParenImpCasts();
      if (isa<CXXThisExpr>(E))
        return true;
      if (Member->isArrow())
        break;
    }
  }
  if (auto *Call = dyn_cast<CXXMemberCallExpr>(S))
    if (isa<CXXThisExpr>(Call->getImplicitObjectArgument()->IgnoreParenImpCasts()) &&
        readsObject(Call->getMethodDecl(), Depth))
      return true;
  if (isa<LambdaExpr, ConditionalOperator, IfStmt>(S)) // may not be evaluated
    return false;
  return llvm::any_of(S->children(), [&](const Stmt *Child) { return callsThrough(Child, Depth); });
}

bool ResultUses::readsObject(const CXXMethodDecl *Method, unsigned Depth) {
  const FunctionDecl *Definition = nullptr;
  if (!Method || Method->isStatic() || Method->isVirtual() || Depth == 0 || !Method->hasBody(Definition))
    return false;
  return callsThrough(Definition->getBody(), Depth - 1);
}

/// The use of what \p R names that evaluating \p S is, its operands not counted.
std::optional<ResultUses::Use> ResultUses::useIn(const Stmt *S, const Result &R) {
  auto Names = [&](const Expr *E) {
    std::optional<Access> A = Access::of(E, Ctx);
    return A && A->overlaps(R.To);
  };
  // A method reads some of its object: the child has to write all of it.
  auto NamesPart = [&](const Expr *E) {
    std::optional<Access> A = Access::of(E, Ctx);
    return A && A->overlaps(R.To) && R.To.Path.size() <= A->Path.size();
  };
  auto Found = [&](const Expr *E, bool Writes) { return Use{S, E->getExprLoc(), Writes}; };
  if (auto *Cast = dyn_cast<ImplicitCastExpr>(S)) {
    if (Cast->getCastKind() == CK_LValueToRValue && !Discarded.contains(Cast) && Names(Cast->getSubExpr()))
      return Found(Cast->getSubExpr(), false);
  } else if (auto *Operator = dyn_cast<BinaryOperator>(S)) {
    if (Operator->isAssignmentOp() && Names(Operator->getLHS()))
      return Found(Operator->getLHS(), true);
  } else if (auto *UO = dyn_cast<UnaryOperator>(S)) {
    if (UO->isIncrementDecrementOp() && Names(UO->getSubExpr()))
      return Found(UO->getSubExpr(), true);
  } else if (auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor() && !Construct->getConstructor()->getParent()->isEmpty() &&
        !Discarded.contains(Construct) && Names(Construct->getArg(0)))
      return Found(Construct->getArg(0), false);
  } else if (auto *Call = dyn_cast<CXXMemberCallExpr>(S)) {
    auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    if (Member && !Member->isArrow() && NamesPart(Member->getBase()) && readsObject(Call->getMethodDecl(), 4))
      return Found(Member->getBase(), false);
  } else if (auto *Call = dyn_cast<CXXOperatorCallExpr>(S)) {
    auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (Method && Call->getNumArgs() > 0 && NamesPart(Call->getArg(0)) && readsObject(Method, 4))
      return Found(Call->getArg(0), false);
  }
  return std::nullopt;
}

/// Whether behind \p S the path of \p R names other memory, or R is written anew.
bool ResultUses::ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends) {
  if (R.Write && S == R.Write)
    return true;
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    return llvm::any_of(Decls->decls(), [&](const Decl *D) {
      return D == R.To.Root || llvm::is_contained(Depends, dyn_cast<VarDecl>(D));
    });
  auto *Ref = dyn_cast<DeclRefExpr>(S);
  return Ref && !Reads.contains(Ref) && llvm::is_contained(Depends, dyn_cast<VarDecl>(Ref->getDecl()));
}

bool ResultUses::isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R, const Extent *Within) {
  using Go = Flow::Go;
  const Stmt *Start = R.Write;
  auto IsStart = [&](const Stmt *S) {
    if (Start)
      return S == Start;
    auto *Decls = dyn_cast<DeclStmt>(S);
    return Decls && llvm::is_contained(Decls->decls(), R.To.Root);
  };
  auto Reaches = [&](Flow::Point From, llvm::function_ref<bool(const Stmt *)> Stop,
                     llvm::function_ref<bool(const Stmt *)> Goal) {
    bool Found = false;
    G.forward(From, nullptr, [&](const Stmt *S) {
      Found |= Goal(S);
      return Stop(S) ? Go::Stop : Go::On;
    });
    return Found;
  };
  auto IsUse = [&](const Stmt *S) { return S == U.At; };
  if (!Reaches({}, IsStart, IsUse))
    return true; // The spawn stands on every way to the use.
  bool Other = G.forward(R.Start, Within, [&](const Stmt *S) {
    for (const Use &Any : All)
      if (Any.At == S)
        return Go::Stop;
    return Go::On;
  });
  if (!Other && Reaches(R.Start, [](const Stmt *) { return false; }, IsUse))
    return true; // Every way from the spawn comes to a use.
  return !Reaches({}, IsUse, IsStart) && !Reaches(G.at(U.At), IsStart, IsUse);
}

void ResultUses::judge(const Result &R) {
  using Go = Flow::Go;
  Region *In = R.Of->In;
  const Stmt *Anchor = G.anchor(In);
  std::optional<Extent> Bound;
  if (In->Kind != Region::Function) {
    if (!Anchor)
      return;
    Bound.emplace(G, Anchor);
  }
  const Extent *Within = Bound ? &*Bound : nullptr;
  const llvm::SmallVector<const VarDecl *, 2> Depends = R.To.dependsOn();

  std::vector<Use> Uses;
  llvm::SmallVector<const Stmt *, 4> Syncs;
  G.forward(R.Start, Within, [&](const Stmt *S) {
    if (R.Child && R.Child->contains(S))
      return S == R.Write ? Go::Stop : Go::On;
    if (G.syncs(S, In)) {
      Syncs.push_back(S);
      return Go::Stop;
    }
    if (ends(S, R, Depends))
      return Go::Stop;
    if (std::optional<Use> U = useIn(S, R))
      Uses.push_back(*U);
    return Go::On;
  });
  // What can also be reached behind a sync is in doubt.
  llvm::DenseSet<const Stmt *> Synced;
  for (const Stmt *Sync : Syncs)
    G.forward(G.at(Sync), Within, [&](const Stmt *S) {
      if (ends(S, R, Depends))
        return Go::Stop;
      Synced.insert(S);
      return Go::On;
    });
  llvm::erase_if(Uses, [&](const Use &U) { return Synced.contains(U.At); });
  const SourceManager &SM = Ctx.getSourceManager();
  llvm::sort(Uses, [&](const Use &A, const Use &B) {
    return A.Loc.isValid() && B.Loc.isValid() && SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
  });
  for (const Use &U : Uses)
    if (isSure(U, Uses, R, Within)) {
      Report.reportAt(U.Loc, U.Writes ? Diag::ResultWritten : Diag::ResultRead, R.Of->Loc, R.To.name());
      return;
    }
}

void ResultUses::run() {
  surveyBody();
  llvm::SmallVector<std::pair<Stmt *, const Spawn *>, 8> Ordered;
  for (auto &[Key, Spawns] : G.Plan.Spawns)
    for (const Spawn &S : Spawns)
      Ordered.push_back({Key, &S});
  llvm::sort(Ordered, [](auto &A, auto &B) { return A.second->Loc < B.second->Loc; });
  for (auto [Key, S] : Ordered)
    collect(Key, *S);
  for (const Result &R : Results)
    if (R.Start)
      judge(R);
}

} // namespace

void warnOfUnsyncedResults(Flow &G, Reporter &Report) { ResultUses(G, Report).run(); }

} // namespace nopal
