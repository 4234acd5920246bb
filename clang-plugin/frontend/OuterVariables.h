//===- OuterVariables.h - What a statement shares with its function -*- C++ -*-===//
//
// In IR a variable that only a spawned statement uses looks like one that the
// statement declares: an alloca at the function's entry. The first is shared with
// the function, which outlives the statement and may run it again; the second is
// each execution's own. Only the AST tells them apart.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_OUTERVARIABLES_H
#define NOPAL_FRONTEND_OUTERVARIABLES_H

#include "llvm/ADT/SetVector.h"

namespace clang {
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace nopal {

/// The automatic variables of \p FD that \p S mentions and does not declare, as
/// far as nothing else may use them: whatever initializes a variable does, unless
/// it is a constructor, which may be no code.
llvm::SmallSetVector<clang::VarDecl *, 4> outerVariables(const clang::FunctionDecl *FD, clang::Stmt *S);

} // namespace nopal

#endif
