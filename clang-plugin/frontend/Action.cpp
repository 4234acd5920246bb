//===- Action.cpp - The front-end's place in a compilation ----------------===//
//
// The plugin action: adds the pragma handlers, and as an AST consumer that runs before
// code generation looks at each function once its body is complete. Functions come in
// three ways, and all three are needed: top-level declarations (also instances of
// templates, one by one), members defined in their class, and a walk over the whole
// translation unit at its end, which finds what the others do not (lambdas in default
// arguments, variable templates, friends; and, if a keyword was found by none, lambdas
// in types and in arguments of templates).
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "Analysis.h"
#include "Diagnostics.h"
#include "Flow.h"
#include "HyperClasses.h"
#include "HyperExpressions.h"
#include "HyperUses.h"
#include "Keywords.h"
#include "MarkerBuilder.h"
#include "Precompiled.h"
#include "Rewrite.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTMutationListener.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// With a section for each block (-fbasic-block-sections) Clang gives a block that holds
/// only `unreachable` an empty section, and lld makes two unwind entries for one address.
/// An exception that passes it aborts, in the serial program too. A trap leaves no section
/// empty. The option has no other name than LLVM's.
void leaveNoSectionEmpty(const CodeGenOptions &Options) {
  if (Options.BBSections.empty() || Options.BBSections == "none")
    return;
  constexpr const char Name[] = "trap-unreachable";
  auto &Known = llvm::cl::getRegisteredOptions();
  if (auto It = Known.find(Name); It != Known.end() && !It->second->getNumOccurrences())
    It->second->addOccurrence(1, Name, "true");
}

/// As a visitor it walks declarations: statements, types and attributes hold only those that
/// their function's plan names.
class Frontend : public ASTConsumer, ASTMutationListener, compat::DynamicRecursiveASTVisitor {
public:
  explicit Frontend(CompilerInstance &CI)
      : CI(CI), Engine(CI.getDiagnostics()), Keywords(CI.getSourceManager()),
        Report(Engine, Keywords) {
    const auto &Inputs = CI.getFrontendOpts().Inputs;
    bool IsPreprocessed = !Inputs.empty() && Inputs[0].getKind().isPreprocessed();
    addPragmaHandlers(CI.getPreprocessor(), IsPreprocessed, Keywords, Report);
    leaveNoSectionEmpty(CI.getCodeGenOpts());
    compat::PreparesForLink =
        CI.getCodeGenOpts().PrepareForLTO || CI.getCodeGenOpts().PrepareForThinLTO;
    // Of an input that was precompiled (a module's interface whose code is generated
    // by a compilation of its own) the language is not known yet.
    if (!CI.getPreprocessorOpts().ImplicitPCHInclude.empty() || CI.getLangOpts().Modules ||
        CI.getFrontendOpts().DashX.getFormat() == InputKind::Precompiled)
      Keywords.expectForeign();
    // What goes into a file is rewritten by the compilation that reads it.
    WritesFile = writesPrecompiled(CI);
    MayRewrite = !WritesFile || !CI.getFrontendOpts().ModuleOutputPath.empty();
    ShouldVisitImplicitCode = true; // the class of a lambda
  }

  void Initialize(ASTContext &Ctx) override {
    Matcher.emplace(Ctx, Keywords, Report);
    Build.emplace(Ctx);
  }

  ASTMutationListener *GetASTMutationListener() override { return this; }

  /// Before the bodies are parsed that are in the class.
  void CompletedTagDefinition(const TagDecl *Definition) override {
    if (Keywords.hasReducers())
      Classes.complete(Definition);
  }

  void HandleTagDeclDefinition(TagDecl *Definition) override { Classes.finish(Definition); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    if (!Keywords.empty())
      for (Decl *D : Group)
        TraverseDecl(D);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *FD) override {
    if (!Keywords.empty())
      function(FD);
  }

