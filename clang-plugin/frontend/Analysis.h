//===- Analysis.h - The spawns and sync regions of one function -*- C++ -*-===//
//
// Reads the body of one function and says what to do with it, and reports what
// is not allowed. Changes nothing. Rewrite.h carries out what is found here.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_ANALYSIS_H
#define NOPAL_FRONTEND_ANALYSIS_H

#include "Diagnostics.h"
#include "Loop.h"
#include "Spawn.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace nopal::frontend {

/// What a sync waits for.
struct Region {
  enum RegionKind {
    Function,  ///< the body of the function
    Try,       ///< a try block; none if it does not spawn
    Scope,     ///< a cilk_scope
    Statement, ///< a spawned statement, which becomes a function of its own
    Loop,      ///< an iteration of a cilk_for, whose leaf becomes a function
  };
  RegionKind Kind;
  Region *Parent;
  clang::SourceLocation Loc; ///< of the keyword of a Scope, Statement, Loop or Try
  unsigned Number = 0;       ///< what the sync markers carry
  unsigned Spawns = 0;       ///< how many statements of it spawn
  bool Anchored = false;     ///< has its implicit sync already
  /// Of a try block that is no region: a sync in it is for a region around it,
  /// so what is raised there passes its handlers by.
  bool PassedBy = false;
  unsigned Id = 0; ///< of the markers of a try block that is passed by; 0: none

  /// Control may not enter but at the beginning.
  bool isClosed() const { return Kind == Scope || Kind == Statement || Kind == Loop; }
  /// Control may leave it by a jump, and waits for its children on the way.
  bool isSyncedOnExit() const { return Kind == Scope; }
  /// What becomes a function of its own: regions are counted in it.
  bool isRoot() const { return Kind == Function || Kind == Statement || Kind == Loop; }
  /// The region that a sync here is for.
  Region *effective() {
    Region *R = this;
    while (R->Kind == Try && R->Spawns == 0)
      R = R->Parent;
    return R;
  }
  bool isEffective() { return effective() == this; }
};

struct FunctionPlan {
  std::vector<std::unique_ptr<Region>> Regions;
  /// Statements that spawn; a declaration statement may do so several times.
  llvm::DenseMap<clang::Stmt *, llvm::SmallVector<Spawn, 1>> Spawns;
  /// `cilk_for` loops with a header that can be computed.
  llvm::DenseMap<clang::Stmt *, Loop> Loops;
  /// `cilk_sync;` statements.
  llvm::DenseMap<clang::Stmt *, Region *> Syncs;
  /// Return statements with a value, and the region that they stand in.
  llvm::DenseMap<clang::Stmt *, Region *> Returns;
  /// What both stand in, if only a try block that is no region.
  llvm::DenseMap<clang::Stmt *, Region *> Innermost;
  /// Compound statements at whose end an implicit sync stands.
  llvm::DenseMap<clang::Stmt *, Region *> Anchors;
  /// Bodies inside of this one: lambdas and members of local classes.
  llvm::SmallVector<clang::Decl *, 4> Nested;

  bool empty() const { return Spawns.empty() && Syncs.empty() && Loops.empty(); }
};

/// Looks at the body (and the constructor's initializers) of \p FD.
FunctionPlan analyze(clang::FunctionDecl *FD, SpawnMatcher &Matcher, KeywordTable &Keywords,
                     Reporter &Report);

/// Looks at \p E, which belongs to no function: an initializer that may not
/// spawn. \p Entity names what it initializes. Gives the bodies inside.
llvm::SmallVector<clang::Decl *, 4>
analyzeInitializer(clang::Expr *E, Diag Why, llvm::StringRef Entity, clang::ASTContext &Ctx,
                   SpawnMatcher &Matcher, KeywordTable &Keywords, Reporter &Report);

} // namespace nopal::frontend

#endif
