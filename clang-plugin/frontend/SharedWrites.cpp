//===- SharedWrites.cpp - Variables that parallel parts write -------------===//
//
//   long total = 0;
//   cilk_for (int i = 0; i < n; ++i) total += a[i];      // a race
//   for (int i = 0; i < n; ++i) cilk_spawn [&] { total += a[i]; }();
//
// Looks for writes of a scalar that all iterations of a cilk_for share, or all children of
// one spawn that control reaches again with no sync between. A condition may keep the
// writes apart in a run, so the warning says "may". There is none
//  - for atomic, volatile and thread-local objects, and for elements at a variable index;
//  - under a lock: after a variable whose type, or a call of a function whose name, has
//    "lock", "guard" or "mutex" in it;
//  - in a branch that is for one iteration: under `==` with the control variable;
//  - in a handler, which one iteration at most may enter;
//  - where a loop writes the variable that the path hangs from, such as *p and ++p.
//
// A view of a hyperobject that was bound outside of the loop is such a variable, of every type:
// a reference, or what a lambda captures with `[&r = x]`. So is a scalar one that a pointer leads
// to. There the remedy is another.
//
// The note names the reducer, and offers the change where it is one of the function's own
// variables and all its uses are in sight.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Access.h"
#include "Flow.h"
#include "HyperExpressions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

struct Write {
  const Expr *Left;
  Access To;
  /// The operation of a reducer that does the same, or "" for a plain assignment.
  llvm::StringRef Operation;
};

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

/// The writes of what a part does not declare itself, in source order.
class WriteFinder {
public:
  /// \p Context is the function that the part belongs to, or its own if it is a lambda.
  WriteFinder(const Decl *Context, const VarDecl *Control)
      : Ctx(Context->getASTContext()), Types(Context), Control(Control) {}

  void walk(const Stmt *S);
  /// Each part has a \p Var of its own.
  void declare(const VarDecl *Var) { Declared.insert(Var); }
  llvm::SmallVector<Write, 4> result() const;

private:
  void add(const Expr *Left, llvm::StringRef Operation);
  bool isInHyperobject(const Expr *E) const;
  bool isLock(const Stmt *S) const;
  bool isForOneIteration(const Expr *Condition) const;

  const ASTContext &Ctx;
  const HyperExpressions Types;
  const VarDecl *Control;
  bool IsLocked = false;
  llvm::SmallPtrSet<const VarDecl *, 16> Declared;
  llvm::SmallVector<Write, 4> Found;
};

bool WriteFinder::isLock(const Stmt *S) const {
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

bool WriteFinder::isForOneIteration(const Expr *Condition) const {
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
bool WriteFinder::isInHyperobject(const Expr *E) const {
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

void WriteFinder::add(const Expr *Left, llvm::StringRef Operation) {
  QualType T = Left->getType();
  if (IsLocked || !T->isScalarType() || T.isVolatileQualified() || T->isAtomicType() ||
      isInHyperobject(Left))
    return;
  std::optional<Access> To = Access::of(Left, Ctx);
  if (!To || llvm::any_of(To->Path,
                          [](const Access::Step &S) { return S.Kind == Access::Step::ElementAt; }))
    return;
  Found.push_back({Left, *To, Operation});
}

void WriteFinder::walk(const Stmt *S) {
  if (!S || isa<LambdaExpr, BlockExpr, CXXCatchStmt>(S))
    return; // runs where it is called, or when an exception comes
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, RequiresExpr>(S))
    return; // does not run
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
    add(Operator->getLHS(), Operation);
  } else if (auto *UO = dyn_cast<UnaryOperator>(S); UO && UO->isIncrementDecrementOp()) {
    add(UO->getSubExpr(), operationOf(BO_Add));
  } else if (auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (auto *Var = dyn_cast<VarDecl>(D); Var && Var->hasLocalStorage())
        Declared.insert(Var);
  } else if (auto *If = dyn_cast<IfStmt>(S); If && isForOneIteration(If->getCond())) {
    return walk(If->getElse());
  }
  // A lock is held to the end of its block.
  llvm::SaveAndRestore Restore(IsLocked, IsLocked);
  for (const Stmt *Child : S->children()) {
    walk(Child);
    IsLocked |= isa<CompoundStmt>(S) && Child && isLock(Child);
  }
}

llvm::SmallVector<Write, 4> WriteFinder::result() const {
  llvm::SmallVector<Write, 4> Result;
  for (const Write &W : Found) {
    // Whose root the part declares, and where the root is another each time.
    auto Moves = [&](const Write &Other) {
      return Other.To.Path.empty() && Other.To.Root == W.To.Root && !W.To.Path.empty();
    };
    if (W.To.Root && (Declared.contains(W.To.Root) || W.To.Root == Control))
      continue;
    if (!llvm::any_of(Found, Moves))
      Result.push_back(W);
  }
  return Result;
}

/// All uses of a variable in a function.
struct UseFinder : compat::DynamicRecursiveASTVisitor {
  const VarDecl *Of;
  llvm::SmallVector<const DeclRefExpr *, 8> Uses;
  bool HasPostfix = false;

  explicit UseFinder(const VarDecl *Of) : Of(Of) {}
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (Ref->getDecl() == Of)
      Uses.push_back(Ref);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *UO) override {
    auto *Ref = dyn_cast<DeclRefExpr>(UO->getSubExpr()->IgnoreParens());
    HasPostfix |= Ref && Ref->getDecl() == Of && UO->isPostfix();
    return true;
  }
};

