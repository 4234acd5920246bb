//===- PartAccesses.h - Variables that a parallel part uses -----*- C++ -*-===//
//
// The scalars that one part of a function reads and writes and does not declare itself. A part is
// the body of a cilk_for, a spawned statement, or a lambda that is called where it stands. Used by
// SharedWrites.cpp and ResultUse.cpp. What no race can be told of is left out:
//  - atomic, volatile and thread-local objects, and elements at a variable index;
//  - under a lock: after a variable whose type, or a call of a function whose name, has
//    "lock", "guard" or "mutex" in it;
//  - in a branch that is for one iteration: under `==` with the control variable;
//  - in a branch that a constant excludes, or that depends on a template parameter;
//  - in a handler, which one iteration at most may enter;
//  - where the part writes the variable that the path hangs from, such as *p and ++p;
//  - hyperobjects, of which each strand has a view.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_PARTACCESSES_H
#define NOPAL_FRONTEND_PARTACCESSES_H

#include "Access.h"
#include "HyperExpressions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Decl;
class LambdaExpr;
class Stmt;
} // namespace clang

namespace nopal::frontend {

struct Spawn;

struct PartAccess {
  const clang::Expr *Left; ///< the lvalue
  Access To;
  bool IsWrite;
  /// Whether the part may run and not come here. The body of a loop is taken to run.
  bool IsConditional;
  /// The operation of a reducer that does the same, or "" for a plain assignment and a read.
  llvm::StringRef Operation;
};

class PartAccesses {
public:
  /// \p Context: the function that the part belongs to, or its own if it is a lambda.
  explicit PartAccesses(const clang::Decl *Context, const clang::VarDecl *Control = nullptr);
  /// Of the body of \p Lambda, what it captured by copy left out.
  static PartAccesses ofLambda(const clang::LambdaExpr *Lambda);
  /// Of the child of \p S, which the plan has under \p Key. None if it is another call.
  static PartAccesses ofChild(const clang::Decl *Context, const clang::Stmt *Key, const Spawn &S);

  void walk(const clang::Stmt *S);
  /// In source order.
  llvm::SmallVector<PartAccess, 4> result() const;
  /// Whether the part has a lock, or uses something by which parts may agree on an order: an atomic
  /// or volatile object, a semaphore, a promise.
  bool ordersItself() const { return HasOrder; }

private:
  void add(const clang::Expr *Left, bool IsWrite, llvm::StringRef Operation = "");
  bool isInHyperobject(const clang::Expr *E) const;
  bool isForOneIteration(const clang::Expr *Condition) const;
  bool neverRuns(const clang::Stmt *S, const clang::Stmt *Child) const;

  const clang::ASTContext &Ctx;
  HyperExpressions Types;
  const clang::VarDecl *Control;
  bool IsLocked = false, IsConditional = false, HasJumped = false;
  bool HasOrder = false, OwnsThis = false;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Declared;
  llvm::SmallPtrSet<const clang::ValueDecl *, 4> Copied; ///< by the lambda
  llvm::SmallVector<PartAccess, 8> Found;
};

/// The lambda whose call \p S spawns where it stands, or null.
const clang::LambdaExpr *spawnedLambda(const Spawn &S);

} // namespace nopal::frontend

#endif
