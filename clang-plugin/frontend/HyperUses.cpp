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
#include "HyperLifetimes.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal::frontend {
namespace {

class HyperRewriter {
public:
  HyperRewriter(FunctionDecl *FD, Sema &S, MarkerBuilder &Build, HyperCallbacks &Callbacks,
                Reporter &Report)
      : FD(FD), S(S), Build(Build), Callbacks(Callbacks), Report(Report), Ctx(S.Context), Types(FD),
        Lifetimes(FD, Build, Report) {}

  void run();

private:
  using Statements = llvm::SmallVector<Stmt *, 16>;

  void walk(Stmt *&Slot, bool AsObject = false);
  void walkExpression(Stmt *&Slot, bool AsObject);
  void walkChildren(Stmt *E, bool AsObject);
  void rewriteOperands(Expr *E, bool AsObject);
  void rewriteCall(CallExpr *Call);
  void rewriteArguments(llvm::MutableArrayRef<Stmt *> Slots, llvm::ArrayRef<Written> Parameters);
  void rewriteInitializer(Stmt *&Slot, Written To);
  void rewriteAggregate(Stmt *List, const FieldDecl *OfUnion);
  void rewriteCompound(Stmt *&Slot);
  void rewriteDeclaration(DeclStmt *Declared);
  void emitDeclaration(DeclStmt *Declared, Statements &Out);
  void rewriteDefaultArgument(ParmVarDecl *Param);
  Stmt *rewriteDefaultInitializer(CXXDefaultInitExpr *Default);
  void rewriteCaptures(LambdaExpr *E);
  Expr *constantReferee(Expr *E);
  void rewritePointerBase(Expr *E, Expr *Base);
  Stmt *buildView(Expr *E, const HyperType &T);
  void rewriteMemberInitializers(CXXConstructorDecl *Constructor);

  FunctionDecl *FD;
  Sema &S;
  MarkerBuilder &Build;
  HyperCallbacks &Callbacks;
  Reporter &Report;
  ASTContext &Ctx;
  HyperExpressions Types;
  HyperLifetimes Lifetimes;
};

/// Whether \p E may spawn and sync in what it calls.
static bool mayLeaveStrand(Expr *E) {
  struct Finder : compat::DynamicRecursiveASTVisitor {
    bool VisitExpr(Expr *E) override {
      auto *Call = dyn_cast<CallExpr>(E);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      const bool IsKnown = Callee && (Callee->getBuiltinID() || markerCalled(Call));
      Found |= (Call && !IsKnown) || isa<CXXConstructExpr>(E);
      return !Found;
    }
    bool Found = false;
  } F;
  F.TraverseStmt(E);
  return F.Found;
}

/// `*(T *)__nopal_view(__nopal_strand(), &E, sizeof(T), identity, reduce)`, or what is wrong.
Stmt *HyperRewriter::buildView(Expr *E, const HyperType &T) {
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
  Expr *Address = Build.storage(Build.addressOf(E, Loc));
  // The strand is asked for after that.
  const bool IsBefore = mayLeaveStrand(E);
  if (IsBefore)
    Address = new (Ctx) OpaqueValueExpr(Loc, Address->getType(), VK_PRValue, OK_Ordinary, Address);
  Expr *const Before = Address;
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
                         MarkerBuilder::Operand(Build.u64(Bytes, Loc)),
                         MarkerBuilder::Operand(Build.u64(Alignment, Loc)),
                         MarkerBuilder::Operand(Build.storage(Found.Identity)),
                         MarkerBuilder::Operand(Build.storage(Found.Reduce))},
                        Loc);
  }
  Result = Build.implicitCast(CK_BitCast, Ctx.getPointerType(Type), Result);
  Result = Build.unary(UO_Deref, Result, Type, VK_LValue, Loc);
  return IsBefore ? PseudoObjectExpr::Create(Ctx, E, {Before, Result}, 1) : Result;
}

/// \p Slot initializes what is written as \p To.
void HyperRewriter::rewriteInitializer(Stmt *&Slot, Written To) {
  walk(Slot, Types.checkBinding(cast<Expr>(Slot), To, Report));
}