  void HandleTranslationUnit(ASTContext &Ctx) override {
    if (Engine.hasErrorOccurred() && Keywords.pending().empty())
      if (SourceLocation Loc = keywordWithoutHeader(CI.getPreprocessor()); Loc.isValid())
        Report.report(Diag::MissingHeader, Loc);
    if (Keywords.empty())
      return;
    ShouldVisitTemplateInstantiations = true;
    for (FunctionDecl *FD : Postponed)
      function(FD);
    TraverseDecl(Ctx.getTranslationUnitDecl());
    if (Keywords.hasReducers() || llvm::any_of(Keywords.pending(), [](auto &Place) {
          return Place.second != Keyword::None && Place.second != Keyword::Reducer;
        })) {
      // In a template's argument or a decltype: after the function around it, or its plan would
      // find what was rewritten.
      VisitsAllLambdas = true;
      TraverseDecl(Ctx.getTranslationUnitDecl());
    }
    // The operators of a loop's iterators may not have been called before, nor callbacks.
    CI.getSema().PerformPendingInstantiations();
    if (Keywords.writesReducers())
      checkHyperobjects(CI.getSema(), callbacks(), Keywords, Report);
    // After an error the AST may lack statements that are there.
    if (Engine.hasErrorOccurred())
      return;
    for (auto [Loc, K] : Keywords.pending())
      if (K != Keyword::None)
        Report.report(K == Keyword::Spawn                        ? Diag::LostSpawn
                      : K == Keyword::Reducer                    ? Diag::LostReducer
                      : K == Keyword::For || K == Keyword::Grain ? Diag::LostLoop
                                                                 : Diag::LostKeyword,
                      Loc);
  }

private:
  bool TraverseStmt(Stmt *) override { return true; }
  bool TraverseType(QualType, bool) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool) override { return true; }
  bool TraverseAttr(Attr *) override { return true; }
  bool VisitDecl(Decl *D) override;
  bool VisitFunctionDecl(FunctionDecl *FD) override {
    function(FD);
    return true;
  }
  bool VisitVarDecl(VarDecl *Var) override {
    if (!isa<ParmVarDecl>(Var))
      initializer(Var->getInit(), Diag::OutsideFunction, Var, Var->isTemplated());
    return true;
  }
  bool VisitFieldDecl(FieldDecl *Field) override {
    if (Field->hasInClassInitializer())
      initializer(Field->getInClassInitializer(), Diag::MemberInitializer, Field,
                  Field->isTemplated());
    return true;
  }
  /// Functions of a precompiled header come before Clang says that it has a Sema.
  HyperCallbacks &callbacks() {
    if (!Callbacks)
      Callbacks.emplace(CI.getSema(), Report);
    return *Callbacks;
  }
  void function(FunctionDecl *FD);
  bool postpone(FunctionDecl *FD);
  void warn(FunctionDecl *FD, FunctionPlan &Plan);
  void initializer(Expr *E, Diag Why, const NamedDecl *Of, bool Pattern);
  void nested(llvm::ArrayRef<Decl *> Inner) {
    for (Decl *D : Inner)
      TraverseDecl(D);
  }

  CompilerInstance &CI;
  DiagnosticsEngine &Engine;
  KeywordTable Keywords;
  Reporter Report;
  std::optional<SpawnMatcher> Matcher;
  std::optional<MarkerBuilder> Build;
  std::optional<HyperCallbacks> Callbacks;
  HyperClasses Classes;
  llvm::DenseSet<const FunctionDecl *> Done;
  llvm::SmallVector<FunctionDecl *, 0> Postponed;
  unsigned NextId = 1;
  bool WritesFile = false; ///< with or without code beside it
  bool MayRewrite = true;
  bool VisitsAllLambdas = false; ///< those in functions, too
};

/// The visitor leaves the classes of lambdas to their expressions, which may be in a type.
bool Frontend::VisitDecl(Decl *D) {
  if (auto *Context = dyn_cast<DeclContext>(D);
      Context && (VisitsAllLambdas || !isa<FunctionDecl>(D)))
    for (Decl *Inner : Context->decls())
      if (auto *Class = dyn_cast<CXXRecordDecl>(Inner); Class && Class->isLambda())
        TraverseDecl(Class);
  return true;
}

void Frontend::initializer(Expr *E, Diag Why, const NamedDecl *Of, bool Pattern) {
  if (!E)
    return;
  Report.setSilent(Pattern);
  auto Inner = analyzeInitializer(E, Why, Of->getNameAsString(), Of->getASTContext(), *Matcher,
                                  Keywords, Report);
  Report.setSilent(false);
  nested(Inner);
}

