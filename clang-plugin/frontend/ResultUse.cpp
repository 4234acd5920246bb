//===- ResultUse.cpp - Results that are used before the sync --------------===//
//
// `x = cilk_spawn f(); use(x); cilk_sync;` reads x while the child may still
// write it. So does `cilk_spawn [&] { ++x; }(); use(x); cilk_sync;`. Follows the
// control flow from each spawn whose child is known to write something, to the
// syncs that wait for it. A use is reported if
//  - it surely names what the child writes (Access.h), and
//  - no way from the spawn to it passes a sync, and
//  - conditions cannot keep the two apart: the spawn stands on every way to the
//    use, or every way from the spawn comes to a use, or both stand in a loop
//    where every way from the use to itself passes the spawn.
// So `if (c) x = cilk_spawn f(); if (!c) use(x);` and `if (c) cilk_sync; use(x);`
// get no warning. An address that is taken or passed on is no use. A lambda that
// is called or spawned where it stands uses what its body does (PartAccesses.h).
// Where a child writes under a condition, only the second way to be sure remains.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Access.h"
#include "Flow.h"
#include "PartAccesses.h"
#include "Reads.h"
#include "Spawn.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// What a child writes, and where.
struct Result {
  const Spawn *Of;
  Access To;
  const Stmt *Write;   ///< an assignment or a spawn, or null for a variable's initializer
  const Extent *Child; ///< the spawned statement that the write stands in, if so
  Flow::Point Start;
  bool IsConditional = false; ///< the child may end and not have written it
};

class ResultUses {
public:
  ResultUses(Flow &G, Reporter &Report) : G(G), Ctx(G.Ctx), Report(Report), Calls(Ctx, Discarded) {}
  void run();

private:
  struct Use {
    const Stmt *At;
    SourceLocation Loc;
    bool Writes;
    bool IsConditional = false; ///< `At` may be evaluated and not use it
  };
  void survey(const Stmt *S, llvm::SmallVectorImpl<const DeclRefExpr *> &Refs,
              bool IsEvaluated = true);
  void collect(Stmt *Key, const Spawn &S);
  void child(Stmt *Key, const Spawn &S, const Extent *Child);
  void statement(const Spawn &S, const Stmt *Body, const Extent *Child);
  void add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child,
           Flow::Point Start);
  std::optional<Use> useIn(const Stmt *S, const Result &R);
  std::optional<Use> useInBody(const LambdaExpr *Lambda, const Result &R);
  bool ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends);
  bool isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R, const Extent *Within);
  void judge(const Result &R);

  Flow &G;
  ASTContext &Ctx;
  Reporter &Report;
  /// What is read, written in place, or evaluated for nothing; any other reference to a
  /// variable may let its address out.
  llvm::DenseSet<const Stmt *> Read, Written, Discarded;
  llvm::DenseSet<const Stmt *> Called; ///< lambdas, where they stand
  llvm::DenseSet<const VarDecl *> Escaped;
  Reads Calls;
  std::vector<Result> Results;
  std::vector<std::unique_ptr<Extent>> Extents;
};

/// How each variable is mentioned in \p S.
void ResultUses::survey(const Stmt *S, llvm::SmallVectorImpl<const DeclRefExpr *> &Refs,
                        bool IsEvaluated) {
  if (!IsEvaluated)
    Discarded.insert(S);
  if (auto *Cast = dyn_cast<CastExpr>(S)) {
    const Expr *Operand = Cast->getSubExpr()->IgnoreParens();
    if (Cast->getCastKind() == CK_LValueToRValue)
      Read.insert(Operand);
    else if (Cast->getCastKind() == CK_ToVoid)
      Discarded.insert(Operand);
  } else if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isAssignmentOp()) {
    Written.insert(Operator->getLHS()->IgnoreParens());
  } else if (auto *UO = dyn_cast<UnaryOperator>(S); UO && UO->isIncrementDecrementOp()) {
    Written.insert(UO->getSubExpr()->IgnoreParens());
  } else if (auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getNRVOCandidate()) {
    Discarded.insert(Return->getRetValue()->IgnoreImplicit()); // built in the return slot
  } else if (auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    Refs.push_back(Ref);
  } else if (auto *Call = dyn_cast<CXXOperatorCallExpr>(S);
             Call && Call->getOperator() == OO_Call) {
    Called.insert(Call->getArg(0)->IgnoreUnlessSpelledInSource());
  } else if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        if (auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
          Escaped.insert(Var);
  }
  IsEvaluated &= !isa<CXXNoexceptExpr>(S); // The graph has its operand.
  for (const Stmt *Child : S->children())
    if (Child)
      survey(Child, Refs, IsEvaluated);
}

/// \p Child: the spawned statement, if the write stands in one.
void ResultUses::add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child,
                     Flow::Point Start) {
  QualType T = Left->getType();
  std::optional<Access> To = Access::of(Left, Ctx);
  // Volatile and atomic objects are how threads talk to each other.
  if (!To || !Start || T.isVolatileQualified() || T->isAtomicType() ||
      llvm::any_of(To->dependsOn(), [&](const VarDecl *Var) { return Escaped.contains(Var); }))
    return;
  Results.push_back({&S, *To, Write, Child, Start});
}

