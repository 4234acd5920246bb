//===- Spawn.h - Which call a spawned statement spawns ----------*- C++ -*-===//
//
// Recognises the forms of cilk_spawn in one statement: a call, the right side
// of an assignment, the initializer of a variable. Knows nothing of what
// surrounds the statement; that is Analysis.h.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_SPAWN_H
#define NOPAL_FRONTEND_SPAWN_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class InitListExpr;
class Stmt;
class UnaryOperator;
class VarDecl;
} // namespace clang

namespace nopal::frontend {
class KeywordTable;
class Reporter;
struct Region;

struct Spawn {
  enum FormKind {
    Call,       ///< the statement is the call
    Assignment, ///< the statement assigns the call's result
    Variable,   ///< the call's result initializes a variable
    Element,    ///< the call's result initializes a part of an array or a struct
    Statement,  ///< the statement as a whole is the child
  };
  FormKind Form;
  clang::SourceLocation Loc; ///< of the keyword
  clang::UnaryOperator *Marker = nullptr;
  clang::CallExpr *Spawned = nullptr; ///< all forms but Statement
  clang::Expr *Operation = nullptr;   ///< instead of Spawned, see Operands.h
  clang::Expr *Assign = nullptr;      ///< a BinaryOperator or CXXOperatorCallExpr
  clang::VarDecl *Var = nullptr;      ///< Variable, Element
  clang::Expr *Part = nullptr;        ///< Element: what the part is initialized by
  Region *In = nullptr;               ///< whose syncs wait for it
  Region *Own = nullptr;              ///< the sync region of a Statement
};

class SpawnMatcher {
public:
  SpawnMatcher(clang::ASTContext &Ctx, KeywordTable &Keywords, Reporter &Report)
      : Ctx(Ctx), Keywords(Keywords), Report(Report) {}

  /// The `cilk_spawn` marker that \p E is, itself or beneath conversions, or
  /// null. What is peeled off is what the child does after the call.
  clang::UnaryOperator *markerUnder(clang::Expr *E);

  /// \p E is an expression statement. Reports what can stand there but not be
  /// spawned, and then gives a Spawn without a call.
  std::optional<Spawn> matchExpression(clang::Expr *E);

  /// \p Var is a variable of a function with an initializer.
  std::optional<Spawn> matchVariable(clang::VarDecl *Var);

  /// \p Var is a variable with an initializer list: the spawns in it, in order.
  /// Reports what keeps its parts from being initialized one by one.
  llvm::SmallVector<Spawn, 1> matchElements(clang::VarDecl *Var);

  /// Whether \p E is a marker of keyword \p K.
  bool isSpawnMarker(const clang::Expr *E);
  bool isSyncMarker(const clang::Expr *E);
  /// \p E is the expression of a `cilk_sync;` statement.
  clang::UnaryOperator *syncStatement(clang::Expr *E);

private:
  void spawned(Spawn &S);
  bool mayCall(clang::SourceLocation Loc, clang::CallExpr *Call);
  bool mayAssignTo(clang::SourceLocation Loc, clang::Expr *Left);

  clang::ASTContext &Ctx;
  KeywordTable &Keywords;
  Reporter &Report;
};

/// The initializer list of parts that \p Init is, temporaries aside, or null.
clang::InitListExpr *initializerList(clang::Expr *Init);

/// What one initializer of a list initializes: a field, or the element of that index.
struct ListPart {
  clang::Expr *Init;
  const clang::FieldDecl *Field;
  unsigned Index;
};
llvm::SmallVector<ListPart, 8> partsOf(clang::InitListExpr *List);

/// What an implicit or explicit conversion converts, or null.
clang::Expr *peelConversion(clang::Expr *E);

/// The address of \p Left is the same whenever it is computed, so that the
/// parent need not do it.
bool isFixedVariable(const clang::Expr *Left);

/// What the child of the spawned statement \p Whole does.
const clang::Stmt *spawnedBody(const clang::Stmt *Whole);

/// The left side of an assignment of either kind.
clang::Expr *leftSide(clang::Expr *Assign);

} // namespace nopal::frontend

#endif
