//===- PartAccesses.cpp - Variables that a parallel part uses -------------===//
//
// See PartAccesses.h.
//
//===----------------------------------------------------------------------===//
#include "PartAccesses.h"
#include "Spawn.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// The function object that makes one value of two that \p Op has changed in parallel.
llvm::StringRef operationOf(BinaryOperatorKind Op) {
  switch (Op) {
  case BO_Add:
  case BO_AddAssign:
  case BO_SubAssign:
    return "std::plus<>";
  case BO_Mul:
  case BO_MulAssign:
    return "std::multiplies<>";
  case BO_And:
  case BO_AndAssign:
    return "std::bit_and<>";
  case BO_Or:
  case BO_OrAssign:
    return "std::bit_or<>";
  case BO_Xor:
  case BO_XorAssign:
    return "std::bit_xor<>";
  default:
    return "";
  }
}

bool speaksOfLock(llvm::StringRef Name) {
  return Name.contains_insensitive("lock") || Name.contains_insensitive("guard") ||
         Name.contains_insensitive("mutex") || Name.contains_insensitive("critical");
}

bool isLock(const Stmt *S) {
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    return llvm::any_of(Decls->decls(), [](const Decl *D) {
      auto *Var = dyn_cast<VarDecl>(D);
      auto *Class = Var ? Var->getType()->getAsRecordDecl() : nullptr;
      return Class && speaksOfLock(Class->getName());
    });
  auto *E = dyn_cast<Expr>(S);
  auto *Call = E ? dyn_cast<CallExpr>(E->IgnoreImplicit()) : nullptr;
  auto *Callee = Call ? dyn_cast_or_null<NamedDecl>(Call->getCalleeDecl()) : nullptr;
  return Callee && Callee->getIdentifier() && speaksOfLock(Callee->getName()) &&
         !Callee->getName().contains_insensitive("unlock");
}

bool isAtomic(const Expr *E) {
  QualType T = E->getType();
  auto *Class = T.isNull() ? nullptr : T->getAsRecordDecl();
  return !T.isNull() && (T.isVolatileQualified() || T->isAtomicType() ||
                         (Class && Class->getIdentifier() && Class->getName().contains("atomic")));
}

/// Whether \p Child of \p S may be passed over.
bool isBranch(const Stmt *S, const Stmt *Child) {
  if (auto *If = dyn_cast<IfStmt>(S))
    return Child == If->getThen() || Child == If->getElse();
  if (auto *Switch = dyn_cast<SwitchStmt>(S))
    return Child == Switch->getBody();
  if (auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
    return Child == Choice->getTrueExpr() || Child == Choice->getFalseExpr();
  auto *Operator = dyn_cast<BinaryOperator>(S);
  return Operator && Operator->isLogicalOp() && Child == Operator->getRHS();
}

} // namespace

PartAccesses::PartAccesses(const Decl *Context, const VarDecl *Control)
    : Ctx(Context->getASTContext()), Types(Context), Control(Control) {}

PartAccesses PartAccesses::ofLambda(const LambdaExpr *Lambda) {
  PartAccesses Part(Lambda->getCallOperator());
  for (const LambdaCapture &C : Lambda->captures()) {
    if (C.capturesVariable() && (C.getCaptureKind() == LCK_ByCopy || Lambda->isInitCapture(&C)))
      Part.Declared.insert(cast<VarDecl>(C.getCapturedVar()));
    Part.OwnsThis |= C.getCaptureKind() == LCK_StarThis;
  }
  if (!isa<CoroutineBodyStmt>(Lambda->getBody())) // which may run later
    Part.walk(Lambda->getBody());
  return Part;
}

PartAccesses PartAccesses::ofChild(const Decl *Context, const Stmt *Key, const Spawn &S) {
  if (const LambdaExpr *Lambda = spawnedLambda(S))
    return ofLambda(Lambda);
  PartAccesses Part(Context);
  if (S.Form == Spawn::Statement)
    Part.walk(spawnedBody(Key));
  return Part;
}

bool PartAccesses::isForOneIteration(const Expr *Condition) const {
  auto *Operator = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Operator)
    return false;
  if (Operator->getOpcode() == BO_LAnd)
    return isForOneIteration(Operator->getLHS()) || isForOneIteration(Operator->getRHS());
  auto IsControl = [&](const Expr *E) {
    auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Ref && Ref->getDecl() == Control;
  };
  return Control && Operator->getOpcode() == BO_EQ &&
         (IsControl(Operator->getLHS()) || IsControl(Operator->getRHS()));
}

