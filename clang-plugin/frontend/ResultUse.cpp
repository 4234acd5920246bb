//===- ResultUse.cpp - Results that are used before the sync --------------===//
//
// `x = cilk_spawn f(); use(x); cilk_sync;` reads x while the child may still
// write it. Follows the control flow from each spawn that has a result, to the
// syncs that wait for it. A use is reported if
//  - it surely names what the child writes (Access.h), and
//  - no way from the spawn to it passes a sync, and
//  - conditions cannot keep the two apart: the spawn stands on every way to the
//    use, or every way from the spawn comes to a use, or both stand in a loop
//    where no way comes from the use to itself but through the spawn.
// So `if (c) x = cilk_spawn f(); if (!c) use(x);` and `if (c) cilk_sync; use(x);`
// get no warning. An address that is taken or passed on is no use.
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace nopal {
namespace {

/// What a child writes, and where.
struct Result {
  const Spawn *Of;
  Access To;
  const Stmt *Write;   ///< an assignment, or null for a variable's initializer
  const Extent *Child; ///< the spawned statement that the write stands in, if so
  Flow::Point Start;
};

class ResultUses {
public:
  ResultUses(Flow &G, Reporter &Report) : G(G), Ctx(G.Ctx), Report(Report) {}
  void run();

private:
  struct Use {
    const Stmt *At;
    SourceLocation Loc;
    bool Writes;
  };
  void surveyBody();
  void collect(Stmt *Key, const Spawn &S);
  void statement(const Spawn &S, const Stmt *Body);
  void add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child, Flow::Point Start);
  std::optional<Use> useIn(const Stmt *S, const Result &R);
  bool ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends);
  bool isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R, const Extent *Within);
  void judge(const Result &R);
  /// A parameter that is a reference; null for `this`.
  using Object = const ParmVarDecl *;
  const Expr *partOf(const Expr *E, unsigned Depth);
  bool isPart(const Expr *E, Object Self, unsigned Depth = 6);
  bool reads(const Stmt *S, Object Self, unsigned Depth);
  bool callReads(const Expr *E, Object Self, unsigned Depth);
  bool callReads(const Expr *E, llvm::function_ref<bool(const Expr *)> IsGiven, bool Unmade, unsigned Depth);
  bool readsIn(const FunctionDecl *Callee, Object Self, unsigned Depth);

  Flow &G;
  ASTContext &Ctx;
  Reporter &Report;
  std::vector<Result> Results;
  std::vector<std::unique_ptr<Extent>> Extents;
  /// References to variables that are read, written in place, or discarded; all
  /// others may let the address out.
  llvm::DenseSet<const Stmt *> Reads, Writes, Discarded;
  llvm::DenseSet<const VarDecl *> Escaped;
  /// What readsIn has said.
  llvm::DenseMap<std::pair<const FunctionDecl *, Object>, bool> Known;
};

const Expr *plain(const Expr *E) {
  while (true) {
    if (auto *Paren = dyn_cast<ParenExpr>(E))
      E = Paren->getSubExpr();
    else if (auto *UO = dyn_cast<UnaryOperator>(E); UO && UO->getOpcode() == UO_Extension)
      E = UO->getSubExpr();
    else
      return E;
  }
}

