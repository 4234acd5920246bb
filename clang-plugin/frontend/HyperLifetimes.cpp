//===- HyperLifetimes.cpp - Where hyperobjects begin and end --------------===//
//
// See HyperLifetimes.h.
//
//===----------------------------------------------------------------------===//
#include "HyperLifetimes.h"
#include "../compatibility/Compatibility.h"
#include "HyperExpressions.h"
#include "Spawn.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace nopal::frontend {

bool isLifetime(const Stmt *S) {
  auto *Declared = dyn_cast<DeclStmt>(S);
  auto *Var =
      Declared && Declared->isSingleDecl() ? dyn_cast<VarDecl>(Declared->getSingleDecl()) : nullptr;
  return (Var && Var->getIdentifier() && Var->getName() == LifetimeName) ||
         isCallOf(S, Marker::ViewsBegin);
}

Expr *registeredUnnamed(Expr *E) {
  auto *Registered = dyn_cast<PseudoObjectExpr>(E);
  auto *Object = Registered ? dyn_cast<OpaqueValueExpr>(Registered->getSemanticExpr(0)) : nullptr;
  Expr *Made = Object ? Object->getSourceExpr() : nullptr;
  return isa_and_nonnull<MaterializeTemporaryExpr, CompoundLiteralExpr>(Made) ? Made : nullptr;
}

/// Labels, or switches: control may come to a statement without its declarations.
bool HyperLifetimes::mayBeJumpedOver() {
  auto Has = [](auto &&Self, const Stmt *S) -> bool {
    if (!S || isa<Expr>(S))
      return false;
    if (isa<LabelStmt, SwitchCase>(S))
      return true;
    return llvm::any_of(S->children(), [&](const Stmt *Child) { return Self(Self, Child); });
  };
  if (!HasLabels)
    HasLabels = Has(Has, FD->getBody());
  return *HasLabels;
}

/// \p Address + \p Offset bytes, a `const void *`.
Expr *HyperLifetimes::addressAt(Expr *Address, uint64_t Offset, SourceLocation Loc) {
  QualType Bytes = Ctx.getPointerType(Ctx.CharTy);
  Expr *First = Build.implicitCast(CK_BitCast, Bytes, Address);
  if (Offset)
    First = Build.binary(BO_Add, First, Build.u64(Offset, Loc), Bytes, Loc);
  return Build.storage(First);
}

CallExpr *HyperLifetimes::callOnRange(Marker M, Expr *First, Expr *Count, uint64_t Stride,
                                      SourceLocation Loc) {
  return Build.call(M,
                    {MarkerBuilder::Operand(First), MarkerBuilder::Operand(Count),
                     MarkerBuilder::Operand(Build.u64(Stride, Loc))},
                    Loc);
}

/// Says that the strand makes the hyperobjects of the object at \p Address, and, unless another
/// destructor does, where they die. \p Address may be used several times.
void HyperLifetimes::emit(Expr *Address, llvm::ArrayRef<HyperRange> Ranges, bool Ends,
                          SourceLocation Loc, Statements &Out) {
  for (const HyperRange &R : Ranges) {
    if (Ends) {
      QualType U64 = Build.typeOf(MarkerType::U64);
      QualType Type =
          Ctx.getConstantArrayType(U64, llvm::APInt(64, 3), nullptr, ArraySizeModifier::Normal, 0);
      Expr *Parts[] = {
          Build.implicitCast(CK_PointerToIntegral, U64, addressAt(Address, R.Offset, Loc)),
          Build.u64(R.Count, Loc), Build.u64(R.Stride, Loc)};
      auto *List = new (Ctx) InitListExpr(Ctx, Loc, Parts, Loc);
      List->setType(Type);
      Out.push_back(Build.atScopeExit(Marker::ViewsEndCleanup, LifetimeName, Type, List, FD, Loc));
    }
    Out.push_back(callOnRange(Marker::ViewsBegin, addressAt(Address, R.Offset, Loc),
                              Build.u64(R.Count, Loc), R.Stride, Loc));
  }
}

