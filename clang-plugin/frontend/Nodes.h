//===- Nodes.h - Nodes of the AST, made by hand -----------------*- C++ -*-===//
//
// What the parser would have made of a few expressions and statements. Sema's builders
// are not used for these: they check what the user has not written, and refuse to assign
// to a const element or to take the address of a `register` variable.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_NODES_H
#define NOPAL_FRONTEND_NODES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace nopal::frontend {

class Nodes {
public:
  explicit Nodes(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  clang::Expr *number(uint64_t Value, clang::QualType Type, clang::SourceLocation Loc);
  /// \p Value, which is signed, in two's complement and in as many bits as \p Type has.
  clang::Expr *number(const llvm::APSInt &Value, clang::QualType Type, clang::SourceLocation Loc);
  clang::Expr *null(clang::QualType Pointer, clang::SourceLocation Loc) {
    return implicitCast(clang::CK_NullToPointer, Pointer, number(0, Ctx.UnsignedIntTy, Loc));
  }
  clang::Expr *reference(clang::ValueDecl *D, clang::SourceLocation Loc);
  /// An implicit conversion to a value of \p Type.
  clang::ImplicitCastExpr *implicitCast(clang::CastKind Kind, clang::QualType Type, clang::Expr *E);
  /// The value of \p E, which may be one already, or of \p Var.
  clang::Expr *load(clang::Expr *E);
  clang::Expr *load(clang::VarDecl *Var, clang::SourceLocation Loc) {
    return load(reference(Var, Loc));
  }
  clang::Expr *unary(clang::UnaryOperatorKind Op, clang::Expr *E, clang::QualType Type,
                     clang::ExprValueKind Kind, clang::SourceLocation Loc);
  clang::Expr *addressOf(clang::Expr *Object, clang::SourceLocation Loc);
  clang::Expr *binary(clang::BinaryOperatorKind Op, clang::Expr *Left, clang::Expr *Right,
                      clang::QualType Type, clang::SourceLocation Loc);
  /// `Left = Value`, `Array[Index]` and `Record.Field`, whatever is const.
  clang::Expr *assign(clang::Expr *Left, clang::Expr *Value, clang::SourceLocation Loc);
  clang::Expr *element(clang::Expr *Array, unsigned Index, clang::SourceLocation Loc);
  clang::Expr *member(clang::Expr *Record, const clang::FieldDecl *Field,
                      clang::SourceLocation Loc);
  clang::Expr *call(clang::FunctionDecl *FD, llvm::ArrayRef<clang::Expr *> Arguments,
                    clang::SourceLocation Loc);

  /// A variable whose name no program can use, and which a debugger does not see.
  clang::VarDecl *variable(clang::DeclContext *Function, llvm::StringRef Name, clang::QualType Type,
                           clang::SourceLocation Loc, clang::Expr *Init = nullptr);
  clang::Stmt *declare(clang::Decl *D, clang::SourceLocation Loc);
  clang::Stmt *compound(llvm::ArrayRef<clang::Stmt *> Statements, clang::SourceRange Range);
  /// \p Body with other statements: its place and its floating-point pragmas stay.
  clang::CompoundStmt *withStatements(const clang::CompoundStmt *Body,
                                      llvm::ArrayRef<clang::Stmt *> Statements);

  /// The kind of value that assignments and `++` have.
  clang::ExprValueKind ofLeftSide() const {
    return Ctx.getLangOpts().CPlusPlus ? clang::VK_LValue : clang::VK_PRValue;
  }

  clang::ASTContext &Ctx;
};

} // namespace nopal::frontend

#endif
