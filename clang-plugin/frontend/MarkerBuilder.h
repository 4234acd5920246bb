//===- MarkerBuilder.h - Calls of markers in the AST ------------*- C++ -*-===//
//
// Declares and calls the markers of contract/Markers.def, and makes the hidden
// variables whose cleanups are markers. Used by all that puts markers into a body.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_MARKERBUILDER_H
#define NOPAL_FRONTEND_MARKERBUILDER_H

#include "../contract/Markers.h"
#include "Nodes.h"

namespace nopal::frontend {
struct Spawn;

/// The marker that \p S calls, if it does.
std::optional<Marker> markerCalled(const clang::Stmt *S);
inline bool isCallOf(const clang::Stmt *S, Marker M) { return markerCalled(S) == M; }

/// The name of the hidden variable whose cleanup is an implicit sync.
inline constexpr const char HiddenName[] = "__nopal_region";
/// Of the one whose cleanup takes hyperobjects out.
inline constexpr const char LifetimeName[] = "__nopal_home";

class MarkerBuilder : public Nodes {
public:
  using Nodes::call;
  using Nodes::Nodes;

  /// What a marker is given: a number, a value, or an object whose address is passed.
  struct Operand {
    Operand(unsigned Number) : Number(Number) {}
    Operand(clang::Expr *E) : E(E) {}
    Operand(clang::VarDecl *Var) : Var(Var) {}
    unsigned Number = 0;
    clang::Expr *E = nullptr;
    clang::VarDecl *Var = nullptr;
  };
  using Operands = llvm::ArrayRef<Operand>;

  /// `M(Operands...)`
  clang::CallExpr *call(Marker M, Operands Given, clang::SourceLocation Loc);

  /// `M(Id, "file", line, column, Region, More...);`: what begins here has a keyword at
  /// \p Loc. \p Start: where the statement begins, so that the places of statements go up in
  /// a block, as coverage wants it; none: \p Loc.
  clang::Stmt *begin(Marker M, unsigned Id, unsigned Region, clang::SourceLocation Loc,
                     clang::SourceLocation Start = {}, Operands More = {});

  /// `unsigned Name __attribute__((cleanup(M))) = Number;`: a call of \p M where the scope is
  /// left.
  clang::Stmt *atScopeExit(Marker M, llvm::StringRef Name, unsigned Number,
                           clang::DeclContext *Function, clang::SourceLocation Loc);
  /// The same of a variable of type \p Type with the value \p Init.
  clang::Stmt *atScopeExit(Marker M, llvm::StringRef Name, clang::QualType Type, clang::Expr *Init,
                           clang::DeclContext *Function, clang::SourceLocation Loc);

  /// Splits the assignment of \p S in two, so that the left side's address is computed before
  /// the right side:
  ///
  ///   LEFT = RIGHT    ->    T *__nopal_left;  (__nopal_left = &LEFT,
  ///                                            *__nopal_left = RIGHT)
  ///
  /// Gives the declaration and the new expression. They are one full expression still, so
  /// temporaries of the left side live as long as before.
  std::pair<clang::Stmt *, clang::Expr *> hoistLeft(clang::Expr *Full, const Spawn &S,
                                                    clang::DeclContext *Function);

  /// \p Literal, with `__nopal_literal(Id, &Literal)` after it: it outlives the statement
  /// \p Id, which makes it.
  clang::Expr *literal(unsigned Id, clang::Expr *Literal);

  /// `__nopal_child()`: what follows it in its full expression is the child's.
  clang::Expr *childBegins(clang::SourceLocation Loc) { return call(Marker::Child, {}, Loc); }

  /// Has `__nopal_spawned()` called after the last operand of \p Spawned.
  void flag(clang::CallExpr *Spawned);

  clang::QualType typeOf(MarkerType T) const;

  /// What a marker takes for a number of 64 bits, and for a pointer.
  clang::Expr *u64(uint64_t Value, clang::SourceLocation Loc) {
    return number(Value, typeOf(MarkerType::U64), Loc);
  }
  clang::Expr *storage(clang::Expr *Pointer) {
    return implicitCast(clang::CK_BitCast, typeOf(MarkerType::Storage), Pointer);
  }

private:
  clang::FunctionDecl *function(Marker M);
  clang::Expr *spawnedAfter(clang::Expr *Operand);
  clang::Expr *rebuild(clang::Expr *E, clang::Expr *Assign, clang::Expr *AddressOfLeft,
                       clang::Expr *Left);

  llvm::DenseMap<unsigned, clang::FunctionDecl *> Functions; ///< by marker
};

} // namespace nopal::frontend

#endif
