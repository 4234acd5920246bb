//===- HyperUses.cpp - Each use of a hyperobject is its view --------------===//
//
// One walk over a body, children first. An expression is replaced in its parent; what was
// replaced before, in an expression that instances of a template share, is left alone.
// A use is no view where the hyperobject itself is asked for: under __builtin_addressof, and
// where a reference is bound that is written as one to a hyperobject.
//
//===----------------------------------------------------------------------===//
#include "HyperUses.h"
#include "../compatibility/Compatibility.h"
#include "HyperExpressions.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal::frontend {
namespace {

class Rewriter {
public:
  Rewriter(FunctionDecl *FD, Sema &S, MarkerBuilder &Build, HyperCallbacks &Callbacks,
           Reporter &Report)
      : FD(FD), S(S), Build(Build), Callbacks(Callbacks), Report(Report), Ctx(S.Context),
        Types(FD) {}

  void run();

private:
  using Statements = llvm::SmallVector<Stmt *, 16>;

  void walk(Stmt *&Slot, bool AsObject = false);
  void children(Stmt *E, bool AsObject);
  void call(CallExpr *Call);
  void arguments(llvm::MutableArrayRef<Stmt *> Slots, llvm::ArrayRef<Written> Parameters);
  void bind(Stmt *&Slot, Written To);
  void aggregate(Stmt *List, const FieldDecl *OfUnion);
  void compound(Stmt *&Slot);
  void declaration(DeclStmt *S, bool InBlock, Statements &After);
  void defaultArgument(ParmVarDecl *Param);
  void lambda(LambdaExpr *E);
  void pointerBase(Expr *E, Expr *Base);
  Stmt *view(Expr *E, const HyperType &T);
  Stmt *made(CXXNewExpr *New);
  Stmt *deleted(CXXDeleteExpr *Delete);
  Expr *at(Expr *Address, uint64_t Offset, SourceLocation Loc);
  Expr *untyped(Expr *Pointer);
  Expr *number(uint64_t N, SourceLocation Loc) {
    return Build.number(N, Build.typeOf(MarkerType::U64), Loc);
  }
  Stmt *range(Marker M, Expr *First, Expr *Count, uint64_t Stride, SourceLocation Loc) {
    return Build.call(M,
                      {MarkerBuilder::Operand(First), MarkerBuilder::Operand(Count),
                       MarkerBuilder::Operand(number(Stride, Loc))},
                      Loc);
  }
  void home(Expr *Address, llvm::ArrayRef<HyperRange> Ranges, bool Ends, SourceLocation Loc,
            llvm::SmallVectorImpl<Stmt *> &Out);
  void initializers(CXXConstructorDecl *Constructor);
  bool mayBeJumpedOver();

