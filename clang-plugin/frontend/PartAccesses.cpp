//===- PartAccesses.cpp - Variables that a parallel part uses -------------===//
//
// See PartAccesses.h.
//
//===----------------------------------------------------------------------===//
#include "PartAccesses.h"
#include "References.h"
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

/// Whether \p Name is one of what parts wait for each other with.
bool speaksOfOrder(llvm::StringRef Name) {
  static constexpr llvm::StringLiteral Words[] = {
      "atomic",        "__sync_",   "sem_",       "semaphore", "latch",  "barrier", "promise",
      "packaged_task", "condition", "cond_",      "notify",    "signal", "post",    "release",
      "acquire",       "arrive",    "count_down", "set_value", "wait"};
  return speaksOfLock(Name) ||
         llvm::any_of(Words, [&](llvm::StringRef Word) { return Name.contains_insensitive(Word); });
}

bool isOrdering(QualType T) {
  while (!T.isNull() && T->isPointerType() && !T.isVolatileQualified())
    T = T->getPointeeType();
  if (T.isNull())
    return false;
  auto *Class = T->getAsRecordDecl();
  return T.isVolatileQualified() || T->isAtomicType() ||
         (Class && Class->getIdentifier() && speaksOfOrder(Class->getName()));
}

bool isOrdering(const Stmt *S) {
  if (auto *Call = dyn_cast<CallExpr>(S)) {
    auto *Callee = dyn_cast_or_null<NamedDecl>(Call->getCalleeDecl());
    if (Callee && Callee->getIdentifier() && speaksOfOrder(Callee->getName()))
      return true;
  }
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    return llvm::any_of(Decls->decls(), [](const Decl *D) {
      auto *Var = dyn_cast<VarDecl>(D);
      return Var && isOrdering(Var->getType().getNonReferenceType());
    });
  auto *E = dyn_cast<Expr>(S);
  return isa<AtomicExpr>(S) || (E && isOrdering(E->getType()));
}

/// The condition under which \p Child of \p S runs, and its value then, or null.
std::pair<const Expr *, bool> conditionOf(const Stmt *S, const Stmt *Child) {
  if (auto *If = dyn_cast<IfStmt>(S)) {
    if (Child && (Child == If->getThen() || Child == If->getElse()))
      return {If->getCond(), Child == If->getThen()};
  } else if (auto *Choice = dyn_cast<AbstractConditionalOperator>(S)) {
    if (Child == Choice->getTrueExpr() || Child == Choice->getFalseExpr())
      return {Choice->getCond(), Child == Choice->getTrueExpr()};
  } else if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isLogicalOp()) {
    if (Child == Operator->getRHS())
      return {Operator->getLHS(), Operator->getOpcode() == BO_LAnd};
  } else if (auto *Switch = dyn_cast<SwitchStmt>(S); Switch && Child == Switch->getBody()) {
    return {Switch->getCond(), true};
  }
  return {nullptr, false};
}

bool isJump(const Stmt *S) {
  if (auto *Call = dyn_cast<CallExpr>(S)) {
    auto *Callee = Call->getDirectCallee();
    return Callee && Callee->isNoReturn();
  }
  return isa<ReturnStmt, BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, CXXThrowExpr>(S);
}

/// What \p E is a part of, or what it is reached through.
const Expr *baseOf(const Expr *E) {
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (auto *Element = dyn_cast<ArraySubscriptExpr>(E))
      E = Element->getBase();
    else if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Deref)
      E = UO->getSubExpr();
    else
      return E;
  }
}

} // namespace

PartAccesses::PartAccesses(const Decl *Context, const VarDecl *Control)
    : Ctx(Context->getASTContext()), Types(Context), Control(Control) {}

PartAccesses PartAccesses::ofLambda(const LambdaExpr *Lambda) {
  PartAccesses Part(Lambda->getCallOperator());
  for (const LambdaCapture &C : Lambda->captures()) {
    if (C.capturesVariable() && (C.getCaptureKind() == LCK_ByCopy || Lambda->isInitCapture(&C))) {
      Part.Copied.insert(C.getCapturedVar());
      Part.HasOrder |= isOrdering(C.getCapturedVar()->getType());
    }
    Part.OwnsThis |= C.getCaptureKind() == LCK_StarThis;
  }
  for (const ParmVarDecl *Param : Lambda->getCallOperator()->parameters()) {
    Part.Declared.insert(Param);
    Part.HasOrder |= isOrdering(Param->getType().getNonReferenceType());
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

/// Whether a constant says so, or nobody can tell: the pattern of a generic lambda.
bool PartAccesses::neverRuns(const Stmt *S, const Stmt *Child) const {
  auto [Condition, Value] = conditionOf(S, Child);
  bool Is = false;
  if (!Condition || isa<SwitchStmt>(S))
    return false;
  if (Condition->isValueDependent() || Condition->isTypeDependent())
    return true;
  return Condition->EvaluateAsBooleanCondition(Is, Ctx) && Is != Value;
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
  // Before a reference or a binding is resolved: the copy is the lambda's own.
  if (auto *Ref = dyn_cast<DeclRefExpr>(baseOf(Left)); Ref && Copied.contains(Ref->getDecl()))
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
  HasOrder |= isOrdering(S);
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
      if (auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasLocalStorage()) {
        Declared.insert(Var);
        for (const VarDecl *Part : partsWithVariables(Var))
          Declared.insert(Part);
      }
  } else if (auto *If = dyn_cast<IfStmt>(S)) {
    if (If->isConsteval()) // has no condition
      return walk(If->isNegatedConsteval() ? If->getThen() : If->getElse());
    if (isForOneIteration(If->getCond()))
      return walk(If->getElse());
  }
  // A lock is held to the end of its block.
  llvm::SaveAndRestore Restore(IsLocked, IsLocked);
  for (const Stmt *Child : S->children()) {
    llvm::SaveAndRestore Branch(IsConditional, IsConditional || conditionOf(S, Child).first);
    if (!neverRuns(S, Child))
      walk(Child);
    IsLocked |= isa<CompoundStmt>(S) && Child && isLock(Child);
  }
  HasJumped |= isJump(S);
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
  auto *Call =
      S.Form == Spawn::Statement || !S.Spawned ? nullptr : dyn_cast<CXXOperatorCallExpr>(S.Spawned);
  return Call && Call->getOperator() == OO_Call
             ? dyn_cast<LambdaExpr>(Call->getArg(0)->IgnoreUnlessSpelledInSource())
             : nullptr;
}

} // namespace nopal::frontend
