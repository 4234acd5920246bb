//===- HyperExpressions.h - The written type of an expression ---*- C++ -*-===//
//
// Which expressions are hyperobjects, and which are pointers to one. Clang's type of an
// expression does not tell: it is deduced, and the annotation may come from anywhere. Used by
// HyperUses.cpp, HyperChecks.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_HYPEREXPRESSIONS_H
#define NOPAL_FRONTEND_HYPEREXPRESSIONS_H

#include "HyperTypes.h"

namespace clang {
class CallExpr;
} // namespace clang

namespace nopal::frontend {

/// What \p E is a use of, if it is an expression that was made here: `*(T *)__nopal_view(...)`.
bool isView(const clang::Expr *E);
/// The expression of the hyperobject in it.
const clang::Expr *objectOfView(const clang::Expr *View);
bool isBuiltinAddressOf(const clang::CallExpr *Call);

/// Whether the body of \p FD, as it was parsed, uses a hyperobject.
bool usesHyperobjects(clang::FunctionDecl *FD);

class HyperExpressions {
public:
  /// For the body of a function, or what initializes a variable in \p Context.
  explicit HyperExpressions(const clang::Decl *Context) : Context(Context) {}

  /// Whether \p D in this function is what its lambda has copied, or one around it.
  bool isCopied(const clang::ValueDecl *D) const;
  /// The type as it is written of the object or value \p E. A hyperobject whose value is used
  /// is one still.
  Written typeOf(clang::Expr *E) const;
  /// The same of the value: that of a hyperobject is its view's.
  Written valueOf(clang::Expr *E) const;
  /// Whether \p E designates a hyperobject.
  std::optional<HyperType> hyperobject(clang::Expr *E) const;

  /// Reports what is wrong if \p E initializes what is written as \p To: a pointer to a plain
  /// object that becomes one to a hyperobject or the reverse, or a reference to a hyperobject
  /// that is bound to none. Whether it is such a reference.
  bool checkBinding(clang::Expr *E, Written To, Reporter &Report) const;
  void checkPointer(clang::Expr *From, Written To, Reporter &Report) const;

private:
  Written ofVariable(clang::ValueDecl *D) const;
  Written ofCall(clang::CallExpr *Call) const;
  Written pointerTo(Written T) const;

  const clang::Decl *Context;
};

} // namespace nopal::frontend

#endif
