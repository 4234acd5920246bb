//===- Rewrite.cpp - Puts markers into a body -----------------------------===//
//
// One walk over the statements of a body. A statement expands to a list: in a
// compound statement the list takes its place, elsewhere a new compound
// statement does. Declarations stay in the block that they were written in.
//
//===----------------------------------------------------------------------===//
#include "Rewrite.h"
#include "../compatibility/Compatibility.h"
#include "Analysis.h"
#include "LoopBuilder.h"
#include "MarkerBuilder.h"
#include "Operands.h"
#include "References.h"
#include "Returns.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace nopal::frontend {
namespace {

using List = llvm::SmallVectorImpl<Stmt *>;

class Rewriter {
public:
  Rewriter(FunctionDecl *FD, FunctionPlan &Plan, Sema &SemaRef, MarkerBuilder &Build,
           unsigned &NextId, Reporter &Report)
      : FD(FD), Plan(Plan), SemaRef(SemaRef), Build(Build), NextId(NextId), Report(Report),
        Ctx(FD->getASTContext()), Returned(FD, Plan, Build) {}

  void inPlace(Stmt *&Slot);
  void findPassedBy();

private:
  void expand(Stmt *S, List &Out);
  void expandSpawn(Stmt *S, llvm::ArrayRef<Spawn> Spawns, List &Out);
  void expandDeclaration(DeclStmt *S, llvm::ArrayRef<Spawn> Spawns, List &Out);
  void expandList(DeclStmt *Single, VarDecl *Var, llvm::ArrayRef<Spawn> Spawns, List &Out);
  void expandStatement(Stmt *S, const Spawn &Found, List &Out);
  void expandLoop(Stmt *S, Loop L, List &Out);
  Stmt *compound(CompoundStmt *Body);
  Region *anchored(Stmt *S);
  void nestedRegion(Region *R, Stmt *S, SourceLocation End, List &Out);
  Stmt *hidden(Region *R, SourceLocation Loc) {
    return Build.atScopeExit(Marker::SyncCleanup, HiddenName, R->Number, FD, Loc);
  }
  /// \p S is the whole statement, as the user wrote it.
  void begin(Marker M, unsigned Id, const Spawn &Found, Stmt *S, List &Out) {
    outer(Id, S, Found.Loc, Out);
    Out.push_back(Build.begin(M, Id, Found.In->Number, Found.Loc, S->getBeginLoc()));
    Expr *Whole = isa<Expr>(S) ? cast<Expr>(S) : Found.Marker;
    if (!Ctx.getLangOpts().CPlusPlus && Whole)
      literals(Id, Whole);
  }
  void literals(unsigned Id, Expr *In);
  void outer(unsigned Id, Stmt *S, SourceLocation Loc, List &Out) {
    for (VarDecl *Var : outerVariables(FD, S))
      Out.push_back(Build.call(Marker::Outer, {Id, Var}, Loc));
  }
  /// Says where the child of \p Found begins.
  void flag(const Spawn &Found) {
    if (Found.Spawned)
      Build.flag(Found.Spawned);
    else
      hoistOperands(Found, SemaRef, Build, Report);
  }
  void end(unsigned Id, SourceLocation Loc, List &Out) {
    Out.push_back(Build.call(Marker::End, {Id}, Loc));
  }
  bool endsAtScopeExit(const Stmt *S) const;
  Stmt *sync(Stmt *S, SourceLocation Loc);
  Stmt *withoutAnnotations(AttributedStmt *S);