/// How each variable is mentioned, once for the function.
void ResultUses::surveyBody() {
  llvm::SmallVector<const Stmt *, 64> Work{G.Body};
  llvm::SmallVector<const DeclRefExpr *, 64> Refs;
  while (!Work.empty()) {
    const Stmt *S = Work.pop_back_val();
    if (!S)
      continue;
    if (auto *Cast = dyn_cast<CastExpr>(S)) {
      if (Cast->getCastKind() == CK_LValueToRValue)
        Reads.insert(plain(Cast->getSubExpr()));
      else if (Cast->getCastKind() == CK_ToVoid)
        Discarded.insert(Cast->getSubExpr()->IgnoreParens());
    } else if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isAssignmentOp()) {
      Writes.insert(plain(Operator->getLHS()));
    } else if (auto *UO = dyn_cast<UnaryOperator>(S); UO && UO->isIncrementDecrementOp()) {
      Writes.insert(plain(UO->getSubExpr()));
    } else if (auto *Return = dyn_cast<ReturnStmt>(S); Return && Return->getNRVOCandidate()) {
      Discarded.insert(Return->getRetValue()->IgnoreImplicit()); // Built in the return slot.
    } else if (auto *Ref = dyn_cast<DeclRefExpr>(S)) {
      Refs.push_back(Ref);
    }
    if (isa<CXXNoexceptExpr>(S)) { // The operand is in the graph, and not evaluated.
      llvm::SmallVector<const Stmt *, 8> Operands(S->child_begin(), S->child_end());
      while (!Operands.empty()) {
        const Stmt *Operand = Operands.pop_back_val();
        Discarded.insert(Operand);
        Operands.append(Operand->child_begin(), Operand->child_end());
      }
    }
    if (auto *Lambda = dyn_cast<LambdaExpr>(S))
      for (const LambdaCapture &C : Lambda->captures())
        if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
          if (auto *Var = dyn_cast<VarDecl>(C.getCapturedVar()))
            Escaped.insert(Var);
    Work.append(S->child_begin(), S->child_end());
  }
  for (const DeclRefExpr *Ref : Refs)
    if (auto *Var = dyn_cast<VarDecl>(Ref->getDecl()); Var && !Reads.contains(Ref) && !Writes.contains(Ref))
      Escaped.insert(Var);
}

void ResultUses::add(const Spawn &S, const Expr *Left, const Stmt *Write, const Extent *Child, Flow::Point Start) {
  QualType T = Left->getType();
  std::optional<Access> To = Access::of(Left, Ctx);
  // Volatile and atomic objects are how threads talk to each other.
  if (!To || !Start || T.isVolatileQualified() || T->isAtomicType())
    return;
  for (const VarDecl *Var : To->dependsOn())
    if (Escaped.contains(Var))
      return;
  Results.push_back({&S, *To, Write, Child, Start});
}

/// The assignments that stand in a spawned statement under no condition.
void ResultUses::statement(const Spawn &S, const Stmt *Body) {
  if (auto *Attributed = dyn_cast<AttributedStmt>(Body))
    Body = Attributed->getSubStmt();
  Extents.push_back(std::make_unique<Extent>(G, Body));
  const Extent *Child = Extents.back().get();
  auto Assigned = [&](const Stmt *Statement) {
    auto *E = dyn_cast<Expr>(Statement);
    auto *Operator = E ? dyn_cast<BinaryOperator>(plain(E->IgnoreImplicit())) : nullptr;
    if (!Operator || !Operator->isAssignmentOp())
      return;
    std::optional<Access> To = Access::of(Operator->getLHS(), Ctx);
    if (To && To->isPartOfRoot() && !Child->declares(To->Root))
      add(S, Operator->getLHS(), Operator, Child, G.at(Operator));
  };
  if (auto *Block = dyn_cast<CompoundStmt>(Body))
    for (const Stmt *Inner : Block->body())
      Assigned(Inner);
  else
    Assigned(Body);
}

void ResultUses::collect(Stmt *Key, const Spawn &S) {
  switch (S.Form) {
  case Spawn::Call:
  case Spawn::Element: // others of the variable may be used
    return;
  case Spawn::Statement:
    return statement(S, Key);
  case Spawn::Assignment:
    // Of the assignments of a class, only those that do not do more.
    if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(S.Assign)) {
      auto *Method = dyn_cast_or_null<CXXMethodDecl>(Operator->getDirectCallee());
      if (!Method || (!Method->isCopyAssignmentOperator() && !Method->isMoveAssignmentOperator()))
        return;
    }
    return add(S, leftSide(S.Assign), S.Assign, nullptr, G.startOf(Key, S));
  case Spawn::Variable:
    if (S.Var->getType().isVolatileQualified() || S.Var->getType()->isAtomicType())
      return;
    Results.push_back({&S, Access{S.Var, {}}, nullptr, nullptr, G.startOf(Key, S)});
    if (auto *Binding = dyn_cast<DecompositionDecl>(S.Var)) {
      const size_t First = Results.size() - 1;
      Flow::Point End = Results.back().Start; // The child takes its result apart, too.
      for (const BindingDecl *Part : Binding->flat_bindings())
        if (const VarDecl *Reference = Part->getHoldingVar()) {
          Results.push_back({&S, Access{Reference, {}}, nullptr, nullptr, {}});
          End = G.at(Reference);
        }
      for (Result &R : llvm::MutableArrayRef(Results).drop_front(First))
        R.Start = End;
    }
  }
}