/// The initializers of a class without constructors: its bases, then its fields.
void HyperRewriter::rewriteAggregate(Stmt *List, const FieldDecl *OfUnion) {
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
      rewriteInitializer(Child, I < To.size() ? To[I] : Written());
    ++I;
  }
}

void HyperRewriter::rewriteArguments(llvm::MutableArrayRef<Stmt *> Slots,
                                     llvm::ArrayRef<Written> Parameters) {
  for (unsigned I = 0; I < Slots.size(); ++I) {
    if (!Slots[I])
      continue;
    if (auto *Default = dyn_cast<CXXDefaultArgExpr>(Slots[I]))
      rewriteDefaultArgument(Default->getParam());
    else
      rewriteInitializer(Slots[I], I < Parameters.size() ? Parameters[I] : Written());
  }
}

void HyperRewriter::rewriteDefaultArgument(ParmVarDecl *Param) {
  if (!Param->hasDefaultArg() || Param->hasUnparsedDefaultArg() ||
      Param->hasUninstantiatedDefaultArg())
    return;
  Stmt *E = Param->getDefaultArg();
  Stmt *Old = E;
  rewriteInitializer(E, writtenType(Param));
  if (E != Old)
    Param->setDefaultArg(cast<Expr>(E));
}

/// The initializer of a member that \p Default stands for; often it holds that itself.
Stmt *HyperRewriter::rewriteDefaultInitializer(CXXDefaultInitExpr *Default) {
  FieldDecl *Field = Default->getField();
  Stmt *Init = Default->getExpr();
  if (!Init)
    return Default;
  Stmt *Old = Init;
  rewriteInitializer(Init, writtenType(Field));
  Expr *New = Lifetimes.registerBefore(cast<Expr>(Init));
  if (New == Old)
    return Default;
  if (Default->hasRewrittenInit())
    return CXXDefaultInitExpr::Create(Ctx, Default->getUsedLocation(), Field,
                                      Default->getUsedContext(), New);
  Field->setInClassInitializer(New);
  return Default;
}

static llvm::SmallVector<Written, 8> parametersOf(const FunctionDecl *Callee) {
  llvm::SmallVector<Written, 8> Result;
  for (const ParmVarDecl *Param : Callee->parameters())
    Result.push_back({Param->getType(), Callee});
  return Result;
}

void HyperRewriter::rewriteCall(CallExpr *Call) {
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
  rewriteArguments(llvm::MutableArrayRef(Slots).drop_front(First && !Slots.empty()), Parameters);
  for (unsigned I = 0; I < Slots.size(); ++I)
    Call->setArg(I, cast<Expr>(Slots[I]));
}

void HyperRewriter::rewriteCaptures(LambdaExpr *E) {
  auto Capture = E->capture_begin();
  for (Expr *&Init : E->capture_inits()) {
    Stmt *Slot = Init;
    if (Init)
      walk(Slot, Capture->getCaptureKind() == LCK_ByRef && !E->isInitCapture(&*Capture));
    Init = cast_or_null<Expr>(Slot);
    ++Capture;
  }
}

void HyperRewriter::walkChildren(Stmt *E, bool AsObject) {
  for (Stmt *&Child : E->children())
    if (Child)
      walk(Child, AsObject);
}

void HyperRewriter::walk(Stmt *&Slot, bool AsObject) {
  if (isa<CompoundStmt>(Slot))
    return rewriteCompound(Slot);
  if (auto *Declared = dyn_cast<DeclStmt>(Slot)) {
    rewriteDeclaration(Declared);
    Statements None;
    for (Decl *D : Declared->decls())
      if (auto *Var = dyn_cast<VarDecl>(D))
        Lifetimes.emitAfter(Var, /*InBlock=*/false, None);
    return;
  }
  if (isa<Expr>(Slot))
    return walkExpression(Slot, AsObject);
  if (auto *Catch = dyn_cast<CXXCatchStmt>(Slot)) {
    walkChildren(Catch, false);
    return Lifetimes.enterHandler(Catch);
  }
  auto *Return = dyn_cast<ReturnStmt>(Slot);
  if (!Return)
    return walkChildren(Slot, false);
  for (Stmt *&Child : Slot->children())
    if (Child && Child == Return->getRetValue())
      rewriteInitializer(Child, {FD->getReturnType(), FD});
}

