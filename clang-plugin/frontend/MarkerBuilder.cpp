//===- MarkerBuilder.cpp - Calls of markers in the AST --------------------===//
//
// See MarkerBuilder.h. New nodes replace old ones and no expression is changed in place,
// but for the callee and the last operand of a spawned call: the instances of a template may
// share an expression, and each of them is rewritten.
//
//===----------------------------------------------------------------------===//
#include "MarkerBuilder.h"
#include "Spawn.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

using namespace clang;

namespace nopal::frontend {

std::optional<Marker> markerCalled(const Stmt *S) {
  auto *Call = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || !Callee->getIdentifier())
    return std::nullopt;
  return markerNamed(Callee->getName());
}

QualType MarkerBuilder::typeOf(MarkerType T) const {
  switch (T) {
  case MarkerType::Void:
    return Ctx.VoidTy;
  case MarkerType::U32:
    return Ctx.UnsignedIntTy;
  case MarkerType::U64:
    return Ctx.getIntTypeForBitwidth(64, /*Signed=*/false);
  case MarkerType::U32Pointer:
    return Ctx.getPointerType(Ctx.UnsignedIntTy);
  case MarkerType::Text:
    return Ctx.getPointerType(Ctx.getConstType(Ctx.CharTy));
  case MarkerType::Address:
  case MarkerType::Storage:
  case MarkerType::Code:
    return Ctx.getPointerType(Ctx.getConstType(Ctx.VoidTy));
  }
}

FunctionDecl *MarkerBuilder::function(Marker M) {
  FunctionDecl *&FD = Functions[unsigned(M)];
  if (FD)
    return FD;
  DeclContext *DC = Ctx.getTranslationUnitDecl();
  SourceLocation None;
  if (Ctx.getLangOpts().CPlusPlus)
    DC = LinkageSpecDecl::Create(Ctx, DC, None, None, LinkageSpecLanguageIDs::C, false);
  const MarkerSignature &Signature = signatureOf(M);
  llvm::SmallVector<QualType, 8> Types;
  for (MarkerType T : Signature.Operands)
    Types.push_back(typeOf(T));
  QualType Type =
      Ctx.getFunctionType(typeOf(Signature.Result), Types, FunctionProtoType::ExtProtoInfo());
  FD = FunctionDecl::Create(Ctx, DC, None, None, &Ctx.Idents.get(Signature.Name), Type, nullptr,
                            SC_Extern);
  llvm::SmallVector<ParmVarDecl *, 8> Parameters;
  for (QualType T : Types)
    Parameters.push_back(
        ParmVarDecl::Create(Ctx, FD, None, None, nullptr, T, nullptr, SC_None, nullptr));
  FD->setParams(Parameters);
  FD->setImplicit();
  if (Signature.Effect != MarkerEffect::MayThrow)
    FD->addAttr(NoThrowAttr::CreateImplicit(Ctx));
  return FD;
}

CallExpr *MarkerBuilder::call(Marker M, Operands Given, SourceLocation Loc) {
  llvm::SmallVector<Expr *, 8> Arguments;
  for (auto [Op, T] : llvm::zip_equal(Given, signatureOf(M).Operands)) {
    Expr *E = Op.Var ? reference(Op.Var, Loc) : Op.E;
    if (!E)
      E = number(Op.Number, typeOf(T), Loc);
    else if (T == MarkerType::Address)
      E = implicitCast(CK_BitCast, typeOf(T), addressOf(E, Loc));
    Arguments.push_back(E);
  }
  return cast<CallExpr>(Nodes::call(function(M), Arguments, Loc));
}

