//===- Sites.cpp - Where a program may be mutated -------------------------===//
//
// A plugin of Clang that prints, instead of compiling, one line of JSON for each
// function of the main file that may spawn: its blocks, and in each block its
// statements with their offsets in the file and with what may be done to them.
// mutate.py reads it; README.md says which change is free of races and why.
//
//   clang++-22 -fplugin=NopalSites.so -Xclang -plugin -Xclang nopal-sites -fsyntax-only FILE
//
//===----------------------------------------------------------------------===//
#include <optional>
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/JSON.h"

using namespace clang;

namespace {

/// A subtree without the bodies of lambdas and blocks, which are functions of their own.
template <class Action>
void walk(const Stmt *S, const Action &Act) {
  if (!S || !Act(S)) return;
  if (const auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (const Expr *Init : Lambda->capture_inits()) walk(Init, Act);
    return;
  }
  for (const Stmt *Child : S->children()) walk(Child, Act);
}

template <class Action>
void walkAll(const Stmt *S, const Action &Act) {
  walk(S, [&](const Stmt *Each) {
    Act(Each);
    return true;
  });
}

llvm::StringRef calleeName(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return Callee && Callee->getIdentifier() ? Callee->getName() : "";
}

/// The contents of a statement that decide where it may be moved.
struct Contents {
  llvm::SmallPtrSet<const LabelDecl *, 2> Labels, Targets;
  bool Leaves = false;    ///< return, a jump out, a case of an outer switch
  bool Enters = false;    ///< control comes in from elsewhere: a label, a case
  bool Indirect = false;  ///< goto *p, or a label's address
  bool Place = false;     ///< memory that lives as long as the block: alloca, a C compound literal
  bool OwnOnly = false;   ///< what means another thing in a lambda: __func__, va_start
  bool Returns = false;

  void look(const Stmt *S, bool CPlusPlus, unsigned Loops = 0, unsigned Switches = 0) {
    if (!S) return;
    switch (S->getStmtClass()) {
      case Stmt::ReturnStmtClass:
        Leaves = Returns = true;
        break;
      case Stmt::BreakStmtClass:
        Leaves |= Loops + Switches == 0;
        break;
      case Stmt::ContinueStmtClass:
        Leaves |= Loops == 0;
        break;
      case Stmt::CaseStmtClass:
      case Stmt::DefaultStmtClass:
        if (Switches == 0) Leaves = Enters = true;
        break;
      case Stmt::AttributedStmtClass:  // [[fallthrough]] stands right before a case
        for (const Attr *A : cast<AttributedStmt>(S)->getAttrs())
          Leaves |= Switches == 0 && isa<FallThroughAttr>(A);
        break;
      case Stmt::GotoStmtClass:
        Targets.insert(cast<GotoStmt>(S)->getLabel());
        break;
      case Stmt::LabelStmtClass:
        Enters = true;
        Labels.insert(cast<LabelStmt>(S)->getDecl());
        break;
      case Stmt::IndirectGotoStmtClass:
      case Stmt::AddrLabelExprClass:
        Indirect = true;
        break;
      case Stmt::CompoundLiteralExprClass:
        Place |= !CPlusPlus;
        break;
      case Stmt::PredefinedExprClass:
        OwnOnly = true;
        break;
      case Stmt::CallExprClass: {
        llvm::StringRef Name = calleeName(cast<CallExpr>(S));
        Place |= Name.contains("alloca");
        OwnOnly |= Name.contains("va_start") || Name.contains("va_arg");
        break;
      }
      case Stmt::ForStmtClass:
      case Stmt::WhileStmtClass:
      case Stmt::DoStmtClass:
      case Stmt::CXXForRangeStmtClass:
        ++Loops;
        break;
      case Stmt::SwitchStmtClass:
        ++Switches;
        break;
      case Stmt::LambdaExprClass:
        return;
      default:
        break;
    }
    for (const Stmt *Child : S->children()) look(Child, CPlusPlus, Loops, Switches);
  }
};

/// The patterns of functions that have instances: what a program uses of its headers' templates.
class Instances : public RecursiveASTVisitor<Instances> {
 public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl *FD) {
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern();
        Pattern && FD->hasBody())
      Patterns.insert(Pattern->getCanonicalDecl());
    return true;
  }
  llvm::SmallPtrSet<const FunctionDecl *, 32> Patterns;
};

class Visitor : public RecursiveASTVisitor<Visitor> {
 public:
  explicit Visitor(ASTContext &Ctx) : Ctx(Ctx), SM(Ctx.getSourceManager()) {
    Used.TraverseDecl(Ctx.getTranslationUnitDecl());
  }

