// How a piece of code uses variables: what decides whether a task needs a copy of one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_USES_H
#define NOPAL_TOOLS_MIGRATE_USES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"

#include <functional>
#include <vector>

namespace nopal::migrate {

/// One use of a variable.
struct Use {
  const clang::DeclRefExpr *reference;
  const clang::VarDecl *variable;
  enum Kind {
    kRead,     // its value is taken
    kWritten,  // assigned, incremented
    kObject,   // its address or a reference to it: anything may happen
  } kind;
  bool is_capture;            // it stands in the captures of a lambda, not in its code
  bool is_statement_operand;  // of an assignment or a binary operator, so `*r` needs no parentheses
};

/// The call that a statement is, or that it assigns the result of: cilk_spawn may stand before it.
/// Null for any other statement.
const clang::CallExpr *spawnable_call(const clang::Stmt *statement);

/// Whether the call is one of a method of the object that the reference names, or of a part of it:
/// who runs the call looks at it.
bool is_of_object(const clang::CallExpr *call, const clang::DeclRefExpr *reference);

/// What encloses a statement, outermost first.
using Path = std::vector<const clang::Stmt *>;

/// Calls `visit` for each statement below and including `root`, outermost first, with the bodies of
/// captured statements and lambdas. Leaves out what is below if it returns false.
void walk(const clang::Stmt *root, const std::function<bool(const clang::Stmt *)> &visit);
void walk(const clang::Stmt *root,
          const std::function<bool(const clang::Stmt *, const Path &)> &visit);

/// The body of a lambda; of a generic one that of its first instantiation.
const clang::Stmt *body_of(const clang::LambdaExpr *lambda);
/// The function that it calls: of a generic one its first instantiation.
const clang::CXXMethodDecl *call_operator_of(const clang::LambdaExpr *lambda);

/// What a directive is about, without the captures around it; null if it stands alone.
const clang::Stmt *body_of(const clang::OMPExecutableDirective *directive);

/// Whether the value may be another one, or do something more, if it is computed once more. Not
/// seen: what functions do. A null pointer has no effects.
bool has_effects(const clang::ASTContext &context, const clang::Expr *value);

/// All uses of local and global variables in `root`.
std::vector<Use> uses_in(const clang::Stmt *root);

/// Whether something in `root` may have another name for the variable: a pointer or a reference.
bool has_alias(const clang::Stmt *root, const clang::VarDecl *variable);

/// Whether `root` may change the variable: writes it, or takes its address or a reference that is
/// not const.
bool may_change(const clang::Stmt *root, const clang::VarDecl *variable);

}  // namespace nopal::migrate

#endif
