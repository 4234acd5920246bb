//===- Returns.h - Class objects that a function returns --------*- C++ -*-===//
//
// An object with a destructor that is made in the return slot is no variable's, so no
// cleanup destroys it where an implicit sync after it raises a child's exception.
//
//   return E;   ->   { T __nopal_result = E; SYNC; return __nopal_result; }
//   return x;   ->   { SYNC; return x; }      if the variable x is made in the slot
//
// If the statement stands in nested regions, regions around them sync later. So its address
// is stored after SYNC, and the block of each of those regions becomes
//
//   T *__nopal_returned = nullptr;            // in the outermost one
//   try BLOCK catch (...) {
//     if (__nopal_returned) { __nopal_returned->~T(); __nopal_returned = nullptr; }
//     throw;
//   }
//
// Used by Rewrite.cpp. Tests: tests/diagnostics/ir/returns.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_RETURNS_H
#define NOPAL_FRONTEND_RETURNS_H

#include "Analysis.h"
#include "MarkerBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace nopal::frontend {

class Returns {
public:
  Returns(clang::FunctionDecl *FD, FunctionPlan &Plan, MarkerBuilder &Build)
      : FD(FD), Plan(Plan), Build(Build) {}

  /// Whether the value of \p S is such an object, made before the implicit sync, and is not
  /// destroyed by it.
  bool isBuiltBeforeSync(clang::ReturnStmt *S) const;

  /// What \p S becomes, or null if it stays. \p Nested is the innermost nested region that it
  /// stands in, or null; \p Sync makes the sync.
  clang::Stmt *expand(clang::ReturnStmt *S, Region *Nested,
                      llvm::function_ref<clang::Stmt *()> Sync);

  /// \p Body, the block of \p R, with the handler if it needs one.
  clang::CompoundStmt *guarded(clang::CompoundStmt *Body, Region *R);

  /// Variables in whose scope the implicit sync of their region stands.
  llvm::DenseMap<const clang::Decl *, Region *> Covered;
  /// The innermost nested region that each variable stands in.
  llvm::DenseMap<const clang::Decl *, Region *> DeclaredIn;

private:
  bool returnsOwner() const;
  clang::VarDecl *pointerFrom(clang::ReturnStmt *S, Region *Nested);

  clang::FunctionDecl *FD;
  FunctionPlan &Plan;
  MarkerBuilder &Build;
  clang::VarDecl *Pointer = nullptr;      ///< __nopal_returned
  llvm::SmallPtrSet<Region *, 4> Guarded; ///< that destroy what it points to
};

} // namespace nopal::frontend

#endif
