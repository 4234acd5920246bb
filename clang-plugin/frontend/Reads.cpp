//===- Reads.cpp - What a called function surely reads --------------------===//
//
// See Reads.h.
//
//===----------------------------------------------------------------------===//
#include "Reads.h"
#include "Access.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// Whether control may go elsewhere than to the end of \p S.
bool mayLeave(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt, CXXThrowExpr>(S))
    return true;
  return llvm::any_of(S->children(), mayLeave);
}

bool isThis(const Expr *E) { return isa<CXXThisExpr>(E->IgnoreParenImpCasts()); }

bool isOutputStream(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->isInStdNamespace() && Class->getIdentifier() &&
         Class->getName() == "basic_ostream";
}

bool isAssignment(const CXXMethodDecl *Method) {
  return Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator();
}

/// The body of \p Callee if a call surely runs that one, or null.
const FunctionDecl *definitionOf(const FunctionDecl *Callee) {
  const FunctionDecl *Definition = nullptr;
  auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (!Callee || (Method && Method->isVirtual()) || !Callee->hasBody(Definition))
    return nullptr;
  return Definition;
}

/// The object of a member call, or null. Through a pointer it is another one, unless that is
/// `this`.
const Expr *objectOf(const CallExpr *Call) {
  auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
  return Member && (!Member->isArrow() || isThis(Member->getBase())) ? Member->getBase() : nullptr;
}

/// What of \p S is evaluated whenever \p S is: of a condition and what depends on it only the
/// condition. Nothing for a statement that has no such structure.
std::optional<llvm::SmallVector<const Stmt *, 3>> alwaysEvaluated(const Stmt *S) {
  using List = llvm::SmallVector<const Stmt *, 3>;
  if (auto *If = dyn_cast<IfStmt>(S))
    return List{If->getInit(), If->getCond()};
  if (auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
    return List{Choice->getCond()};
  if (auto *While = dyn_cast<WhileStmt>(S))
    return List{While->getCond()};
  if (auto *For = dyn_cast<ForStmt>(S))
    return List{For->getInit(), For->getCond()};
  if (auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return List{Range->getInit(), Range->getRangeStmt(), Range->getBeginStmt()};
  if (auto *Do = dyn_cast<DoStmt>(S))
    return List{Do->getBody()};
  if (auto *Switch = dyn_cast<SwitchStmt>(S))
    return List{Switch->getInit(), Switch->getCond()};
  if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isLogicalOp())
    return List{Operator->getLHS()};
  if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, CXXTryStmt>(S))
    return List{};
  return std::nullopt;
}

} // namespace

const Expr *Reads::partOf(const Expr *E, unsigned Depth) {
  while (auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts())) {
    if (Member->isArrow())
      return nullptr;
    E = Member->getBase();
  }
  auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  const FunctionDecl *Definition = definitionOf(Callee);
  if (Depth == 0 || !Definition || !Callee->getReturnType()->isReferenceType())
    return nullptr;
  auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  auto *Return = Body && !Body->body_empty() ? dyn_cast<ReturnStmt>(Body->body_back()) : nullptr;
  if (!Return || llvm::any_of(llvm::drop_end(Body->body()), mayLeave))
    return nullptr;
  const Expr *Value = Return->getRetValue();
  if (auto *Method = dyn_cast<CXXMethodDecl>(Callee); Method && Method->isInstance()) {
    const Expr *Of = isa<CXXOperatorCallExpr>(Call) ? Call->getArg(0) : objectOf(Call);
    return Of && isPart(Value, nullptr, Depth - 1) ? Of : nullptr;
  }
  for (auto [Argument, Parameter] : llvm::zip(Call->arguments(), Definition->parameters()))
    if (Parameter->getType()->isReferenceType() && isPart(Value, Parameter, Depth - 1))
      return Argument;
  return nullptr;
}

/// Whether \p E names \p Self or a part of it, not through a pointer.
bool Reads::isPart(const Expr *E, Object Self, unsigned Depth) {
  if (!E || isThis(E))
    return !Self;
  if (const Expr *Whole = partOf(E, Depth))
    return isPart(Whole, Self, Depth);
  std::optional<Access> A = Access::of(E, Ctx);
  if (!A || A->Root != Self)
    return false;
  llvm::ArrayRef<Access::Step> Path = A->Path;
  if (!Self && !Path.empty())
    Path = Path.drop_front(); // the pointee of `this`
  return llvm::none_of(Path, [](const Access::Step &S) { return S.Kind == Access::Step::Pointee; });
}