void HyperLifetimes::emitObject(Statements &Out) {
  const SourceLocation Loc = FD->getLocation();
  auto *Method = dyn_cast<CXXMethodDecl>(FD);
  const bool Makes = isa<CXXConstructorDecl>(FD) && !FD->isDefaulted();
  const bool Ends = isa<CXXDestructorDecl>(FD) && hasOwnHyperobjects(Method->getParent());
  if (!Makes && !Ends)
    return;
  Expr *Object = CXXThisExpr::Create(Ctx, Loc, Method->getThisType(), /*IsImplicit=*/true);
  auto Ranges = hyperRanges(Method->getParent(), Ctx);
  if (FD->isDefaulted())
    for (const HyperRange &R : Ranges)
      Out.push_back(callOnRange(Marker::ViewsEnd, addressAt(Object, R.Offset, Loc),
                                Build.u64(R.Count, Loc), R.Stride, Loc));
  else
    emit(Object, Ranges, Ends, Loc, Out);
  if (Makes)
    for (auto &[Base, Inside] : virtualBases(Object))
      emit(Base, Inside, /*Ends=*/false, Loc, Out);
}

/// The virtual bases of \p Object, which is `this`: their own constructors may be implicit.
llvm::SmallVector<std::pair<Expr *, HyperLifetimes::Ranges>, 1>
HyperLifetimes::virtualBases(Expr *Object) {
  llvm::SmallVector<std::pair<Expr *, Ranges>, 1> Result;
  auto *Class = Object->getType()->getPointeeType()->getAsCXXRecordDecl();
  for (const CXXBaseSpecifier &Base : Class->vbases()) {
    auto Inside = hyperRanges(Base.getType()->getAsCXXRecordDecl(), Ctx);
    if (Inside.empty())
      continue;
    CXXCastPath Path{const_cast<CXXBaseSpecifier *>(&Base)};
    Result.emplace_back(ImplicitCastExpr::Create(Ctx, Ctx.getPointerType(Base.getType()),
                                                 CK_UncheckedDerivedToBase, Object, &Path,
                                                 VK_PRValue, FPOptionsOverride()),
                        std::move(Inside));
  }
  return Result;
}

void HyperLifetimes::emitVariable(VarDecl *Var, SourceLocation Loc, Statements &Out) {
  if (Var->getType()->isReferenceType())
    return;
  auto Ranges = hyperRanges(writtenType(Var), Ctx);
  if (!Ranges.empty())
    emit(Build.addressOf(Build.reference(Var, Loc), Loc), Ranges, !Var->needsDestruction(Ctx), Loc,
         Out);
}

Stmt *HyperLifetimes::prepend(llvm::ArrayRef<Stmt *> First, Stmt *Block) {
  if (First.empty())
    return Block;
  llvm::SmallVector<Stmt *, 8> All(First);
  llvm::append_range(All, cast<CompoundStmt>(Block)->body());
  return Build.withStatements(cast<CompoundStmt>(Block), All);
}

void HyperLifetimes::enterHandler(CXXCatchStmt *Catch) {
  llvm::SmallVector<Stmt *, 4> First;
  if (VarDecl *Var = Catch->getExceptionDecl()) {
    const SourceLocation Loc = Var->getLocation();
    emitVariable(Var, Loc, First);
    // The destructor of an exception object ends what is in it.
    if (Written Object = referee(writtenType(Var)); Object && hyperFieldOf(Object.Type))
      emit(Build.addressOf(Build.reference(Var, Loc), Loc), hyperRanges(Object, Ctx),
           /*Ends=*/false, Loc, First);
  }
  for (Stmt *&Block : Catch->children())
    Block = prepend(First, Block);
}

Stmt *HyperLifetimes::withEntry(Stmt *Body) {
  auto Begin = [&](Stmt *Block, bool HasObject) {
    llvm::SmallVector<Stmt *, 8> First;
    if (HasObject)
      emitObject(First);
    for (ParmVarDecl *Param : FD->parameters())
      emitVariable(Param, FD->getLocation(), First);
    return prepend(First, Block);
  };
  if (isa<CompoundStmt>(Body))
    return Begin(Body, true);
  auto *Try = dyn_cast<CXXTryStmt>(Body);
  if (!Try)
    return Body;
  // A handler of a function try block still has the parameters, and the object no longer. All
  // statements are new: instances of a template may share those that depend on no parameter.
  Stmt *Block = Begin(Try->getTryBlock(), true);
  bool IsChanged = Block != Try->getTryBlock();
  llvm::SmallVector<Stmt *, 2> Handlers;
  for (unsigned I = 0; I < Try->getNumHandlers(); ++I) {
    CXXCatchStmt *Catch = Try->getHandler(I);
    Stmt *Handler = Begin(Catch->getHandlerBlock(), false);
    IsChanged |= Handler != Catch->getHandlerBlock();
    Handlers.push_back(new (Ctx)
                           CXXCatchStmt(Catch->getCatchLoc(), Catch->getExceptionDecl(), Handler));
  }
  return IsChanged ? CXXTryStmt::Create(Ctx, Try->getTryLoc(), cast<CompoundStmt>(Block), Handlers)
                   : Body;
}

