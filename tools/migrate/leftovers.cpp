// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "leftovers.h"

#include "onetbb.h"
#include "openmp.h"

#include "clang/AST/RecursiveASTVisitor.h"

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

namespace {

bool is_openmp_function(const clang::NamedDecl *declaration) {
  auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  return function != nullptr && function->getIdentifier() != nullptr &&
         function->getName().starts_with("omp_") && function->isExternC();
}

// What stands for threads of OpenMP, or for how many there are.
std::set<std::string> kept_by(llvm::StringRef name) {
  return name == "omp_get_wtime" ? std::set<std::string>() : std::set<std::string>{kThreadsStay};
}

// The algorithm of oneTBB that a call names, also in a template.
llvm::StringRef algorithm_of(const clang::CallExpr *call) {
  if (isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call)) return "";
  const clang::NamedDecl *callee = call->getDirectCallee();
  if (auto *names = dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee());
      names != nullptr && names->decls_begin() != names->decls_end())
    callee = *names->decls_begin();
  const llvm::StringRef name = onetbb_name(callee);
  return name.starts_with("parallel_") || name == "isolate" ? name : "";
}

bool makes_thread(const clang::Stmt *statement) {
  static const std::set<llvm::StringRef> kMakers{"pthread_create", "thrd_create", "async"};
  if (auto *call = dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && callee->getIdentifier() != nullptr &&
           kMakers.count(callee->getName()) != 0 &&
           (callee->isExternC() || callee->isInStdNamespace());
  }
  auto *made = dyn_cast<clang::CXXConstructExpr>(statement);
  if (made == nullptr || made->getNumArgs() == 0) return false;
  const clang::CXXConstructorDecl *constructor = made->getConstructor();
  const clang::CXXRecordDecl *record = constructor->getParent();
  return !constructor->isCopyOrMoveConstructor() && record->isInStdNamespace() &&
         record->getIdentifier() != nullptr &&
         (record->getName() == "thread" || record->getName() == "jthread");
}

/// The tree of a translation unit without the bodies of functions.
class Leftovers : public clang::RecursiveASTVisitor<Leftovers> {
 public:
  Leftovers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation))
      : source_(source), is_users_(is_users) {}

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->doesThisDeclarationHaveABody()) bodies_.insert(function->getBody());
    return true;
  }

  bool VisitOMPThreadPrivateDecl(clang::OMPThreadPrivateDecl *declared) {
    if (is_users_(source_, declared->getLocation())) source_.changes.keep(kThreadPrivate);
    return true;
  }

  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseDecl(clang::Decl *declaration) {
    if (source_.is_systems(declaration)) return true;
    // The members of a class in a body are not in that body.
    const bool is_class = llvm::isa_and_nonnull<clang::CXXRecordDecl>(declaration);
    const bool was_in_body = is_in_body_;
    if (is_class) is_in_body_ = false;
    RecursiveASTVisitor::TraverseDecl(declaration);
    is_in_body_ = was_in_body;
    return true;
  }

  bool TraverseStmt(clang::Stmt *statement) {
    if (statement == nullptr) return true;
    // One that no function has is as a function.
    if (auto *lambda = dyn_cast<clang::LambdaExpr>(statement);
        lambda != nullptr && lambda->getLambdaClass()->getParentFunctionOrMethod() == nullptr)
      bodies_.insert(lambda->getBody());
    if (makes_thread(statement) && is_users_(source_, statement->getBeginLoc()))
      source_.changes.keep(kThreadsAreMade);
    const bool was_in_body = is_in_body_;
    is_in_body_ |= bodies_.count(statement) != 0;
    if (!expects(statement)) RecursiveASTVisitor::TraverseStmt(statement);
    is_in_body_ = was_in_body;
    return true;
  }

 private:
  // Says of a statement that it stays, with what is in it.
  bool expects(const clang::Stmt *statement) {
    static const std::string kNoBody =
        "it is in no function's body: write a function that does it, and call that here";
    auto *call = dyn_cast<clang::CallExpr>(statement);
    if (call != nullptr) callees_.insert(call->getCallee()->IgnoreParenImpCasts());
    if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement);
        reference != nullptr && callees_.count(reference) == 0 &&
        is_openmp_function(reference->getDecl()))
      return expect(statement,
                    "'" + reference->getDecl()->getName().str() +
                        "' as a value: write a function that calls it, and name that",
                    kept_by(reference->getDecl()->getName()));
    if (is_in_body_) return false;
    if (isa<clang::OMPExecutableDirective>(statement))
      return expect(statement, kNoBody, {kThreadsStay});
    if (call != nullptr && is_openmp_function(call->getDirectCallee()))
      return expect(statement, kNoBody, kept_by(call->getDirectCallee()->getName()));
    if (call != nullptr && !algorithm_of(call).empty()) return expect(statement, kNoBody, {});
    if (auto *made = dyn_cast<clang::CXXConstructExpr>(statement)) {
      static const std::set<llvm::StringRef> kClasses{"task_group", "enumerable_thread_specific",
                                                      "combinable", "global_control",
                                                      "task_arena", "task_scheduler_init"};
      if (kClasses.count(class_name(made)) != 0)
        return expect(statement, "only a local variable of this class has a counterpart", {});
    }
    return false;
  }

  bool expect(const clang::Stmt *statement, const std::string &reason,
              const std::set<std::string> &kept) {
    const clang::SourceLocation at = statement->getBeginLoc();
    if (!is_users_(source_, at)) return false;
    source_.changes.expect(source_.sources, at, reason, kept);
    return true;
  }

  Source &source_;
  bool (*is_users_)(const Source &, clang::SourceLocation);
  std::set<const clang::Stmt *> bodies_;  // of functions, which others look at
  std::set<const clang::Stmt *> callees_;
  bool is_in_body_ = false;
};

}  // namespace

void expect_leftovers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation)) {
  Leftovers(source, is_users).TraverseDecl(source.context.getTranslationUnitDecl());
}

}  // namespace nopal::migrate
