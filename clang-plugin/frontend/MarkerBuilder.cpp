//===- MarkerBuilder.cpp - AST nodes for the markers ----------------------===//
//
// See MarkerBuilder.h. New nodes replace old ones and no expression is changed
// in place, but for the flag and the callee of a spawned call: the instances of
// a template may share an expression, and each of them is rewritten.
//
//===----------------------------------------------------------------------===//
#include "MarkerBuilder.h"
#include "../contract/Markers.h"
#include "Analysis.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace nopal::frontend {

QualType MarkerBuilder::typeOf(MarkerType T) const {
  switch (T) {
  case MarkerType::Void:
    return Ctx.VoidTy;
  case MarkerType::U32:
    return Ctx.UnsignedIntTy;
  case MarkerType::U64:
    return wide();
  case MarkerType::Text:
    return Ctx.getPointerType(Ctx.getConstType(Ctx.CharTy));
  case MarkerType::Address:
    return Ctx.getPointerType(Ctx.getConstType(Ctx.VoidTy));
  case MarkerType::U32Pointer:
    return Ctx.getPointerType(Ctx.UnsignedIntTy);
  case MarkerType::Storage:
  case MarkerType::Code:
    return Ctx.VoidPtrTy;
  }
}

FunctionDecl *MarkerBuilder::function(Marker M) {
  FunctionDecl *&FD = Functions[M];
  if (FD)
    return FD;
  const MarkerSignature &S = signatureOf(M);
  assert(S.Maker == MarkerMaker::FrontEnd && "the passes make this marker");
  DeclContext *DC = Ctx.getTranslationUnitDecl();
  SourceLocation None;
  if (Ctx.getLangOpts().CPlusPlus)
    DC = LinkageSpecDecl::Create(Ctx, DC, None, None, LinkageSpecLanguageIDs::C, false);
  llvm::SmallVector<QualType, 8> Params;
  for (MarkerType T : S.Operands)
    Params.push_back(typeOf(T));
  QualType Type = Ctx.getFunctionType(typeOf(S.Result), Params, FunctionProtoType::ExtProtoInfo());
  FD = FunctionDecl::Create(Ctx, DC, None, None, &Ctx.Idents.get(S.Name), Type, nullptr, SC_Extern);
  llvm::SmallVector<ParmVarDecl *, 8> Decls;
  for (QualType Param : Params)
    Decls.push_back(ParmVarDecl::Create(Ctx, FD, None, None, nullptr, Param, nullptr, SC_None, nullptr));
  FD->setParams(Decls);
  FD->setImplicit();
  if (S.Effect != MarkerEffect::MayThrow)
    FD->addAttr(NoThrowAttr::CreateImplicit(Ctx));
  return FD;
}

Stmt *MarkerBuilder::call(Marker Which, unsigned Operand, SourceLocation Loc) {
  return call(function(Which), number(Operand, Loc), Loc);
}

Stmt *MarkerBuilder::call(Marker Which, unsigned First, unsigned Second, SourceLocation Loc) {
  return call(function(Which), {number(First, Loc), number(Second, Loc)}, Loc);
}

Stmt *MarkerBuilder::begin(Marker Which, unsigned Id, unsigned Region, SourceLocation Loc, SourceLocation Start) {
  return call(function(Which), place(Id, Region, Loc, Start), Start.isValid() ? Start : Loc);
}

QualType MarkerBuilder::wide() const { return Ctx.getIntTypeForBitwidth(64, /*Signed=*/false); }

Stmt *MarkerBuilder::loopBegin(unsigned Id, unsigned Region, Expr *Count, Expr *Grain, SourceLocation Loc) {
  auto Arguments = place(Id, Region, Loc);
  Arguments.append({Count, Grain});
  return call(function(Marker::LoopBegin), Arguments, Loc);
}

Expr *MarkerBuilder::loopBound(Marker Which, unsigned Id, SourceLocation Loc) {
  return call(function(Which), number(Id, Loc), Loc);
}

