//===- HyperTypes.h - Which types are hyperobjects --------------*- C++ -*-===//
//
// `T cilk_reducer(identity, reduce)` is a T with an annotation, for Clang the same type.
// So a canonical type does not say whether it is a hyperobject; the way in which a
// declaration writes its type does, or what `decltype` and `typeof` name. A Written is a type
// together with what is needed to read its annotation: Clang instantiates neither the arguments of
// an annotation nor, in alias templates, the annotation. What is deduced (auto, template arguments)
// is not written.
//
// Used by the other files Hyper*.cpp. Tested by tests/diagnostics (Hyper*),
// tests/programs/hyper.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_HYPERTYPES_H
#define NOPAL_FRONTEND_HYPERTYPES_H

#include "Diagnostics.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace clang {
class CXXRecordDecl;
class Expr;
class FieldDecl;
class FunctionDecl;
class Sema;
class ValueDecl;
} // namespace clang

namespace nopal::frontend {

/// A type as it is written in a declaration or an expression; null if nobody has written it.
struct Written {
  clang::QualType Type;
  const clang::Decl *Context = nullptr; ///< where, for the arguments of templates
  const clang::TemplateSpecializationType *Alias = nullptr; ///< the innermost alias around it
  const clang::Decl *Of = nullptr; ///< the declaration that writes it, if it is known

  explicit operator bool() const { return !Type.isNull(); }
  Written with(clang::QualType T) const { return {T, Context, Alias, Of}; }
};

/// What `cilk_reducer(...)` says.
struct HyperType {
  const clang::AnnotateTypeAttr *Annotation;
  Written View;                          ///< the type that it annotates
  bool IsQualified = false;              ///< const, volatile or _Atomic stands outside
  const clang::Decl *Declared = nullptr; ///< the declaration of such a type, if it is known
  clang::SourceLocation loc() const { return Annotation->getLocation(); }
  /// Where it is wrong: the annotation, or the declaration if that names a type with it.
  clang::SourceLocation place() const;
};

/// The annotation if \p T is a hyperobject. References are not looked through.
std::optional<HyperType> hyperType(Written T);
/// How messages call the type of a view.
std::string nameOfView(clang::QualType T);
/// What a written pointer points to, a reference refers to, or an array holds; or null.
Written pointee(Written T);
Written element(Written T);
Written referee(Written T);
/// The same, or \p T itself; of arrays of arrays, what the innermost holds.
Written withoutReference(Written T);
Written withoutArrays(Written T);
/// Whether a hyperobject is \p T or is reached from it over pointers, references and arrays.
std::optional<HyperType> hyperTypeIn(Written T);
/// Whether \p T has a deduced type at its top, under references and pointers.
bool isDeduced(clang::QualType T);

/// The type of \p D, if it is written.
Written writtenType(const clang::ValueDecl *D);
/// The field of \p T, or of what it holds, that is a hyperobject; or null.
const clang::FieldDecl *hyperFieldOf(clang::QualType T);
/// Whether \p Class has hyperobjects that no destructor of a base or a member ends: members,
/// elements of such, and what is in a union.
bool hasOwnHyperobjects(const clang::CXXRecordDecl *Class);

/// Hyperobjects in an object: \p Count of them, the first at byte \p Offset.
struct HyperRange {
  uint64_t Offset, Count, Stride;
};
/// All of those in an object that is declared as \p T, which is complete.
llvm::SmallVector<HyperRange, 2> hyperRanges(Written T, const clang::ASTContext &Ctx);
llvm::SmallVector<HyperRange, 2> hyperRanges(const clang::RecordDecl *Class,
                                             const clang::ASTContext &Ctx);

/// The callbacks of hyperobjects, as expressions that can be emitted; checks what a
/// hyperobject may be.
class HyperCallbacks {
public:
  HyperCallbacks(clang::Sema &S, Reporter &Report) : S(S), Report(Report) {}

  struct Found {
    clang::Expr *Identity = nullptr, *Reduce = nullptr;
    clang::Expr *ViewType = nullptr; ///< instead: a `nopal_view_type` of <cilk/reducer>
    explicit operator bool() const { return Identity || ViewType; }
  };
  /// None if it was refused.
  Found find(const HyperType &T);
  /// Reports what is wrong with \p T, if so.
  bool check(const HyperType &T);
  /// The same for what is written in a type, used or not: its callbacks too, but those that depend
  /// on a template, which are known where they are used.
  void checkWritten(const HyperType &T);
  /// Whether two have the same callbacks, as far as they are known.
  bool areAlike(const HyperType &One, const HyperType &Other);

private:
  Found make(const HyperType &T);
  Found fromHeader(const HyperType &T, llvm::ArrayRef<clang::Expr *> Arguments);
  clang::Expr *function(clang::Expr *E, llvm::ArrayRef<clang::QualType> Parameters,
                        clang::SourceLocation Loc);
  bool instantiate(const HyperType &T, llvm::SmallVectorImpl<clang::Expr *> &Arguments);

  clang::Sema &S;
  Reporter &Report;
  using Key = std::tuple<const void *, const void *, const void *>;
  llvm::DenseMap<Key, Found> Known;
  llvm::DenseMap<Key, bool> Checked;
};

} // namespace nopal::frontend

#endif