Stmt *MarkerBuilder::begin(Marker M, unsigned Id, unsigned Region, SourceLocation Loc,
                           SourceLocation Start, Operands More) {
  PresumedLoc Place = Ctx.getSourceManager().getPresumedLoc(Loc);
  llvm::SmallString<128> Name(Place.isValid() ? Place.getFilename() : "");
  Ctx.getLangOpts().remapPathPrefix(Name); // -ffile-prefix-map, as for __FILE__
  if (Start.isValid())
    Loc = Start;
  Expr *File = StringLiteral::Create(Ctx, Name, StringLiteralKind::Ordinary, false,
                                     Ctx.getStringLiteralArrayType(Ctx.CharTy, Name.size()), Loc);
  File = implicitCast(CK_ArrayToPointerDecay, typeOf(MarkerType::Text), File);
  llvm::SmallVector<Operand, 8> Given{Id, File, Place.isValid() ? Place.getLine() : 0,
                                      Place.isValid() ? Place.getColumn() : 0, Region};
  Given.append(More.begin(), More.end());
  return call(M, Given, Loc);
}

Stmt *MarkerBuilder::atScopeExit(Marker M, llvm::StringRef Name, unsigned Number,
                                 DeclContext *Function, SourceLocation Loc) {
  QualType Type = Ctx.UnsignedIntTy;
  return atScopeExit(M, Name, Type, number(Number, Type, Loc), Function, Loc);
}

Stmt *MarkerBuilder::atScopeExit(Marker M, llvm::StringRef Name, QualType Type, Expr *Init,
                                 DeclContext *Function, SourceLocation Loc) {
  VarDecl *Var = variable(Function, Name, Type, Loc, Init);
  Var->addAttr(CleanupAttr::CreateImplicit(Ctx, function(M)));
  Var->addAttr(UnusedAttr::CreateImplicit(Ctx)); // for the static analyzer
  return declare(Var, Loc);
}

Expr *MarkerBuilder::literal(unsigned Id, Expr *Literal) {
  const SourceLocation Loc = Literal->getBeginLoc();
  Expr *Made = new (Ctx) OpaqueValueExpr(Loc, Literal->getType(), VK_LValue, OK_Ordinary, Literal);
  return PseudoObjectExpr::Create(Ctx, Literal, {Made, call(Marker::Literal, {Id, Made}, Loc)}, 0);
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
    New = BinaryOperator::Create(Ctx, Left, Operator->getRHS(), BO_Assign, Operator->getType(),
                                 Operator->getValueKind(), Operator->getObjectKind(),
                                 Operator->getOperatorLoc(), Operator->getFPFeatures());
  } else {
    auto *Call = cast<CXXOperatorCallExpr>(Assign);
    New = CXXOperatorCallExpr::Create(Ctx, Call->getOperator(), Call->getCallee(),
                                      {Left, Call->getArg(1)}, Call->getType(),
                                      Call->getValueKind(), Call->getOperatorLoc(),
                                      Call->getFPFeatures(), Call->getADLCallKind());
  }
  return BinaryOperator::Create(Ctx, AddressOfLeft, New, BO_Comma, New->getType(),
                                New->getValueKind(), New->getObjectKind(), New->getExprLoc(),
                                FPOptionsOverride());
}

static CharUnits alignmentOf(const Expr *E, const ASTContext &Ctx);

/// Of an object that is \p Whole aligned, the alignment of the base class to which \p Cast leads.
static CharUnits alignmentOfBase(CharUnits Whole, const CastExpr *Cast, const ASTContext &Ctx) {
  QualType From = Cast->getSubExpr()->getType();
  if (From->isPointerType())
    From = From->getPointeeType();
  const CXXRecordDecl *Class = From->getAsCXXRecordDecl();
  CharUnits Offset;
  for (const CXXBaseSpecifier *Step : Cast->path()) {
    const CXXRecordDecl *Base = Step->getType()->getAsCXXRecordDecl();
    // A virtual one has its own place in each object.
    if (Step->isVirtual() || !Class || !Base)
      return CharUnits::One();
    Offset += Ctx.getASTRecordLayout(Class).getBaseClassOffset(Base);
    Class = Base;
  }
  return Whole.alignmentAtOffset(Offset);
}

