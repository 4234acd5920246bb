//===- MarkerBuilder.h - AST nodes for the markers --------------*- C++ -*-===//
//
// Makes the statements that the front-end puts into a body: calls of the marker
// functions of ../contract and the hidden variables. Nodes are made by hand, as
// the parser made them; Sema is not asked.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_MARKERBUILDER_H
#define NOPAL_FRONTEND_MARKERBUILDER_H

#include "../contract/Markers.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"

namespace nopal::frontend {
struct Spawn;

class MarkerBuilder {
public:
  explicit MarkerBuilder(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// `Which(Operand);`
  clang::Stmt *call(Marker Which, unsigned Operand, clang::SourceLocation Loc);

  /// `Which(Id, "file", line, column, Region);`: a statement is spawned whose
  /// keyword stands at \p Loc. \p Start: where the statement begins, so that the
  /// places of statements go up in a block, as coverage wants it; none: \p Loc.
  clang::Stmt *begin(Marker Which, unsigned Id, unsigned Region, clang::SourceLocation Loc,
                     clang::SourceLocation Start = {});

  /// `{ T __nopal_result = E; SYNC; return __nopal_result; }` for `return E;`, built
  /// in the return slot, and `{ SYNC; return x; }` if the variable x is built
  /// there: if \p Sync raises what a child threw, the value is destroyed.
  /// With \p Returned its address is stored there behind the sync.
  clang::Stmt *returnBehindSync(clang::ReturnStmt *S, clang::FunctionDecl *FD, clang::Stmt *Sync,
                                clang::VarDecl *Returned = nullptr);

  /// `try BODY catch (...) { if (Returned) { Returned->~T(); Returned = nullptr; } throw; }`
  clang::Stmt *destroyReturned(clang::CompoundStmt *Body, clang::VarDecl *Returned, clang::SourceLocation Loc);

  /// `T *__nopal_returned = nullptr;` for a function that returns a T.
  clang::VarDecl *returnedPointer(clang::FunctionDecl *FD, clang::SourceLocation Loc);

  /// `Which(First, Second);`
  clang::Stmt *call(Marker Which, unsigned First, unsigned Second, clang::SourceLocation Loc);

  /// `__nopal_made(Id, &Var);`: the child has constructed \p Var, or what it
  /// refers to.
  clang::Stmt *made(unsigned Id, clang::VarDecl *Var, clang::SourceLocation Loc);

  /// `__nopal_outer(Id, &Var);`: the statement \p Id mentions \p Var, which is
  /// declared outside of it.
  clang::Stmt *outer(unsigned Id, clang::VarDecl *Var, clang::SourceLocation Loc);

  /// `unsigned __nopal_region __attribute__((cleanup(__nopal_sync_cleanup))) =
  /// Number;`: an implicit sync where the scope is left.
  clang::Stmt *hiddenSync(clang::DeclContext *Function, unsigned Number, clang::SourceLocation Loc);

  /// `__nopal_loop_begin(Id, "file", line, column, Region, Count, Grain);` Both
  /// are unsigned and of 64 bits.
  clang::Stmt *loopBegin(unsigned Id, unsigned Region, clang::Expr *Count, clang::Expr *Grain,
                         clang::SourceLocation Loc);

  /// `Which(Id)`, a bound of the leaf: unsigned and of 64 bits.
  clang::Expr *loopBound(Marker Which, unsigned Id, clang::SourceLocation Loc);

  /// A variable without a name that a program could use, not seen by a debugger.
  clang::VarDecl *variable(clang::DeclContext *Function, llvm::StringRef Name, clang::QualType Type,
                           clang::SourceLocation Loc);
  clang::Expr *reference(clang::VarDecl *Var, clang::SourceLocation Loc);
  clang::QualType wide() const;
  /// `Array[Index]`, `Record.Field` and `Left = Value`, whatever is const.
  clang::Expr *element(clang::Expr *Array, unsigned Index, clang::SourceLocation Loc);
  clang::Expr *member(clang::Expr *Record, const clang::FieldDecl *Field, clang::SourceLocation Loc);
  clang::Expr *assign(clang::Expr *Left, clang::Expr *Value, clang::SourceLocation Loc);
  /// `Var = Value`
  clang::Expr *store(clang::VarDecl *Var, clang::Expr *Value, clang::SourceLocation Loc);

  /// `unsigned __nopal_end __attribute__((cleanup(__nopal_region_end_cleanup))) =
  /// Id;`: where the scope is left, the region of __nopal_region_begin(Id) ends.
  clang::Stmt *hiddenEnd(clang::DeclContext *Function, unsigned Id, clang::SourceLocation Loc);

  /// Splits the assignment of \p S in two, so that the left side's address is
  /// computed before the right side:
  ///
  ///   LEFT = RIGHT    ->    T *__nopal_left;  (__nopal_left = &LEFT,
  ///                                            *__nopal_left = RIGHT)
  ///
  /// Gives the declaration and the new expression. They are one full
  /// expression still, so temporaries of the left side live as long as before.
  std::pair<clang::Stmt *, clang::Expr *> hoistLeft(clang::Expr *Full, const Spawn &S, clang::DeclContext *Function);

  /// \p Literal, with `__nopal_literal(Id, &Literal)` after it: it outlives the
  /// statement \p Id, which makes it.
  clang::Expr *literal(unsigned Id, clang::Expr *Literal);

  /// `__nopal_child()`, flagged: what follows it in its full expression is the
  /// child's.
  clang::Expr *childBegins(clang::SourceLocation Loc);

  /// Sets the flag that code generation puts on exactly this call.
  void flag(clang::CallExpr *Spawned);

  clang::Stmt *compound(llvm::ArrayRef<clang::Stmt *> Statements, clang::SourceRange Range);

private:
  clang::Stmt *hidden(llvm::StringRef Name, Marker Cleanup, clang::DeclContext *Function,
                      unsigned Number, clang::SourceLocation Loc);
  /// The declaration of \p M, as the table says.
  clang::FunctionDecl *function(Marker M);
  clang::QualType typeOf(MarkerType T) const;
  clang::Expr *callWithAddress(Marker Which, unsigned Id, clang::Expr *Object,
                               clang::SourceLocation Loc);
  llvm::SmallVector<clang::Expr *, 8> place(unsigned Id, unsigned Region, clang::SourceLocation Loc, clang::SourceLocation Start = {});
  clang::Expr *call(clang::FunctionDecl *FD, llvm::ArrayRef<clang::Expr *> Arguments, clang::SourceLocation Loc);
  clang::Expr *number(unsigned Value, clang::SourceLocation Loc);
  clang::Expr *load(clang::VarDecl *Var, clang::SourceLocation Loc);
  clang::Expr *null(clang::QualType Type, clang::SourceLocation Loc);
  clang::Expr *rebuild(clang::Expr *E, clang::Expr *Assign, clang::Expr *AddressOfLeft, clang::Expr *Left);

  clang::ASTContext &Ctx;
  llvm::DenseMap<Marker, clang::FunctionDecl *> Functions;
};

} // namespace nopal::frontend

#endif