/// Whether evaluating \p S surely reads something of \p Self, in the functions that it calls
/// too.
bool Reads::reads(const Stmt *S, Object Self, unsigned Depth) {
  if (!S)
    return false;
  if (auto Parts = alwaysEvaluated(S))
    return llvm::any_of(*Parts, [&](const Stmt *Part) { return reads(Part, Self, Depth); });
  if (auto *Cast = dyn_cast<CastExpr>(S);
      Cast && Cast->getCastKind() == CK_LValueToRValue && isPart(Cast->getSubExpr(), Self))
    return true;
  auto IsGiven = [&](const Expr *Argument) { return isPart(Argument, Self); };
  if (auto *E = dyn_cast<Expr>(S); E && callReads(E, IsGiven, /*NotConstructed=*/false, Depth))
    return true;
  for (const Stmt *Child : S->children()) {
    if (reads(Child, Self, Depth))
      return true;
    if (isa<CompoundStmt>(S) && mayLeave(Child))
      return false;
  }
  return false;
}

bool Reads::callReads(const Expr *E, Predicate IsGiven, bool NotConstructed, unsigned Depth) {
  const FunctionDecl *Callee = nullptr;
  const CXXMethodDecl *Method = nullptr; // called for Of
  llvm::SmallVector<const Expr *, 4> Arguments;
  const Expr *Of = nullptr;
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Constructor = Construct->getConstructor();
    Callee = Constructor;
    Arguments.append(Construct->arg_begin(), Construct->arg_end());
    if (Constructor->isCopyOrMoveConstructor())
      return !Discarded.contains(Construct) && !Constructor->getParent()->isEmpty() &&
             IsGiven(Arguments.front());
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    Callee = Call->getDirectCallee();
    if (unsigned Builtin = Call->getBuiltinCallee();
        !Callee || (Builtin && Ctx.BuiltinInfo.isUnevaluated(Builtin)))
      return false;
    Arguments.append(Call->arg_begin(), Call->arg_end());
    Method = dyn_cast<CXXMethodDecl>(Callee);
    if (isa<CXXMemberCallExpr>(Call)) {
      Of = objectOf(Call);
    } else if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
      if (Method && Method->isInstance() && !Arguments.empty()) {
        Of = Arguments.front();
        Arguments.erase(Arguments.begin());
        if (isAssignment(Method) && !Method->getParent()->isEmpty() && IsGiven(Arguments.front()))
          return true;
      } else if (Callee->getReturnType()->isArithmeticType() && !Callee->hasBody() &&
                 !Callee->isTemplateInstantiation() && llvm::any_of(Arguments, IsGiven)) {
        return true; // A comparison, say: the result cannot keep a reference.
      } else if (Operator->getOperator() == OO_LessLess && Arguments.size() == 2 &&
                 IsGiven(Arguments[1]) && isOutputStream(Callee->getParamDecl(0)->getType())) {
        return true;
      }
    }
  }
  if (!Callee)
    return false;
  if (Of && Method && Method->isInstance() && IsGiven(isThis(Of) ? nullptr : Of)) {
    // Of a class with a destructor no member function may be called so early; of others one
    // may well do nothing but give an address.
    const CXXRecordDecl *Class = Method->getParent();
    const bool HasText =
        Method->hasBody() || Method->isDefaulted() || Method->isTemplateInstantiation();
    if (NotConstructed && (Class->hasNonTrivialDestructor() || (!HasText && !Class->isEmpty())))
      return true;
    if (readsIn(Method, nullptr, Depth))
      return true;
  }
  for (auto [Argument, Parameter] : llvm::zip(Arguments, Callee->parameters()))
    if (Parameter->getType()->isReferenceType() && IsGiven(Argument) &&
        readsIn(Callee, Parameter, Depth))
      return true;
  return false;
}

/// Whether a call of \p Callee surely reads something of its parameter \p Self, or of its
/// object if that is null.
bool Reads::readsIn(const FunctionDecl *Callee, Object Self, unsigned Depth) {
  const FunctionDecl *Definition = definitionOf(Callee);
  if (Depth == 0 || !Definition)
    return false;
  if (Self)
    Self = Definition->getParamDecl(Self->getFunctionScopeIndex());
  auto [It, New] = Known.try_emplace({Definition, Self}, false); // false for recursive calls
  if (!New)
    return It->second;
  bool Result = reads(Definition->getBody(), Self, Depth - 1);
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    Result |= llvm::any_of(Constructor->inits(), [&](const CXXCtorInitializer *Init) {
      return reads(Init->getInit(), Self, Depth - 1);
    });
  return Known[{Definition, Self}] = Result;
}

} // namespace nopal::frontend
