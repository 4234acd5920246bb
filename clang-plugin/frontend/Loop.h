//===- Loop.h - The header of a cilk_for ------------------------*- C++ -*-===//
//
// Recognises the header of a cilk_for: which variable controls it, where it
// begins, with what it is compared, and by what it moves. A loop that is here
// can be counted before its first iteration; every other one was reported.
//
//   cilk_for (int i = 0, n = f(); i < n; i += 2) BODY     Var i, Others n,
//       Compare <, Limit n, Stride 2
//   cilk_for (T x : range) BODY                           Var __begin, Others
//       __range and __end, Compare !=, Limit __end, Element `T x = *__begin`
//
// What becomes of it: LoopBuilder.h. Tested by tests/diagnostics/Loop*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_LOOP_H
#define NOPAL_FRONTEND_LOOP_H

#include "clang/AST/OperationKinds.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class ASTContext;
class Attr;
class CXXConversionDecl;
class Decl;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace nopal::frontend {
class Reporter;
struct Region;

struct Loop {
  /// How the control variable is counted.
  enum TypeKind {
    Integer,
    Iterator, ///< pointers and classes: by `limit - start`, `+=` and `-=`
  };
  /// Where the stride leads.
  enum DirectionKind { Up, Down, Unknown /* != with a stride that is no constant */ };

  clang::SourceLocation Loc;     ///< of the keyword
  clang::SourceLocation HeadLoc; ///< of the control variable
  TypeKind Kind = Integer;
  clang::VarDecl *Var = nullptr;
  /// In C Var may be declared before the loop. Then it gets the value afterwards that
  /// the serial loop leaves, and each iteration a variable of its own.
  bool IsOuter = false;
  clang::Expr *Start = nullptr; ///< what Var is set to in the header
  /// The other statements of the header, in order; a null one is where the
  /// control variable stands among them.
  llvm::SmallVector<clang::Stmt *, 4> Others;
  clang::BinaryOperatorKind Compare = clang::BO_NE; ///< with the variable on the left side
  clang::Expr *Limit = nullptr; ///< of an Integer: converted to the type of the comparison
  bool LimitHasCleanups = false;
  /// What makes an integer of a limit whose class has a comparison of its own.
  clang::CXXConversionDecl *LimitConversion = nullptr;
  bool Subtract = false;         ///< -- or -=
  clang::Expr *Stride = nullptr; ///< an integer; null: Constant
  bool StrideHasCleanups = false;
  llvm::APSInt Constant = llvm::APSInt::get(1); ///< signed
  DirectionKind Direction = Up;
  clang::Stmt *Element = nullptr; ///< of a loop over a range
  clang::Stmt *Body = nullptr;
  clang::Expr *Grain = nullptr; ///< a number; null: default
  bool GrainHasCleanups = false;
  llvm::SmallVector<const clang::Attr *, 1> Attributes; ///< the user's
  Region *In = nullptr;                                 ///< where the loop stands
  Region *Own = nullptr;                                ///< an iteration
};

/// \p For is the loop, \p Whole the same with attributes and grain around it,
/// \p Grain the expression of its pragma or null, \p Loc the keyword. Reports what
/// is wrong.
std::optional<Loop> matchLoop(clang::Stmt *Whole, clang::Stmt *For, clang::Expr *Grain,
                              clang::SourceLocation Loc, clang::ASTContext &Ctx, Reporter &Report);

} // namespace nopal::frontend

#endif
