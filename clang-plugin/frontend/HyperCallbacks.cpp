//===- HyperCallbacks.cpp - The callbacks of a hyperobject ----------------===//
//
// From the arguments of cilk_reducer to expressions that can be emitted: instantiated,
// with the overload that fits, and known to Clang as used. And what no hyperobject can be.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "HyperTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// Without what folding a constant and Keywords.cpp have put around it.
Expr *asWritten(Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (auto *Cast = dyn_cast<ImplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (auto *Call = dyn_cast<CallExpr>(E);
             Call && Call->getBuiltinCallee() == Builtin::BI__builtin_constant_p)
      E = Call->getArg(0);
    else
      return E;
  }
}

} // namespace

static bool isDependent(const HyperType &T) {
  return llvm::any_of(T.Annotation->args(),
                      [](const Expr *E) { return E->isInstantiationDependent(); });
}

/// The arguments of the annotation of \p T, instantiated.
bool HyperCallbacks::instantiate(const HyperType &T, llvm::SmallVectorImpl<Expr *> &Arguments) {
  for (Expr *E : T.Annotation->args())
    Arguments.push_back(asWritten(E));
  if (!isDependent(T))
    return true;
  MultiLevelTemplateArgumentList Levels;
  const Written &W = T.View;
  Decl *Entity = nullptr;
  if (W.Alias) {
    auto *Template = cast<TypeAliasTemplateDecl>(W.Alias->getTemplateName().getAsTemplateDecl());
    TemplateArgumentListInfo Given(T.loc(), T.loc());
    for (const TemplateArgument &A : W.Alias->template_arguments())
      Given.addArgument(S.getTrivialTemplateArgumentLoc(A, QualType(), T.loc()));
    llvm::SmallVector<TemplateArgument, 4> Checked;
    if (!compat::checkArguments(S, Template, T.loc(), Given, Checked))
      return false;
    Levels =
        S.getTemplateInstantiationArgs(Template, nullptr, /*Final=*/false, llvm::ArrayRef(Checked));
    Entity = Template;
  } else {
    auto *Context = const_cast<Decl *>(W.Context);
    if (!isa<FunctionDecl, TagDecl, VarDecl, TranslationUnitDecl>(Context))
      Context = cast<Decl>(Context->getDeclContext());
    auto *Named = dyn_cast<NamedDecl>(Context);
    if (!Named) {
      Report.report(Diag::HyperCallback, T.loc());
      return false;
    }
    Levels = S.getTemplateInstantiationArgs(Named);
    Entity = Named;
  }
  Sema::InstantiatingTemplate Instance(S, T.loc(), Entity);
  if (Instance.isInvalid())
    return false;
  LocalInstantiationScope Scope(S);
  for (Expr *&E : Arguments) {
    ExprResult New = S.SubstExpr(E, Levels);
    if (New.isInvalid())
      return false;
    E = New.get();
  }
  return true;
}

/// \p E as a constant `void (*)(Parameters...)`.
Expr *HyperCallbacks::function(Expr *E, llvm::ArrayRef<QualType> Parameters, SourceLocation Loc) {
  ASTContext &Ctx = S.Context;
  QualType Type = Ctx.getPointerType(
      Ctx.getFunctionType(Ctx.VoidTy, Parameters, FunctionProtoType::ExtProtoInfo()));
  ExprResult Converted = S.PerformCopyInitialization(
      InitializedEntity::InitializeParameter(Ctx, Type, /*Consumed=*/false), E->getExprLoc(), E);
  if (Converted.isInvalid())
    return nullptr;
  E = Converted.get();
  Expr::EvalResult Value;
  if (E->isValueDependent() || !E->EvaluateAsRValue(Value, Ctx) || Value.HasSideEffects ||
      !Value.Val.isLValue() || !Value.Val.getLValueBase()) {
    Report.reportAt(writtenPart(E, Loc), Diag::HyperCallback, Loc, "");
    return nullptr;
  }
  S.MarkDeclarationsReferencedInExpr(E);
  return E;
}

/// `NAME<VIEW, ARGUMENTS...>` of <cilk/reducer>, a variable template.
HyperCallbacks::Found HyperCallbacks::fromHeader(const HyperType &T,
                                                 llvm::ArrayRef<Expr *> Arguments) {
  ASTContext &Ctx = S.Context;
  const SourceLocation Loc = T.loc();
  const char *Name = Arguments.empty() ? "__nopal_class_view" : "__nopal_callbacks_view";
  LookupResult R(S, &Ctx.Idents.get(Name), Loc, Sema::LookupOrdinaryName);
  S.LookupQualifiedName(R, Ctx.getTranslationUnitDecl());
  if (!R.isSingleResult() || !isa<VarTemplateDecl>(R.getFoundDecl())) {
    R.suppressDiagnostics();
    Report.report(Diag::HyperHeader, Loc);
    return {};
  }
  if (Arguments.empty()) {
    LookupResult Base(S, &Ctx.Idents.get("__reducer_base"), Loc, Sema::LookupTagName);
    S.LookupQualifiedName(Base, Ctx.getTranslationUnitDecl());
    auto *Class = Base.getAsSingle<CXXRecordDecl>();
    auto *Own = T.View.Type->getAsCXXRecordDecl();
    if (!Class || !Own || !Own->hasDefinition() || !Own->isDerivedFrom(Class)) {
      Report.report(Diag::HyperNoCallbacks, Loc, nameOfView(T.View.Type));
      return {};
    }
  }
  TemplateArgumentListInfo Given(Loc, Loc);
  QualType View = T.View.Type.getCanonicalType();
  Given.addArgument(
      TemplateArgumentLoc(TemplateArgument(View), Ctx.getTrivialTypeSourceInfo(View, Loc)));
  for (Expr *E : Arguments) {
    E = cast<UnaryOperator>(E)->getSubExpr()->IgnoreParens(); // see Keywords.cpp
    Given.addArgument(TemplateArgumentLoc(TemplateArgument(E, /*IsCanonical=*/false), E));
  }
  ExprResult Type = S.BuildTemplateIdExpr(CXXScopeSpec(), SourceLocation(), R, false, &Given);
  if (Type.isInvalid())
    return {};
  S.MarkDeclarationsReferencedInExpr(Type.get());
  return {nullptr, nullptr, Type.get()};
}