  FunctionDecl *FD;
  FunctionPlan &Plan;
  Sema &SemaRef;
  MarkerBuilder &Build;
  unsigned &NextId;
  Reporter &Report;
  ASTContext &Ctx;
  /// The innermost region around what is being expanded that may have to become
  /// a function of its own: a cilk_scope, or a try statement, its handlers included; or null.
  Region *Nested = nullptr;
  Returns Returned;
};

/// A try statement that comes next has its begin marker already.
static bool isBegun(llvm::ArrayRef<Stmt *> Out) {
  return !Out.empty() && isCallOf(Out.back(), Marker::TryBegin);
}

/// The region that ends with \p S and needs an implicit sync there, or null.
Region *Rewriter::anchored(Stmt *S) {
  Region *R = Plan.Anchors.lookup(S);
  return R && R->Spawns && !R->Anchored ? R : nullptr;
}

/// The compound literals of C in \p In live as long as the block around the statement
/// \p Id. One of which only the value is used is no object, nor is what Clang makes of an argument
/// for a transparent union.
void Rewriter::literals(unsigned Id, Expr *In) {
  for (Stmt *&Child : In->children()) {
    auto *Inner = dyn_cast_or_null<Expr>(Child);
    if (!Inner)
      continue;
    literals(Id, Inner);
    auto *Cast = dyn_cast<CastExpr>(In);
    if (auto *Literal = dyn_cast<CompoundLiteralExpr>(Inner);
        Literal && Literal->isLValue() && !Literal->isFileScope() &&
        !(Cast && Cast->getCastKind() == CK_LValueToRValue))
      Child = Build.literal(Id, Literal);
  }
}

/// What a block, all of \p S, begins with that may have to become a function of its own.
void Rewriter::nestedRegion(Region *R, Stmt *S, SourceLocation End, List &Out) {
  unsigned Id = NextId++;
  outer(Id, S, R->Loc, Out);
  Out.push_back(Build.begin(Marker::RegionBegin, Id, R->Number, R->Loc));
  Out.push_back(Build.atScopeExit(Marker::RegionEndCleanup, "__nopal_end", Id, FD, End));
}

/// The try blocks that are no regions and have a sync for a region around them.
void Rewriter::findPassedBy() {
  auto Pass = [](Region *R) {
    for (; !R->isEffective(); R = R->Parent)
      R->PassedBy = true;
  };
  for (auto &[S, R] : Plan.Syncs) // any order: only marks
    if (R->Spawns)
      Pass(Plan.Innermost.lookup(S));
  for (auto &[S, R] : Plan.Returns) // any order: only marks
    if (Returned.isBuiltBeforeSync(cast<ReturnStmt>(S)))
      Pass(Plan.Innermost.lookup(S));
  for (auto &R : Plan.Regions)
    if (R->PassedBy)
      Pass(R.get());
}

/// The sync that \p S, a sync or a return statement, is or needs.
Stmt *Rewriter::sync(Stmt *S, SourceLocation Loc) {
  Region *In = Plan.Innermost.lookup(S);
  unsigned Number = In->effective()->Number;
  return In->isEffective() ? Build.call(Marker::Sync, {Number}, Loc)
                           : Build.call(Marker::PassThroughSync, {Number, In->Id}, Loc);
}

/// The declaration statement that \p S is after its labels, or null.
static const DeclStmt *declaration(const Stmt *S) {
  while (true) {
    if (auto *Label = dyn_cast<LabelStmt>(S))
      S = Label->getSubStmt();
    else if (auto *Case = dyn_cast<SwitchCase>(S))
      S = Case->getSubStmt();
    else
      return dyn_cast<DeclStmt>(S);
  }
}

/// Whether leaving the scope of the variables of \p S may run user code, or releases the memory of
/// a variable length array.
bool Rewriter::endsAtScopeExit(const Stmt *S) const {
  const DeclStmt *Decls = declaration(S);
  if (!Decls)
    return false;
  for (Decl *D : Decls->decls()) {
    auto *Var = dyn_cast<VarDecl>(D);
    if (!Var || !Var->hasLocalStorage())
      continue;
    // A full expression with cleanups may bind a temporary to a reference, the
    // variable or a member of it.
    auto Binds = [](const VarDecl *Bound) {
      return Bound->getInit() && isa<ExprWithCleanups>(Bound->getInit()) &&
             !Bound->getType()->isScalarType();
    };
    if (Var->needsDestruction(Ctx) != QualType::DK_none || Var->hasAttr<CleanupAttr>() ||
        Var->getType()->isVariableArrayType() || Binds(Var) ||
        llvm::any_of(partsWithVariables(Var), Binds))
      return true;
  }
  return false;
}

Stmt *Rewriter::withoutAnnotations(AttributedStmt *S) {
  llvm::SmallVector<const Attr *, 2> Others;
  for (const Attr *A : S->getAttrs()) {
    auto *Suppress = dyn_cast<SuppressAttr>(A);
    if (!Suppress || llvm::none_of(Suppress->diagnosticIdentifiers(), [](llvm::StringRef Text) {
          return Text == SpawnAnnotation || Text == ScopeAnnotation;
        }))
      Others.push_back(A);
  }
  if (Others.empty())
    return S->getSubStmt();
  return AttributedStmt::Create(Ctx, S->getAttrLoc(), Others, S->getSubStmt());
}

void Rewriter::inPlace(Stmt *&Slot) {
  llvm::SmallVector<Stmt *, 4> Out;
  SourceRange Range = Slot->getSourceRange();
  expand(Slot, Out);
  Slot = Out.size() == 1 ? Out.front() : Build.compound(Out, Range);
}

void Rewriter::expand(Stmt *S, List &Out) {
  if (auto *Declared = dyn_cast<DeclStmt>(S))
    for (Decl *D : Declared->decls())
      Returned.DeclaredIn[D] = Nested;
  if (auto It = Plan.Spawns.find(S); It != Plan.Spawns.end())
    return expandSpawn(S, It->second, Out);
  if (auto It = Plan.Loops.find(S); It != Plan.Loops.end())
    return expandLoop(S, It->second, Out);
  if (auto It = Plan.Syncs.find(S); It != Plan.Syncs.end()) {
    // Where nothing was spawned there is nothing to wait for.
    Out.push_back(It->second->Spawns ? sync(S, S->getBeginLoc()) : S);
    return;
  }
  if (auto *Return = dyn_cast<ReturnStmt>(S))
    if (Stmt *New =
            Returned.expand(Return, Nested, [&] { return sync(S, Return->getReturnLoc()); })) {
      Out.push_back(New);
      return;
    }
  if (isa<LabelStmt, SwitchCase>(S)) {
    // L: S  ->  L: begin; S'; end
    Stmt **Sub = nullptr;
    for (Stmt *&Child : S->children())
      Sub = &Child;
    llvm::SmallVector<Stmt *, 4> Inner;
    expand(*Sub, Inner);
    *Sub = Inner.front();
    Out.push_back(S);
    Out.append(Inner.begin() + 1, Inner.end());
    return;
  }
  if (auto *Body = dyn_cast<CompoundStmt>(S)) {
    Out.push_back(compound(Body));
    return;
  }
  if (auto *Try = dyn_cast<CXXTryStmt>(S); Try && anchored(Try->getTryBlock())) {
    // The handlers are of the region: they run when its children are done,
    // whatever others are in flight.
    llvm::SmallVector<Stmt *, 3> Wrapped;
    llvm::SaveAndRestore Inside(Nested, anchored(Try->getTryBlock()));
    nestedRegion(Nested, S, S->getEndLoc(), Wrapped);
    for (Stmt *&Child : S->children())
      inPlace(Child);
    Wrapped.push_back(S);
    Out.push_back(S == FD->getBody() ? S : Build.compound(Wrapped, S->getSourceRange()));
    return;
  }
  if (auto *Try = dyn_cast<CXXTryStmt>(S))
    if (Region *R = Plan.Anchors.lookup(Try->getTryBlock()); R && R->PassedBy && !isBegun(Out)) {
      if (!R->Id)
        R->Id = NextId++;
      Out.push_back(Build.call(Marker::TryBegin, {R->Id, R->Parent->Id}, S->getBeginLoc()));
    }
  if (auto *Attributed = dyn_cast<AttributedStmt>(S)) {
    for (Stmt *&Child : S->children())
      inPlace(Child);
    Out.push_back(withoutAnnotations(Attributed));
    return;
  }
  if (!isa<Expr, DeclStmt>(S))
    for (Stmt *&Child : S->children())
      if (Child && (!isa<Expr, DeclStmt>(Child) || Plan.Spawns.contains(Child) ||
                    Plan.Syncs.contains(Child)))
        inPlace(Child);
  Out.push_back(S);
}

void Rewriter::expandSpawn(Stmt *S, llvm::ArrayRef<Spawn> Spawns, List &Out) {
  const Spawn &First = Spawns.front();
  switch (First.Form) {
  case Spawn::Variable:
  case Spawn::Element:
    return expandDeclaration(cast<DeclStmt>(S), Spawns, Out);
  case Spawn::Statement:
    return expandStatement(S, First, Out);
  case Spawn::Call:
  case Spawn::Assignment:
    break;
  }
  unsigned Id = NextId++;
  begin(Marker::Begin, Id, First, S, Out);
  flag(First);
  if (First.Assign && !isFixedVariable(leftSide(First.Assign))) {
    auto [Declaration, Assign] = Build.hoistLeft(cast<Expr>(S), First, FD);
    // A block of its own, so that no landing pad of what follows has to end the
    // pointer's life.
    Out.push_back(Build.compound({Declaration, Assign}, S->getSourceRange()));
  } else {
    Out.push_back(S);
  }
  end(Id, S->getEndLoc(), Out);
}

/// T x = cilk_spawn f(), y;  ->  begin; T x = [f()]; end; hidden; T y;
void Rewriter::expandDeclaration(DeclStmt *S, llvm::ArrayRef<Spawn> Spawns, List &Out) {
  for (Decl *D : S->decls()) {
    auto *Single = new (Ctx) DeclStmt(DeclGroupRef(D), S->getBeginLoc(), S->getEndLoc());
    auto *It = llvm::find_if(Spawns, [D](const Spawn &Found) { return Found.Var == D; });
    if (It != Spawns.end() && It->Form == Spawn::Element) {
      expandList(Single, It->Var, Spawns, Out);
      continue;
    }
    if (It == Spawns.end()) {
      Out.push_back(Single);
      continue;
    }
    unsigned Id = NextId++;
    begin(Marker::Begin, Id, *It, Single, Out);
    flag(*It);
    Out.push_back(Single);
    // What the child has made lives on: the variable, or the temporary that it or a
    // part of it is bound to.
    Out.push_back(Build.call(Marker::Made, {Id, It->Var}, S->getEndLoc()));
    for (VarDecl *Part : partsWithVariables(It->Var))
      Out.push_back(Build.call(Marker::Made, {Id, Part}, S->getEndLoc()));
    end(Id, It->Loc, Out);
  }
}

/// T x[] = {cilk_spawn f(), a};  ->  T x[2]; begin; x[0] = [f()]; end; x[1] = a;
void Rewriter::expandList(DeclStmt *Single, VarDecl *Var, llvm::ArrayRef<Spawn> Spawns, List &Out) {
  const SourceLocation Loc = Var->getLocation();
  InitListExpr *Whole = initializerList(Var->getInit());
  const bool Cleanups = isa<ExprWithCleanups>(Var->getInit());
  bool Zeros = false;
  Out.push_back(Single);
  // What is written nowhere is zero. Each use of a part needs an expression of its own.
  auto Parts = [&](auto &Again, InitListExpr *L, llvm::function_ref<Expr *()> Place) -> void {
    Zeros |= L->hasArrayFiller();
    for (const ListPart &P : partsOf(L)) {
      auto Inner = [&] {
        return P.Field ? Build.member(Place(), P.Field, Loc) : Build.element(Place(), P.Index, Loc);
      };
      Expr *Part = P.Init;
      if (!Part || isa<ImplicitValueInitExpr>(Part)) {
        Zeros = true;
        continue;
      }
      auto *It = llvm::find_if(Spawns, [Part](const Spawn &Found) { return Found.Part == Part; });
      const bool Spawned = It != Spawns.end();
      if (InitListExpr *Deep = Spawned ? nullptr : initializerList(Part)) {
        Again(Again, Deep, Inner);
        continue;
      }
      unsigned Id = Spawned ? NextId++ : 0;
      if (Spawned) {
        begin(Marker::Begin, Id, *It, Single, Out);
        flag(*It);
      }
      Expr *Store = Build.assign(Inner(), Part, Part->getExprLoc());
      if (Cleanups)
        Store = ExprWithCleanups::Create(Ctx, Store, /*CleanupsHaveSideEffects=*/true, {});
      Out.push_back(Store);
      if (Spawned)
        end(Id, It->Loc, Out);
    }
  };
  Parts(Parts, Whole, [&] { return Build.reference(Var, Loc); });
  Var->setInit(Zeros ? new (Ctx) ImplicitValueInitExpr(Var->getType()) : nullptr);
  if (Zeros) { // Clang would take a const variable for a constant.
    Qualifiers Removed;
    Var->setType(Ctx.getUnqualifiedArrayType(Var->getType(), Removed));
  }
}

void Rewriter::expandStatement(Stmt *S, const Spawn &Found, List &Out) {
  Stmt *Body = S;
  if (auto *Attributed = dyn_cast<AttributedStmt>(S))
    Body = withoutAnnotations(Attributed);
  bool Hide = Found.Own->Spawns && !isa<CompoundStmt>(Body);
  unsigned Id = NextId++;
  begin(Marker::BlockBegin, Id, Found, S, Out);
  if (!isa<Expr>(Body))
    inPlace(Body);
  if (Hide)
    Body = Build.compound({hidden(Found.Own, Found.Loc), Body}, Body->getSourceRange());
  Out.push_back(Body);
  end(Id, S->getEndLoc(), Out);
}

void Rewriter::expandLoop(Stmt *S, Loop L, List &Out) {
  unsigned Id = NextId++;
  bool Hide = L.Own->Spawns && !isa<CompoundStmt>(L.Body);
  inPlace(L.Body);
  if (Hide)
    L.Body = Build.compound({hidden(L.Own, L.Loc), L.Body}, L.Body->getSourceRange());
  Stmt *Built = buildLoop(L, Id, FD, SemaRef, Build, Report);
  Out.push_back(Built ? Built : S);
}

Stmt *Rewriter::compound(CompoundStmt *Body) {
  Region *R = anchored(Body);
  const bool IsScope = R && R->Kind == Region::Scope;
  llvm::SaveAndRestore Inside(Nested, IsScope ? R : Nested);
  llvm::SmallVector<Stmt *, 16> Out;
  if (IsScope)
    nestedRegion(R, Body, Body->getRBracLoc(), Out);
  const size_t Own = Out.size(); // what is guarded
  if (Region *Try = Plan.Anchors.lookup(Body);
      Try && Try->PassedBy &&
      !(!Body->body_empty() && isCallOf(Body->body_front(), Marker::TryBody)))
    Out.push_back(Build.call(Marker::TryBody, {Try->Id}, Body->getLBracLoc()));
  if (R)
    Out.push_back(hidden(R, Body->getLBracLoc()));
  for (Stmt *S : Body->body()) {
    size_t Before = Out.size();
    bool Hide = R && endsAtScopeExit(S);
    expand(S, Out);
    if (!Hide)
      continue;
    // Several variables may have become several statements: one each, after
    // the end marker of a variable that is spawned.
    for (size_t I = Before; I < Out.size(); ++I) {
      if (!endsAtScopeExit(Out[I]))
        continue;
      for (Decl *D : declaration(Out[I])->decls())
        Returned.Covered[D] = R;
      while (I + 1 < Out.size() &&
             (isCallOf(Out[I + 1], Marker::Made) || isCallOf(Out[I + 1], Marker::End)))
        ++I;
      Out.insert(Out.begin() + ++I, hidden(R, Body->getRBracLoc()));
    }
  }
  CompoundStmt *Whole = Build.withStatements(Body, llvm::ArrayRef(Out).drop_front(Own));
  CompoundStmt *Safe = Returned.guarded(Whole, R);
  if (!IsScope)
    return Safe;
  if (Safe == Whole)
    return Build.withStatements(Body, Out);
  Out.truncate(Own);
  Out.push_back(Safe);
  return Build.withStatements(Body, Out);
}

} // namespace

void rewrite(FunctionDecl *FD, FunctionPlan &Plan, Sema &S, MarkerBuilder &Build, unsigned &NextId,
             Reporter &Report) {
  Stmt *Body = FD->getBody();
  Rewriter R(FD, Plan, S, Build, NextId, Report);
  R.findPassedBy();
  R.inPlace(Body);
  FD->setBody(Body);
}

} // namespace nopal::frontend