/// Uses of variables that may change them.
struct ChangeFinder : compat::DynamicRecursiveASTVisitor {
  llvm::SmallVector<const DeclRefExpr *, 8> Uses;
  llvm::SmallPtrSet<const DeclRefExpr *, 8> Reads;
  llvm::SmallPtrSet<const VarDecl *, 8> Declared;

  bool VisitDeclRefExpr(DeclRefExpr *Ref) override {
    if (isa<VarDecl>(Ref->getDecl()))
      Uses.push_back(Ref);
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    Declared.insert(Var);
    return true;
  }
  bool VisitExpr(Expr *Read) override {
    auto *Cast = dyn_cast<ImplicitCastExpr>(Read);
    if (!Cast || (Cast->getCastKind() != CK_LValueToRValue &&
                  !(Cast->isGLValue() && Cast->getType().isConstQualified())))
      return true;
    const Expr *E = Cast->getSubExpr()->IgnoreParenImpCasts();
    while (auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase()->IgnoreParenImpCasts();
    if (auto *Ref = dyn_cast<DeclRefExpr>(E))
      Reads.insert(Ref);
    return true;
  }
  bool changes(const VarDecl *Var) const {
    return llvm::any_of(Uses,
                        [&](auto *Ref) { return Ref->getDecl() == Var && !Reads.contains(Ref); });
  }
};

/// Whether \p Var is bound by \p Init to a view that it may change.
bool isView(const VarDecl *Var, const Expr *Init) {
  return Var->getType()->isReferenceType() &&
         !Var->getType().getNonReferenceType().isConstQualified() && Init &&
         frontend::isView(Init->IgnoreParenImpCasts());
}

/// Whether \p Var is a pointer to a view, and \p Body, all of its function, gives it no other
/// value.
bool isPointerToView(const VarDecl *Var, Stmt *Body) {
  auto *Address = Var->getType()->isPointerType() && Var->hasLocalStorage() && Var->getInit()
                      ? dyn_cast<UnaryOperator>(Var->getInit()->IgnoreParenImpCasts())
                      : nullptr;
  if (!Address || Address->getOpcode() != UO_AddrOf ||
      !frontend::isView(Address->getSubExpr()->IgnoreParenImpCasts()))
    return false;
  ChangeFinder Changes;
  Changes.TraverseStmt(Body);
  return !Changes.changes(Var);
}

/// Whether \p Var is a lambda that changes a view which was bound when the lambda was made.
bool isLambdaWithView(const VarDecl *Var) {
  auto *Lambda = Var->getInit() && !Var->getType()->isReferenceType()
                     ? dyn_cast<LambdaExpr>(Var->getInit()->IgnoreImplicit())
                     : nullptr;
  if (!Lambda)
    return false;
  ChangeFinder Body;
  Body.TraverseStmt(Lambda->getBody());
  for (auto [C, Init] : llvm::zip(Lambda->captures(), Lambda->capture_inits()))
    if (Lambda->isInitCapture(&C))
      if (auto *Captured = cast<VarDecl>(C.getCapturedVar());
          isView(Captured, Init) && Body.changes(Captured))
        return true;
  return false;
}

class SharedWrites {
public:
  SharedWrites(FunctionDecl *FD, Reporter &Report)
      : FD(FD), Ctx(FD->getASTContext()), Report(Report) {}
  void loop(const Loop &L);
  void spawn(const Flow &G, Stmt *Key, const Spawn &S);

private:
  void report(const Write &W, SourceLocation Keyword);
  void views(const Loop &L);
  void reportView(const VarDecl *Var, SourceLocation Use, SourceLocation Keyword) {
    if (Reported.insert({Var, Keyword}).second)
      Report.reportRemedy(Use, Diag::SharedView, Keyword, Var->getNameAsString(),
                          Var->getLocation(), "", {});
  }
  llvm::SmallVector<FixItHint, 4> changes(const VarDecl *Var, llvm::StringRef Reducer) const;