static bool isToBase(const CastExpr *Cast) {
  return Cast->getCastKind() == CK_DerivedToBase ||
         Cast->getCastKind() == CK_UncheckedDerivedToBase;
}

/// How what \p E points to is aligned for sure.
static CharUnits alignmentOfPointee(const Expr *E, const ASTContext &Ctx) {
  E = E->IgnoreParens();
  if (auto *Cast = dyn_cast<CastExpr>(E); Cast && isToBase(Cast))
    return alignmentOfBase(alignmentOfPointee(Cast->getSubExpr(), Ctx), Cast, Ctx);
  if (auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getCastKind() == CK_ArrayToPointerDecay)
    return alignmentOf(Cast->getSubExpr(), Ctx);
  if (auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->getOpcode() == UO_AddrOf)
    return alignmentOf(Unary->getSubExpr(), Ctx);
  return Ctx.getTypeAlignInChars(E->getType()->getPointeeType());
}

/// How \p E, an lvalue, is aligned for sure, as code generation would find: less than its type says
/// in a packed class, under `#pragma pack`, and by a typedef.
static CharUnits alignmentOf(const Expr *E, const ASTContext &Ctx) {
  E = E->IgnoreParens();
  const CharUnits OfType = Ctx.getTypeAlignInChars(E->getType());
  if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    if (auto *Part = dyn_cast<BindingDecl>(Ref->getDecl()); Part && Part->getBinding())
      return alignmentOf(Part->getBinding(), Ctx);
    auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    return Var && !Var->getType()->isReferenceType() ? Ctx.getDeclAlign(Var) : OfType;
  }
  if (auto *Member = dyn_cast<MemberExpr>(E)) {
    auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || Field->getType()->isReferenceType() || Field->getParent()->isInvalidDecl())
      return OfType;
    const CharUnits OfClass = Member->isArrow() ? alignmentOfPointee(Member->getBase(), Ctx)
                                                : alignmentOf(Member->getBase(), Ctx);
    return OfClass.alignmentAtOffset(Ctx.toCharUnitsFromBits(Ctx.getFieldOffset(Field)));
  }
  if (auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return alignmentOfPointee(Element->getBase(), Ctx)
        .alignmentAtOffset(Ctx.getTypeSizeInChars(E->getType()));
  if (auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_Deref)
      return alignmentOfPointee(Unary->getSubExpr(), Ctx);
    if (Unary->getOpcode() == UO_Real || Unary->getOpcode() == UO_Imag)
      return std::min(alignmentOf(Unary->getSubExpr(), Ctx), OfType);
    if (Unary->isIncrementDecrementOp() || Unary->getOpcode() == UO_Extension)
      return alignmentOf(Unary->getSubExpr(), Ctx);
  }
  if (auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp())
    return alignmentOf(Binary->getLHS(), Ctx);
  if (auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->getOpcode() == BO_Comma)
    return alignmentOf(Binary->getRHS(), Ctx);
  if (auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getSubExpr()->isGLValue()) {
    const CharUnits Whole = alignmentOf(Cast->getSubExpr(), Ctx);
    return isToBase(Cast) ? alignmentOfBase(Whole, Cast, Ctx) : std::min(Whole, OfType);
  }
  if (auto *Value = dyn_cast<OpaqueValueExpr>(E); Value && Value->getSourceExpr())
    return alignmentOf(Value->getSourceExpr(), Ctx);
  if (auto *Choice = dyn_cast<AbstractConditionalOperator>(E))
    return std::min(alignmentOf(Choice->getTrueExpr(), Ctx),
                    alignmentOf(Choice->getFalseExpr(), Ctx));
  return OfType;
}

