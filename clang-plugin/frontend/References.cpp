//===- References.cpp - The variables that a statement mentions -----------===//
//
// See References.h.
//
//===----------------------------------------------------------------------===//
#include "References.h"
#include "../compatibility/Compatibility.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace nopal::frontend {
namespace {

struct Finder : compat::DynamicRecursiveASTVisitor {
  llvm::SmallVector<DeclRefExpr *, 8> Found;
  llvm::DenseSet<const Decl *> Declared;

  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      Found.push_back(Ref);
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    Declared.insert(Var);
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    for (Expr *Init : Lambda->capture_inits())
      TraverseStmt(Init);
    return true;
  }
};

/// Whether code generation may leave no trace of where \p Var is declared.
bool mayBeginUnseen(const VarDecl *Var) {
  const Expr *Init = Var->getInit();
  return !Init || isa<CXXConstructExpr>(Init->IgnoreUnlessSpelledInSource());
}

} // namespace

llvm::SmallVector<DeclRefExpr *, 8> outerReferences(Stmt *S) {
  Finder F;
  F.TraverseStmt(S);
  llvm::erase_if(F.Found, [&](DeclRefExpr *Ref) { return F.Declared.contains(Ref->getDecl()); });
  return std::move(F.Found);
}

llvm::SmallSetVector<VarDecl *, 4> outerVariables(const FunctionDecl *FD, Stmt *S) {
  llvm::SmallSetVector<VarDecl *, 4> Result;
  for (DeclRefExpr *Ref : outerReferences(S)) {
    auto *Var = cast<VarDecl>(Ref->getDecl());
    QualType Type = Var->getType();
    if (!isa<ParmVarDecl>(Var) && Var->hasLocalStorage() && Var->getDeclContext() == FD &&
        !Type->isReferenceType() && !Type->isVariableArrayType() && mayBeginUnseen(Var))
      Result.insert(Var);
  }
  return Result;
}

llvm::SmallVector<VarDecl *, 4> partsWithVariables(const VarDecl *Var) {
  llvm::SmallVector<VarDecl *, 4> Result;
  if (auto *Binding = dyn_cast<DecompositionDecl>(Var))
    for (BindingDecl *Part : compat::bindingsOf(Binding))
      if (VarDecl *Reference = Part->getHoldingVar())
        Result.push_back(Reference);
  return Result;
}

} // namespace nopal::frontend
