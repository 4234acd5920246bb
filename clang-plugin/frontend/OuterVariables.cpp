//===- OuterVariables.cpp - What a statement shares with its function -----===//
//
// See OuterVariables.h.
//
//===----------------------------------------------------------------------===//
#include "OuterVariables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace nopal {

/// Whether code generation may leave no trace of where \p Var is declared.
static bool mayBeginUnseen(const VarDecl *Var) {
  const Expr *Init = Var->getInit();
  return !Init || isa<CXXConstructExpr>(Init->IgnoreUnlessSpelledInSource());
}

llvm::SmallSetVector<VarDecl *, 4> outerVariables(const FunctionDecl *FD, Stmt *S) {
  llvm::SmallSetVector<VarDecl *, 4> Result;
  llvm::DenseSet<const VarDecl *> Declared;
  llvm::SmallVector<Stmt *, 32> Work{S};
  while (!Work.empty()) {
    Stmt *Inner = Work.pop_back_val();
    if (!Inner)
      continue;
    if (auto *Decls = dyn_cast<DeclStmt>(Inner))
      for (Decl *D : Decls->decls())
        if (auto *Var = dyn_cast<VarDecl>(D))
          Declared.insert(Var);
    if (auto *Handler = dyn_cast<CXXCatchStmt>(Inner); Handler && Handler->getExceptionDecl())
      Declared.insert(Handler->getExceptionDecl());
    if (auto *Ref = dyn_cast<DeclRefExpr>(Inner))
      if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
          Var && !isa<ParmVarDecl>(Var) && Var->hasLocalStorage() && Var->getDeclContext() == FD &&
          !Var->getType()->isReferenceType() && !Var->getType()->isVariableArrayType() && mayBeginUnseen(Var))
        Result.insert(Var);
    if (auto *Lambda = dyn_cast<LambdaExpr>(Inner)) // Its body is another function's.
      Work.append(Lambda->capture_init_begin(), Lambda->capture_init_end());
    else
      Work.append(Inner->child_begin(), Inner->child_end());
  }
  Result.remove_if([&](VarDecl *Var) { return Declared.contains(Var); });
  return Result;
}

} // namespace nopal
