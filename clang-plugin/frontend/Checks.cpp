//===- Checks.cpp - What may not be around a spawn ------------------------===//
//
// The part of the walk that looks into expressions, for keywords that may not
// stand there and for functions inside, and the checks of a whole function: jumps
// over the edge of a closed region, and what cannot be in a function that spawns.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Analyzer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

bool returnsTwice(const FunctionDecl *Callee) {
  if (Callee->hasAttr<ReturnsTwiceAttr>())
    return true;
  static const llvm::StringSet<> Names = {"setjmp",      "_setjmp", "sigsetjmp",
                                          "__sigsetjmp", "vfork",   "getcontext"};
  return Callee->getIdentifier() && Names.contains(Callee->getName());
}

} // namespace

/// Looks at an expression, or at the header of a statement, for keywords that
/// may not stand there and for bodies inside.
void Analyzer::expression(Stmt *E, Diag Why, const Place &P) {
  if (!E)
    return;
  if (auto *UO = dyn_cast<UnaryOperator>(E)) {
    SourceLocation Loc = UO->getOperatorLoc();
    if (!Accepted.contains(Loc) && (Matcher.isSpawnMarker(UO) || Matcher.isSyncMarker(UO))) {
      found(Loc);
      if (Matcher.isSyncMarker(UO))
        Report.report(Diag::SyncExpression, Loc);
      else
        Report.report(P.Ban != Diag::None ? P.Ban : Why, Loc, Entity);
    }
  } else if (auto *Assign = dyn_cast<CompoundAssignOperator>(E)) {
    if (UnaryOperator *Marker = Matcher.markerUnder(Assign->getRHS());
        Marker && Why == Diag::LargerExpression && P.Ban == Diag::None &&
        !Accepted.contains(Marker->getOperatorLoc())) {
      found(Marker->getOperatorLoc());
      Report.report(Diag::CompoundAssignment, Marker->getOperatorLoc(), Assign->getOpcodeStr());
    }
  } else if (auto *Lambda = dyn_cast<LambdaExpr>(E)) {
    for (Expr *Init : Lambda->capture_inits())
      expression(Init, Why, P);
    Plan.Nested.push_back(Lambda->getLambdaClass());
    return;
  } else if (auto *Block = dyn_cast<BlockExpr>(E)) {
    Place Inner;
    Inner.In = region(Region::Function, nullptr);
    Inner.Ban = Diag::BlockLiteral;
    return statement(Block->getBody(), Inner);
  } else if (auto *Group = dyn_cast<StmtExpr>(E)) {
    Place Inner = P;
    if (Inner.Ban == Diag::None)
      Inner.Ban = Diag::StatementExpression;
    if (!Inner.In)
      Inner.In = region(Region::Function, nullptr);
    return statement(Group->getSubStmt(), Inner);
  } else if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(E)) {
    Why = Diag::Unevaluated;
  } else if (isa<CXXDefaultArgExpr, CXXDefaultInitExpr>(E)) {
    return; // Belongs to its declaration.
  } else if (auto *Address = dyn_cast<AddrLabelExpr>(E)) {
    LabelsWithAddress.insert(Address->getLabel());
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    if (const FunctionDecl *Callee = Call->getDirectCallee(); Callee && returnsTwice(Callee))
      Setjmps.emplace_back(Call->getBeginLoc(), Callee->getNameAsString());
  } else if (auto *Decls = dyn_cast<DeclStmt>(E)) {
    for (Decl *D : Decls->decls())
      if (auto *Var = dyn_cast<VarDecl>(D))
        expression(Var->getInit(), Why, P);
    return;
  }
  for (Stmt *Child : E->children())
    expression(Child, Why, P);
}

void Analyzer::leave(SourceLocation Loc, llvm::StringRef What, Region *From, Region *To) {
  for (Region *R = From; R && R != To; R = R->Parent)
    if (R->isClosed() && !R->isSyncedOnExit())
      return Report.reportAt(Loc, Diag::JumpOut, R->Loc, What);
}

namespace {

/// Jumps that leave an expression, in its statement expressions.
struct JumpFinder : compat::DynamicRecursiveASTVisitor {
  llvm::SmallVector<std::pair<SourceLocation, llvm::StringRef>, 2> Breaks, Others;
  llvm::SmallPtrSet<const Stmt *, 4> Seen;
  bool IsInLoop = false, IsInSwitch = false;

