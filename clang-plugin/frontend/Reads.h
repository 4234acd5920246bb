//===- Reads.h - What a called function surely reads ------------*- C++ -*-===//
//
// `x = cilk_spawn f(); g(x);` with a reference parameter: is that a read of x? It is if
// the text of g is there and g reads its parameter on all its ways. So are copies,
// comparisons, and text that is written to a stream. Used by ResultUse.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_READS_H
#define NOPAL_FRONTEND_READS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class ParmVarDecl;
class Stmt;
} // namespace clang

namespace nopal::frontend {

class Reads {
public:
  /// So many calls are followed into each other.
  static constexpr unsigned Deepest = 6;
  using Predicate = llvm::function_ref<bool(const clang::Expr *)>;

  /// What is in \p Discarded is evaluated for nothing.
  Reads(const clang::ASTContext &Ctx, const llvm::DenseSet<const clang::Stmt *> &Discarded)
      : Ctx(Ctx), Discarded(Discarded) {}

  /// The object or argument that \p E gives a reference into, if \p E is a call of a function
  /// with one return statement; or null.
  const clang::Expr *partOf(const clang::Expr *E, unsigned Depth = Deepest);

  /// Whether \p E is a call that surely reads something of what \p IsGiven accepts, one of its
  /// arguments or its object (null: `*this`). As long as that is \p NotConstructed, no member
  /// function may be called.
  bool callReads(const clang::Expr *E, Predicate IsGiven, bool NotConstructed,
                 unsigned Depth = Deepest);

private:
  /// A parameter that is a reference; null for `*this`.
  using Object = const clang::ParmVarDecl *;
  bool isPart(const clang::Expr *E, Object Self, unsigned Depth = Deepest);
  bool reads(const clang::Stmt *S, Object Self, unsigned Depth);
  bool readsIn(const clang::FunctionDecl *Callee, Object Self, unsigned Depth);

  const clang::ASTContext &Ctx;
  const llvm::DenseSet<const clang::Stmt *> &Discarded;
  /// What readsIn has said.
  llvm::DenseMap<std::pair<const clang::FunctionDecl *, Object>, bool> Known;
};

} // namespace nopal::frontend

#endif