/// Whether \p E may have uses that are no views yet.
static bool mayHaveUses(const Expr *E) {
  if (isView(E) || E->containsErrors() ||
      isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, ConstantExpr, OffsetOfExpr, RequiresExpr>(E))
    return false;
  if (E->getType()->isMemberPointerType() && isa<UnaryOperator>(E))
    return false; // the address of a member, of no object
  auto *Type = dyn_cast<CXXTypeidExpr>(E);
  return !Type || Type->isPotentiallyEvaluated();
}

static bool hasView(Stmt *S) {
  struct Finder : compat::DynamicRecursiveASTVisitor {
    bool VisitUnaryOperator(UnaryOperator *E) override { return !(Found |= isView(E)); }
    bool Found = false;
  } F;
  F.TraverseStmt(S);
  return F.Found;
}

/// What \p E designates if it names a reference that is bound to a global hyperobject's view, or a
/// part of it; else null. Clang takes that address for a constant, so it is the hyperobject's own
/// wherever the reference is used, and a lambda need not capture the reference.
Expr *HyperRewriter::constantReferee(Expr *E) {
  auto *Ref = dyn_cast<DeclRefExpr>(E);
  auto *Var = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  Var = Var && Var->getType()->isReferenceType() ? Var->getInitializingDeclaration() : nullptr;
  if (!Var || isa<ParmVarDecl>(Var) || !Var->getInit() || Var->getInit()->isValueDependent() ||
      hyperType(referee(writtenType(Var))) || Types.isCopied(Ref->getDecl()) ||
      !Var->evaluateValue())
    return nullptr;
  Stmt *&Init = *Var->getInitAddress();
  walk(Init);
  return hasView(Init) ? cast<Expr>(Init) : nullptr;
}

void HyperRewriter::walkExpression(Stmt *&Slot, bool AsObject) {
  auto *E = cast<Expr>(Slot);
  if (!mayHaveUses(E))
    return;
  if (Expr *Referee = constantReferee(E)) {
    Slot = Referee;
    return;
  }
  if (auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (auto *Part = dyn_cast<BindingDecl>(Ref->getDecl()); Part && Part->getBinding()) {
      Stmt *Inside = Part->getBinding(); // which may name such a reference
      walk(Inside, /*AsObject=*/true);
      if (Inside != Part->getBinding()) {
        Slot = Inside;
        return;
      }
    }
  auto *Unary = dyn_cast<UnaryOperator>(E);
  if (isa<ParenExpr>(E) || (isa<ImplicitCastExpr>(E) && E->isGLValue()) ||
      (Unary && Unary->getOpcode() == UO_Extension))
    return walkChildren(E, AsObject);
  if (auto *Choice = dyn_cast<GenericSelectionExpr>(E)) {
    for (Stmt *&Child : E->children())
      if (Child == Choice->getResultExpr())
        walk(Child, AsObject);
    return;
  }
  if (auto *Lambda = dyn_cast<LambdaExpr>(E))
    return rewriteCaptures(Lambda);
  if (auto *Default = dyn_cast<CXXDefaultInitExpr>(E)) {
    Slot = rewriteDefaultInitializer(Default);
    return;
  }
  rewriteOperands(E, AsObject);
  if (auto *Member = dyn_cast<MemberExpr>(E); Member && Member->isArrow())
    rewritePointerBase(E, Member->getBase());
  else if (auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->getOpcode() == BO_PtrMemI)
    rewritePointerBase(E, Binary->getLHS());
  if (isa<MaterializeTemporaryExpr>(E) || (isa<CompoundLiteralExpr>(E) && E->isGLValue() &&
                                           !cast<CompoundLiteralExpr>(E)->isFileScope()))
    Slot = Lifetimes.registerUnnamed(E);
  else if (auto *New = dyn_cast<CXXNewExpr>(E))
    Slot = Lifetimes.registerAfterNew(New);
  else if (auto *Delete = dyn_cast<CXXDeleteExpr>(E))
    Slot = Lifetimes.endBeforeDelete(Delete, pointee(Types.valueOf(Delete->getArgument())));
  else if (!AsObject)
    if (auto T = Types.hyperobject(E))
      Slot = buildView(E, *T);
}

/// The operands of \p E, of which some may be what \p E is \p AsObject.
void HyperRewriter::rewriteOperands(Expr *E, bool AsObject) {
  if (auto *Call = dyn_cast<CallExpr>(E))
    return rewriteCall(Call);
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    llvm::SmallVector<Stmt *, 8> Slots(Construct->arguments());
    rewriteArguments(Slots, parametersOf(Construct->getConstructor()));
    for (unsigned I = 0; I < Slots.size(); ++I)
      Construct->setArg(I, cast<Expr>(Slots[I]));
  } else if (auto *List = dyn_cast<InitListExpr>(E)) {
    rewriteAggregate(List, List->getInitializedFieldInUnion());
    if (Stmt *Filler = List->getArrayFiller())
      walk(Filler);
  } else if (auto *List = dyn_cast<CXXParenListInitExpr>(E)) {
    rewriteAggregate(List, List->getInitializedFieldInUnion());
  } else if (auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
    walkChildren(E, hyperType(referee({Cast->getTypeAsWritten(), FD})).has_value());
  } else if (auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Assign)
      Types.checkPointer(Binary->getRHS(), Types.valueOf(Binary->getLHS()), Report);
    for (Stmt *&Child : E->children())
      walk(Child, AsObject && Binary->getOpcode() == BO_Comma && Child == Binary->getRHS());
  } else if (auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    for (Stmt *&Child : E->children())
      walk(Child, AsObject && Child != Choice->getCond());
  } else {
    walkChildren(E, false);
  }
}

