//===- HyperLifetimes.h - Where hyperobjects begin and end ------*- C++ -*-===//
//
// A strand knows of each hyperobject that it makes, until something takes it out:
//
//   long cilk_reducer(zero, plus) sum = 0;
//     ->  long sum = 0;
//         uint64_t __nopal_home[3] __attribute__((cleanup(__nopal_views_end_cleanup))) =
//             {(uint64_t)&sum, 1, 1};
//         __nopal_views_begin(&sum, 1, 1);
//
// Used by HyperUses.cpp. Tests: tests/programs/hyper, tests/diagnostics/HyperPlace.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_HYPERLIFETIMES_H
#define NOPAL_FRONTEND_HYPERLIFETIMES_H

#include "HyperTypes.h"
#include "MarkerBuilder.h"

namespace nopal::frontend {

/// Whether \p S says where a hyperobject begins or ends: the statements of
/// HyperLifetimes::emitAfter.
bool isLifetime(const clang::Stmt *S);

/// The object of HyperLifetimes::registerUnnamed in \p E, or null.
clang::Expr *registeredUnnamed(clang::Expr *E);

class HyperLifetimes {
public:
  using Statements = llvm::SmallVectorImpl<clang::Stmt *>;

  HyperLifetimes(clang::FunctionDecl *FD, MarkerBuilder &Build, Reporter &Report)
      : FD(FD), Build(Build), Report(Report), Ctx(Build.Ctx) {}

  /// \p Body of the function, beginning with the hyperobjects in the object that is constructed or
  /// destroyed, and in parameters.
  clang::Stmt *withEntry(clang::Stmt *Body);

  /// The handler begins with the hyperobjects in what it catches. Each instance of a template has
  /// such a statement of its own.
  void enterHandler(clang::CXXCatchStmt *Catch);

  /// What follows \p Var in its declaration. Refuses hyperobjects of variable length, and, if it is
  /// not \p InBlock, all.
  void emitAfter(clang::VarDecl *Var, bool InBlock, Statements &Out);

  /// What initializes \p Var, if it names the variable: the strand knows the hyperobjects in it
  /// before their values are there.
  clang::Expr *registerBefore(clang::Expr *Init, clang::VarDecl *Var);
  /// The same of what initializes a base or a member and may use others of the object.
  clang::Expr *registerBefore(clang::Expr *Init);

  /// \p Made makes an object without a name, and then the strand knows the hyperobjects in it. A
  /// destructor ends them (HyperClasses.h). In C and of a union nothing does, which costs memory of
  /// the strand alone.
  clang::Expr *registerUnnamed(clang::Expr *Made);

  /// `new T[n]`, and then the strand knows the hyperobjects in it.
  clang::Expr *registerAfterNew(clang::CXXNewExpr *New);

  /// `delete p`, of a \p T that has hyperobjects and no destructor of the user's: they end before.
  clang::Expr *endBeforeDelete(clang::CXXDeleteExpr *Delete, Written T);

private:
  using Ranges = llvm::SmallVector<HyperRange, 2>;
  clang::Expr *withRegistration(clang::Expr *Init, clang::Expr *Address,
                                llvm::ArrayRef<HyperRange> Ranges);
  llvm::SmallVector<std::pair<clang::Expr *, Ranges>, 1> virtualBases(clang::Expr *Object);
  void emitObject(Statements &Out);
  void emitVariable(clang::VarDecl *Var, clang::SourceLocation Loc, Statements &Out);
  clang::Stmt *prepend(llvm::ArrayRef<clang::Stmt *> First, clang::Stmt *Block);
  void emit(clang::Expr *Address, llvm::ArrayRef<HyperRange> Ranges, bool Ends,
            clang::SourceLocation Loc, Statements &Out);
  bool mayBeJumpedOver();
  clang::Expr *addressAt(clang::Expr *Address, uint64_t Offset, clang::SourceLocation Loc);
  clang::CallExpr *callOnRange(Marker M, clang::Expr *First, clang::Expr *Count, uint64_t Stride,
                               clang::SourceLocation Loc);

  clang::FunctionDecl *FD;
  MarkerBuilder &Build;
  Reporter &Report;
  clang::ASTContext &Ctx;
  std::optional<bool> HasLabels;
};

} // namespace nopal::frontend

#endif