  FunctionDecl *FD;
  Sema &S;
  MarkerBuilder &Build;
  HyperCallbacks &Callbacks;
  Reporter &Report;
  ASTContext &Ctx;
  HyperExpressions Types;
  std::optional<bool> HasLabels;
};

Expr *Rewriter::untyped(Expr *Pointer) {
  return Build.implicitCast(CK_BitCast, Build.typeOf(MarkerType::Storage), Pointer);
}

/// `*(T *)__nopal_view(__nopal_strand(), &E, sizeof(T), identity, reduce)`, or what is wrong.
Stmt *Rewriter::view(Expr *E, const HyperType &T) {
  const SourceLocation Loc = E->getExprLoc();
  HyperCallbacks::Found Found = Callbacks.find(T);
  if (!Found)
    return E;
  // Without the annotation, or the view would be taken for a hyperobject.
  QualType Type =
      Ctx.getQualifiedType(T.View.Type.getUnqualifiedType(), E->getType().getQualifiers());
  if (Type->isIncompleteType()) {
    Report.report(Diag::HyperIncomplete, T.loc(), nameOfView(Type));
    return E;
  }
  Expr *Address = untyped(Build.addressOf(E, Loc));
  Expr *Strand = Build.call(Marker::Strand, {}, Loc);
  Expr *Result;
  if (Found.ViewType) {
    LookupResult R(S, &Ctx.Idents.get("nopal_view"), Loc, Sema::LookupOrdinaryName);
    S.LookupQualifiedName(R, Ctx.getTranslationUnitDecl());
    auto *Function = R.getAsSingle<FunctionDecl>();
    if (!Function) {
      Report.report(Diag::HyperHeader, T.loc());
      return E;
    }
    auto As = [&](unsigned I, Expr *Pointer) {
      return Build.implicitCast(CK_BitCast, Function->getParamDecl(I)->getType(), Pointer);
    };
    Result = Build.Nodes::call(
        Function, {As(0, Strand), As(1, Address), As(2, Build.addressOf(Found.ViewType, Loc))},
        Loc);
  } else {
    uint64_t Bytes = Ctx.getTypeSizeInChars(Type).getQuantity();
    uint64_t Alignment = Ctx.getTypeAlignInChars(Type).getQuantity();
    Result = Build.call(Marker::View,
                        {MarkerBuilder::Operand(Strand), MarkerBuilder::Operand(Address),
                         MarkerBuilder::Operand(number(Bytes, Loc)),
                         MarkerBuilder::Operand(number(Alignment, Loc)),
                         MarkerBuilder::Operand(untyped(Found.Identity)),
                         MarkerBuilder::Operand(untyped(Found.Reduce))},
                        Loc);
  }
  Result = Build.implicitCast(CK_BitCast, Ctx.getPointerType(Type), Result);
  return Build.unary(UO_Deref, Result, Type, VK_LValue, Loc);
}

/// \p Slot initializes what is written as \p To.
void Rewriter::bind(Stmt *&Slot, Written To) {
  walk(Slot, Types.checkBinding(cast<Expr>(Slot), To, Report));
}

/// The initializers of a class without constructors: its bases, then its fields.
void Rewriter::aggregate(Stmt *List, const FieldDecl *OfUnion) {
  const RecordDecl *Class = cast<Expr>(List)->getType()->getAsRecordDecl();
  llvm::SmallVector<Written, 8> To;
  if (OfUnion) {
    To.push_back(writtenType(OfUnion));
  } else if (Class && !Class->isUnion()) {
    if (auto *Derived = dyn_cast<CXXRecordDecl>(Class))
      To.resize(Derived->getNumBases());
    for (const FieldDecl *Field : Class->fields())
      if (!Field->isUnnamedBitField())
        To.push_back(writtenType(Field));
  }
  unsigned I = 0;
  for (Stmt *&Child : List->children()) {
    if (Child && isa<CXXDefaultInitExpr>(Child))
      walk(Child);
    else if (Child)
      bind(Child, I < To.size() ? To[I] : Written());
    ++I;
  }
}

void Rewriter::arguments(llvm::MutableArrayRef<Stmt *> Slots, llvm::ArrayRef<Written> Parameters) {
  for (unsigned I = 0; I < Slots.size(); ++I) {
    if (!Slots[I])
      continue;
    if (auto *Default = dyn_cast<CXXDefaultArgExpr>(Slots[I]))
      defaultArgument(Default->getParam());
    else
      bind(Slots[I], I < Parameters.size() ? Parameters[I] : Written());
  }
}

void Rewriter::defaultArgument(ParmVarDecl *Param) {
  if (!Param->hasDefaultArg() || Param->hasUnparsedDefaultArg() ||
      Param->hasUninstantiatedDefaultArg())
    return;
  Stmt *E = Param->getDefaultArg();
  Stmt *Old = E;
  bind(E, writtenType(Param));
  if (E != Old)
    Param->setDefaultArg(cast<Expr>(E));
}

static llvm::SmallVector<Written, 8> parametersOf(const FunctionDecl *Callee) {
  llvm::SmallVector<Written, 8> Result;
  for (const ParmVarDecl *Param : Callee->parameters())
    Result.push_back({Param->getType(), Callee});
  return Result;
}

void Rewriter::call(CallExpr *Call) {
  if (isBuiltinAddressOf(Call)) {
    Stmt *Argument = Call->getArg(0);
    walk(Argument, /*AsObject=*/true);
    Call->setArg(0, cast<Expr>(Argument));
    return;
  }
  if (Call->isUnevaluatedBuiltinCall(Ctx))
    return;
  Stmt *Callee = Call->getCallee();
  walk(Callee);
  Call->setCallee(cast<Expr>(Callee));
  llvm::SmallVector<Written, 8> Parameters;
  unsigned First = 0;
  if (FunctionDecl *Function = Call->getDirectCallee()) {
    Parameters = parametersOf(Function);
    auto *Method = dyn_cast<CXXMethodDecl>(Function);
    First = isa<CXXOperatorCallExpr>(Call) && Method && Method->isImplicitObjectMemberFunction();
  } else {
    QualType Type = Call->getCallee()->getType();
    if (auto *Pointer = Type->getAs<PointerType>())
      Type = Pointer->getPointeeType();
    if (auto *Prototype = Type->getAs<FunctionProtoType>())
      for (QualType T : Prototype->param_types())
        Parameters.push_back({T, FD});
  }
  llvm::SmallVector<Stmt *, 8> Slots(Call->arguments());
  if (First && !Slots.empty())
    walk(Slots[0]);
  arguments(llvm::MutableArrayRef(Slots).drop_front(First && !Slots.empty()), Parameters);
  for (unsigned I = 0; I < Slots.size(); ++I)
    Call->setArg(I, cast<Expr>(Slots[I]));
}

void Rewriter::lambda(LambdaExpr *E) {
  auto Capture = E->capture_begin();
  for (Expr *&Init : E->capture_inits()) {
    Stmt *Slot = Init;
    if (Init)
      walk(Slot, Capture->getCaptureKind() == LCK_ByRef && !E->isInitCapture(&*Capture));
    Init = cast_or_null<Expr>(Slot);
    ++Capture;
  }
}

void Rewriter::children(Stmt *E, bool AsObject) {
  for (Stmt *&Child : E->children())
    if (Child)
      walk(Child, AsObject);
}

void Rewriter::walk(Stmt *&Slot, bool AsObject) {
  if (isa<CompoundStmt>(Slot))
    return compound(Slot);
  if (auto *Declared = dyn_cast<DeclStmt>(Slot)) {
    Statements None;
    return declaration(Declared, /*InBlock=*/false, None);
  }
  auto *E = dyn_cast<Expr>(Slot);
  if (!E) {
    if (auto *Return = dyn_cast<ReturnStmt>(Slot)) {
      for (Stmt *&Child : Slot->children())
        if (Child && Child == Return->getRetValue())
          bind(Child, {FD->getReturnType(), FD});
      return;
    }
    return children(Slot, false);
  }
  if (isView(E) || E->containsErrors() ||
      isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, ConstantExpr, OffsetOfExpr, RequiresExpr>(E))
    return;
  if (E->getType()->isMemberPointerType() && isa<UnaryOperator>(E))
    return; // the address of a member, of no object
  if (auto *Type = dyn_cast<CXXTypeidExpr>(E); Type && !Type->isPotentiallyEvaluated())
    return;
  if (auto *Choice = dyn_cast<GenericSelectionExpr>(E)) {
    for (Stmt *&Child : E->children())
      if (Child == Choice->getResultExpr())
        walk(Child, AsObject);
    return;
  }
  if (auto *Lambda = dyn_cast<LambdaExpr>(E))
    return lambda(Lambda);
  if (auto *Call = dyn_cast<CallExpr>(E)) {
    call(Call);
  } else if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    llvm::SmallVector<Stmt *, 8> Slots(Construct->arguments());
    arguments(Slots, parametersOf(Construct->getConstructor()));
    for (unsigned I = 0; I < Slots.size(); ++I)
      Construct->setArg(I, cast<Expr>(Slots[I]));
  } else if (auto *List = dyn_cast<InitListExpr>(E)) {
    aggregate(List, List->getInitializedFieldInUnion());
  } else if (auto *List = dyn_cast<CXXParenListInitExpr>(E)) {
    aggregate(List, List->getInitializedFieldInUnion());
  } else if (auto *Default = dyn_cast<CXXDefaultInitExpr>(E)) {
    FieldDecl *Field = Default->getField();
    Stmt *Init = Field->getInClassInitializer();
    Stmt *Old = Init;
    if (Init)
      bind(Init, writtenType(Field));
    if (Init != Old)
      Field->setInClassInitializer(cast<Expr>(Init));
  } else if (auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
    children(E, hyperType(referee({Cast->getTypeAsWritten(), FD})).has_value());
  } else if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Assign)
      Types.checkPointer(Binary->getRHS(), Types.valueOf(Binary->getLHS()), Report);
    for (Stmt *&Child : E->children())
      walk(Child, AsObject && Binary->getOpcode() == BO_Comma && Child == Binary->getRHS());
  } else if (auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    for (Stmt *&Child : E->children())
      walk(Child, AsObject && Child != Choice->getCond());
  } else if (isa<ParenExpr>(E) || (isa<ImplicitCastExpr>(E) && E->isGLValue())) {
    return children(E, AsObject);
  } else {
    children(E, false);
  }
  if (auto *Member = dyn_cast<MemberExpr>(E); Member && Member->isArrow())
    pointerBase(E, Member->getBase());
  else if (auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->getOpcode() == BO_PtrMemI)
    pointerBase(E, Binary->getLHS());
  if (auto *New = dyn_cast<CXXNewExpr>(E))
    Slot = made(New);
  else if (auto *Delete = dyn_cast<CXXDeleteExpr>(E))
    Slot = deleted(Delete);
  else if (!AsObject)
    if (auto T = Types.hyperobject(E))
      Slot = view(E, *T);
}