/// `p->member` of a pointer to a hyperobject is one of the view.
void HyperRewriter::rewritePointerBase(Expr *E, Expr *Base) {
  auto T = hyperType(pointee(Types.valueOf(Base)));
  if (!T)
    return;
  const SourceLocation Loc = Base->getExprLoc();
  Expr *Object = Build.unary(UO_Deref, Base, Base->getType()->getPointeeType(), VK_LValue, Loc);
  Stmt *View = buildView(Object, *T);
  if (View == Object)
    return; // refused
  for (Stmt *&Child : E->children())
    if (Child == Base)
      Child = Build.addressOf(cast<Expr>(View), Loc);
}

void HyperRewriter::rewriteDeclaration(DeclStmt *Declared) {
  llvm::SmallDenseMap<Stmt **, VarDecl *> Initializers;
  for (Decl *D : Declared->decls()) {
    auto *Var = dyn_cast<VarDecl>(D);
    if (!Var)
      continue;
    if (Var->getInit())
      Initializers[Var->getInitAddress()] = Var;
    // Before its initializer becomes a view; in a precompiled header Clang has not kept the value.
    if (Var->getType()->isReferenceType() && Var->getInit() && !Var->getInit()->isValueDependent())
      (void)Var->evaluateValue();
    if (auto *Binding = dyn_cast<DecompositionDecl>(Var))
      for (BindingDecl *Part : compat::bindingsOf(Binding))
        if (VarDecl *Holder = Part->getHoldingVar(); Holder && Holder->getInit()) {
          if (!Holder->getInit()->isValueDependent())
            (void)Holder->evaluateValue();
          walk(*Holder->getInitAddress());
        }
  }
  for (Stmt *&Child : Declared->children()) {
    if (!Child)
      continue;
    VarDecl *Var = Initializers.lookup(&Child);
    if (!Var)
      walk(Child); // the size of an array
    else if (!Var->isStaticLocal() ||
             (Ctx.getLangOpts().CPlusPlus && !Var->hasConstantInitialization())) {
      rewriteInitializer(Child, writtenType(Var));
      Child = Lifetimes.registerBefore(cast<Expr>(Child), Var);
    }
  }
}