/// The scalars that the child writes, as far as its text is known.
void ResultUses::child(Stmt *Key, const Spawn &S, const Extent *Child) {
  PartAccesses Part = PartAccesses::ofChild(G.FD, Key, S);
  const Flow::Point Start = G.startOf(Key, S);
  if (!Start || Part.ordersItself())
    return;
  const size_t First = Results.size();
  for (const PartAccess &A : Part.result()) {
    if (!A.IsWrite ||
        llvm::any_of(A.To.dependsOn(), [&](const VarDecl *Var) { return Escaped.contains(Var); }))
      continue;
    auto Known = std::find_if(Results.begin() + First, Results.end(), [&](const Result &R) {
      return R.To.Root == A.To.Root && R.To.Path == A.To.Path;
    });
    if (Known == Results.end())
      Results.push_back({&S, A.To, G.statementAt(Start), Child, Start, A.IsConditional});
    else
      Known->IsConditional &= A.IsConditional;
  }
}

/// The structures that a spawned statement assigns under no condition.
void ResultUses::statement(const Spawn &S, const Stmt *Body, const Extent *Child) {
  auto Assigned = [&](const Stmt *Statement) {
    auto *E = dyn_cast<Expr>(Statement);
    auto *Operator = E ? dyn_cast<BinaryOperator>(E->IgnoreImplicit()->IgnoreParens()) : nullptr;
    if (!Operator || !Operator->isAssignmentOp() || Operator->getType()->isScalarType())
      return;
    std::optional<Access> To = Access::of(Operator->getLHS(), Ctx);
    if (To && To->isPartOfRoot() && !Child->declares(To->Root))
      add(S, Operator->getLHS(), Operator, Child, G.at(Operator));
  };
  if (auto *Block = dyn_cast<CompoundStmt>(Body))
    llvm::for_each(Block->body(), Assigned);
  else
    Assigned(Body);
}

/// What \p Init initializes, somewhere in \p List, which initializes \p Whole.
static std::optional<Access> partIn(InitListExpr *List, const Expr *Init, const Access &Whole) {
  for (const ListPart &P : partsOf(List)) {
    Access Part = Whole;
    Part.Path.push_back(P.Field ? Access::Step{Access::Step::Member, P.Field->getCanonicalDecl()}
                                : Access::Step{Access::Step::Element, nullptr, P.Index});
    if (P.Init == Init)
      return Part;
    if (InitListExpr *Inner = initializerList(P.Init))
      if (auto Found = partIn(Inner, Init, Part))
        return Found;
  }
  return std::nullopt;
}

void ResultUses::collect(Stmt *Key, const Spawn &S) {
  const Extent *Child = nullptr;
  if (S.Form == Spawn::Statement) {
    Extents.push_back(std::make_unique<Extent>(G, spawnedBody(Key)));
    Child = Extents.back().get();
  }
  child(Key, S, Child);
  switch (S.Form) {
  case Spawn::Call:
    return;
  case Spawn::Statement:
    return statement(S, spawnedBody(Key), Child);
  case Spawn::Element:
    if (auto Part = partIn(initializerList(S.Var->getInit()), S.Part, Access{S.Var, {}}))
      Results.push_back({&S, *Part, nullptr, nullptr, G.startOf(Key, S)});
    return;
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
    if (auto *Binding = dyn_cast<DecompositionDecl>(S.Var)) {
      const size_t First = Results.size() - 1;
      Flow::Point End = Results.back().Start; // The child takes its result apart too.
      for (const BindingDecl *Part : compat::bindingsOf(Binding))
        if (const VarDecl *Reference = Part->getHoldingVar()) {
          Results.push_back({&S, Access{Reference, {}}, nullptr, nullptr, {}});
          End = G.at(Reference);
        }
      for (Result &R : llvm::MutableArrayRef(Results).drop_front(First))
        R.Start = End;
    }
  }
}

/// The first use of what \p R names in the body of a lambda that is called here, by another part
/// than the child itself.
std::optional<ResultUses::Use> ResultUses::useInBody(const LambdaExpr *Lambda, const Result &R) {
  PartAccesses Part = PartAccesses::ofLambda(Lambda);
  std::optional<Use> Found;
  if (Lambda == spawnedLambda(*R.Of) || Part.ordersItself())
    return Found; // SharedWrites.cpp warns of a child beside itself.
  for (const PartAccess &A : Part.result())
    if (A.To.overlaps(R.To) && (!Found || Found->IsConditional > A.IsConditional))
      Found = Use{Lambda, A.Left->getExprLoc(), A.IsWrite, A.IsConditional};
  return Found;
}

