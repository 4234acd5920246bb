//===- Flow.h - The control flow of a function that spawns ------*- C++ -*-===//
//
// Clang's control flow graph of a body as it was written, and what the warnings that
// follow it need: where a spawn starts, which sync waits for it, what can be reached
// from where. Built only for functions that spawn.
//
// ResultUse.cpp and BlockLocals.cpp warn only when they are sure, so that a correct
// program never gets a warning; what cannot be followed gets none.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_FLOW_H
#define NOPAL_FRONTEND_FLOW_H

#include "Analysis.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nopal::frontend {

class Flow;

/// A statement with all that lies in it, and the variables that it declares. The graph
/// has more than the body shows; what is nowhere in the body counts as inside.
class Extent {
public:
  Extent(const Flow &G, const clang::Stmt *Whole);
  bool contains(const clang::Stmt *S) const;
  bool declares(const clang::VarDecl *Var) const;
  /// Whether control at the beginning of \p B, or at its end, is still inside, as far as
  /// the block itself tells.
  bool containsBegin(const clang::CFGBlock &B) const {
    return !B.getLabel() || contains(B.getLabel());
  }
  bool containsEnd(const clang::CFGBlock &B) const;

private:
  bool has(const void *Thing) const;

  const Flow &G;
  std::pair<unsigned, unsigned> Range;
};

class Flow {
public:
  /// An element of the graph.
  struct Point {
    const clang::CFGBlock *Block = nullptr;
    unsigned Index = 0;
    explicit operator bool() const { return Block; }
  };
  enum class Go { On, Stop };

  /// Null if there is no graph, or if the body has been rewritten in part.
  static std::unique_ptr<Flow> build(clang::FunctionDecl *FD, FunctionPlan &Plan);

  /// Where \p S has been evaluated, or nothing.
  Point at(const clang::Stmt *S) const { return Statements.lookup(S); }
  Point at(const clang::VarDecl *Var) const { return Variables.lookup(Var); }
  /// The statement of a point of the graph.
  const clang::Stmt *statementAt(Point At) const {
    return (*At.Block)[At.Index].castAs<clang::CFGStmt>().getStmt();
  }
  /// Where \p S is in progress: its child runs from here on. \p Key is the
  /// statement that the plan has it under.
  Point startOf(const clang::Stmt *Key, const Spawn &S) const;

  /// Visits what can be reached after \p From, or from the entry if that is nothing;
  /// \p Visit says whether to go on. \p Within, if given, bounds it. True if a way leaves
  /// the function, or \p Within. \p MayEnd becomes true if one ends in a call that does not return.
  bool forward(Point From, const Extent *Within, llvm::function_ref<Go(const clang::Stmt *)> Visit,
               bool *MayEnd = nullptr) const;

  /// The spawns of the plan with their statements, in source order.
  llvm::SmallVector<std::pair<clang::Stmt *, const Spawn *>, 8> spawns() const;
  /// Whether \p S is a sync that waits for the children of \p R.
  bool syncs(const clang::Stmt *S, Region *R) const { return Plan.Syncs.lookup(S) == R; }
  /// The statement at whose end the children of \p R are waited for.
  const clang::Stmt *anchor(const Region *R) const { return Anchors.lookup(R); }

  clang::FunctionDecl *FD;
  clang::ASTContext &Ctx;
  FunctionPlan &Plan;
  const clang::Stmt *Body;

  /// The number of a statement or variable of the body in a walk from the top, and the
  /// last number inside of it; 0 if it is not there.
  std::pair<unsigned, unsigned> range(const void *Thing) const { return Ranges.lookup(Thing); }

private:
  Flow(clang::FunctionDecl *FD, FunctionPlan &Plan, const clang::Stmt *Body)
      : FD(FD), Ctx(FD->getASTContext()), Plan(Plan), Body(Body) {}
  void number(const clang::Stmt *S);
  Point someIn(const clang::Stmt *S) const;

  std::unique_ptr<clang::CFG> Graph;
  llvm::DenseMap<const void *, std::pair<unsigned, unsigned>> Ranges;
  unsigned Numbered = 0;
  llvm::DenseMap<const clang::Stmt *, Point> Statements;
  llvm::DenseMap<const clang::VarDecl *, Point> Variables;
  llvm::DenseMap<const Region *, const clang::Stmt *> Anchors;
};

/// Warns of what a child gives or writes and is used before a sync has waited for the child.
void warnOfUnsyncedResults(Flow &G, Reporter &Report);

/// Warns of a variable that iterations of a cilk_for, or children of one spawn in a serial loop,
/// write while others of them may run. \p G: the graph, if \p FD spawns.
void warnOfSharedWrites(clang::FunctionDecl *FD, FunctionPlan &Plan, const Flow *G,
                        Reporter &Report);

/// Warns of children that use a variable of a block which ends before a sync.
void warnOfBlockLocals(Flow &G, Reporter &Report);

} // namespace nopal::frontend

#endif