/// Whether control may go elsewhere than to the end of \p S.
static bool mayLeave(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt, CXXThrowExpr>(S))
    return true;
  return llvm::any_of(S->children(), mayLeave);
}

/// What the call \p E of a function of one return statement gives a reference into: its
/// object or an argument; or null.
const Expr *ResultUses::partOf(const Expr *E, unsigned Depth) {
  while (auto *Member = dyn_cast<MemberExpr>(E->IgnoreParenImpCasts()))
    if (Member->isArrow())
      return nullptr;
    else
      E = Member->getBase();
  auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr, *Definition = nullptr;
  auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  if (Depth == 0 || !Callee || !Callee->getReturnType()->isReferenceType() ||
      (Method && Method->isVirtual()) || !Callee->hasBody(Definition))
    return nullptr;
  auto *Body = dyn_cast<CompoundStmt>(Definition->getBody());
  auto *Return = Body && !Body->body_empty() ? dyn_cast<ReturnStmt>(Body->body_back()) : nullptr;
  if (!Return || llvm::any_of(llvm::drop_end(Body->body()), mayLeave))
    return nullptr;
  const Expr *Value = Return->getRetValue();
  if (Method && Method->isInstance()) {
    auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    const Expr *Of = isa<CXXOperatorCallExpr>(Call) ? Call->getArg(0) : Member ? Member->getBase() : nullptr;
    if (Of && (isa<CXXOperatorCallExpr>(Call) || !Member->isArrow() ||
               isa<CXXThisExpr>(Of->IgnoreParenImpCasts())) &&
        isPart(Value, nullptr, Depth - 1))
      return Of;
    return nullptr;
  }
  for (unsigned I = 0; I < Call->getNumArgs() && I < Definition->getNumParams(); ++I)
    if (Definition->getParamDecl(I)->getType()->isReferenceType() &&
        isPart(Value, Definition->getParamDecl(I), Depth - 1))
      return Call->getArg(I);
  return nullptr;
}

/// Whether \p E names \p Self or a part of it, not through a pointer; null is `*this`.
bool ResultUses::isPart(const Expr *E, Object Self, unsigned Depth) {
  if (!E || isa<CXXThisExpr>(E->IgnoreParenImpCasts()))
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

/// Whether evaluating \p S surely reads something of \p Self, in the functions that it
/// calls too.
bool ResultUses::reads(const Stmt *S, Object Self, unsigned Depth) {
  if (!S)
    return false;
  if (auto *If = dyn_cast<IfStmt>(S))
    return reads(If->getInit(), Self, Depth) || reads(If->getCond(), Self, Depth);
  if (auto *Choice = dyn_cast<AbstractConditionalOperator>(S))
    return reads(Choice->getCond(), Self, Depth);
  if (auto *While = dyn_cast<WhileStmt>(S))
    return reads(While->getCond(), Self, Depth);
  if (auto *For = dyn_cast<ForStmt>(S))
    return reads(For->getInit(), Self, Depth) || reads(For->getCond(), Self, Depth);
  if (auto *Range = dyn_cast<CXXForRangeStmt>(S))
    return reads(Range->getInit(), Self, Depth) || reads(Range->getRangeStmt(), Self, Depth) ||
           reads(Range->getBeginStmt(), Self, Depth);
  if (auto *Do = dyn_cast<DoStmt>(S))
    return reads(Do->getBody(), Self, Depth);
  if (auto *Switch = dyn_cast<SwitchStmt>(S))
    return reads(Switch->getInit(), Self, Depth) || reads(Switch->getCond(), Self, Depth);
  if (auto *Operator = dyn_cast<BinaryOperator>(S); Operator && Operator->isLogicalOp())
    return reads(Operator->getLHS(), Self, Depth);
  if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, CXXTryStmt>(S))
    return false; // may not be evaluated
  if (auto *Cast = dyn_cast<CastExpr>(S);
      Cast && Cast->getCastKind() == CK_LValueToRValue && isPart(Cast->getSubExpr(), Self))
    return true;
  if (auto *E = dyn_cast<Expr>(S); E && callReads(E, Self, Depth))
    return true;
  for (const Stmt *Child : S->children()) {
    if (reads(Child, Self, Depth))
      return true;
    if (isa<CompoundStmt>(S) && mayLeave(Child))
      return false;
  }
  return false;
}

