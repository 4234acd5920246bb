//===- HyperClasses.h - Classes that end their hyperobjects -----*- C++ -*-===//
//
// A strand must know when a hyperobject dies. So a class with one, and without a destructor of the
// user's, gets one that is not trivial: temporaries, elements and what templates of the library
// destroy have no other end, and the library copies no bytes of objects with a destructor.
//
// All else stays as it was: layout, whether it is an aggregate, and how it is passed. So the class
// may be shared with C and with the serial elision.
//
// Used by Action.cpp. What the destructor does: HyperLifetimes.h. Tests:
// tests/programs/hyper/unnamed.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_HYPERCLASSES_H
#define NOPAL_FRONTEND_HYPERCLASSES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class CXXDestructorDecl;
class CXXRecordDecl;
class TagDecl;
} // namespace clang

namespace nopal::frontend {

class HyperClasses {
public:
  /// Clang has just seen all members of \p Definition, and is to look at them as a whole.
  void complete(const clang::TagDecl *Definition);
  /// It has done that.
  void finish(const clang::TagDecl *Definition);

private:
  clang::CXXRecordDecl *Destroyed = nullptr;
  llvm::SmallPtrSet<const clang::CXXDestructorDecl *, 4> Defaulted; ///< between the two
};

} // namespace nopal::frontend

#endif
