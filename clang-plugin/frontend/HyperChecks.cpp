//===- HyperChecks.cpp - Where a hyperobject may be declared --------------===//
//
// A walk over all that is written in a translation unit, types included, after its end. It
// finds each `cilk_reducer` again, so that none is lost in silence, and judges the
// declarations: those of instances of templates too.
//
//===----------------------------------------------------------------------===//
#include "../compatibility/Compatibility.h"
#include "HyperExpressions.h"
#include "HyperUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal::frontend {
namespace {

const AnnotateTypeAttr *annotation(AttributedTypeLoc L) {
  auto *A = dyn_cast_or_null<AnnotateTypeAttr>(L.getAttr());
  return A && A->getAnnotation() == HyperAnnotation ? A : nullptr;
}

class Checker : public compat::DynamicRecursiveASTVisitor {
public:
  Checker(const Decl *Unit, HyperCallbacks &Callbacks, KeywordTable &Keywords, Reporter &Report)
      : Unit(Unit), Callbacks(Callbacks), Keywords(Keywords), Report(Report) {
    ShouldVisitTemplateInstantiations = true;
  }

private:
  bool VisitAttributedTypeLoc(AttributedTypeLoc L) override {
    if (auto *A = annotation(L)) {
      Keywords.found(A->getLocation());
      Callbacks.checkWritten({A, {compat::annotatedType(L.getTypePtr()), Unit}});
    }
    return true;
  }

  bool VisitDeclaratorDecl(DeclaratorDecl *D) override {
    if (TypeSourceInfo *Info = D->getTypeSourceInfo())
      declarator(D, Info);
    if (D->isInvalidDecl())
      return true;
    if (auto *FD = dyn_cast<FunctionDecl>(D)) {
      function(FD);
      return true;
    }
    if (auto *Var = dyn_cast<VarDecl>(D))
      variable(Var);
    const Written T = withoutArrays(writtenType(D));
    // A reference or a pointer to a hyperobject.
    if (auto Inside = hyperTypeIn(T))
      Callbacks.check(*Inside);
    auto Hyper = hyperType(T);
    if (auto *Var = dyn_cast<VarDecl>(D); Var && Var->getTLSKind() != VarDecl::TLS_None)
      threadLocal(Var, Hyper);
    if (!Hyper)
      return true;
    if (auto *Field = dyn_cast<FieldDecl>(D); Field && Field->isBitField())
      Report.reportAt(Hyper->place(), Diag::HyperBitField, Hyper->loc(), Field->getNameAsString());
    return true;
  }

  /// \p Hyper: the variable's or its elements'; else one that a class contains is looked for.
  void threadLocal(const VarDecl *Var, std::optional<HyperType> Hyper) {
    if (!Hyper && !Var->getType()->isDependentType() && !Var->getType()->isReferenceType())
      if (const FieldDecl *Field = hyperFieldOf(Var->getType()))
        Hyper = hyperType(withoutArrays(writtenType(Field)));
    if (Hyper)
      Report.reportAt(Var->getLocation(), Diag::HyperThreadLocal, Hyper->loc(),
                      Var->getNameAsString());
  }

  void result(const FunctionDecl *FD) {
    if (auto T = hyperType({FD->getReturnType(), FD})) {
      T->Declared = FD;
      Report.reportAt(T->place(), Diag::HyperResult, T->loc(), FD->getNameAsString());
    }
  }

  void function(FunctionDecl *FD) {
    if (auto T = hyperType(writtenType(FD)))
      Callbacks.check(*T);
    result(FD);
    if (FunctionDecl *Before = FD->getPreviousDecl())
      compareParameters(FD, Before);
    if (auto *Method = dyn_cast<CXXMethodDecl>(FD))
      for (const CXXMethodDecl *Overridden : Method->overridden_methods())
        compareParameters(FD, Overridden);
  }

  void compareParameters(const FunctionDecl *FD, const FunctionDecl *Other) {
    for (unsigned I = 0; I < FD->getNumParams() && I < Other->getNumParams(); ++I)
      compare(FD->getParamDecl(I), Other->getParamDecl(I));
  }

  /// Two declarations of the same: both are hyperobjects, or lead to one, or none. Their callbacks
  /// are the same.
  void compare(const ValueDecl *D, const ValueDecl *Other) {
    if (D->getType()->isDependentType() || isDeduced(D->getType()) || isDeduced(Other->getType()))
      return;
    auto One = hyperTypeIn(writtenType(D)), Two = hyperTypeIn(writtenType(Other));
    if (One && Two && !Callbacks.areAlike(*One, *Two))
      Report.reportAt(One->place(), Diag::HyperDifferent, One->loc(), D->getNameAsString(),
                      Two->loc());
    if (One.has_value() == Two.has_value())
      return;
    const ValueDecl *Has = One ? D : Other, *HasNot = One ? Other : D;
    const HyperType &T = One ? *One : *Two;
    Report.reportAt(T.place(), Diag::HyperRedeclared, T.loc(),
                    (Has->getDeclName() ? Has : HasNot)->getNameAsString(), HasNot->getLocation());
  }

