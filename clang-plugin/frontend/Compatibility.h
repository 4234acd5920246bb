//===- Compatibility.h - What differs between Clang 19 and 22 ---*- C++ -*-===//
//
// As contract/Compatibility.h, of Clang's part. What the functions have for an older version that
// a header cannot hold is in Compatibility.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_COMPATIBILITY_H
#define NOPAL_FRONTEND_COMPATIBILITY_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 20
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#else
#include "clang/Basic/DiagnosticCategories.h"
#endif

namespace nopal::compat {

#if LLVM_VERSION_MAJOR >= 20
using clang::DynamicRecursiveASTVisitor;
#else
/// The functions of Clang 20's class of this name that the plugin overrides.
class DynamicRecursiveASTVisitor {
public:
  virtual ~DynamicRecursiveASTVisitor() = default;

  bool ShouldVisitTemplateInstantiations = false;
  bool ShouldVisitImplicitCode = false;

  virtual bool TraverseDecl(clang::Decl *D);
  virtual bool TraverseStmt(clang::Stmt *S);
  virtual bool TraverseType(clang::QualType T, bool = true);
  virtual bool TraverseTypeLoc(clang::TypeLoc L, bool = true);
  virtual bool TraverseAttr(clang::Attr *A);
  virtual bool TraverseLambdaExpr(clang::LambdaExpr *Lambda);
  virtual bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &A);

  virtual bool VisitDecl(clang::Decl *) { return true; }
  virtual bool VisitDeclaratorDecl(clang::DeclaratorDecl *) { return true; }
  virtual bool VisitFunctionDecl(clang::FunctionDecl *) { return true; }
  virtual bool VisitVarDecl(clang::VarDecl *) { return true; }
  virtual bool VisitFieldDecl(clang::FieldDecl *) { return true; }
  virtual bool VisitTypedefNameDecl(clang::TypedefNameDecl *) { return true; }
  virtual bool VisitExpr(clang::Expr *) { return true; }
  virtual bool VisitDeclRefExpr(clang::DeclRefExpr *) { return true; }
  virtual bool VisitUnaryOperator(clang::UnaryOperator *) { return true; }
  virtual bool VisitAttributedTypeLoc(clang::AttributedTypeLoc) { return true; }
};
#endif

/// The number of the warning \p Text of \p Group at \p Loc, or 0 if the user has silenced it there.
/// Clang 19 has no groups of its plugins' warnings: one of its own stands for them.
unsigned warningOf(clang::DiagnosticsEngine &Engine, clang::diag::Group Group, llvm::StringRef Text,
                   clang::SourceLocation Loc);

/// To be called for each warning before the first pragma is read.
void prepareWarning(clang::DiagnosticsEngine &Engine, clang::diag::Group Group,
                    llvm::StringRef Text);

inline bool hasTypeSanitizer(const clang::LangOptions &Options) {
#if LLVM_VERSION_MAJOR >= 20
  return Options.Sanitize.has(clang::SanitizerKind::Type);
#else
  (void)Options;
  return false;
#endif
}

/// The parts of a structured binding, those of a pack one by one.
inline auto bindingsOf(const clang::DecompositionDecl *D) {
#if LLVM_VERSION_MAJOR >= 21
  return D->flat_bindings();
#else
  return D->bindings();
#endif
}

inline llvm::APInt truncated(unsigned Width, uint64_t Value) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::APInt(Width, Value, /*isSigned=*/false, /*implicitTrunc=*/true);
#else
  return llvm::APInt(Width, Value);
#endif
}

/// The text of \p Asm if it is a literal.
inline const clang::StringLiteral *textOf(const clang::GCCAsmStmt *Asm) {
#if LLVM_VERSION_MAJOR >= 21
  return llvm::dyn_cast<clang::StringLiteral>(Asm->getAsmStringExpr());
#else
  return Asm->getAsmString();
#endif
}

/// `asm volatile(Text);`
clang::Stmt *makeAsm(clang::ASTContext &Ctx, clang::StringLiteral *Text, clang::SourceLocation Loc);

/// Builtins that Clang 19 does not have.
inline bool isNewerFrameBuiltin(unsigned Builtin) {
#if LLVM_VERSION_MAJOR >= 22
  return Builtin == clang::Builtin::BI__builtin_stack_address ||
         Builtin == clang::Builtin::BI__builtin_c23_va_start;
#else
  (void)Builtin;
  return false;
#endif
}

/// The arguments of \p Template, as written, with its defaults. False after an error.
inline bool checkArguments(clang::Sema &S, clang::TemplateDecl *Template, clang::SourceLocation Loc,
                           clang::TemplateArgumentListInfo &Given,
                           llvm::SmallVectorImpl<clang::TemplateArgument> &Checked) {
#if LLVM_VERSION_MAJOR >= 20
  clang::Sema::CheckTemplateArgumentInfo Converted;
  if (S.CheckTemplateArgumentList(Template, Loc, Given, {}, false, Converted))
    return false;
  Checked.append(Converted.SugaredConverted.begin(), Converted.SugaredConverted.end());
  return true;
#else
  llvm::SmallVector<clang::TemplateArgument, 4> Canonical;
  return !S.CheckTemplateArgumentList(Template, Loc, Given, false, Checked, Canonical);
#endif
}

/// How many annotations of a type make the \p Number th text of an annotation another type.
/// Clang 19 keeps the attribute of an AttributedType in its TypeLoc alone, so that all annotations
/// of one type are one type. There the text with number n is written after n others.
inline unsigned annotationsBefore(unsigned Number) { return LLVM_VERSION_MAJOR >= 20 ? 0 : Number; }
/// The annotation of \p T, or null if the specialization of an alias template has lost it. Clang
/// 19: looks for it in \p Context and in the declarations of the user's files, and reports two that
/// differ.
const clang::Attr *annotationOf(const clang::AttributedType *T, const clang::Decl *Context);
/// The type that is annotated.
inline clang::QualType annotatedType(const clang::AttributedType *T) {
  clang::QualType Modified = T->getModifiedType();
#if LLVM_VERSION_MAJOR < 20
  for (auto *Inner = llvm::dyn_cast<clang::AttributedType>(Modified.getTypePtr());
       Inner && Inner->getAttrKind() == clang::attr::AnnotateType;
       Inner = llvm::dyn_cast<clang::AttributedType>(Modified.getTypePtr()))
    Modified = Inner->getModifiedType();
#endif
  return Modified;
}

} // namespace nopal::compat

#endif
