//===- References.h - The variables that a statement mentions ---*- C++ -*-===//
//
// Used for all that asks which variables of the function around it a statement
// mentions: spawned statements, bodies and headers of loops.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_REFERENCES_H
#define NOPAL_FRONTEND_REFERENCES_H

#include "llvm/ADT/SetVector.h"

namespace clang {
class DeclRefExpr;
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace nopal::frontend {

/// The references in \p S to variables that \p S does not declare, in source order. What a
/// lambda captures counts, its body does not.
llvm::SmallVector<clang::DeclRefExpr *, 8> outerReferences(clang::Stmt *S);

/// The automatic variables of \p FD that \p S shares with it though nothing but \p S may
/// use them in IR. There such a variable looks like one that \p S declares, an alloca at the
/// entry; but it outlives \p S, which may run again. A variable with an initializer is not
/// here, as that uses it, unless the initializer is a constructor, which may be no code.
llvm::SmallSetVector<clang::VarDecl *, 4> outerVariables(const clang::FunctionDecl *FD,
                                                         clang::Stmt *S);

/// The references that the parts of a structured binding are, if functions give them.
llvm::SmallVector<clang::VarDecl *, 4> partsWithVariables(const clang::VarDecl *Var);

} // namespace nopal::frontend

#endif