/// The operands that every beginning has: id, file, line, column, region.
llvm::SmallVector<Expr *, 8> MarkerBuilder::place(unsigned Id, unsigned Region, SourceLocation Loc, SourceLocation Start) {
  QualType Char = Ctx.getConstType(Ctx.CharTy);
  PresumedLoc Place = Ctx.getSourceManager().getPresumedLoc(Loc);
  llvm::StringRef Name = Place.isValid() ? Place.getFilename() : "";
  if (Start.isValid())
    Loc = Start;
  Expr *File = StringLiteral::Create(Ctx, Name, StringLiteralKind::Ordinary, false,
                                     Ctx.getStringLiteralArrayType(Ctx.CharTy, Name.size()), Loc);
  File = ImplicitCastExpr::Create(Ctx, Ctx.getPointerType(Char), CK_ArrayToPointerDecay, File, nullptr, VK_PRValue,
                                  FPOptionsOverride());
  return {number(Id, Loc), File, number(Place.isValid() ? Place.getLine() : 0, Loc),
          number(Place.isValid() ? Place.getColumn() : 0, Loc), number(Region, Loc)};
}

Stmt *MarkerBuilder::returnBehindSync(ReturnStmt *S, FunctionDecl *FD, Stmt *Sync, VarDecl *Returned) {
  SourceLocation Loc = S->getReturnLoc();
  QualType Type = FD->getReturnType().getUnqualifiedType();
  llvm::SmallVector<Stmt *, 4> Out;
  auto *Var = const_cast<VarDecl *>(S->getNRVOCandidate());
  Stmt *Return = S;
  if (!Var || !Var->isNRVOVariable()) {
    Var = VarDecl::Create(Ctx, FD, Loc, Loc, &Ctx.Idents.get("__nopal_result"), Type,
                          Ctx.getTrivialTypeSourceInfo(Type, Loc), SC_None);
    Var->setImplicit();
    Var->addAttr(NoDebugAttr::CreateImplicit(Ctx));
    Var->setInit(S->getRetValue());
    Var->setNRVOVariable(true);
    Out.push_back(new (Ctx) DeclStmt(DeclGroupRef(Var), Loc, Loc));
    Return = ReturnStmt::Create(Ctx, Loc, reference(Var, Loc), Var);
  }
  Out.push_back(Sync);
  if (Returned) {
    Expr *Address = UnaryOperator::Create(Ctx, reference(Var, Loc), UO_AddrOf, Returned->getType(), VK_PRValue,
                                          OK_Ordinary, Loc, false, FPOptionsOverride());
    Out.push_back(store(Returned, Address, Loc));
  }
  Out.push_back(Return);
  return compound(Out, S->getSourceRange());
}

VarDecl *MarkerBuilder::returnedPointer(FunctionDecl *FD, SourceLocation Loc) {
  QualType Type = Ctx.getPointerType(FD->getReturnType().getUnqualifiedType());
  VarDecl *Var = variable(FD, "__nopal_returned", Type, Loc);
  Var->setInit(null(Type, Loc));
  return Var;
}

Stmt *MarkerBuilder::destroyReturned(CompoundStmt *Body, VarDecl *Returned, SourceLocation Loc) {
  QualType Type = Returned->getType();
  CXXDestructorDecl *Destructor = Type->getPointeeType()->getAsCXXRecordDecl()->getDestructor();
  Expr *Callee = MemberExpr::Create(Ctx, load(Returned, Loc), /*IsArrow=*/true, Loc, NestedNameSpecifierLoc(),
                                    SourceLocation(), Destructor, DeclAccessPair::make(Destructor, AS_public),
                                    DeclarationNameInfo(Destructor->getDeclName(), Loc), nullptr, Ctx.BoundMemberTy,
                                    VK_PRValue, OK_Ordinary, NOUR_None);
  Stmt *Destroy = CXXMemberCallExpr::Create(Ctx, Callee, {}, Ctx.VoidTy, VK_PRValue, Loc, FPOptionsOverride());
  Stmt *Reset = store(Returned, null(Type, Loc), Loc);
  Expr *Made = ImplicitCastExpr::Create(Ctx, Ctx.BoolTy, CK_PointerToBoolean, load(Returned, Loc), nullptr, VK_PRValue,
                                        FPOptionsOverride());
  Stmt *If = IfStmt::Create(Ctx, Loc, IfStatementKind::Ordinary, nullptr, nullptr, Made, Loc, Loc,
                            compound({Destroy, Reset}, SourceRange(Loc)));
  Stmt *Rethrow = new (Ctx) CXXThrowExpr(nullptr, Ctx.VoidTy, Loc, false);
  Stmt *Handler = new (Ctx) CXXCatchStmt(Loc, nullptr, compound({If, Rethrow}, SourceRange(Loc)));
  return CXXTryStmt::Create(Ctx, Loc, Body, {Handler});
}

