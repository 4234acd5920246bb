//===- Nodes.cpp - Nodes of the AST, made by hand -------------------------===//
//
// See Nodes.h.
//
//===----------------------------------------------------------------------===//
#include "Nodes.h"
#include "../compatibility/Compatibility.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace nopal::frontend {

Expr *Nodes::number(uint64_t Value, QualType Type, SourceLocation Loc) {
  return IntegerLiteral::Create(Ctx, compat::truncated(Ctx.getIntWidth(Type), Value), Type, Loc);
}

Expr *Nodes::number(const llvm::APSInt &Value, QualType Type, SourceLocation Loc) {
  return IntegerLiteral::Create(Ctx, Value.extOrTrunc(Ctx.getIntWidth(Type)), Type, Loc);
}

Expr *Nodes::reference(ValueDecl *D, SourceLocation Loc) {
  ExprValueKind Kind = isa<FunctionDecl>(D) ? ofLeftSide() : VK_LValue;
  return DeclRefExpr::Create(Ctx, NestedNameSpecifierLoc(), SourceLocation(), D, false, Loc,
                             D->getType().getNonReferenceType(), Kind);
}

ImplicitCastExpr *Nodes::implicitCast(CastKind Kind, QualType Type, Expr *E) {
  return ImplicitCastExpr::Create(Ctx, Type, Kind, E, nullptr, VK_PRValue, FPOptionsOverride());
}

Expr *Nodes::load(Expr *E) {
  if (!E->isGLValue())
    return E;
  QualType Type = E->getType().getUnqualifiedType().getAtomicUnqualifiedType();
  return implicitCast(CK_LValueToRValue, Type, E);
}

Expr *Nodes::unary(UnaryOperatorKind Op, Expr *E, QualType Type, ExprValueKind Kind,
                   SourceLocation Loc) {
  return UnaryOperator::Create(Ctx, E, Op, Type, Kind, OK_Ordinary, Loc, /*CanOverflow=*/false,
                               FPOptionsOverride());
}

Expr *Nodes::addressOf(Expr *Object, SourceLocation Loc) {
  return unary(UO_AddrOf, Object, Ctx.getPointerType(Object->getType()), VK_PRValue, Loc);
}

Expr *Nodes::binary(BinaryOperatorKind Op, Expr *Left, Expr *Right, QualType Type,
                    SourceLocation Loc) {
  return BinaryOperator::Create(Ctx, Left, Right, Op, Type, VK_PRValue, OK_Ordinary, Loc,
                                FPOptionsOverride());
}

Expr *Nodes::assign(Expr *Left, Expr *Value, SourceLocation Loc) {
  return BinaryOperator::Create(Ctx, Left, Value, BO_Assign, Left->getType(), ofLeftSide(),
                                OK_Ordinary, Loc, FPOptionsOverride());
}

Expr *Nodes::element(Expr *Array, unsigned Index, SourceLocation Loc) {
  QualType Type = Ctx.getAsArrayType(Array->getType())->getElementType();
  Expr *First =
      implicitCast(CK_ArrayToPointerDecay, Ctx.getArrayDecayedType(Array->getType()), Array);
  return new (Ctx) ArraySubscriptExpr(First, number(Index, Ctx.UnsignedIntTy, Loc), Type, VK_LValue,
                                      OK_Ordinary, Loc);
}

Expr *Nodes::member(Expr *Record, const FieldDecl *Field, SourceLocation Loc) {
  auto *D = const_cast<FieldDecl *>(Field);
  return MemberExpr::Create(Ctx, Record, /*IsArrow=*/false, Loc, NestedNameSpecifierLoc(),
                            SourceLocation(), D, DeclAccessPair::make(D, AS_public),
                            DeclarationNameInfo(D->getDeclName(), Loc), nullptr, D->getType(),
                            VK_LValue, D->isBitField() ? OK_BitField : OK_Ordinary, NOUR_None);
}

Expr *Nodes::call(FunctionDecl *FD, llvm::ArrayRef<Expr *> Arguments, SourceLocation Loc) {
  Expr *Callee = implicitCast(CK_FunctionToPointerDecay, Ctx.getPointerType(FD->getType()),
                              reference(FD, Loc));
  return CallExpr::Create(Ctx, Callee, Arguments, FD->getReturnType(), VK_PRValue, Loc,
                          FPOptionsOverride());
}

VarDecl *Nodes::variable(DeclContext *Function, llvm::StringRef Name, QualType Type,
                         SourceLocation Loc, Expr *Init) {
  auto *Var = VarDecl::Create(Ctx, Function, Loc, Loc, &Ctx.Idents.get(Name), Type,
                              Ctx.getTrivialTypeSourceInfo(Type, Loc), SC_None);
  Var->setImplicit();
  Var->setIsUsed();
  Var->addAttr(NoDebugAttr::CreateImplicit(Ctx));
  Var->setInit(Init);
  return Var;
}

Stmt *Nodes::declare(Decl *D, SourceLocation Loc) {
  return new (Ctx) DeclStmt(DeclGroupRef(D), Loc, Loc);
}

Stmt *Nodes::compound(llvm::ArrayRef<Stmt *> Statements, SourceRange Range) {
  return CompoundStmt::Create(Ctx, Statements, FPOptionsOverride(), Range.getBegin(),
                              Range.getEnd());
}

CompoundStmt *Nodes::withStatements(const CompoundStmt *Body, llvm::ArrayRef<Stmt *> Statements) {
  return CompoundStmt::Create(Ctx, Statements, Body->getStoredFPFeaturesOrDefault(),
                              Body->getLBracLoc(), Body->getRBracLoc());
}

} // namespace nopal::frontend