/// What only the control flow tells. No graph is built for warnings that are off.
void Frontend::warn(FunctionDecl *FD, FunctionPlan &Plan) {
  if (Plan.Spawns.empty() && Plan.Loops.empty())
    return;
  bool Races = Report.isHeard(Diag::ResultRead, FD->getLocation());
  bool Locals = Report.isHeard(Diag::BlockLocal, FD->getLocation());
  if (!Races && !Locals)
    return;
  std::unique_ptr<Flow> G = Plan.Spawns.empty() ? nullptr : Flow::build(FD, Plan);
  if (Races)
    warnOfSharedWrites(FD, Plan, G.get(), Report);
  if (!G)
    return;
  if (Races)
    warnOfUnsyncedResults(*G, Report);
  if (Locals)
    warnOfBlockLocals(*G, Report);
}

/// An instance may share expressions with its pattern, and Clang makes further instances of that
/// until the end of the unit; it also evaluates calls of constexpr functions until then. So uses of
/// hyperobjects in both become views after that. Clang emits them later still, unless somebody asks
/// for their code.
bool Frontend::postpone(FunctionDecl *FD) {
  if (ShouldVisitTemplateInstantiations || !Keywords.hasReducers())
    return false;
  const TemplateSpecializationKind Kind = FD->getTemplateSpecializationKind();
  const bool MayBeEvaluated = FD->isConstexpr() && !FD->hasAttr<UsedAttr>() &&
                              !CI.getLangOpts().EmitAllDecls &&
                              Kind != TSK_ExplicitInstantiationDefinition;
  if (Kind != TSK_ImplicitInstantiation && !MayBeEvaluated)
    return false;
  Postponed.push_back(FD);
  return true;
}

void Frontend::function(FunctionDecl *FD) {
  if (postpone(FD))
    return;
  bool Pattern = FD->isDependentContext();
  if (FD->isThisDeclarationADefinition() || !ShouldVisitTemplateInstantiations)
    for (ParmVarDecl *Param : FD->parameters())
      if (Param->hasDefaultArg() && !Param->hasUnparsedDefaultArg() &&
          !Param->hasUninstantiatedDefaultArg())
        initializer(Param->getDefaultArg(), Diag::DefaultArgument, Param, Pattern);
  if (!FD->doesThisDeclarationHaveABody() || FD->isLateTemplateParsed() || !FD->getBody() ||
      !Done.insert(FD).second)
    return;
  llvm::PrettyStackTraceString Trace("nopal: keywords of a function");

  const bool IsEmitted = !Pattern && MayRewrite;
  if (IsEmitted)
    accept(FD);
  if (IsEmitted && Keywords.hasReducers())
    rewriteHyperobjects(FD, CI.getSema(), *Build, callbacks(), Report);
  const unsigned FoundBefore = Keywords.timesFound();
  Report.setSilent(Pattern);
  FunctionPlan Plan = analyze(FD, *Matcher, Keywords, Report);
  Report.setSilent(false);
  if (WritesFile && !IsEmitted &&
      (Keywords.timesFound() != FoundBefore || (Keywords.hasReducers() && usesHyperobjects(FD))))
    refuseOthers(FD);
  if (IsEmitted && !Plan.empty()) {
    if (!Engine.hasUncompilableErrorOccurred()) // -Werror leaves the AST as good as it was.
      warn(FD, Plan);
    if (!Engine.hasErrorOccurred())
      rewrite(FD, Plan, CI.getSema(), *Build, NextId, Report);
  }
  nested(Plan.Nested);
}

constexpr const char ActionName[] = "nopal";
constexpr const char ActionText[] = "the keywords of Cilk";

/// A copy of the plugin may be loaded beside it, under another path; only the
/// first acts.
bool isFirstCopy() {
  for (const auto &Entry : FrontendPluginRegistry::entries())
    if (Entry.getName() == ActionName)
      return Entry.getDesc().data() == ActionText;
  return true;
}

class FrontendAction : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    if (!isFirstCopy())
      return std::make_unique<ASTConsumer>();
    return std::make_unique<Frontend>(CI);
  }
  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

FrontendPluginRegistry::Add<FrontendAction> Register(ActionName, ActionText);

} // namespace
} // namespace nopal::frontend
