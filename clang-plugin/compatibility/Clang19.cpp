//===- Clang19.cpp - What Clang 19 does not have --------------------------===//
//
// See Compatibility.h. CMakeLists.txt takes this file for Clang 19, and Clang20.cpp for newer ones.
//
//===----------------------------------------------------------------------===//
#include "Compatibility.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace nopal::compat {

unsigned warningOf(DiagnosticsEngine &Engine, diag::Group Group, llvm::StringRef Text,
                   SourceLocation Loc) {
  DiagnosticIDs &IDs = *Engine.getDiagnosticIDs();
  const std::string Name = DiagnosticIDs::getWarningOptionForGroup(Group).str();
  llvm::SmallVector<diag::kind, 16> OfGroup;
  IDs.getDiagnosticsInGroup(diag::Flavor::WarningOrError, Name, OfGroup);
  for (diag::kind Known : OfGroup) {
    if (DiagnosticIDs::getGroupForDiag(Known) != Group)
      continue;
    switch (Engine.getDiagnosticLevel(Known, Loc)) {
    case DiagnosticsEngine::Ignored:
      return 0;
    case DiagnosticsEngine::Error:
    case DiagnosticsEngine::Fatal:
      return IDs.getCustomDiagID(DiagnosticIDs::Error, Text.str() + " [-Werror,-W" + Name + "]");
    default:
      return IDs.getCustomDiagID(DiagnosticIDs::Warning, Text.str() + " [-W" + Name + "]");
    }
  }
  return IDs.getCustomDiagID(DiagnosticIDs::Warning, Text);
}

void prepareWarning(DiagnosticsEngine &, diag::Group, llvm::StringRef) {}

namespace {

/// Calls a visitor's virtual functions; each of them calls its namesake of Base to go on.
struct Walker : RecursiveASTVisitor<Walker> {
  using Base = RecursiveASTVisitor<Walker>;
  DynamicRecursiveASTVisitor &V;

  explicit Walker(DynamicRecursiveASTVisitor &V) : V(V) {}
  bool shouldVisitTemplateInstantiations() const { return V.ShouldVisitTemplateInstantiations; }
  bool shouldVisitImplicitCode() const { return V.ShouldVisitImplicitCode; }

  bool TraverseDecl(Decl *D) { return V.TraverseDecl(D); }
  bool TraverseStmt(Stmt *S) { return V.TraverseStmt(S); }
  bool TraverseType(QualType T) { return V.TraverseType(T); }
  bool TraverseTypeLoc(TypeLoc L) { return V.TraverseTypeLoc(L); }
  bool TraverseAttr(Attr *A) { return V.TraverseAttr(A); }
  bool TraverseLambdaExpr(LambdaExpr *Lambda) { return V.TraverseLambdaExpr(Lambda); }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) {
    return V.TraverseTemplateArgumentLoc(A);
  }

  bool VisitDecl(Decl *D) { return V.VisitDecl(D); }
  bool VisitDeclaratorDecl(DeclaratorDecl *D) { return V.VisitDeclaratorDecl(D); }
  bool VisitFunctionDecl(FunctionDecl *FD) { return V.VisitFunctionDecl(FD); }
  bool VisitVarDecl(VarDecl *Var) { return V.VisitVarDecl(Var); }
  bool VisitFieldDecl(FieldDecl *Field) { return V.VisitFieldDecl(Field); }
  bool VisitTypedefNameDecl(TypedefNameDecl *D) { return V.VisitTypedefNameDecl(D); }
  bool VisitExpr(Expr *E) { return V.VisitExpr(E); }
  bool VisitDeclRefExpr(DeclRefExpr *Ref) { return V.VisitDeclRefExpr(Ref); }
  bool VisitUnaryOperator(UnaryOperator *UO) { return V.VisitUnaryOperator(UO); }
  bool VisitAttributedTypeLoc(AttributedTypeLoc L) { return V.VisitAttributedTypeLoc(L); }
};

} // namespace