  FunctionDecl *FD;
  ASTContext &Ctx;
  Reporter &Report;
  llvm::DenseSet<std::pair<const VarDecl *, SourceLocation>> Reported;
};

/// What makes \p Var a reducer: its declaration, and a `*` at each use. Nothing, if it is not
/// one plain declaration with one name, or has a use of which that would not be enough.
llvm::SmallVector<FixItHint, 4> SharedWrites::changes(const VarDecl *Var,
                                                      llvm::StringRef Reducer) const {
  llvm::SmallVector<FixItHint, 4> Result;
  UseFinder Uses(Var);
  Uses.TraverseStmt(FD->getBody());
  const SourceRange Whole = Var->getSourceRange();
  if (FD->isTemplateInstantiation() || !Var->hasLocalStorage() || isa<ParmVarDecl>(Var) ||
      Var->getType()->isReferenceType() || Uses.HasPostfix || Whole.getBegin().isMacroID() ||
      Whole.getEnd().isMacroID() ||
      llvm::any_of(Uses.Uses, [](auto *Ref) { return Ref->getLocation().isMacroID(); }))
    return Result;
  const SourceManager &SM = Ctx.getSourceManager();
  std::optional<Token> Next = Lexer::findNextToken(Whole.getEnd(), SM, Ctx.getLangOpts());
  auto *Typed = Var->getTypeSourceInfo();
  if (!Next || Next->isNot(tok::semi) || !Typed ||
      Whole.getBegin() != Typed->getTypeLoc().getBeginLoc())
    return Result;
  std::string Text = (Reducer + " " + Var->getName()).str();
  if (const Expr *Init = Var->getInit())
    Text += ("(" +
             Lexer::getSourceText(CharSourceRange::getTokenRange(Init->getSourceRange()), SM,
                                  Ctx.getLangOpts()) +
             ")")
                .str();
  Result.push_back(FixItHint::CreateReplacement(Whole, Text));
  for (const DeclRefExpr *Ref : Uses.Uses)
    Result.push_back(FixItHint::CreateInsertion(Ref->getLocation(), "*"));
  return Result;
}

void SharedWrites::report(const Write &W, SourceLocation Keyword) {
  const std::string Name = W.To.name();
  const VarDecl *Var = W.To.Path.empty() ? W.To.Root : nullptr;
  if (W.To.Root && (isView(W.To.Root, W.To.Root->getInit()) ||
                    (!Var && isPointerToView(W.To.Root, FD->getBody()))))
    return reportView(W.To.Root, W.Left->getExprLoc(), Keyword);
  std::string Remedy;
  llvm::SmallVector<FixItHint, 4> Changes;
  if (W.Operation.empty()) {
    Remedy = "give each part a variable of its own, or make it a reducer, or a std::atomic";
    if (!Ctx.getLangOpts().CPlusPlus)
      Remedy = "give each part a variable of its own, or make it '_Atomic'";
  } else if (!Ctx.getLangOpts().CPlusPlus) {
    Remedy = "make it a reducer (<cilk/views.h>), or give each part an element of an array and "
             "add them up afterwards";
  } else {
    std::string Type = W.Left->getType().getUnqualifiedType().getAsString(Ctx.getPrintingPolicy());
    std::string Reducer = ("cilk::reducer<" + Type + ", " + W.Operation + ">").str();
    Remedy = "make it a '" + Reducer + "' of <cilk/reducer.h>, and write '*" + Name + "'";
    if (Var && isa<DeclRefExpr>(W.Left->IgnoreParens()) &&
        cast<DeclRefExpr>(W.Left->IgnoreParens())->getDecl() == Var)
      Changes = changes(Var, Reducer); // not where it is written through a reference
  }
  Report.reportRemedy(W.Left->getExprLoc(), Diag::SharedWrite, Keyword, Name,
                      Var ? Var->getLocation() : W.Left->getExprLoc(), Remedy, Changes);
}

/// Views of class type that the loop's body changes.
void SharedWrites::views(const Loop &L) {
  ChangeFinder Body;
  Body.TraverseStmt(L.Body);
  for (const DeclRefExpr *Ref : Body.Uses) {
    auto *Var = cast<VarDecl>(Ref->getDecl());
    if (Var->isInitCapture() || Body.Declared.contains(Var))
      continue;
    const bool IsShared = isView(Var, Var->getInit())
                              ? !Ref->getType()->isScalarType() && Body.changes(Var)
                              : isLambdaWithView(Var);
    if (IsShared)
      reportView(Var, Ref->getLocation(), L.Loc);
  }
}

void SharedWrites::loop(const Loop &L) {
  views(L);
  WriteFinder Finder(FD, L.Var);
  Finder.walk(L.Element);
  Finder.walk(L.Body);
  for (const Write &W : Finder.result())
    report(W, L.Loc);
}

void SharedWrites::spawn(const Flow &G, Stmt *Key, const Spawn &S) {
  const LambdaExpr *Lambda = nullptr;
  if (S.Form != Spawn::Statement && S.Spawned && isa<CXXOperatorCallExpr>(S.Spawned))
    Lambda = dyn_cast<LambdaExpr>(S.Spawned->getArg(0)->IgnoreUnlessSpelledInSource());
  WriteFinder Finder(Lambda ? Lambda->getCallOperator() : FD, nullptr);
  if (S.Form == Spawn::Statement) {
    Finder.walk(spawnedBody(Key));
  } else if (Lambda) {
    for (const LambdaCapture &C : Lambda->captures())
      if (C.capturesVariable() && (C.getCaptureKind() == LCK_ByCopy || Lambda->isInitCapture(&C)))
        Finder.declare(cast<VarDecl>(C.getCapturedVar()));
    Finder.walk(Lambda->getBody());
  }
  const Flow::Point Start = G.startOf(Key, S);
  const Stmt *Anchor = G.anchor(S.In);
  llvm::SmallVector<Write, 4> Writes = Finder.result();
  if (Writes.empty() || !Start || !Anchor)
    return;
  Extent Within(G, Anchor);
  const Stmt *Again = Start.Block->size() > Start.Index
                          ? (*Start.Block)[Start.Index].castAs<CFGStmt>().getStmt()
                          : nullptr;
  for (const Write &W : Writes) {
    bool IsParallel = false;
    G.forward(Start, &Within, [&](const Stmt *At) {
      IsParallel |= At == Again;
      auto *Decls = dyn_cast<DeclStmt>(At);
      const bool IsNew = Decls && llvm::is_contained(Decls->decls(), W.To.Root);
      return G.syncs(At, S.In) || IsParallel || IsNew ? Flow::Go::Stop : Flow::Go::On;
    });
    if (IsParallel)
      report(W, S.Loc);
  }
}

} // namespace

void warnOfSharedWrites(FunctionDecl *FD, FunctionPlan &Plan, const Flow *G, Reporter &Report) {
  SharedWrites Warner(FD, Report);
  llvm::SmallVector<const Loop *, 4> Loops;
  for (auto &[Key, L] : Plan.Loops) // any order: sorted below
    Loops.push_back(&L);
  llvm::sort(Loops, [](auto *A, auto *B) { return A->Loc < B->Loc; });
  for (const Loop *L : Loops)
    Warner.loop(*L);
  if (G)
    for (auto [Key, S] : G->spawns())
      Warner.spawn(*G, Key, *S);
}

} // namespace nopal::frontend