HyperCallbacks::Found HyperCallbacks::make(const HyperType &T) {
  EnterExpressionEvaluationContext Evaluated(
      S, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  // Where a member of a class template is named, that is the instance of the class.
  const Decl *Where = T.View.Context;
  if (T.View.Alias)
    Where = T.View.Alias->getTemplateName().getAsTemplateDecl();
  auto *Context = dyn_cast<DeclContext>(Where);
  Sema::ContextRAII Inside(S,
                           const_cast<DeclContext *>(Context ? Context : Where->getDeclContext()));
  llvm::SmallVector<Expr *, 2> Arguments;
  if (!instantiate(T, Arguments))
    return {};
  if (Arguments.size() < 2)
    return fromHeader(T, Arguments);
  QualType Pointer = S.Context.VoidPtrTy;
  Found Result;
  Result.Identity = function(Arguments[0], {Pointer}, T.loc());
  Result.Reduce = function(Arguments[1], {Pointer, Pointer}, T.loc());
  if (!Result.Identity || !Result.Reduce)
    return {};
  return Result;
}

static std::tuple<const void *, const void *, const void *> keyOf(const HyperType &T) {
  const void *Context = T.View.Alias;
  if (!Context && isDependent(T))
    Context = T.View.Context;
  return {T.Annotation, Context, T.View.Type.getCanonicalType().getAsOpaquePtr()};
}

HyperCallbacks::Found HyperCallbacks::find(const HyperType &T) {
  if (!check(T))
    return {};
  auto [It, IsNew] = Known.try_emplace(keyOf(T));
  if (IsNew) {
    Found Result = make(T); // which may add others
    Known[keyOf(T)] = Result;
    return Result;
  }
  return It->second;
}

void HyperCallbacks::checkWritten(const HyperType &T) {
  const QualType View = T.View.Type;
  const bool IsKnown = !View->isDependentType() && !View->isIncompleteType();
  if (!isDependent(T) && (T.Annotation->args_size() == 2 || IsKnown))
    (void)find(T);
}

/// What \p E, a callback or the type of a view, names.
static const Decl *named(const Expr *E, const ASTContext &Ctx) {
  if (!E)
    return nullptr;
  if (auto *Ref = dyn_cast<DeclRefExpr>(E))
    return Ref->getDecl()->getCanonicalDecl();
  Expr::EvalResult Value;
  (void)E->EvaluateAsRValue(Value, Ctx);
  return Value.Val.getLValueBase().get<const ValueDecl *>()->getCanonicalDecl();
}

bool HyperCallbacks::areAlike(const HyperType &One, const HyperType &Other) {
  if (isDependent(One) || isDependent(Other))
    return true;
  const Found A = find(One), B = find(Other);
  auto IsSame = [&](const Expr *E, const Expr *F) {
    return named(E, S.Context) == named(F, S.Context);
  };
  return !A || !B ||
         (IsSame(A.Identity, B.Identity) && IsSame(A.Reduce, B.Reduce) &&
          IsSame(A.ViewType, B.ViewType));
}

bool HyperCallbacks::check(const HyperType &T) {
  const QualType View = T.View.Type;
  auto Refuse = [&](Diag Row, std::string Entity, SourceLocation Note = SourceLocation()) {
    Report.reportAt(T.place(), Row, T.loc(), Entity, Note);
    return false;
  };
  if (T.IsQualified) // here, and perhaps not elsewhere
    return Refuse(Diag::HyperQualified, nameOfView(View));
  if (View->isDependentType())
    return true;
  auto [It, IsNew] = Checked.try_emplace(keyOf(T), false);
  if (!IsNew)
    return It->second;
  if (View->isReferenceType())
    return Refuse(Diag::HyperReference, nameOfView(View));
  if (View.hasQualifiers())
    return Refuse(Diag::HyperQualified, nameOfView(View));
  if (View->isFunctionType() || View->isVoidType())
    return Refuse(Diag::HyperIncomplete, nameOfView(View));
  if (View->isAtomicType())
    return Refuse(Diag::HyperQualified, nameOfView(View));
  if (View->isVariablyModifiedType())
    return Refuse(Diag::HyperVariableLength, nameOfView(View));
  if (hyperType(T.View) || (!View->isAnyPointerType() && hyperTypeIn(T.View)))
    return Refuse(Diag::HyperNested, nameOfView(View));
  if (const FieldDecl *Field = hyperFieldOf(View))
    return Refuse(Diag::HyperNested, nameOfView(View), Field->getLocation());
  const unsigned Arguments = T.Annotation->args_size();
  if (Arguments > 2)
    return Refuse(Diag::HyperArguments, std::to_string(Arguments));
  if (Arguments == 0 && !View->isRecordType())
    return Refuse(Diag::HyperNoCallbacks, nameOfView(View));
  if (Arguments < 2 && !S.getLangOpts().CPlusPlus)
    return Refuse(Diag::HyperNoCallbacks, nameOfView(View));
  Checked[keyOf(T)] = true;
  return true;
}

} // namespace nopal::frontend