/// `p->member` of a pointer to a hyperobject is one of the view.
void Rewriter::pointerBase(Expr *E, Expr *Base) {
  auto T = hyperType(pointee(Types.valueOf(Base)));
  if (!T)
    return;
  const SourceLocation Loc = Base->getExprLoc();
  Expr *Object = Build.unary(UO_Deref, Base, Base->getType()->getPointeeType(), VK_LValue, Loc);
  Stmt *View = view(Object, *T);
  if (View == Object)
    return; // refused
  for (Stmt *&Child : E->children())
    if (Child == Base)
      Child = Build.addressOf(cast<Expr>(View), Loc);
}

/// Labels, or switches: control may come to a statement without its declarations.
bool Rewriter::mayBeJumpedOver() {
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
Expr *Rewriter::at(Expr *Address, uint64_t Offset, SourceLocation Loc) {
  QualType Bytes = Ctx.getPointerType(Ctx.CharTy);
  Expr *First = Build.implicitCast(CK_BitCast, Bytes, Address);
  if (Offset)
    First = Build.binary(BO_Add, First, number(Offset, Loc), Bytes, Loc);
  return untyped(First);
}

/// Says that the strand makes the hyperobjects of the object at \p Address, and, unless another
/// destructor does, where they die. \p Address may be used several times.
void Rewriter::home(Expr *Address, llvm::ArrayRef<HyperRange> Ranges, bool Ends, SourceLocation Loc,
                    llvm::SmallVectorImpl<Stmt *> &Out) {
  for (const HyperRange &R : Ranges) {
    if (Ends) {
      QualType U64 = Build.typeOf(MarkerType::U64);
      QualType Type =
          Ctx.getConstantArrayType(U64, llvm::APInt(64, 3), nullptr, ArraySizeModifier::Normal, 0);
      Expr *Parts[] = {Build.implicitCast(CK_PointerToIntegral, U64, at(Address, R.Offset, Loc)),
                       number(R.Count, Loc), number(R.Stride, Loc)};
      auto *List = new (Ctx) InitListExpr(Ctx, Loc, Parts, Loc);
      List->setType(Type);
      Out.push_back(
          Build.atScopeExit(Marker::ViewsEndCleanup, "__nopal_home", Type, List, FD, Loc));
    }
    Out.push_back(
        range(Marker::ViewsBegin, at(Address, R.Offset, Loc), number(R.Count, Loc), R.Stride, Loc));
  }
}

void Rewriter::declaration(DeclStmt *Declared, bool InBlock, Statements &After) {
  llvm::SmallDenseMap<Stmt **, VarDecl *> Initializers;
  for (Decl *D : Declared->decls()) {
    auto *Var = dyn_cast<VarDecl>(D);
    if (!Var)
      continue;
    if (Var->getInit())
      Initializers[Var->getInitAddress()] = Var;
    if (auto *Binding = dyn_cast<DecompositionDecl>(Var))
      for (BindingDecl *Part : compat::bindingsOf(Binding))
        if (VarDecl *Holder = Part->getHoldingVar(); Holder && Holder->getInit())
          walk(*Holder->getInitAddress());
  }
  for (Stmt *&Child : Declared->children()) {
    if (!Child)
      continue;
    VarDecl *Var = Initializers.lookup(&Child);
    if (!Var)
      walk(Child); // the size of an array
    else if (!Var->isStaticLocal() ||
             (Ctx.getLangOpts().CPlusPlus && !Var->hasConstantInitialization()))
      bind(Child, writtenType(Var));
  }
  for (Decl *D : Declared->decls()) {
    auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasLocalStorage() || Var->getType()->isReferenceType())
      continue;
    Written T = writtenType(Var);
    if (isDeduced(Var->getType()) && !hyperFieldOf(Var->getType()))
      continue;
    if (auto Hyper = hyperTypeIn(T); Hyper && Var->getType()->isVariableArrayType() && element(T)) {
      Report.report(Diag::HyperVariableLength, Hyper->loc(), nameOfView(Var->getType()));
      continue;
    }
    auto Ranges = hyperRanges(T, Ctx);
    if (Ranges.empty())
      continue;
    if (!InBlock) {
      auto Hyper = hyperTypeIn(T);
      Report.report(Diag::HyperPlace,
                    Hyper ? Hyper->loc() : hyperFieldOf(Var->getType())->getLocation(),
                    Var->getNameAsString(), Var->getLocation());
      continue;
    }
    const SourceLocation Loc = Var->getLocation();
    home(Build.addressOf(Build.reference(Var, Loc), Loc), Ranges, !mayBeJumpedOver(), Loc, After);
  }
}

