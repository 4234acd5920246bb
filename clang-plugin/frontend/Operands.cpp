//===- Operands.cpp - The operands of a spawned operation -----------------===//
//
// See Operands.h. Operands are replaced in place, like the flag of a call.
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "Diagnostics.h"
#include "MarkerBuilder.h"
#include "Spawn.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal::frontend {
namespace {

class Hoister {
public:
  Hoister(Sema &S, llvm::SmallVectorImpl<Expr *> &Out) : S(S), Ctx(S.Context), Out(Out) {}

  bool operands(Expr *Operation);
  bool MadeTemporary = false;

private:
  bool hoist(Expr *&E);
  bool initializer(Expr *E, llvm::function_ref<void(Expr *)> Set);
  bool construction(CXXConstructExpr *E);
  Expr *opaque(Expr *E, ExprValueKind Kind) {
    auto *Value =
        new (Ctx) OpaqueValueExpr(E->getExprLoc(), E->getType(), Kind, E->getObjectKind(), E);
    Out.push_back(Value);
    return Value;
  }

  Sema &S;
  ASTContext &Ctx;
  llvm::SmallVectorImpl<Expr *> &Out; ///< what the parent computes, in order
};

/// Gives \p E a value that the parent computes; false if that cannot be done.
bool Hoister::hoist(Expr *&E) {
  if (E->isGLValue()) {
    if (!isa<StringLiteral>(E->IgnoreParens())) // which may initialize an array
      E = opaque(E, E->getValueKind());
    return true;
  }
  QualType Type = E->getType();
  if (E->isEvaluatable(Ctx) || isa<ImplicitValueInitExpr>(E))
    return true;
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E); Construct && Construct->getNumArgs() == 0)
    return true;
  if (!Type->isRecordType()) {
    if (Type->isArrayType())
      return false;
    E = opaque(E, VK_PRValue);
    return true;
  }
  if (!Ctx.getLangOpts().CPlusPlus)
    return false;
  Expr *Made = opaque(S.CreateMaterializeTemporaryExpr(Type, E, /*BoundToLvalueReference=*/false),
                      VK_XValue);
  Sema::SFINAETrap Trap(S, /*WithAccessChecking=*/true);
  ExprResult Moved = S.PerformCopyInitialization(
      InitializedEntity::InitializeParameter(Ctx, Type.getUnqualifiedType(), /*Consumed=*/false),
      E->getExprLoc(), Made);
  if (Moved.isInvalid() || Trap.hasErrorOccurred())
    return false;
  MadeTemporary = true;
  E = Moved.get();
  return true;
}

bool Hoister::construction(CXXConstructExpr *E) {
  for (unsigned I = 0; I < E->getNumArgs(); ++I) {
    Expr *Arg = E->getArg(I);
    if (!hoist(Arg))
      return false;
    E->setArg(I, Arg);
  }
  return true;
}

/// \p E initializes an object; \p Set replaces it.
bool Hoister::initializer(Expr *E, llvm::function_ref<void(Expr *)> Set) {
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E))
    return construction(Construct);
  auto *List = dyn_cast<InitListExpr>(E);
  if (!List) {
    Expr *New = E;
    if (!hoist(New))
      return false;
    Set(New);
    return true;
  }
  for (unsigned I = 0; I < List->getNumInits(); ++I)
    if (Expr *Init = List->getInit(I)) {
      auto Replace = [&](Expr *New) { List->setInit(I, New); };
      // An element is copied into its place by the child, its operand by the parent.
      const bool IsObject =
          Init->getType()->isRecordType() && !isa<InitListExpr, ImplicitValueInitExpr>(Init);
      if (IsObject) {
        if (!hoist(Init))
          return false;
        Replace(Init);
      } else if (!initializer(Init, Replace)) {
        return false;
      }
    }
  return true;
}

bool Hoister::operands(Expr *Operation) {
  if (auto *Call = dyn_cast<CallExpr>(Operation)) {
    if (Ctx.BuiltinInfo.isUnevaluated(Call->getBuiltinCallee()))
      return true;
    for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
      Expr *Arg = Call->getArg(I);
      if (!hoist(Arg))
        return false;
      Call->setArg(I, Arg);
    }
    return true;
  }
  if (auto *Atomic = dyn_cast<AtomicExpr>(Operation))
    return llvm::all_of(llvm::MutableArrayRef(Atomic->getSubExprs(), Atomic->getNumSubExprs()),
                        [this](Expr *&Operand) { return hoist(Operand); });
  auto *New = cast<CXXNewExpr>(Operation);
  Expr *Initializer = New->getInitializer();
  for (Stmt **Operand = New->raw_arg_begin(); Operand != New->raw_arg_end(); ++Operand) {
    auto *E = cast_or_null<Expr>(*Operand);
    if (!E || E == Initializer)
      continue;
    if (!hoist(E))
      return false;
    *Operand = E;
  }
  if (!Initializer)
    return true;
  return initializer(Initializer, [&](Expr *E) {
    for (Stmt **Operand = New->raw_arg_begin(); Operand != New->raw_arg_end(); ++Operand)
      if (*Operand == Initializer)
        *Operand = E;
  });
}

} // namespace

void hoistOperands(const Spawn &S, Sema &SemaRef, MarkerBuilder &Build, Reporter &Report) {
  Expr *Sub = S.Marker->getSubExpr();
  if (isa<PseudoObjectExpr>(Sub->IgnoreImplicit()))
    return;
  EnterExpressionEvaluationContext Evaluated(
      SemaRef, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  llvm::SmallVector<Expr *, 8> Steps;
  Hoister Hoist(SemaRef, Steps);
  if (!Hoist.operands(S.Operation)) {
    Report.report(Diag::SpawnedOperand, S.Loc);
    return;
  }
  Steps.push_back(Build.childBegins(S.Loc));
  Steps.push_back(Sub);
  const bool HasResult = !Sub->getType()->isVoidType();
  Expr *All = PseudoObjectExpr::Create(SemaRef.Context, Sub, Steps,
                                       HasResult ? Steps.size() - 1 : PseudoObjectExpr::NoResult);
  if (Hoist.MadeTemporary)
    All = ExprWithCleanups::Create(SemaRef.Context, All, /*CleanupsHaveSideEffects=*/true, {});
  S.Marker->setSubExpr(All);
}

} // namespace nopal::frontend