static bool isOutputStream(QualType T) {
  const CXXRecordDecl *Class = T.getNonReferenceType()->getAsCXXRecordDecl();
  return Class && Class->isInStdNamespace() && Class->getIdentifier() && Class->getName() == "basic_ostream";
}

/// Whether \p E is a call that surely reads something of \p Self, which it is given.
bool ResultUses::callReads(const Expr *E, Object Self, unsigned Depth) {
  auto IsGiven = [&](const Expr *Argument) { return isPart(Argument, Self); };
  return callReads(E, IsGiven, false, Depth);
}

/// The same, \p IsGiven saying what an argument or object is. Of an object that is
/// \p Unmade no member function may be called.
bool ResultUses::callReads(const Expr *E, llvm::function_ref<bool(const Expr *)> IsGiven, bool Unmade,
                           unsigned Depth) {
  const FunctionDecl *Callee = nullptr;
  llvm::SmallVector<const Expr *, 4> Arguments;
  const Expr *Of = nullptr;
  if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    Callee = Construct->getConstructor();
    Arguments.append(Construct->arg_begin(), Construct->arg_end());
    if (Construct->getConstructor()->isCopyOrMoveConstructor())
      return !Discarded.contains(Construct) && !Construct->getConstructor()->getParent()->isEmpty() &&
             IsGiven(Arguments.front());
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    Callee = Call->getDirectCallee();
    if (unsigned Builtin = Call->getBuiltinCallee(); Builtin && Ctx.BuiltinInfo.isUnevaluated(Builtin))
      return false;
    Arguments.append(Call->arg_begin(), Call->arg_end());
    auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    if (isa<CXXMemberCallExpr>(Call) && Member) {
      // `this->f()` is a call of the same object; another pointer's is another's.
      if (!Member->isArrow() || isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
        Of = Member->getBase();
    } else if (isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance() && !Arguments.empty()) {
      Of = Arguments.front();
      Arguments.erase(Arguments.begin());
      if ((Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
          !Method->getParent()->isEmpty() && IsGiven(Arguments.front()))
        return true;
    } else if (auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call); Operator && Callee) {
      // A comparison, say: the result cannot keep a reference. Or text is written.
      if (Callee->getReturnType()->isArithmeticType() && !Callee->hasBody() &&
          !Callee->isTemplateInstantiation() && llvm::any_of(Arguments, IsGiven))
        return true;
      if (Operator->getOperator() == OO_LessLess && Arguments.size() == 2 && IsGiven(Arguments[1]) &&
          isOutputStream(Callee->getParamDecl(0)->getType()))
        return true;
    }
  }
  if (!Callee)
    return false;
  if (Of) {
    auto *Method = dyn_cast<CXXMethodDecl>(Callee);
    const Expr *Base = Of->IgnoreParenImpCasts();
    const bool Given = isa<CXXThisExpr>(Base) ? IsGiven(nullptr) : IsGiven(Of);
    if (Given && Method && Method->isInstance()) {
      // Of a class with a destructor no member function may be called so early; of
      // others one may well do nothing but give an address.
      const CXXRecordDecl *Class = Method->getParent();
      const bool Known = Method->hasBody() || Method->isDefaulted() || Method->isTemplateInstantiation();
      if (Unmade && (Class->hasNonTrivialDestructor() || (!Known && !Class->isEmpty())))
        return true;
      if (readsIn(Method, nullptr, Depth))
        return true;
    }
  }
  for (unsigned I = 0; I < Arguments.size() && I < Callee->getNumParams(); ++I)
    if (Callee->getParamDecl(I)->getType()->isReferenceType() && IsGiven(Arguments[I]) &&
        readsIn(Callee, Callee->getParamDecl(I), Depth))
      return true;
  return false;
}

