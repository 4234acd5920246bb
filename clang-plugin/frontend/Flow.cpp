//===- Flow.cpp - The control flow of a function that spawns --------------===//
//
// See Flow.h.
//
//===----------------------------------------------------------------------===//
#include "Flow.h"
#include "MarkerBuilder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace nopal::frontend {

Extent::Extent(const Flow &G, const Stmt *Whole) : G(G), Range(G.range(Whole)) {}

bool Extent::has(const void *Thing) const {
  const unsigned At = G.range(Thing).first;
  return !At || (At >= Range.first && At <= Range.second);
}

bool Extent::contains(const Stmt *S) const {
  // The graph has a statement of its own for each of several variables.
  auto *Decls = dyn_cast<DeclStmt>(S);
  return Decls && Decls->isSingleDecl() ? has(Decls->getSingleDecl()) : has(S);
}

bool Extent::declares(const VarDecl *Var) const { return G.range(Var).first && has(Var); }

bool Extent::containsEnd(const CFGBlock &B) const {
  for (const Stmt *S : {B.getLoopTarget(), B.getTerminatorStmt()})
    if (S && !contains(S))
      return false;
  return true;
}

void Flow::number(const Stmt *S) {
  if (!S || Ranges.contains(S))
    return;
  const unsigned At = ++Numbered;
  Ranges[S] = {At, At};
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    for (const Decl *D : Decls->decls()) {
      ++Numbered;
      Ranges[D] = {Numbered, Numbered};
    }
  for (const Stmt *Child : S->children())
    number(Child);
  Ranges[S].second = Numbered;
}

/// Whether \p S calls what the keywords of a function are rewritten to. Uses of hyperobjects are
/// rewritten before.
static bool isRewritten(const Stmt *S) {
  std::optional<Marker> M = markerCalled(S);
  if (!M)
    return false;
  switch (*M) {
  case Marker::Strand:
  case Marker::View:
  case Marker::ViewsBegin:
  case Marker::ViewsEnd:
  case Marker::ViewsEndCleanup:
    return false;
  default:
    return true;
  }
}

std::unique_ptr<Flow> Flow::build(FunctionDecl *FD, FunctionPlan &Plan) {
  ASTContext &Ctx = FD->getASTContext();
  Stmt *Body = FD->getBody();
  if (!Body || isa<CoroutineBodyStmt>(Body))
    return nullptr;
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  std::unique_ptr<Flow> G(new Flow(FD, Plan, Body));
  G->Graph = CFG::buildCFG(FD, Body, &Ctx, Options);
  if (!G->Graph)
    return nullptr;
  for (const CFGBlock *B : *G->Graph) {
    for (unsigned I = 0; I < B->size(); ++I) {
      std::optional<CFGStmt> Element = (*B)[I].getAs<CFGStmt>();
      if (!Element)
        continue;
      const Stmt *S = Element->getStmt();
      if (isRewritten(S))
        return nullptr; // The instance that was rewritten first has been judged.
      G->Statements.try_emplace(S, Point{B, I});
      if (auto *Decls = dyn_cast<DeclStmt>(S))
        for (const Decl *D : Decls->decls())
          if (auto *Var = dyn_cast<VarDecl>(D))
            G->Variables.try_emplace(Var, Point{B, I});
    }
  }
  G->number(Body);
  for (auto &[S, R] : Plan.Anchors) // any order: a region has one anchor
    G->Anchors[R] = S;
  return G;
}

/// Any element of \p S: what can be reached after it can be reached after \p S.
Flow::Point Flow::someIn(const Stmt *S) const {
  Point Found = at(S);
  for (const Stmt *Child : S->children())
    if (!Found && Child)
      Found = someIn(Child);
  return Found;
}

llvm::SmallVector<std::pair<Stmt *, const Spawn *>, 8> Flow::spawns() const {
  llvm::SmallVector<std::pair<Stmt *, const Spawn *>, 8> Result;
  for (auto &[Key, Spawns] : Plan.Spawns) // any order: sorted below
    for (const Spawn &S : Spawns)
      Result.push_back({Key, &S});
  llvm::sort(Result, [](auto &A, auto &B) { return A.second->Loc < B.second->Loc; });
  return Result;
}

Flow::Point Flow::startOf(const Stmt *Key, const Spawn &S) const {
  switch (S.Form) {
  case Spawn::Call:
    return S.Spawned ? at(S.Spawned) : at(S.Operation);
  case Spawn::Assignment:
    return at(S.Assign);
  case Spawn::Variable:
  case Spawn::Element: // the declaration, of which it is a part
    return at(S.Var);
  case Spawn::Statement:
    return someIn(spawnedBody(Key));
  }
  return {};
}

bool Flow::forward(Point From, const Extent *Within, llvm::function_ref<Go(const Stmt *)> Visit,
                   bool *MayEnd) const {
  bool Left = false;
  llvm::DenseSet<const CFGBlock *> Seen;
  llvm::SmallVector<const CFGBlock *, 16> Work;
  auto Run = [&](const CFGBlock *B, unsigned Index) {
    if (Within && Index == 0 && !Within->containsBegin(*B)) {
      Left = true;
      return;
    }
    for (; Index < B->size(); ++Index) {
      std::optional<CFGStmt> Element = (*B)[Index].getAs<CFGStmt>();
      if (!Element)
        continue;
      if (Within && !Within->contains(Element->getStmt())) {
        Left = true;
        return;
      }
      if (Visit(Element->getStmt()) == Go::Stop)
        return;
    }
    if (B == &Graph->getExit() || (Within && !Within->containsEnd(*B))) {
      Left = true;
      return;
    }
    if (B->hasNoReturnElement()) {
      if (MayEnd)
        *MayEnd = true;
      return;
    }
    for (const CFGBlock::AdjacentBlock &Next : B->succs())
      if (const CFGBlock *To = Next.getReachableBlock(); To && Seen.insert(To).second)
        Work.push_back(To);
  };
  if (From) {
    Run(From.Block, From.Index + 1);
  } else {
    Seen.insert(&Graph->getEntry());
    Work.push_back(&Graph->getEntry());
  }
  while (!Work.empty())
    Run(Work.pop_back_val(), 0);
  return Left;
}

} // namespace nopal::frontend