/// The use of what \p R names that evaluating \p S is, its operands not counted.
std::optional<ResultUses::Use> ResultUses::useIn(const Stmt *S, const Result &R) {
  auto Names = [&](const Expr *E) {
    std::optional<Access> A = Access::of(E, Ctx);
    return A && A->overlaps(R.To);
  };
  // A function reads some part of its object, so the child must write all of it.
  auto NamesPart = [&](const Expr *E) {
    std::optional<Access> A = E ? Access::of(E, Ctx) : std::nullopt;
    return A && A->overlaps(R.To) && R.To.Path.size() <= A->Path.size();
  };
  auto Found = [&](const Expr *E, bool Writes) { return Use{S, E->getExprLoc(), Writes}; };
  auto *E = dyn_cast<Expr>(S);
  if (!E || Discarded.contains(E))
    return std::nullopt;
  if (auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue) {
      const Expr *Part = Cast->getSubExpr();
      if (Names(Part))
        return Found(Part, false);
      while (const Expr *Whole = Calls.partOf(Part))
        if (NamesPart(Part = Whole))
          return Found(Whole, false);
    }
  } else if (auto *Operator = dyn_cast<BinaryOperator>(E)) {
    if (Operator->isAssignmentOp() && Names(Operator->getLHS()))
      return Found(Operator->getLHS(), true);
  } else if (auto *UO = dyn_cast<UnaryOperator>(E)) {
    if (UO->isIncrementDecrementOp() && Names(UO->getSubExpr()))
      return Found(UO->getSubExpr(), true);
  } else if (auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    if (Called.contains(Lambda))
      return useInBody(Lambda, R);
  } else if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    // Of a part that a function gives it is the result where it is.
    if (auto *Part = dyn_cast<BindingDecl>(Ref->getDecl());
        Part && Part->getHoldingVar() == R.To.Root && R.To.Root)
      return Found(Ref, false);
  } else if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor()) {
      if (!Construct->getConstructor()->getParent()->isEmpty() && Names(Construct->getArg(0)))
        return Found(Construct->getArg(0), false);
    } else if (Calls.callReads(E, NamesPart, false)) {
      return Found(*llvm::find_if(Construct->arguments(), NamesPart), false);
    }
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (Operator && Method &&
        (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
        !Method->getParent()->isEmpty() && Names(Call->getArg(0)))
      return Found(Call->getArg(0), true);
    if (!Calls.callReads(E, NamesPart, /*NotConstructed=*/!R.Write))
      return std::nullopt;
    auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    if (Member && NamesPart(Member->getBase()))
      return Found(Member->getBase(), false);
    return Found(*llvm::find_if(Call->arguments(), NamesPart), false);
  }
  return std::nullopt;
}

/// Whether after \p S the path of \p R names other memory, or R is written anew.
bool ResultUses::ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends) {
  if (R.Write && S == R.Write)
    return true;
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    return llvm::any_of(Decls->decls(), [&](const Decl *D) {
      return D == R.To.Root || D == R.Of->Var || llvm::is_contained(Depends, dyn_cast<VarDecl>(D));
    });
  auto *Ref = dyn_cast<DeclRefExpr>(S);
  return Ref && !Read.contains(Ref) &&
         llvm::is_contained(Depends, dyn_cast<VarDecl>(Ref->getDecl()));
}

bool ResultUses::isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R,
                        const Extent *Within) {
  using Go = Flow::Go;
  const Stmt *Start = R.Write;
  auto IsStart = [&](const Stmt *S) {
    if (Start)
      return S == Start;
    auto *Decls = dyn_cast<DeclStmt>(S);
    return Decls && llvm::is_contained(Decls->decls(), R.Of->Var);
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
  if (!R.IsConditional && !Reaches({}, IsStart, IsUse))
    return true; // The spawn stands on every way to the use.

  // Whether a way comes to a sync, to the spawn again or to an end before any use.
  bool Misses = false;
  auto Visit = [&](const Stmt *S) {
    Misses |= G.syncs(S, R.Of->In) || IsStart(S);
    return llvm::any_of(All, [S](const Use &Any) { return Any.At == S; }) ? Go::Stop : Go::On;
  };
  if (G.forward(R.Start, Within, Visit, &Misses))
    Misses = true;
  if (!Misses && !U.IsConditional && Reaches(R.Start, [](const Stmt *) { return false; }, IsUse))
    return true; // Every way from the spawn comes to a use.
  return !R.IsConditional && !Reaches({}, IsUse, IsStart) && !Reaches(G.at(U.At), IsStart, IsUse);
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
  // What can also be reached after a sync is in doubt.
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
      Report.reportAt(U.Loc, U.Writes ? Diag::ResultWritten : Diag::ResultRead, R.Of->Loc,
                      R.To.name());
      return;
    }
}

void ResultUses::run() {
  llvm::SmallVector<const DeclRefExpr *, 64> Refs;
  survey(G.Body, Refs);
  for (const DeclRefExpr *Ref : Refs)
    if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && !Read.contains(Ref) && !Written.contains(Ref))
      Escaped.insert(Var);
  for (auto [Key, S] : G.spawns())
    collect(Key, *S);
  for (const Result &R : Results)
    if (R.Start)
      judge(R);
}

} // namespace

void warnOfUnsyncedResults(Flow &G, Reporter &Report) { ResultUses(G, Report).run(); }

} // namespace nopal::frontend