  void variable(VarDecl *Var) {
    if (VarDecl *Before = Var->getPreviousDecl())
      compare(Var, Before);
    Written T = writtenType(Var);
    if (Var->isExceptionVariable())
      if (auto Hyper = hyperTypeIn(T))
        Report.reportAt(Hyper->place(), Diag::HyperPlace, Hyper->loc(), Var->getNameAsString(),
                        Var->getLocation());
    // Those of local variables are checked where they are rewritten.
    if (Var->hasGlobalStorage() && Var->hasInit() && !Var->isInvalidDecl() &&
        !Var->getType()->isDependentType() && !Var->getInit()->isValueDependent() &&
        (!Var->isStaticLocal() || !Var->getASTContext().getLangOpts().CPlusPlus ||
         Var->hasConstantInitialization()))
      HyperExpressions(cast<Decl>(Var->getDeclContext())).checkBinding(Var->getInit(), T, Report);
  }

  bool VisitTypedefNameDecl(TypedefNameDecl *D) override {
    declarator(D, D->getTypeSourceInfo());
    if (auto T = hyperTypeIn({D->getUnderlyingType(), cast<Decl>(D->getDeclContext()), nullptr, D});
        T && !D->getUnderlyingType()->isDependentType())
      Callbacks.check(*T);
    return true;
  }

  /// A copy that a lambda may change is a plain variable of the lambda.
  bool VisitExpr(Expr *E) override {
    auto *Lambda = dyn_cast<LambdaExpr>(E);
    if (!Lambda)
      return true;
    result(Lambda->getCallOperator());
    if (!Lambda->isMutable())
      return true;
    for (const LambdaCapture &C : Lambda->captures()) {
      if (!C.capturesVariable() || C.getCaptureKind() != LCK_ByCopy || Lambda->isInitCapture(&C))
        continue;
      ValueDecl *Var = C.getCapturedVar();
      auto Hyper = hyperType(withoutArrays(withoutReference(writtenType(Var))));
      if (Hyper && Refused.insert(C.getLocation()).second)
        Report.reportAt(C.getLocation(), Diag::HyperCaptured, Hyper->loc(), Var->getNameAsString());
    }
    return true;
  }

  /// `&Class::member`: through it nobody sees the hyperobject.
  bool VisitUnaryOperator(UnaryOperator *E) override {
    auto *Ref = dyn_cast<DeclRefExpr>(E->getSubExpr()->IgnoreParens());
    auto *Field = Ref ? dyn_cast<FieldDecl>(Ref->getDecl()) : nullptr;
    if (Field && E->getOpcode() == UO_AddrOf)
      if (auto T = hyperTypeIn(writtenType(Field)); T && Refused.insert(E->getExprLoc()).second)
        Report.reportAt(E->getExprLoc(), Diag::HyperMember, T->loc(), Field->getNameAsString());
    return true;
  }

  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &A) override {
    if (A.getArgument().getKind() == TemplateArgument::Type)
      if (auto T = hyperTypeIn({A.getArgument().getAsType(), Unit}))
        Report.reportAt(A.getLocation(), Diag::HyperTemplateArgument, T->loc(), "");
    return compat::DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(A);
  }

  /// An annotation before the first declarator is one of all of them.
  void declarator(NamedDecl *D, TypeSourceInfo *Info) {
    for (TypeLoc L = Info->getTypeLoc(); L; L = L.getNextTypeLoc()) {
      auto Attributed = L.getAs<AttributedTypeLoc>();
      const AnnotateTypeAttr *A = Attributed ? annotation(Attributed) : nullptr;
      if (!A)
        continue;
      auto [It, IsNew] = First.try_emplace(A->getLocation(), D->getLocation());
      if (!IsNew && It->second != D->getLocation())
        Report.report(Diag::HyperSeveral, A->getLocation(), D->getNameAsString(), D->getLocation());
    }
  }

  const Decl *Unit;
  HyperCallbacks &Callbacks;
  KeywordTable &Keywords;
  Reporter &Report;
  llvm::DenseMap<SourceLocation, SourceLocation> First; ///< declarator with an annotation
  llvm::DenseSet<SourceLocation> Refused;               ///< expressions; an instance repeats them
};

} // namespace

void checkHyperobjects(Sema &S, HyperCallbacks &Callbacks, KeywordTable &Keywords,
                       Reporter &Report) {
  Decl *Unit = S.Context.getTranslationUnitDecl();
  Checker(Unit, Callbacks, Keywords, Report).TraverseDecl(Unit);
}

} // namespace nopal::frontend