void Rewriter::compound(Stmt *&Slot) {
  auto *Body = cast<CompoundStmt>(Slot);
  Statements Out;
  bool Changed = false;
  auto IsHome = [](const Stmt *S) {
    auto *Declared = dyn_cast<DeclStmt>(S);
    auto *Var = Declared && Declared->isSingleDecl() ? dyn_cast<VarDecl>(Declared->getSingleDecl())
                                                     : nullptr;
    return (Var && Var->getIdentifier() && Var->getName() == "__nopal_home") ||
           isCallOf(S, Marker::ViewsBegin);
  };
  auto All = Body->body();
  for (auto It = All.begin(); It != All.end(); ++It) {
    Stmt *&Child = *It;
    auto *Declared = dyn_cast<DeclStmt>(Child);
    if (!Declared) {
      Stmt *Old = Child;
      walk(Child);
      Changed |= Child != Old;
      Out.push_back(Child);
      continue;
    }
    Statements After;
    declaration(Declared, /*InBlock=*/true, After);
    Out.push_back(Child);
    // An instance that shares the block has it.
    if (!After.empty() && !(std::next(It) != All.end() && IsHome(*std::next(It)))) {
      Out.append(After);
      Changed = true;
    }
  }
  if (!Changed || Out.size() == Body->size())
    return; // replaced in place
  Slot = Build.withStatements(Body, Out);
}