/// \p T, of which it is known that it is aligned to \p Alignment alone.
static QualType lessAligned(QualType T, CharUnits Alignment, DeclContext *In, SourceLocation Loc,
                            ASTContext &Ctx, Nodes &Build) {
  auto *Alias = TypedefDecl::Create(Ctx, In, Loc, Loc, nullptr, Ctx.getTrivialTypeSourceInfo(T));
  Expr *Bytes = Build.number(Alignment.getQuantity(), Ctx.getSizeType(), Loc);
  Alias->addAttr(AlignedAttr::CreateImplicit(Ctx, /*IsAlignmentExpr=*/true, Bytes));
  return Ctx.getTypeDeclType(static_cast<const TypeDecl *>(Alias));
}

std::pair<Stmt *, Expr *> MarkerBuilder::hoistLeft(Expr *Full, const Spawn &S,
                                                   DeclContext *Function) {
  Expr *Old = leftSide(S.Assign);
  SourceLocation Loc = Old->getExprLoc();
  QualType Type = Old->getType();
  if (const CharUnits Alignment = alignmentOf(Old, Ctx); Alignment < Ctx.getTypeAlignInChars(Type))
    Type = lessAligned(Type, Alignment, Function, Loc, Ctx, *this);
  VarDecl *Var = variable(Function, "__nopal_left", Ctx.getPointerType(Type), Loc);
  Expr *Store = assign(reference(Var, Loc), addressOf(Old, Loc), Loc);
  Expr *Left = unary(UO_Deref, load(Var, Loc), Old->getType(), VK_LValue, Loc);
  return {declare(Var, Loc), rebuild(Full, S.Assign, Store, Left)};
}

/// \p Operand, with `__nopal_spawned()` after it.
Expr *MarkerBuilder::spawnedAfter(Expr *Operand) {
  // An operand of an instance of a template may be another instance's too.
  if (auto *Done = dyn_cast<PseudoObjectExpr>(Operand);
      Done && Done->getNumSemanticExprs() == 2 &&
      isCallOf(Done->getSemanticExpr(1), Marker::Spawned))
    return Operand;
  const SourceLocation Loc = Operand->getExprLoc();
  Expr *Value = new (Ctx) OpaqueValueExpr(Loc, Operand->getType(), Operand->getValueKind(),
                                          Operand->getObjectKind(), Operand);
  return PseudoObjectExpr::Create(Ctx, Operand, {Value, call(Marker::Spawned, {}, Loc)}, 0);
}

void MarkerBuilder::flag(CallExpr *Spawned) {
  // Code generation looks at the callee's form to find a function that it knows, and
  // compiles it in place; not if it is called by address.
  const FunctionDecl *Known = Spawned->getDirectCallee();
  auto *Decay = dyn_cast<ImplicitCastExpr>(Spawned->getCallee());
  if (Known && Known->getBuiltinID() && Decay && Decay->getCastKind() != CK_BuiltinFnToFnPtr)
    Spawned->setCallee(
        unary(UO_AddrOf, Decay->getSubExpr(), Decay->getType(), VK_PRValue, Decay->getExprLoc()));

  // The left side of an assignment comes last.
  auto *Operator = dyn_cast<CXXOperatorCallExpr>(Spawned);
  if (const unsigned Count = Spawned->getNumArgs()) {
    const unsigned Last = Operator && Operator->isAssignmentOp() ? 0 : Count - 1;
    return Spawned->setArg(Last, spawnedAfter(Spawned->getArg(Last)));
  }
  Expr *Callee = Spawned->getCallee()->IgnoreParens();
  if (auto *Member = dyn_cast<MemberExpr>(Callee))
    return Member->setBase(spawnedAfter(Member->getBase()));
  if (auto *Member = dyn_cast<BinaryOperator>(Callee); Member && Member->isPtrMemOp())
    return Member->setRHS(spawnedAfter(Member->getRHS()));
  Spawned->setCallee(spawnedAfter(Spawned->getCallee()));
}

} // namespace nopal::frontend
