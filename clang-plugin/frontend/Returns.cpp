//===- Returns.cpp - Class objects that a function returns ----------------===//
//
// See Returns.h.
//
//===----------------------------------------------------------------------===//
#include "Returns.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace nopal::frontend {

/// Whether the function returns an object that an exception might leave undestroyed in the
/// return slot.
bool Returns::returnsOwner() const {
  const LangOptions &Options = Build.Ctx.getLangOpts();
  QualType Type = FD->getReturnType();
  return Options.Exceptions && Options.ElideConstructors && !Type->isReferenceType() &&
         Type.isDestructedType() == QualType::DK_cxx_destructor;
}

bool Returns::isBuiltBeforeSync(ReturnStmt *S) const {
  Region *R = Plan.Returns.lookup(S);
  const VarDecl *Var = S->getNRVOCandidate();
  return R && R->Spawns && R->Kind != Region::Statement && returnsOwner() &&
         !(Var && Var->isNRVOVariable() && (Var->isImplicit() || Covered.lookup(Var) == R));
}

/// The pointer that keeps the object of \p S for the handlers of the regions around, or null.
VarDecl *Returns::pointerFrom(ReturnStmt *S, Region *Nested) {
  const VarDecl *Var = S->getNRVOCandidate();
  if (Var && Var->isNRVOVariable() && DeclaredIn.lookup(Var) != Nested)
    return nullptr; // destroyed where it was declared
  if (!S->getRetValue() || !returnsOwner())
    return nullptr;
  bool Found = false;
  for (Region *R = Nested; R; R = R->Parent)
    if ((R->Kind == Region::Try || R->Kind == Region::Scope) && R->Spawns)
      if (Region *Around = R->Parent->effective(); Around->Spawns) {
        Guarded.insert(Around);
        Found = true;
      }
  if (Found && !Pointer) {
    SourceLocation Loc = FD->getLocation();
    QualType Type = Build.Ctx.getPointerType(FD->getReturnType().getUnqualifiedType());
    Pointer = Build.variable(FD, "__nopal_returned", Type, Loc, Build.null(Type, Loc));
  }
  return Found ? Pointer : nullptr;
}

Stmt *Returns::expand(ReturnStmt *S, Region *Nested, llvm::function_ref<Stmt *()> Sync) {
  VarDecl *To = pointerFrom(S, Nested);
  if (!To && !isBuiltBeforeSync(S))
    return nullptr;
  SourceLocation Loc = S->getReturnLoc();
  llvm::SmallVector<Stmt *, 4> Out;
  auto *Var = const_cast<VarDecl *>(S->getNRVOCandidate());
  Stmt *Return = S;
  if (!Var || !Var->isNRVOVariable()) {
    Var = Build.variable(FD, "__nopal_result", FD->getReturnType().getUnqualifiedType(), Loc,
                         S->getRetValue());
    Var->setNRVOVariable(true);
    Out.push_back(Build.declare(Var, Loc));
    Return = ReturnStmt::Create(Build.Ctx, Loc, Build.reference(Var, Loc), Var);
  }
  Out.push_back(Sync());
  if (To)
    Out.push_back(Build.assign(Build.reference(To, Loc),
                               Build.addressOf(Build.reference(Var, Loc), Loc), Loc));
  Out.push_back(Return);
  return Build.compound(Out, S->getSourceRange());
}

CompoundStmt *Returns::guarded(CompoundStmt *Body, Region *R) {
  if (!Guarded.contains(R))
    return Body;
  ASTContext &Ctx = Build.Ctx;
  SourceLocation Loc = Body->getLBracLoc();
  llvm::SmallVector<Stmt *, 2> Out;
  bool IsOutermost = true;
  for (Region *P = R->Parent; P; P = P->Parent)
    IsOutermost &= !Guarded.contains(P);
  if (IsOutermost)
    Out.push_back(Build.declare(Pointer, Loc));

  QualType Type = Pointer->getType();
  CXXDestructorDecl *Destructor = Type->getPointeeType()->getAsCXXRecordDecl()->getDestructor();
  Expr *Callee = MemberExpr::Create(Ctx, Build.load(Pointer, Loc), /*IsArrow=*/true, Loc,
                                    NestedNameSpecifierLoc(), SourceLocation(), Destructor,
                                    DeclAccessPair::make(Destructor, AS_public),
                                    DeclarationNameInfo(Destructor->getDeclName(), Loc), nullptr,
                                    Ctx.BoundMemberTy, VK_PRValue, OK_Ordinary, NOUR_None);
  Stmt *Destroy =
      CXXMemberCallExpr::Create(Ctx, Callee, {}, Ctx.VoidTy, VK_PRValue, Loc, FPOptionsOverride());
  Stmt *Reset = Build.assign(Build.reference(Pointer, Loc), Build.null(Type, Loc), Loc);
  Expr *IsMade = Build.implicitCast(CK_PointerToBoolean, Ctx.BoolTy, Build.load(Pointer, Loc));
  Stmt *If = IfStmt::Create(Ctx, Loc, IfStatementKind::Ordinary, nullptr, nullptr, IsMade, Loc, Loc,
                            Build.compound({Destroy, Reset}, SourceRange(Loc)));
  Stmt *Rethrow = new (Ctx) CXXThrowExpr(nullptr, Ctx.VoidTy, Loc, false);
  Stmt *Handler =
      new (Ctx) CXXCatchStmt(Loc, nullptr, Build.compound({If, Rethrow}, SourceRange(Loc)));
  Out.push_back(CXXTryStmt::Create(Ctx, Loc, Body, {Handler}));
  return cast<CompoundStmt>(Build.compound(Out, Body->getSourceRange()));
}

} // namespace nopal::frontend