Stmt *MarkerBuilder::made(unsigned Id, VarDecl *Var, SourceLocation Loc) {
  return callWithAddress(Marker::Made, Id, reference(Var, Loc), Loc);
}

Stmt *MarkerBuilder::outer(unsigned Id, VarDecl *Var, SourceLocation Loc) {
  return callWithAddress(Marker::Outer, Id, reference(Var, Loc), Loc);
}

Expr *MarkerBuilder::literal(unsigned Id, Expr *Literal) {
  const SourceLocation Loc = Literal->getBeginLoc();
  auto *Made = new (Ctx) OpaqueValueExpr(Loc, Literal->getType(), VK_LValue, OK_Ordinary, Literal);
  return PseudoObjectExpr::Create(Ctx, Literal,
                                  {Made, callWithAddress(Marker::Literal, Id, Made, Loc)}, 0);
}

Expr *MarkerBuilder::callWithAddress(Marker Which, unsigned Id, Expr *Object,
                                     SourceLocation Loc) {
  Expr *Address = UnaryOperator::Create(Ctx, Object, UO_AddrOf,
                                        Ctx.getPointerType(Object->getType()),
                                        VK_PRValue, OK_Ordinary, Loc, false, FPOptionsOverride());
  QualType Pointer = Ctx.getPointerType(Ctx.getConstType(Ctx.VoidTy));
  Address =
      ImplicitCastExpr::Create(Ctx, Pointer, CK_BitCast, Address, nullptr, VK_PRValue, FPOptionsOverride());
  return call(function(Which), {number(Id, Loc), Address}, Loc);
}

Expr *MarkerBuilder::number(unsigned Value, SourceLocation Loc) {
  return IntegerLiteral::Create(Ctx, llvm::APInt(Ctx.getIntWidth(Ctx.UnsignedIntTy), Value), Ctx.UnsignedIntTy, Loc);
}