/// `new T[n]`, and then the strand knows the hyperobjects in it.
Stmt *Rewriter::made(CXXNewExpr *New) {
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
      Steps.push_back(cast<Expr>(range(Marker::ViewsBegin, at(Object, R.Offset, Loc),
                                       number(R.Count, Loc), R.Stride, Loc)));
      continue;
    }
    Expr *Many = Build.implicitCast(CK_IntegralCast, Build.typeOf(MarkerType::U64), Count);
    for (uint64_t I = 0; I < R.Count; ++I)
      Steps.push_back(cast<Expr>(
          range(Marker::ViewsBegin, at(Object, R.Offset + I * R.Stride, Loc), Many, Bytes, Loc)));
  }
  return PseudoObjectExpr::Create(Ctx, New, Steps, Result);
}

/// `delete p` of what has hyperobjects and no destructor of the user's.
Stmt *Rewriter::deleted(CXXDeleteExpr *Delete) {
  Written T = pointee(Types.valueOf(Delete->getArgument()));
  if (!T || Delete->isArrayForm() || T.Type->isIncompleteType() || T.Type->isVoidType())
    return Delete;
  auto Ranges = hyperRanges(T, Ctx);
  auto *Class = T.Type->getAsCXXRecordDecl();
  if (Ranges.empty() || (Class && Class->hasUserDeclaredDestructor()))
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
    Steps.push_back(cast<Expr>(
        range(Marker::ViewsEnd, at(Object, R.Offset, Loc), number(R.Count, Loc), R.Stride, Loc)));
  Steps.push_back(Delete);
  return PseudoObjectExpr::Create(Ctx, Delete, Steps, Steps.size() - 1);
}

