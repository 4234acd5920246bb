//===- SharedWrites.cpp - Variables that parallel parts write -------------===//
//
//   long total = 0;
//   cilk_for (int i = 0; i < n; ++i) total += a[i];      // a race
//   for (int i = 0; i < n; ++i) cilk_spawn [&] { total += a[i]; }();
//
// Looks for writes of a scalar that all iterations of a cilk_for share, or all children of
// one spawn that control reaches again with no sync between (PartAccesses.h). A condition may
// keep the writes apart in a run, so the warning says "may".
//
// A view of a hyperobject that was bound outside of the loop is such a variable, of every type:
// a reference, or what a lambda captures with `[&r = x]`. So is a scalar one that a pointer leads
// to. There the remedy is another.
//
// The note names the reducer, and offers the change where it is one of the function's own
// variables and all its uses are in sight.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Access.h"
#include "Flow.h"
#include "HyperExpressions.h"
#include "PartAccesses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// All uses of a variable in a function.
struct UseFinder : compat::DynamicRecursiveASTVisitor {
  const VarDecl *Of;
  llvm::SmallVector<const DeclRefExpr *, 8> Uses;
  bool HasPostfix = false;

  explicit UseFinder(const VarDecl *Of) : Of(Of) {}
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (Ref->getDecl() == Of)
      Uses.push_back(Ref);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *UO) override {
    auto *Ref = dyn_cast<DeclRefExpr>(UO->getSubExpr()->IgnoreParens());
    HasPostfix |= Ref && Ref->getDecl() == Of && UO->isPostfix();
    return true;
  }
};

/// Uses of variables that may change them.
struct ChangeFinder : compat::DynamicRecursiveASTVisitor {
  llvm::SmallVector<const DeclRefExpr *, 8> Uses;
  llvm::SmallPtrSet<const DeclRefExpr *, 8> Reads;
  llvm::SmallPtrSet<const VarDecl *, 8> Declared;

  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      Uses.push_back(Ref);
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    Declared.insert(Var);
    return true;
  }
  bool VisitExpr(Expr *Read) override {
    auto *Cast = dyn_cast<ImplicitCastExpr>(Read);
    if (!Cast || (Cast->getCastKind() != CK_LValueToRValue &&
                  !(Cast->isGLValue() && Cast->getType().isConstQualified())))
      return true;
    const Expr *E = Cast->getSubExpr()->IgnoreParenImpCasts();
    while (auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParenImpCasts();
    if (auto *Ref = dyn_cast<DeclRefExpr>(E))
      Reads.insert(Ref);
    return true;
  }
  bool changes(const VarDecl *Var) const {
    return llvm::any_of(Uses,
                        [&](auto *Ref) { return Ref->getDecl() == Var && !Reads.contains(Ref); });
  }
};

/// Whether \p Var is bound by \p Init to a view that it may change.
bool isView(const VarDecl *Var, const Expr *Init) {
  return Var->getType()->isReferenceType() &&
         !Var->getType().getNonReferenceType().isConstQualified() && Init &&
         frontend::isView(Init->IgnoreParenImpCasts());
}

/// Whether \p Var is a pointer to a view, and \p Body, all of its function, gives it no other
/// value.
bool isPointerToView(const VarDecl *Var, Stmt *Body) {
  auto *Address = Var->getType()->isPointerType() && Var->hasLocalStorage() && Var->getInit()
                      ? dyn_cast<UnaryOperator>(Var->getInit()->IgnoreParenImpCasts())
                      : nullptr;
  if (!Address || Address->getOpcode() != UO_AddrOf ||
      !frontend::isView(Address->getSubExpr()->IgnoreParenImpCasts()))
    return false;
  ChangeFinder Changes;
  Changes.TraverseStmt(Body);
  return !Changes.changes(Var);
}