Expr *MarkerBuilder::load(VarDecl *Var, SourceLocation Loc) {
  return ImplicitCastExpr::Create(Ctx, Var->getType(), CK_LValueToRValue, reference(Var, Loc), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *MarkerBuilder::null(QualType Type, SourceLocation Loc) {
  return ImplicitCastExpr::Create(Ctx, Type, CK_NullToPointer, number(0, Loc), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *MarkerBuilder::store(VarDecl *Var, Expr *Value, SourceLocation Loc) {
  return assign(reference(Var, Loc), Value, Loc);
}

Expr *MarkerBuilder::assign(Expr *Left, Expr *Value, SourceLocation Loc) {
  return BinaryOperator::Create(Ctx, Left, Value, BO_Assign, Left->getType(),
                                Ctx.getLangOpts().CPlusPlus ? VK_LValue : VK_PRValue, OK_Ordinary, Loc,
                                FPOptionsOverride());
}

Expr *MarkerBuilder::element(Expr *Array, unsigned Index, SourceLocation Loc) {
  QualType Type = Ctx.getAsArrayType(Array->getType())->getElementType();
  Expr *First =
      ImplicitCastExpr::Create(Ctx, Ctx.getArrayDecayedType(Array->getType()),
                               CK_ArrayToPointerDecay, Array, nullptr, VK_PRValue,
                               FPOptionsOverride());
  return new (Ctx) ArraySubscriptExpr(First, number(Index, Loc), Type, VK_LValue, OK_Ordinary, Loc);
}

Expr *MarkerBuilder::member(Expr *Record, const FieldDecl *Field, SourceLocation Loc) {
  auto *D = const_cast<FieldDecl *>(Field);
  return MemberExpr::Create(Ctx, Record, /*IsArrow=*/false, Loc, NestedNameSpecifierLoc(),
                            SourceLocation(), D, DeclAccessPair::make(D, AS_public),
                            DeclarationNameInfo(D->getDeclName(), Loc), nullptr, D->getType(),
                            VK_LValue, D->isBitField() ? OK_BitField : OK_Ordinary, NOUR_None);
}

Expr *MarkerBuilder::call(FunctionDecl *FD, llvm::ArrayRef<Expr *> Arguments, SourceLocation Loc) {
  Expr *Ref = DeclRefExpr::Create(Ctx, NestedNameSpecifierLoc(), SourceLocation(), FD, false, Loc, FD->getType(),
                                  Ctx.getLangOpts().CPlusPlus ? VK_LValue : VK_PRValue);
  Expr *Callee = ImplicitCastExpr::Create(Ctx, Ctx.getPointerType(FD->getType()), CK_FunctionToPointerDecay, Ref,
                                          nullptr, VK_PRValue, FPOptionsOverride());
  return CallExpr::Create(Ctx, Callee, Arguments, FD->getReturnType(), VK_PRValue, Loc, FPOptionsOverride());
}

Stmt *MarkerBuilder::hidden(llvm::StringRef Name, Marker Cleanup, DeclContext *Function,
                            unsigned Number, SourceLocation Loc) {
  QualType Type = Ctx.UnsignedIntTy;
  auto *Var = VarDecl::Create(Ctx, Function, Loc, Loc, &Ctx.Idents.get(Name), Type,
                              Ctx.getTrivialTypeSourceInfo(Type, Loc), SC_None);
  Var->setImplicit();
  Var->addAttr(NoDebugAttr::CreateImplicit(Ctx));
  Var->addAttr(CleanupAttr::CreateImplicit(Ctx, function(Cleanup)));
  Var->setInit(number(Number, Loc));
  return new (Ctx) DeclStmt(DeclGroupRef(Var), Loc, Loc);
}

Stmt *MarkerBuilder::hiddenSync(DeclContext *Function, unsigned Number, SourceLocation Loc) {
  return hidden(HiddenName, Marker::SyncCleanup, Function, Number, Loc);
}

Stmt *MarkerBuilder::hiddenEnd(DeclContext *Function, unsigned Id, SourceLocation Loc) {
  return hidden("__nopal_end", Marker::RegionEndCleanup, Function, Id, Loc);
}

VarDecl *MarkerBuilder::variable(DeclContext *Function, llvm::StringRef Name, QualType Type, SourceLocation Loc) {
  auto *Var = VarDecl::Create(Ctx, Function, Loc, Loc, &Ctx.Idents.get(Name), Type,
                              Ctx.getTrivialTypeSourceInfo(Type, Loc), SC_None);
  Var->setImplicit();
  Var->setIsUsed();
  Var->addAttr(NoDebugAttr::CreateImplicit(Ctx));
  return Var;
}

Expr *MarkerBuilder::reference(VarDecl *Var, SourceLocation Loc) {
  return DeclRefExpr::Create(Ctx, NestedNameSpecifierLoc(), SourceLocation(), Var, false, Loc, Var->getType(),
                             VK_LValue);
}

/// \p E with \p Assign in it replaced by the comma of both halves.
Expr *MarkerBuilder::rebuild(Expr *E, Expr *Assign, Expr *AddressOfLeft, Expr *Left) {
  if (auto *Full = dyn_cast<ExprWithCleanups>(E))
    return ExprWithCleanups::Create(Ctx, rebuild(Full->getSubExpr(), Assign, AddressOfLeft, Left),
                                    Full->cleanupsHaveSideEffects(), Full->getObjects());
  if (auto *Bind = dyn_cast<CXXBindTemporaryExpr>(E))
    return CXXBindTemporaryExpr::Create(Ctx, Bind->getTemporary(),
                                        rebuild(Bind->getSubExpr(), Assign, AddressOfLeft, Left));
  if (auto *Paren = dyn_cast<ParenExpr>(E))
    return rebuild(Paren->getSubExpr(), Assign, AddressOfLeft, Left);
  Expr *New;
  if (auto *Operator = dyn_cast<BinaryOperator>(Assign)) {
    New =
        BinaryOperator::Create(Ctx, Left, Operator->getRHS(), BO_Assign, Operator->getType(), Operator->getValueKind(),
                               Operator->getObjectKind(), Operator->getOperatorLoc(), Operator->getFPFeatures());
  } else {
    auto *Call = cast<CXXOperatorCallExpr>(Assign);
    New = CXXOperatorCallExpr::Create(Ctx, Call->getOperator(), Call->getCallee(), {Left, Call->getArg(1)},
                                      Call->getType(), Call->getValueKind(), Call->getOperatorLoc(),
                                      Call->getFPFeatures(), Call->getADLCallKind());
  }
  return BinaryOperator::Create(Ctx, AddressOfLeft, New, BO_Comma, New->getType(), New->getValueKind(),
                                New->getObjectKind(), New->getExprLoc(), FPOptionsOverride());
}

std::pair<Stmt *, Expr *> MarkerBuilder::hoistLeft(Expr *Full, const Spawn &S, DeclContext *Function) {
  Expr *Old = leftSide(S.Assign);
  SourceLocation Loc = Old->getExprLoc();
  QualType Type = Ctx.getPointerType(Old->getType());
  auto *Var = VarDecl::Create(Ctx, Function, Loc, Loc, &Ctx.Idents.get("__nopal_left"), Type,
                              Ctx.getTrivialTypeSourceInfo(Type, Loc), SC_None);
  Var->setImplicit();
  Var->addAttr(NoDebugAttr::CreateImplicit(Ctx));
  Expr *Address =
      UnaryOperator::Create(Ctx, Old, UO_AddrOf, Type, VK_PRValue, OK_Ordinary, Loc, false, FPOptionsOverride());
  Expr *Store = store(Var, Address, Loc);
  Expr *Left = UnaryOperator::Create(Ctx, load(Var, Loc), UO_Deref, Old->getType(), VK_LValue, OK_Ordinary, Loc, false,
                                     FPOptionsOverride());
  return {new (Ctx) DeclStmt(DeclGroupRef(Var), Loc, Loc), rebuild(Full, S.Assign, Store, Left)};
}

Expr *MarkerBuilder::childBegins(SourceLocation Loc) {
  Expr *Call = call(function(Marker::Child), {}, Loc);
  cast<CallExpr>(Call)->setCoroElideSafe(true);
  return Call;
}

void MarkerBuilder::flag(CallExpr *Spawned) {
  Spawned->setCoroElideSafe(true);
  // Code generation looks at the callee's form to find a function that it
  // knows, and compiles it in place; not if it is called by address.
  const FunctionDecl *Callee = Spawned->getDirectCallee();
  if (!Callee || !Callee->getBuiltinID())
    return;
  auto *Decay = dyn_cast<ImplicitCastExpr>(Spawned->getCallee());
  if (!Decay || Decay->getCastKind() == CK_BuiltinFnToFnPtr)
    return;
  Spawned->setCallee(UnaryOperator::Create(Ctx, Decay->getSubExpr(), UO_AddrOf, Decay->getType(), VK_PRValue,
                                           OK_Ordinary, Decay->getExprLoc(), false, FPOptionsOverride()));
}

Stmt *MarkerBuilder::compound(llvm::ArrayRef<Stmt *> Statements, SourceRange Range) {
  return CompoundStmt::Create(Ctx, Statements, FPOptionsOverride(), Range.getBegin(), Range.getEnd());
}

} // namespace nopal::frontend
