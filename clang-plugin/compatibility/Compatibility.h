//===- Compatibility.h - What differs between Clang 19 and 22 ---*- C++ -*-===//
//
// The only file of the plugin that asks which LLVM and Clang it is compiled for (a lint looks for
// others). Each name here does on every version what its newest form does on 22. Where an older
// version cannot, the comment says what is lost. First what the passes need, then the front-end.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_COMPATIBILITY_COMPATIBILITY_H
#define NOPAL_COMPATIBILITY_COMPATIBILITY_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/InstructionCost.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#if LLVM_VERSION_MAJOR >= 20
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#else
#include "clang/Basic/DiagnosticCategories.h"
#endif

namespace nopal::compat {

/// The target that \p M is compiled for: text in the module before LLVM 21.
inline llvm::Triple targetOf(const llvm::Module &M) { return llvm::Triple(M.getTargetTriple()); }

/// The records that describe a variable by \p V.
inline void findDebugRecords(llvm::Value *V,
                             llvm::SmallVectorImpl<llvm::DbgVariableRecord *> &Records) {
#if LLVM_VERSION_MAJOR >= 22
  llvm::findDbgUsers(V, Records);
#else
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 0> Intrinsics; // none: they are records
  llvm::findDbgUsers(Intrinsics, V, &Records);
#endif
}

/// The variable of a lifetime intrinsic, after its size before LLVM 22.
inline llvm::Value *variableOf(const llvm::Instruction &Lifetime) {
  return Lifetime.getOperand(LLVM_VERSION_MAJOR >= 22 ? 0 : 1);
}

/// \p Cost is valid.
inline uint64_t valueOf(const llvm::InstructionCost &Cost) {
#if LLVM_VERSION_MAJOR >= 21
  return Cost.getValue();
#else
  return *Cost.getValue();
#endif
}

struct ScevExpander : llvm::SCEVExpander {
  ScevExpander(llvm::ScalarEvolution &SE, const llvm::DataLayout &Layout, const char *Name)
#if LLVM_VERSION_MAJOR >= 22
      : SCEVExpander(SE, Name) {
    (void)Layout;
  }
#else
      : SCEVExpander(SE, Layout, Name) {
  }
#endif
};

/// The attribute of a parameter that says where its pointer may go.
inline constexpr llvm::Attribute::AttrKind CapturesAttr =
#if LLVM_VERSION_MAJOR >= 21
    llvm::Attribute::Captures;
#else
    llvm::Attribute::NoCapture;
#endif

/// LICM moves a call that reads out of a loop whose stores it cannot see.
inline constexpr bool HoistsReads = LLVM_VERSION_MAJOR >= 22;

/// The attributes of functions that a sanitizer or the safe stack changes.
inline constexpr llvm::Attribute::AttrKind SanitizerAttrs[] = {
    llvm::Attribute::SanitizeAddress,
    llvm::Attribute::SanitizeHWAddress,
    llvm::Attribute::SanitizeMemory,
    llvm::Attribute::SanitizeThread,
    llvm::Attribute::SanitizeMemTag,
    llvm::Attribute::SanitizeNumericalStability,
    llvm::Attribute::SafeStack,
#if LLVM_VERSION_MAJOR >= 20
    llvm::Attribute::SanitizeType,
    llvm::Attribute::SanitizeRealtime,
    llvm::Attribute::SanitizeRealtimeBlocking,
#endif
};

/// Set by the front-end: the object will be optimized again when it is linked. (LLVM 20 and newer
/// tell the passes.)
inline bool PreparesForLink = false;

/// Has \p Early and \p Last called in their places, with LLVM's phase.
template <class EarlyT, class LastT>
void registerOptimizerCallbacks(llvm::PassBuilder &PB, EarlyT Early, LastT Last) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerEarlyEPCallback(Early);
  PB.registerOptimizerLastEPCallback(Last);
#else
  auto Phase = [] {
    return PreparesForLink ? llvm::ThinOrFullLTOPhase::ThinLTOPreLink
                           : llvm::ThinOrFullLTOPhase::None;
  };
  PB.registerOptimizerEarlyEPCallback(
      [=](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level) {
        Early(MPM, Level, Phase());
      });
  PB.registerOptimizerLastEPCallback(
      [=](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level) {
        Last(MPM, Level, Phase());
      });
#endif
}

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

inline clang::QualType typeOf(const clang::TagDecl *Class) {
#if LLVM_VERSION_MAJOR >= 22
  return Class->getASTContext().getCanonicalTagType(Class);
#else
  return Class->getASTContext().getTagDeclType(Class);
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

/// The loop or switch that \p S, a break or continue statement, names by its label (C2y), or null.
inline const clang::Stmt *namedTarget(const clang::Stmt *S) {
#if LLVM_VERSION_MAJOR >= 22
  auto *Jump = llvm::cast<clang::LoopControlStmt>(S);
  return Jump->hasLabelTarget() ? Jump->getNamedLoopOrSwitch() : nullptr;
#else
  (void)S;
  return nullptr;
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