/// Whether \p Var is a lambda that changes a view which was bound when the lambda was made.
bool isLambdaWithView(const VarDecl *Var) {
  auto *Lambda = Var->getInit() && !Var->getType()->isReferenceType()
                     ? dyn_cast<LambdaExpr>(Var->getInit()->IgnoreImplicit())
                     : nullptr;
  if (!Lambda)
    return false;
  ChangeFinder Body;
  Body.TraverseStmt(Lambda->getBody());
  for (auto [C, Init] : llvm::zip(Lambda->captures(), Lambda->capture_inits()))
    if (Lambda->isInitCapture(&C))
      if (auto *Captured = cast<VarDecl>(C.getCapturedVar());
          isView(Captured, Init) && Body.changes(Captured))
        return true;
  return false;
}

class SharedWrites {
public:
  SharedWrites(FunctionDecl *FD, Reporter &Report)
      : FD(FD), Ctx(FD->getASTContext()), Report(Report) {}
  void loop(const Loop &L);
  void spawn(const Flow &G, Stmt *Key, const Spawn &S);

private:
  void report(const PartAccess &W, SourceLocation Keyword);
  void views(const Loop &L);
  void reportView(const VarDecl *Var, SourceLocation Use, SourceLocation Keyword) {
    if (Reported.insert({Var, Keyword}).second)
      Report.reportRemedy(Use, Diag::SharedView, Keyword, Var->getNameAsString(),
                          Var->getLocation(), "", {});
  }
  llvm::SmallVector<FixItHint, 4> changes(const VarDecl *Var, llvm::StringRef Reducer) const;

  FunctionDecl *FD;
  ASTContext &Ctx;
  Reporter &Report;
  llvm::DenseSet<std::pair<const VarDecl *, SourceLocation>> Reported;
};

/// What makes \p Var a reducer: its declaration, and a `*` at each use. Nothing, if it is not
/// one plain declaration with one name, or has a use of which that would not be enough.
llvm::SmallVector<FixItHint, 4> SharedWrites::changes(const VarDecl *Var,
                                                      llvm::StringRef Reducer) const {
  llvm::SmallVector<FixItHint, 4> Result;
  UseFinder Uses(Var);
  Uses.TraverseStmt(FD->getBody());
  const SourceRange Whole = Var->getSourceRange();
  if (FD->isTemplateInstantiation() || !Var->hasLocalStorage() || isa<ParmVarDecl>(Var) ||
      Var->getType()->isReferenceType() || Uses.HasPostfix || Whole.getBegin().isMacroID() ||
      Whole.getEnd().isMacroID() ||
      llvm::any_of(Uses.Uses, [](auto *Ref) { return Ref->getLocation().isMacroID(); }))
    return Result;
  const SourceManager &SM = Ctx.getSourceManager();
  std::optional<Token> Next = Lexer::findNextToken(Whole.getEnd(), SM, Ctx.getLangOpts());
  auto *Typed = Var->getTypeSourceInfo();
  if (!Next || Next->isNot(tok::semi) || !Typed ||
      Whole.getBegin() != Typed->getTypeLoc().getBeginLoc())
    return Result;
  std::string Text = (Reducer + " " + Var->getName()).str();
  if (const Expr *Init = Var->getInit())
    Text += ("(" +
             Lexer::getSourceText(CharSourceRange::getTokenRange(Init->getSourceRange()), SM,
                                  Ctx.getLangOpts()) +
             ")")
                .str();
  Result.push_back(FixItHint::CreateReplacement(Whole, Text));
  for (const DeclRefExpr *Ref : Uses.Uses)
    Result.push_back(FixItHint::CreateInsertion(Ref->getLocation(), "*"));
  return Result;
}