/// Whether \p E is a hyperobject or a part of one: each strand writes its own view. The body of a
/// spawned lambda says so still; where the function itself does, the view is a call by now.
bool PartAccesses::isInHyperobject(const Expr *E) const {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (Types.hyperobject(const_cast<Expr *>(E)))
      return true;
    if (auto *Member = dyn_cast<MemberExpr>(E)) {
      E = Member->getBase();
      if (Member->isArrow())
        return hyperType(pointee(Types.valueOf(const_cast<Expr *>(E)))).has_value();
    } else if (auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Element->getBase();
    } else {
      return false;
    }
  }
}

void PartAccesses::add(const Expr *Left, bool IsWrite, llvm::StringRef Operation) {
  QualType T = Left->getType();
  if (IsLocked || !T->isScalarType() || T.isVolatileQualified() || T->isAtomicType() ||
      isInHyperobject(Left))
    return;
  std::optional<Access> To = Access::of(Left, Ctx);
  if (!To || llvm::any_of(To->Path,
                          [](const Access::Step &S) { return S.Kind == Access::Step::ElementAt; }))
    return;
  Found.push_back({Left, *To, IsWrite, IsConditional || HasJumped, Operation});
}

void PartAccesses::walk(const Stmt *S) {
  if (!S || isa<LambdaExpr, BlockExpr, CXXCatchStmt>(S))
    return; // runs where it is called, or when an exception comes
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr>(S))
    return; // does not run
  if (auto *E = dyn_cast<Expr>(S))
    HasAtomic |= isAtomic(E);
  if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isAssignmentOp()) {
    llvm::StringRef Operation = operationOf(Operator->getOpcode());
    if (auto *Value = dyn_cast<BinaryOperator>(Operator->getRHS()->IgnoreParenImpCasts());
        Value && Operator->getOpcode() == BO_Assign) {
      std::optional<Access> To = Access::of(Operator->getLHS(), Ctx);
      for (const Expr *Side : {Value->getLHS(), Value->getRHS()})
        if (std::optional<Access> From = Access::of(Side->IgnoreParenImpCasts(), Ctx);
            To && From && From->Root == To->Root && From->Path == To->Path)
          Operation = operationOf(Value->getOpcode());
    }
    add(Operator->getLHS(), true, Operation);
  } else if (auto *UO = dyn_cast<UnaryOperator>(S); UO && UO->isIncrementDecrementOp()) {
    add(UO->getSubExpr(), true, operationOf(BO_Add));
  } else if (auto *Cast = dyn_cast<ImplicitCastExpr>(S);
             Cast && Cast->getCastKind() == CK_LValueToRValue) {
    add(Cast->getSubExpr(), false);
  } else if (auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasLocalStorage())
        Declared.insert(Var);
  } else if (auto *If = dyn_cast<IfStmt>(S)) {
    if (If->isConsteval()) // has no condition
      return walk(If->isNegatedConsteval() ? If->getThen() : If->getElse());
    if (isForOneIteration(If->getCond()))
      return walk(If->getElse());
  }
  // A lock is held to the end of its block.
  llvm::SaveAndRestore Restore(IsLocked, IsLocked);
  for (const Stmt *Child : S->children()) {
    llvm::SaveAndRestore Branch(IsConditional, IsConditional || isBranch(S, Child));
    walk(Child);
    IsLocked |= isa<CompoundStmt>(S) && Child && isLock(Child);
  }
  HasJumped |= isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt>(S);
}

llvm::SmallVector<PartAccess, 4> PartAccesses::result() const {
  llvm::SmallVector<PartAccess, 4> Result;
  for (const PartAccess &A : Found) {
    // Whose root the part declares, and where the root is another each time.
    auto Moves = [&](const PartAccess &Other) {
      return Other.IsWrite && Other.To.Path.empty() && Other.To.Root == A.To.Root &&
             !A.To.Path.empty();
    };
    const bool IsOwn = A.To.Root ? Declared.contains(A.To.Root) || A.To.Root == Control : OwnsThis;
    if (!IsOwn && !llvm::any_of(Found, Moves))
      Result.push_back(A);
  }
  return Result;
}

const LambdaExpr *spawnedLambda(const Spawn &S) {
  return S.Form != Spawn::Statement && S.Spawned && isa<CXXOperatorCallExpr>(S.Spawned)
             ? dyn_cast<LambdaExpr>(S.Spawned->getArg(0)->IgnoreUnlessSpelledInSource())
             : nullptr;
}

} // namespace nopal::frontend