/// Whether a call of \p Callee surely reads something of its parameter \p Self, or of
/// its object if that is null.
bool ResultUses::readsIn(const FunctionDecl *Callee, const ParmVarDecl *Self, unsigned Depth) {
  const FunctionDecl *Definition = nullptr;
  auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (Depth == 0 || (Method && Method->isVirtual()) || !Callee->hasBody(Definition))
    return false;
  if (Self)
    Self = Definition->getParamDecl(Self->getFunctionScopeIndex());
  auto [It, New] = Known.try_emplace({Definition, Self}, false); // false for recursive calls
  if (!New)
    return It->second;
  bool Result = false;
  if (auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    Result = llvm::any_of(Constructor->inits(), [&](const CXXCtorInitializer *Init) {
      return reads(Init->getInit(), Self, Depth - 1);
    });
  Result = Result || reads(Definition->getBody(), Self, Depth - 1);
  Known[{Definition, Self}] = Result;
  return Result;
}

/// The use of what \p R names that evaluating \p S is, its operands not counted.
std::optional<ResultUses::Use> ResultUses::useIn(const Stmt *S, const Result &R) {
  auto Names = [&](const Expr *E) {
    std::optional<Access> A = Access::of(E, Ctx);
    return A && A->overlaps(R.To);
  };
  // A function reads some of its object: the child has to write all of it.
  auto NamesPart = [&](const Expr *E) {
    std::optional<Access> A = E ? Access::of(E, Ctx) : std::nullopt;
    return A && A->overlaps(R.To) && R.To.Path.size() <= A->Path.size();
  };
  auto Found = [&](const Expr *E, bool Writes) { return Use{S, E->getExprLoc(), Writes}; };
  auto *E = dyn_cast<Expr>(S);
  if (!E || Discarded.contains(E))
    return std::nullopt;
  if (auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
    if (Cast->getCastKind() == CK_LValueToRValue) {
      const Expr *Read = Cast->getSubExpr();
      if (Names(Read))
        return Found(Read, false);
      while (const Expr *Whole = partOf(Read, 6))
        if (NamesPart(Read = Whole))
          return Found(Whole, false);
    }
  } else if (auto *Operator = dyn_cast<BinaryOperator>(E)) {
    if (Operator->isAssignmentOp() && Names(Operator->getLHS()))
      return Found(Operator->getLHS(), true);
  } else if (auto *UO = dyn_cast<UnaryOperator>(E)) {
    if (UO->isIncrementDecrementOp() && Names(UO->getSubExpr()))
      return Found(UO->getSubExpr(), true);
  } else if (auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    // Of a part that a function gives it is the result where it is.
    if (auto *Part = dyn_cast<BindingDecl>(Ref->getDecl()); Part && Part->getHoldingVar() == R.To.Root && R.To.Root)
      return Found(Ref, false);
  } else if (auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor()) {
      if (!Construct->getConstructor()->getParent()->isEmpty() && Names(Construct->getArg(0)))
        return Found(Construct->getArg(0), false);
    } else if (callReads(E, NamesPart, false, 6)) {
      return Found(*llvm::find_if(Construct->arguments(), NamesPart), false);
    }
  } else if (auto *Call = dyn_cast<CallExpr>(E)) {
    auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (Operator && Method && (Method->isCopyAssignmentOperator() || Method->isMoveAssignmentOperator()) &&
        !Method->getParent()->isEmpty() && Names(Call->getArg(0)))
      return Found(Call->getArg(0), true);
    if (!callReads(E, NamesPart, !R.Write, 6))
      return std::nullopt;
    auto *Member = dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    if (Member && NamesPart(Member->getBase()))
      return Found(Member->getBase(), false);
    return Found(*llvm::find_if(Call->arguments(), NamesPart), false);
  }
  return std::nullopt;
}

/// Whether behind \p S the path of \p R names other memory, or R is written anew.
bool ResultUses::ends(const Stmt *S, const Result &R, llvm::ArrayRef<const VarDecl *> Depends) {
  if (R.Write && S == R.Write)
    return true;
  if (auto *Decls = dyn_cast<DeclStmt>(S))
    return llvm::any_of(Decls->decls(), [&](const Decl *D) {
      return D == R.To.Root || D == R.Of->Var || llvm::is_contained(Depends, dyn_cast<VarDecl>(D));
    });
  auto *Ref = dyn_cast<DeclRefExpr>(S);
  return Ref && !Reads.contains(Ref) && llvm::is_contained(Depends, dyn_cast<VarDecl>(Ref->getDecl()));
}