void SharedWrites::report(const PartAccess &W, SourceLocation Keyword) {
  const std::string Name = W.To.name();
  const VarDecl *Var = W.To.Path.empty() ? W.To.Root : nullptr;
  if (W.To.Root && (isView(W.To.Root, W.To.Root->getInit()) ||
                    (!Var && isPointerToView(W.To.Root, FD->getBody()))))
    return reportView(W.To.Root, W.Left->getExprLoc(), Keyword);
  std::string Remedy;
  llvm::SmallVector<FixItHint, 4> Changes;
  if (W.Operation.empty()) {
    Remedy = "give each part a variable of its own, or make it a reducer, or a std::atomic";
    if (!Ctx.getLangOpts().CPlusPlus)
      Remedy = "give each part a variable of its own, or make it '_Atomic'";
  } else if (!Ctx.getLangOpts().CPlusPlus) {
    Remedy = "make it a reducer (<cilk/views.h>), or give each part an element of an array and "
             "add them up afterwards";
  } else {
    std::string Type = W.Left->getType().getUnqualifiedType().getAsString(Ctx.getPrintingPolicy());
    std::string Reducer = ("cilk::reducer<" + Type + ", " + W.Operation + ">").str();
    Remedy = "make it a '" + Reducer + "' of <cilk/reducer.h>, and write '*" + Name + "'";
    if (Var && isa<DeclRefExpr>(W.Left->IgnoreParens()) &&
        cast<DeclRefExpr>(W.Left->IgnoreParens())->getDecl() == Var)
      Changes = changes(Var, Reducer); // not where it is written through a reference
  }
  Report.reportRemedy(W.Left->getExprLoc(), Diag::SharedWrite, Keyword, Name,
                      Var ? Var->getLocation() : W.Left->getExprLoc(), Remedy, Changes);
}

/// Views of class type that the loop's body changes.
void SharedWrites::views(const Loop &L) {
  ChangeFinder Body;
  Body.TraverseStmt(L.Body);
  for (const DeclRefExpr *Ref : Body.Uses) {
    auto *Var = cast<VarDecl>(Ref->getDecl());
    if (Var->isInitCapture() || Body.Declared.contains(Var))
      continue;
    const bool IsShared = isView(Var, Var->getInit())
                              ? !Ref->getType()->isScalarType() && Body.changes(Var)
                              : isLambdaWithView(Var);
    if (IsShared)
      reportView(Var, Ref->getLocation(), L.Loc);
  }
}

void SharedWrites::loop(const Loop &L) {
  views(L);
  PartAccesses Iteration(FD, L.Var);
  Iteration.walk(L.Element);
  Iteration.walk(L.Body);
  for (const PartAccess &A : Iteration.result())
    if (A.IsWrite)
      report(A, L.Loc);
}

void SharedWrites::spawn(const Flow &G, Stmt *Key, const Spawn &S) {
  const Flow::Point Start = G.startOf(Key, S);
  const Stmt *Anchor = G.anchor(S.In);
  if (!Start || !Anchor)
    return;
  Extent Within(G, Anchor);
  const Stmt *Again = G.statementAt(Start);
  for (const PartAccess &A : PartAccesses::ofChild(FD, Key, S).result()) {
    if (!A.IsWrite)
      continue;
    auto Ends = [&](const Stmt *At) {
      auto *Decls = dyn_cast<DeclStmt>(At);
      return G.syncs(At, S.In) || (Decls && llvm::is_contained(Decls->decls(), A.To.Root));
    };
    // A spawned statement may have a loop of its own: what counts is control that has left it.
    llvm::SmallVector<Flow::Point, 4> After;
    if (S.Form == Spawn::Statement) {
      Extent Child(G, spawnedBody(Key));
      G.forward(Start, &Within, [&](const Stmt *At) {
        if (Child.contains(At))
          return Flow::Go::On;
        if (!Ends(At))
          After.push_back(G.at(At));
        return Flow::Go::Stop;
      });
    } else {
      After.push_back(Start);
    }
    bool IsParallel = false;
    for (Flow::Point From : After)
      G.forward(From, &Within, [&](const Stmt *At) {
        IsParallel |= At == Again;
        return IsParallel || Ends(At) ? Flow::Go::Stop : Flow::Go::On;
      });
    if (IsParallel)
      report(A, S.Loc);
  }
}

} // namespace

void warnOfSharedWrites(FunctionDecl *FD, FunctionPlan &Plan, const Flow *G, Reporter &Report) {
  SharedWrites Warner(FD, Report);
  llvm::SmallVector<const Loop *, 4> Loops;
  for (auto &[Key, L] : Plan.Loops) // any order: sorted below
    Loops.push_back(&L);
  llvm::sort(Loops, [](auto *A, auto *B) { return A->Loc < B->Loc; });
  for (const Loop *L : Loops)
    Warner.loop(*L);
  if (G)
    for (auto [Key, S] : G->spawns())
      Warner.spawn(*G, Key, *S);
}

} // namespace nopal::frontend