void HyperLifetimes::emitAfter(VarDecl *Var, bool InBlock, Statements &Out) {
  if (!Var->hasLocalStorage() || Var->getType()->isReferenceType())
    return;
  Written T = writtenType(Var);
  if (isDeduced(Var->getType()) && !hyperFieldOf(Var->getType()))
    return;
  if (auto Hyper = hyperTypeIn(T); Hyper && Var->getType()->isVariableArrayType() && element(T)) {
    Report.reportAt(Hyper->place(), Diag::HyperVariableLength, Hyper->loc(),
                    nameOfView(Var->getType()));
    return;
  }
  auto Ranges = hyperRanges(T, Ctx);
  if (Ranges.empty())
    return;
  const SourceLocation Loc = Var->getLocation();
  // Its function would be called after the hyperobject has ended.
  const bool HasCleanup = Var->hasAttr<CleanupAttr>();
  if (!InBlock || HasCleanup) {
    auto Own = hyperTypeIn(T);
    auto Hyper = Own ? Own : hyperTypeIn(writtenType(hyperFieldOf(Var->getType())));
    Report.reportAt(Own ? Own->place() : Loc, HasCleanup ? Diag::HyperCleanup : Diag::HyperPlace,
                    Hyper->loc(), Var->getNameAsString(), Loc);
    return;
  }
  emit(Build.addressOf(Build.reference(Var, Loc), Loc), Ranges,
       !Var->needsDestruction(Ctx) && !mayBeJumpedOver(), Loc, Out);
}

namespace {

/// What an initializer mentions of the object that it is a part of.
struct ObjectUses : compat::DynamicRecursiveASTVisitor {
  explicit ObjectUses(const VarDecl *Var) : Var(Var) {}
  bool VisitExpr(Expr *E) override {
    if (auto *Ref = dyn_cast<DeclRefExpr>(E))
      NamesVariable |= Ref->getDecl() == Var;
    else if (auto *Object = dyn_cast<CXXThisExpr>(E))
      This = This ? This : Object;
    // A member that is no hyperobject needs nobody to know of others.
    MayUse |= isView(E) || isa<CallExpr, CXXConstructExpr, LambdaExpr>(E);
    return true;
  }
  const VarDecl *Var;
  bool NamesVariable = false, MayUse = false;
  CXXThisExpr *This = nullptr;
};

/// Whether \p Init, conversions aside, may be a spawn.
bool mayBeSpawned(Expr *Init) {
  for (Expr *E = Init; E; E = peelConversion(E))
    if (auto *Marker = dyn_cast<UnaryOperator>(E); Marker && Marker->getOpcode() == UO_Extension)
      return true;
  return false;
}

bool isRegistered(const Expr *Init) {
  auto *Comma = dyn_cast<BinaryOperator>(Init);
  return Comma && Comma->getOpcode() == BO_Comma && isCallOf(Comma->getLHS(), Marker::ViewsBegin);
}

} // namespace

/// `(__nopal_views_begin(Address, ...), Init)`. The call only says whose the memory is, which is
/// right before there is a value in it.
Expr *HyperLifetimes::withRegistration(Expr *Init, Expr *Address,
                                       llvm::ArrayRef<HyperRange> Ranges) {
  const SourceLocation Loc = Init->getExprLoc();
  for (const HyperRange &R : Ranges) {
    Expr *Begin = callOnRange(Marker::ViewsBegin, addressAt(Address, R.Offset, Loc),
                              Build.u64(R.Count, Loc), R.Stride, Loc);
    Init = BinaryOperator::Create(Ctx, Begin, Init, BO_Comma, Init->getType(), Init->getValueKind(),
                                  Init->getObjectKind(), Loc, FPOptionsOverride());
  }
  return Init;
}

Expr *HyperLifetimes::registerBefore(Expr *Init, VarDecl *Var) {
  auto Ranges = hyperRanges(writtenType(Var), Ctx);
  if (Ranges.empty() || !Var->hasLocalStorage() || Var->getType()->isReferenceType())
    return Init;
  ObjectUses Uses(Var);
  Uses.TraverseStmt(Init);
  if (!Uses.NamesVariable || mayBeSpawned(Init) || isRegistered(Init))
    return Init;
  const SourceLocation Loc = Var->getLocation();
  return withRegistration(Init, Build.addressOf(Build.reference(Var, Loc), Loc), Ranges);
}

