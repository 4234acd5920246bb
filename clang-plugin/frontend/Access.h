//===- Access.h - The memory that an expression names -----------*- C++ -*-===//
//
// A path from a variable (or `this`) through members, elements and one pointer:
// x, x.f, a[3], a[i], *p, p->f, this->f. Enough to say of two expressions that
// they surely name the same memory. Used by ResultUse.cpp and BlockLocals.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_ACCESS_H
#define NOPAL_FRONTEND_ACCESS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
} // namespace clang

namespace nopal::frontend {

struct Access {
  struct Step {
    enum StepKind { Member, Element, ElementAt, Pointee };
    StepKind Kind;
    /// The field, or the index if it is a variable.
    const void *What = nullptr;
    int64_t Index = 0;
    bool operator==(const Step &Other) const {
      return Kind == Other.Kind && What == Other.What && Index == Other.Index;
    }
  };

  /// Null for `this`.
  const clang::VarDecl *Root = nullptr;
  llvm::SmallVector<Step, 4> Path;

  /// What the lvalue \p E names, if it can be said.
  static std::optional<Access> of(const clang::Expr *E, const clang::ASTContext &Ctx);

  /// Whether one of the two contains the other: a use of one is one of both.
  bool overlaps(const Access &Other) const;
  /// The last name in the path, for a message.
  std::string name() const;
  /// Whether the memory is a part of Root, not where a pointer leads.
  bool isPartOfRoot() const;
  /// Variables whose change makes the same path another memory.
  llvm::SmallVector<const clang::VarDecl *, 2> dependsOn() const;
};

} // namespace nopal::frontend

#endif