bool ResultUses::isSure(const Use &U, llvm::ArrayRef<Use> All, const Result &R, const Extent *Within) {
  using Go = Flow::Go;
  const Stmt *Start = R.Write;
  auto IsStart = [&](const Stmt *S) {
    if (Start)
      return S == Start;
    auto *Decls = dyn_cast<DeclStmt>(S);
    return Decls && llvm::is_contained(Decls->decls(), R.Of->Var);
  };
  auto Reaches = [&](Flow::Point From, llvm::function_ref<bool(const Stmt *)> Stop,
                     llvm::function_ref<bool(const Stmt *)> Goal) {
    bool Found = false;
    G.forward(From, nullptr, [&](const Stmt *S) {
      Found |= Goal(S);
      return Stop(S) ? Go::Stop : Go::On;
    });
    return Found;
  };
  auto IsUse = [&](const Stmt *S) { return S == U.At; };
  if (!Reaches({}, IsStart, IsUse))
    return true; // The spawn stands on every way to the use.
  bool Other = G.forward(R.Start, Within, [&](const Stmt *S) {
    for (const Use &Any : All)
      if (Any.At == S)
        return Go::Stop;
    return Go::On;
  });
  if (!Other && Reaches(R.Start, [](const Stmt *) { return false; }, IsUse))
    return true; // Every way from the spawn comes to a use.
  return !Reaches({}, IsUse, IsStart) && !Reaches(G.at(U.At), IsStart, IsUse);
}

void ResultUses::judge(const Result &R) {
  using Go = Flow::Go;
  Region *In = R.Of->In;
  const Stmt *Anchor = G.anchor(In);
  std::optional<Extent> Bound;
  if (In->Kind != Region::Function) {
    if (!Anchor)
      return;
    Bound.emplace(G, Anchor);
  }
  const Extent *Within = Bound ? &*Bound : nullptr;
  const llvm::SmallVector<const VarDecl *, 2> Depends = R.To.dependsOn();

  std::vector<Use> Uses;
  llvm::SmallVector<const Stmt *, 4> Syncs;
  G.forward(R.Start, Within, [&](const Stmt *S) {
    if (R.Child && R.Child->contains(S))
      return S == R.Write ? Go::Stop : Go::On;
    if (G.syncs(S, In)) {
      Syncs.push_back(S);
      return Go::Stop;
    }
    if (ends(S, R, Depends))
      return Go::Stop;
    if (std::optional<Use> U = useIn(S, R))
      Uses.push_back(*U);
    return Go::On;
  });
  // What can also be reached behind a sync is in doubt.
  llvm::DenseSet<const Stmt *> Synced;
  for (const Stmt *Sync : Syncs)
    G.forward(G.at(Sync), Within, [&](const Stmt *S) {
      if (ends(S, R, Depends))
        return Go::Stop;
      Synced.insert(S);
      return Go::On;
    });
  llvm::erase_if(Uses, [&](const Use &U) { return Synced.contains(U.At); });
  const SourceManager &SM = Ctx.getSourceManager();
  llvm::sort(Uses, [&](const Use &A, const Use &B) {
    return A.Loc.isValid() && B.Loc.isValid() && SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
  });
  for (const Use &U : Uses)
    if (isSure(U, Uses, R, Within)) {
      Report.reportAt(U.Loc, U.Writes ? Diag::ResultWritten : Diag::ResultRead, R.Of->Loc, R.To.name());
      return;
    }
}

void ResultUses::run() {
  surveyBody();
  llvm::SmallVector<std::pair<Stmt *, const Spawn *>, 8> Ordered;
  for (auto &[Key, Spawns] : G.Plan.Spawns) // any order: sorted below
    for (const Spawn &S : Spawns)
      Ordered.push_back({Key, &S});
  llvm::sort(Ordered, [](auto &A, auto &B) { return A.second->Loc < B.second->Loc; });
  for (auto [Key, S] : Ordered)
    collect(Key, *S);
  for (const Result &R : Results)
    if (R.Start)
      judge(R);
}

} // namespace

void warnOfUnsyncedResults(Flow &G, Reporter &Report) { ResultUses(G, Report).run(); }

} // namespace nopal