void Rewriter::initializers(CXXConstructorDecl *Constructor) {
  llvm::MutableArrayRef All(Constructor->init_begin(), Constructor->getNumCtorInitializers());
  for (CXXCtorInitializer *&Init : All) {
    Stmt *E = Init->getInit();
    if (!E)
      continue;
    Stmt *Old = E;
    bind(E, Init->isMemberInitializer() ? writtenType(Init->getMember()) : Written());
    if (E == Old) // replaced in place, if at all
      continue;
    // A member that is a reference to a view.
    assert(Init->isMemberInitializer());
    Init = new (Ctx) CXXCtorInitializer(Ctx, Init->getMember(), Init->getMemberLocation(),
                                        Init->getLParenLoc(), cast<Expr>(E), Init->getRParenLoc());
  }
}

void Rewriter::run() {
  const SourceLocation Loc = FD->getLocation();
  Statements First;
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(FD))
    initializers(Constructor);
  auto *Method = dyn_cast<CXXMethodDecl>(FD);
  if (Method && isa<CXXConstructorDecl, CXXDestructorDecl>(FD) && !FD->isDefaulted() &&
      !Method->getParent()->isLambda()) {
    auto Ranges = hyperRanges(Method->getParent(), Ctx);
    if (!Ranges.empty())
      home(CXXThisExpr::Create(Ctx, Loc, Method->getThisType(), /*IsImplicit=*/true), Ranges,
           isa<CXXDestructorDecl>(FD), Loc, First);
  }
  for (ParmVarDecl *Param : FD->parameters()) {
    if (Param->getType()->isReferenceType())
      continue;
    auto Ranges = hyperRanges(writtenType(Param), Ctx);
    if (!Ranges.empty())
      home(Build.addressOf(Build.reference(Param, Loc), Loc), Ranges, true, Loc, First);
  }
  Stmt *Body = FD->getBody();
  Stmt *Old = Body;
  walk(Body);
  if (auto *Block = dyn_cast<CompoundStmt>(Body); Block && !First.empty()) {
    llvm::append_range(First, Block->body());
    Body = Build.withStatements(Block, First);
  }
  if (Body != Old)
    FD->setBody(Body);
}

} // namespace

void rewriteHyperobjects(FunctionDecl *FD, Sema &S, MarkerBuilder &Build, HyperCallbacks &Callbacks,
                         Reporter &Report) {
  if (!FD->isInvalidDecl())
    Rewriter(FD, S, Build, Callbacks, Report).run();
}

} // namespace nopal::frontend