Expr *HyperLifetimes::registerBefore(Expr *Init) {
  ObjectUses Uses(nullptr);
  Uses.TraverseStmt(Init);
  if (!Uses.This || !Uses.MayUse || isRegistered(Init)) // by another use of a member's initializer
    return Init;
  Expr *Object = CXXThisExpr::Create(Ctx, Init->getExprLoc(), Uses.This->getType(),
                                     /*IsImplicit=*/true);
  for (auto &[Base, Ranges] : virtualBases(Object))
    Init = withRegistration(Init, Base, Ranges);
  return withRegistration(Init, Object,
                          hyperRanges(Object->getType()->getPointeeType()->getAsRecordDecl(), Ctx));
}

Expr *HyperLifetimes::registerUnnamed(Expr *Made) {
  const Written T{Made->getType(), FD};
  if (isa<MaterializeTemporaryExpr>(Made) && !hyperFieldOf(T.Type))
    return Made; // a value, even if its type is written as a hyperobject's
  auto Ranges = hyperRanges(T, Ctx);
  if (Ranges.empty())
    return Made;
  const SourceLocation Loc = Made->getExprLoc();
  Expr *Object =
      new (Ctx) OpaqueValueExpr(Loc, Made->getType(), Made->getValueKind(), OK_Ordinary, Made);
  llvm::SmallVector<Expr *, 4> Steps{Object};
  for (const HyperRange &R : Ranges)
    Steps.push_back(callOnRange(Marker::ViewsBegin,
                                addressAt(Build.addressOf(Object, Loc), R.Offset, Loc),
                                Build.u64(R.Count, Loc), R.Stride, Loc));
  return PseudoObjectExpr::Create(Ctx, Made, Steps, 0);
}

Expr *HyperLifetimes::registerAfterNew(CXXNewExpr *New) {
  auto Ranges = hyperRanges({New->getAllocatedType(), FD}, Ctx);
  if (Ranges.empty())
    return New;
  const SourceLocation Loc = New->getExprLoc();
  llvm::SmallVector<Expr *, 8> Steps;
  Expr *Count = nullptr;
  if (auto Size = New->getArraySize(); Size && *Size) {
    Count = new (Ctx) OpaqueValueExpr(Loc, (*Size)->getType(), VK_PRValue, OK_Ordinary, *Size);
    for (Stmt *&Child : New->children())
      if (Child == *Size)
        Child = Count;
    Steps.push_back(Count);
  }
  Expr *Object = new (Ctx) OpaqueValueExpr(Loc, New->getType(), VK_PRValue, OK_Ordinary, New);
  const unsigned Result = Steps.size();
  Steps.push_back(Object);
  const uint64_t Bytes = Ctx.getTypeSizeInChars(New->getAllocatedType()).getQuantity();
  for (const HyperRange &R : Ranges) {
    if (!Count) {
      Steps.push_back(callOnRange(Marker::ViewsBegin, addressAt(Object, R.Offset, Loc),
                                  Build.u64(R.Count, Loc), R.Stride, Loc));
      continue;
    }
    Expr *Many = Build.implicitCast(CK_IntegralCast, Build.typeOf(MarkerType::U64), Count);
    for (uint64_t I = 0; I < R.Count; ++I)
      Steps.push_back(callOnRange(
          Marker::ViewsBegin, addressAt(Object, R.Offset + I * R.Stride, Loc), Many, Bytes, Loc));
  }
  return PseudoObjectExpr::Create(Ctx, New, Steps, Result);
}

Expr *HyperLifetimes::endBeforeDelete(CXXDeleteExpr *Delete, Written T) {
  if (!T || Delete->isArrayForm() || T.Type->isIncompleteType() || T.Type->isVoidType())
    return Delete;
  auto Ranges = hyperRanges(T, Ctx);
  if (Ranges.empty() || T.Type.isDestructedType())
    return Delete;
  const SourceLocation Loc = Delete->getExprLoc();
  Expr *Argument = Delete->getArgument();
  Expr *Object =
      new (Ctx) OpaqueValueExpr(Loc, Argument->getType(), VK_PRValue, OK_Ordinary, Argument);
  for (Stmt *&Child : Delete->children())
    if (Child == Argument)
      Child = Object;
  llvm::SmallVector<Expr *, 8> Steps{Object};
  for (const HyperRange &R : Ranges)
    Steps.push_back(callOnRange(Marker::ViewsEnd, addressAt(Object, R.Offset, Loc),
                                Build.u64(R.Count, Loc), R.Stride, Loc));
  Steps.push_back(Delete);
  return PseudoObjectExpr::Create(Ctx, Delete, Steps, Steps.size() - 1);
}

} // namespace nopal::frontend