/// \p Declared, and what follows each of its variables. So a variable that something follows ends
/// a statement: the initializer of the next one may use it.
void HyperRewriter::emitDeclaration(DeclStmt *Declared, Statements &Out) {
  rewriteDeclaration(Declared);
  llvm::SmallVector<Decl *, 4> Group;
  const unsigned Size = std::distance(Declared->decl_begin(), Declared->decl_end());
  auto EmitGroup = [&] {
    Out.push_back(Group.size() == Size
                      ? Declared
                      : new (Ctx) DeclStmt(DeclGroupRef::Create(Ctx, Group.data(), Group.size()),
                                           Declared->getBeginLoc(), Declared->getEndLoc()));
    Group.clear();
  };
  for (Decl *D : Declared->decls()) {
    Statements After;
    if (auto *Var = dyn_cast<VarDecl>(D))
      Lifetimes.emitAfter(Var, /*InBlock=*/true, After);
    Group.push_back(D);
    if (After.empty())
      continue;
    EmitGroup();
    Out.append(After);
  }
  if (!Group.empty())
    EmitGroup();
}

void HyperRewriter::rewriteCompound(Stmt *&Slot) {
  auto *Body = cast<CompoundStmt>(Slot);
  Statements Out;
  bool Changed = false;
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
    if (std::next(It) != All.end() && isLifetime(*std::next(It))) {
      // An instance that shares the block has it.
      rewriteDeclaration(Declared);
      Out.push_back(Child);
      continue;
    }
    const size_t Before = Out.size();
    emitDeclaration(Declared, Out);
    Changed |= Out.size() != Before + 1;
  }
  if (!Changed || Out.size() == Body->size())
    return; // replaced in place
  Slot = Build.withStatements(Body, Out);
}

static CXXCtorInitializer *withInitializer(const CXXCtorInitializer *Init, Expr *E,
                                           ASTContext &Ctx) {
  const SourceLocation Left = Init->getLParenLoc(), Right = Init->getRParenLoc();
  CXXCtorInitializer *Result;
  if (Init->isBaseInitializer())
    Result = new (Ctx) CXXCtorInitializer(Ctx, Init->getTypeSourceInfo(), Init->isBaseVirtual(),
                                          Left, E, Right, Init->getEllipsisLoc());
  else if (Init->isIndirectMemberInitializer())
    Result = new (Ctx) CXXCtorInitializer(Ctx, Init->getIndirectMember(), Init->getMemberLocation(),
                                          Left, E, Right);
  else
    Result = new (Ctx)
        CXXCtorInitializer(Ctx, Init->getMember(), Init->getMemberLocation(), Left, E, Right);
  if (Init->isWritten())
    Result->setSourceOrder(Init->getSourceOrder());
  return Result;
}

void HyperRewriter::rewriteMemberInitializers(CXXConstructorDecl *Constructor) {
  llvm::MutableArrayRef All(Constructor->init_begin(), Constructor->getNumCtorInitializers());
  bool IsRegistered = Constructor->isDelegatingConstructor();
  for (CXXCtorInitializer *&Init : All) {
    Stmt *E = Init->getInit();
    if (!E)
      continue;
    Stmt *Old = E;
    rewriteInitializer(E, Init->isMemberInitializer() ? writtenType(Init->getMember()) : Written());
    // That of a virtual base is not for each object.
    if (!IsRegistered && !(Init->isBaseInitializer() && Init->isBaseVirtual())) {
      Stmt *Plain = E;
      E = Lifetimes.registerBefore(cast<Expr>(E));
      IsRegistered = E != Plain;
    }
    if (E != Old) // not replaced in place
      Init = withInitializer(Init, cast<Expr>(E), Ctx);
  }
}

void HyperRewriter::run() {
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(FD))
    rewriteMemberInitializers(Constructor);
  Stmt *Body = FD->getBody();
  Stmt *Old = Body;
  walk(Body);
  Body = Lifetimes.withEntry(Body);
  if (Body != Old)
    FD->setBody(Body);
}

} // namespace

void rewriteHyperobjects(FunctionDecl *FD, Sema &S, MarkerBuilder &Build, HyperCallbacks &Callbacks,
                         Reporter &Report) {
  if (!FD->isInvalidDecl())
    HyperRewriter(FD, S, Build, Callbacks, Report).run();
}

} // namespace nopal::frontend