  bool VisitFunctionDecl(FunctionDecl *FD) {
    if (FD->doesThisDeclarationHaveABody() && !isLambda(FD) && !FD->isImplicit() &&
        !FD->isDefaulted() && isUsed(FD))
      function(FD, FD->getBody());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    function(Lambda->getCallOperator(), Lambda->getBody());
    return true;
  }

 private:
  static bool isLambda(const FunctionDecl *FD) {
    const auto *Method = dyn_cast<CXXMethodDecl>(FD);
    return Method && Method->getParent()->isLambda();
  }

  bool isUsed(const FunctionDecl *FD) const {
    if (FD->isDependentContext()) return Used.Patterns.count(FD->getCanonicalDecl());
    return FD->isUsed() || FD->isReferenced() || (FD->isExternallyVisible() && !FD->isInlined());
  }

  std::optional<unsigned> offset(SourceLocation Loc) const {
    if (Loc.isInvalid() || Loc.isMacroID() || SM.getFileID(Loc) != SM.getMainFileID())
      return std::nullopt;
    return SM.getFileOffset(Loc);
  }

  /// From the first character to the one after the last, with the semicolon if there is one.
  std::optional<std::pair<unsigned, unsigned>> extent(const Stmt *S) const {
    CharSourceRange Range = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(S->getSourceRange()), SM, Ctx.getLangOpts());
    auto Begin = offset(Range.getBegin()), End = offset(Range.getEnd());
    if (!Begin || !End || *End <= *Begin) return std::nullopt;
    llvm::StringRef Text = SM.getBufferData(SM.getMainFileID());
    if (Text[*End - 1] == ';') return std::pair(*Begin, *End);
    SourceLocation After = Lexer::findLocationAfterToken(Range.getEnd().getLocWithOffset(-1),
                                                         tok::semi, SM, Ctx.getLangOpts(), false);
    if (auto Past = offset(After); needsSemicolon(S) && Past) return std::pair(*Begin, *Past);
    if (needsSemicolon(S)) return std::nullopt;
    return std::pair(*Begin, *End);
  }

  static bool needsSemicolon(const Stmt *S) {
    for (;;) {
      if (const auto *Label = dyn_cast<LabelStmt>(S))
        S = Label->getSubStmt();
      else if (const auto *Case = dyn_cast<SwitchCase>(S))
        S = Case->getSubStmt();
      else if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
        S = Attributed->getSubStmt();
      else if (const auto *If = dyn_cast<IfStmt>(S))
        S = If->getElse() ? If->getElse() : If->getThen();
      else if (const auto *While = dyn_cast<WhileStmt>(S))
        S = While->getBody();
      else if (const auto *For = dyn_cast<ForStmt>(S))
        S = For->getBody();
      else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
        S = Range->getBody();
      else if (const auto *Switch = dyn_cast<SwitchStmt>(S))
        S = Switch->getBody();
      else
        return !isa<CompoundStmt, CXXTryStmt>(S);
    }
  }

  /// Whether a function may not spawn, or could see that it did. README.md has the list.
  bool isLeftAlone(const FunctionDecl *FD, const Stmt *Body) const {
    if (FD->isConstexprSpecified() || FD->isConsteval() || FD->hasAttr<NakedAttr>() ||
        FD->hasAttr<AnyX86InterruptAttr>() || isa<CoroutineBodyStmt>(Body))
      return true;
    // After a spawn a function may not find the exception that its caller caught and it rethrows.
    llvm::SmallPtrSet<const Stmt *, 4> Handled;
    walkAll(Body, [&](const Stmt *S) {
      if (isa<CXXCatchStmt>(S)) walkAll(S, [&](const Stmt *Inner) { Handled.insert(Inner); });
    });
    bool Found = false;
    walkAll(Body, [&](const Stmt *S) {
      if (isa<CoreturnStmt, CoroutineSuspendExpr, DependentCoawaitExpr>(S)) Found = true;
      if (const auto *Throw = dyn_cast<CXXThrowExpr>(S); Throw && !Throw->getSubExpr())
        Found |= !Handled.count(Throw);
      if (const auto *Asm = dyn_cast<GCCAsmStmt>(S)) Found |= Asm->isAsmGoto();
      if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
        for (const Attr *A : Attributed->getAttrs()) Found |= isa<MustTailAttr>(A);
      // After a spawn another thread may continue, where these are different.
      if (const auto *Name = dyn_cast<DeclRefExpr>(S))
        if (const auto *Var = dyn_cast<VarDecl>(Name->getDecl()))
          Found |= Var->getTLSKind() != VarDecl::TLS_None;
      if (const auto *Call = dyn_cast<CallExpr>(S)) {
        const FunctionDecl *Callee = Call->getDirectCallee();
        llvm::StringRef Name = calleeName(Call);
        Found |= Name == "__errno_location";
        Found |= Callee && Callee->hasAttr<ReturnsTwiceAttr>();
        Found |= Name.contains("uncaught_exception") || Name == "current_exception";
        Found |= Name.contains("setjmp") || Name == "vfork" || Name == "getcontext" ||
                 Name == "__builtin_frame_address" || Name == "__builtin_return_address";
      }
    });
    return Found;
  }

  void function(const FunctionDecl *FD, const Stmt *Body) {
    if (!Body || !offset(Body->getBeginLoc()) || isLeftAlone(FD, Body)) return;
    Blocks = llvm::json::Array();
    Gotos.clear();
    Indirect = false;
    walkAll(Body, [&](const Stmt *S) {
      if (const auto *Goto = dyn_cast<GotoStmt>(S)) Gotos.push_back(Goto);
      Indirect |= isa<IndirectGotoStmt>(S);
    });
    blocks(Body, 0);
    if (Blocks.empty()) return;
    llvm::json::Object Function{{"name", FD->getNameAsString()}, {"blocks", std::move(Blocks)}};
    if (const auto *Outer = dyn_cast<CompoundStmt>(Body); Outer && Ctx.getLangOpts().CPlusPlus) {
      Contents All;
      All.look(Body, true);
      QualType Result = FD->getReturnType();
      if (const auto *Plain = Result->getAs<BuiltinType>();
          Plain && !Result->isDependentType() && !All.OwnOnly && !All.Place && !All.Indirect &&
          !Plain->isPlaceholderType() && Result->isArithmeticType())
        Function["returns"] =
            Result.getUnqualifiedType().getAsString(PrintingPolicy(Ctx.getLangOpts()));
    }
    llvm::outs() << llvm::json::Value(std::move(Function)) << "\n";
  }

  /// The blocks in a statement, outer ones first. Not those of handlers and statement expressions.
  void blocks(const Stmt *S, unsigned Loops) {
    if (!S || isa<CXXCatchStmt, StmtExpr, BlockExpr, LambdaExpr>(S) || isOpenMP(S)) return;
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) block(Block, Loops);
    if (const auto *If = dyn_cast<IfStmt>(S)) {
      if (If->isConsteval()) return;
      bare(If->getThen(), Loops);
      bare(If->getElse(), Loops);
    }
    bool IsLoop = true;
    if (const auto *While = dyn_cast<WhileStmt>(S))
      bare(While->getBody(), Loops + 1);
    else if (const auto *Do = dyn_cast<DoStmt>(S))
      bare(Do->getBody(), Loops + 1);
    else if (const auto *For = dyn_cast<ForStmt>(S))
      bare(For->getBody(), Loops + 1);
    else if (const auto *Range = dyn_cast<CXXForRangeStmt>(S))
      return bare(Range->getBody(), Loops + 1), blocks(Range->getBody(), Loops + 1);
    else
      IsLoop = false;
    for (const Stmt *Child : S->children()) blocks(Child, Loops + IsLoop);
  }

  static bool isOpenMP(const Stmt *S) {
    return llvm::StringRef(S->getStmtClassName()).starts_with("OMP");
  }

  void bare(const Stmt *S, unsigned Loops) {
    if (!S || isa<CompoundStmt, NullStmt>(S)) return;
    if (auto Sides = extent(S))
      Blocks.push_back(
          llvm::json::Object{{"bare", true},
                             {"loops", Loops},
                             {"statements", llvm::json::Array{statement(S, *Sides, {})}}});
  }

  void block(const CompoundStmt *Block, unsigned Loops) {
    auto Open = offset(Block->getLBracLoc()), Close = offset(Block->getRBracLoc());
    if (!Open || !Close) return;
    llvm::json::Array Statements;
    const Stmt *Before = nullptr;
    for (const Stmt *S : Block->body()) {
      // A statement without an extent ends a run that can be moved as one.
      if (auto Sides = extent(S))
        Statements.push_back(statement(S, *Sides, Before));
      else
        Statements.push_back(nullptr);
      Before = S;
    }
    Blocks.push_back(llvm::json::Object{
        {"loops", Loops}, {"close", *Close}, {"statements", std::move(Statements)}});
  }

  llvm::json::Value statement(const Stmt *S, std::pair<unsigned, unsigned> Sides,
                              const Stmt *Before) {
    bool CPlusPlus = Ctx.getLangOpts().CPlusPlus;
    llvm::json::Object Result{{"begin", Sides.first}, {"end", Sides.second}};
    Contents In;
    In.look(S, CPlusPlus);
    for (const GotoStmt *Goto : Gotos)
      if (In.Labels.count(Goto->getLabel()) != In.Targets.count(Goto->getLabel()) ||
          isOutside(Goto, S, In))
        In.Leaves = true;
    if (In.Indirect || (Indirect && !In.Labels.empty())) In.Leaves = true;
    if (In.Enters) Result["target"] = true;
    if (!In.Leaves && !In.Place) Result["moves"] = true;
    if (CPlusPlus && !In.OwnOnly) Result["lambda"] = true;
    if (isa<SwitchCase>(S) && Before && isa<AttributedStmt>(Before))
      Result["tight"] = true;  // after [[fallthrough]]
    if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      declaration(Declaration, Result, In);
    else if (const auto *E = dyn_cast<Expr>(S); E && !In.Place)
      expression(E, Result);
    return Result;
  }

  /// Whether one of the function's jumps crosses the edge of a statement.
  static bool isOutside(const GotoStmt *Goto, const Stmt *S, const Contents &In) {
    if (!In.Labels.count(Goto->getLabel())) return false;
    bool Inside = false;
    walkAll(S, [&](const Stmt *Each) { Inside |= Each == Goto; });
    return !Inside;
  }

  void declaration(const DeclStmt *S, llvm::json::Object &Result, const Contents &In) {
    Result["declares"] = true;
    for (const Decl *D : S->decls())
      if (!isa<VarDecl>(D)) Result.erase("moves");
    const auto *Variable = S->isSingleDecl() ? dyn_cast<VarDecl>(S->getSingleDecl()) : nullptr;
    if (!Variable || !Variable->hasLocalStorage() || Variable->isConstexpr() ||
        !Variable->getInit() || In.Place || Variable->getType()->isVariableArrayType())
      return;
    const Expr *Init = Variable->getInit();
    if (isa<ParenListExpr, InitListExpr>(Init)) return;
    if (auto Begin = spawnedCall(Init)) {
      Result["result"] = *Begin;
      if (Variable->getType()->isReferenceType() || isa<DecompositionDecl>(Variable))
        Result["bound"] = true;
    }
  }

  /// The offset of a call that a spawn may precede.
  std::optional<unsigned> spawnedCall(const Expr *E) const {
    const Expr *Written = E->IgnoreUnlessSpelledInSource()->IgnoreParens();
    const auto *Call = dyn_cast<CallExpr>(Written);
    if (!Call || isa<CXXOperatorCallExpr, UserDefinedLiteral>(Call) || Call->getBuiltinCallee())
      return std::nullopt;
    return offset(SM.getFileLoc(Call->getBeginLoc()) == Call->getBeginLoc() ? Call->getBeginLoc()
                                                                            : SourceLocation());
  }

  /// A place that is the same before and after any call.
  static bool isPlain(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return !Member->isArrow() && isPlain(Member->getBase());
    const auto *Name = dyn_cast<DeclRefExpr>(E);
    return Name && isa<VarDecl>(Name->getDecl()) && !Name->getDecl()->getType()->isReferenceType();
  }

  void expression(const Expr *E, llvm::json::Object &Result) const {
    Result["expression"] = true;
    const Expr *Written = E->IgnoreUnlessSpelledInSource()->IgnoreParens();
    const Expr *Left = nullptr, *Right = nullptr;
    if (const auto *Assign = dyn_cast<BinaryOperator>(Written);
        Assign && Assign->getOpcode() == BO_Assign)
      Left = Assign->getLHS(), Right = Assign->getRHS();
    else if (const auto *Overloaded = dyn_cast<CXXOperatorCallExpr>(Written);
             Overloaded && Overloaded->getOperator() == OO_Equal)
      Left = Overloaded->getArg(0), Right = Overloaded->getArg(1);
    if (Left && isPlain(Left))
      if (auto Begin = spawnedCall(Right)) Result["result"] = *Begin;
  }

  ASTContext &Ctx;
  SourceManager &SM;
  Instances Used;
  llvm::json::Array Blocks;
  llvm::SmallVector<const GotoStmt *, 8> Gotos;
  bool Indirect = false;
};

class Printer : public ASTConsumer {
  void HandleTranslationUnit(ASTContext &Ctx) override {
    Visitor(Ctx).TraverseDecl(Ctx.getTranslationUnitDecl());
  }
};

class Sites : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Printer>();
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return CmdlineAfterMainAction; }
};

FrontendPluginRegistry::Add<Sites> Registration("nopal-sites",
                                                "prints where a program may be mutated");

}  // namespace