bool DynamicRecursiveASTVisitor::TraverseDecl(Decl *D) {
  return Walker(*this).Base::TraverseDecl(D);
}
bool DynamicRecursiveASTVisitor::TraverseStmt(Stmt *S) {
  return Walker(*this).Base::TraverseStmt(S);
}
bool DynamicRecursiveASTVisitor::TraverseType(QualType T, bool) {
  return Walker(*this).Base::TraverseType(T);
}
bool DynamicRecursiveASTVisitor::TraverseTypeLoc(TypeLoc L, bool) {
  return Walker(*this).Base::TraverseTypeLoc(L);
}
bool DynamicRecursiveASTVisitor::TraverseAttr(Attr *A) {
  return Walker(*this).Base::TraverseAttr(A);
}
bool DynamicRecursiveASTVisitor::TraverseLambdaExpr(LambdaExpr *Lambda) {
  return Walker(*this).Base::TraverseLambdaExpr(Lambda);
}
bool DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) {
  return Walker(*this).Base::TraverseTemplateArgumentLoc(A);
}

namespace {

/// The annotations that the user's files write, by type.
struct Annotations : DynamicRecursiveASTVisitor {
  explicit Annotations(ASTContext &Ctx) : Ctx(Ctx) {
    ShouldVisitTemplateInstantiations = ShouldVisitImplicitCode = true;
  }
  bool TraverseDecl(Decl *D) override {
    if (D && D->getLocation().isValid() &&
        Ctx.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    return DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool VisitAttributedTypeLoc(AttributedTypeLoc L) override {
    auto *Annotation = dyn_cast_or_null<AnnotateTypeAttr>(L.getAttr());
    // Those with no text only tell types apart.
    if (!Annotation || Annotation->getAnnotation().empty())
      return true;
    auto [It, IsNew] = Of.try_emplace(L.getTypePtr(), Annotation);
    if (!It->second)
      It->second = Annotation;
    if (!IsNew && profileOf(It->second) != profileOf(Annotation))
      Ambiguous.insert(L.getTypePtr());
    return true;
  }
  llvm::FoldingSetNodeID profileOf(const AnnotateTypeAttr *A) const {
    llvm::FoldingSetNodeID ID;
    for (const Expr *E : A->args())
      E->Profile(ID, Ctx, /*Canonical=*/true);
    return ID;
  }

  ASTContext &Ctx;
  llvm::DenseMap<const AttributedType *, const AnnotateTypeAttr *> Of;
  llvm::SmallPtrSet<const AttributedType *, 4> Ambiguous;
};

} // namespace

const Attr *annotationOf(const AttributedType *T, const Decl *Context) {
  if (!Context)
    return nullptr;
  const TypeSourceInfo *Info = nullptr;
  if (auto *Declarator = dyn_cast<DeclaratorDecl>(Context))
    Info = Declarator->getTypeSourceInfo();
  else if (auto *Named = dyn_cast<TypedefNameDecl>(Context))
    Info = Named->getTypeSourceInfo();
  for (TypeLoc L = Info ? Info->getTypeLoc() : TypeLoc(); L; L = L.getNextTypeLoc())
    if (auto Attributed = L.getAs<AttributedTypeLoc>())
      if (Attributed.getTypePtr() == T)
        return Attributed.getAttr();
  ASTContext &Ctx = Context->getASTContext();
  static Annotations *Known = nullptr;
  if (!Known || &Known->Ctx != &Ctx) {
    delete Known;
    Known = new Annotations(Ctx);
  }
  if (!Known->Of.count(T))
    Known->TraverseDecl(Ctx.getTranslationUnitDecl());
  const AnnotateTypeAttr *Found = Known->Of.try_emplace(T, nullptr).first->second;
  if (Known->Ambiguous.erase(T))
    Ctx.getDiagnostics().Report(
        Found->getLocation(),
        Ctx.getDiagnostics().getCustomDiagID(
            DiagnosticsEngine::Error,
            "Clang 19 cannot tell these callbacks from others of the same type and text; give them "
            "another name, or compile with a newer Clang"));
  return Found;
}

} // namespace nopal::compat