  bool TraverseStmt(Stmt *S) override {
    if (!S ||
        isa<LambdaExpr, BlockExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(S))
      return true;
    Seen.insert(S);
    const bool IsLoop = isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S);
    llvm::SaveAndRestore Loop(IsInLoop, IsInLoop || IsLoop);
    llvm::SaveAndRestore Switch(IsInSwitch, IsInSwitch || isa<SwitchStmt>(S));
    const bool IsBreak = isa<BreakStmt>(S);
    if (IsBreak || isa<ContinueStmt>(S)) {
      const Stmt *Named = compat::namedTarget(S);
      if (Named ? !Seen.contains(Named) : !IsInLoop && !(IsBreak && IsInSwitch))
        Breaks.emplace_back(S->getBeginLoc(), IsBreak ? "break" : "continue");
    }
    if (isa<ReturnStmt>(S))
      Others.emplace_back(S->getBeginLoc(), "return");
    if (isa<GotoStmt>(S))
      Others.emplace_back(S->getBeginLoc(), "goto");
    return compat::DynamicRecursiveASTVisitor::TraverseStmt(S);
  }
};

} // namespace

/// Refuses jumps that pass cleanups which the child has, too: a break or continue out of an
/// operand, and any jump out of the left side. A return or goto out of an argument passes some only
/// if another argument has a temporary with a destructor; then the outliner refuses it.
void Analyzer::operandJumps(Expr *E, const Spawn &S) {
  JumpFinder All, OfLeft;
  All.TraverseStmt(E);
  if (S.Assign)
    OfLeft.TraverseStmt(leftSide(S.Assign));
  for (auto &Found : {All.Breaks, OfLeft.Others})
    for (auto [Loc, What] : Found)
      Report.reportAt(Loc, Diag::JumpOut, S.Loc, What);
}

void Analyzer::jumps() {
  auto Inside = [](Region *Inner, Region *Outer) {
    for (; Inner; Inner = Inner->Parent)
      if (Inner == Outer)
        return true;
    return !Outer;
  };
  // A computed goto may go wherever a label's address is taken; one report is enough. Clang runs
  // no cleanup on its way, so it may not leave a cilk_scope either.
  for (auto [Loc, Closed] : ComputedGotos) {
    auto Wrong = llvm::find_if(LabelsWithAddress,
                               [&](const LabelDecl *L) { return Labels.lookup(L) != Closed; });
    if (Wrong == LabelsWithAddress.end())
      continue;
    if (Region *Target = Labels.lookup(*Wrong); !Inside(Target, Closed))
      Report.reportAt(Loc, Diag::JumpOut, Closed->Loc, "goto");
    else
      Gotos.push_back({Loc, *Wrong, Closed});
  }
  for (const Jump &J : Gotos) {
    auto It = Labels.find(J.Target);
    if (It == Labels.end() || It->second == J.Closed)
      continue;
    Region *Around = J.Closed;
    while (!Inside(It->second, Around) && Around->isSyncedOnExit())
      for (Around = Around->Parent; Around && !Around->isClosed(); Around = Around->Parent)
        ;
    if (!Inside(It->second, Around))
      Report.reportAt(J.Loc, Diag::JumpOut, Around->Loc, "goto");
    else if (It->second != Around)
      Report.reportAt(J.Target->getLocation(), Diag::JumpInto, It->second->Loc,
                      J.Target->getNameAsString());
  }
}

/// What no function can have that spawns.
void Analyzer::refuseInSpawning() {
  if (AnySpawn.isInvalid())
    return;
  for (auto &[Loc, Name] : Setjmps)
    Report.report(Diag::Setjmp, AnySpawn, Name, Loc);
  if (AsmGoto.isValid())
    Report.report(Diag::AsmGoto, AnySpawn, "", AsmGoto);
}

llvm::SmallVector<Decl *, 4> analyzeInitializer(Expr *E, Diag Why, llvm::StringRef Entity,
                                                ASTContext &Ctx, SpawnMatcher &Matcher,
                                                KeywordTable &Keywords, Reporter &Report) {
  Analyzer A(Ctx, Matcher, Keywords, Report);
  A.Entity = Entity.str();
  A.expression(E, Why, Place());
  return std::move(A.Plan.Nested);
}

} // namespace nopal::frontend
