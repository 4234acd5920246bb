// What OpenMP's code calls: the functions of its library, and functions of the program with
// parallel code or variables of each thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/OpenMPKinds.h"

namespace nopal::migrate {

using llvm::dyn_cast;
namespace omp = llvm::omp;

// As walk, and on into the functions that are called, as far as their code is known. `visit`
// returns whether it has found what it looks for.
static bool reaches(const Source &source, const clang::Stmt *from,
                    const std::function<bool(const clang::Stmt *)> &visit,
                    std::set<const clang::FunctionDecl *> &seen) {
  bool is_found = false;
  walk(from, [&](const clang::Stmt *statement) {
    is_found = is_found || visit(statement);
    const clang::FunctionDecl *callee = nullptr;
    if (auto *call = dyn_cast<clang::CallExpr>(statement)) callee = call->getDirectCallee();
    if (auto *made = dyn_cast<clang::CXXConstructExpr>(statement)) callee = made->getConstructor();
    const clang::FunctionDecl *definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (!is_found && definition != nullptr && definition->hasBody() &&
        !source.in_system_header(definition->getLocation()) && seen.insert(definition).second)
      is_found = reaches(source, definition->getBody(), visit, seen);
    return !is_found;
  });
  return is_found;
}

bool OpenMP::may_spawn(const clang::Stmt *statement) const {
  std::set<const clang::FunctionDecl *> seen;
  return reaches(
      source_, statement,
      [](const clang::Stmt *found) {
        auto *directive = dyn_cast<clang::OMPExecutableDirective>(found);
        if (directive == nullptr) return false;
        const omp::Directive kind = directive->getDirectiveKind();
        return clang::isOpenMPParallelDirective(kind) || clang::isOpenMPTaskingDirective(kind) ||
               clang::isOpenMPWorksharingDirective(kind);
      },
      seen);
}

// Strands have no such variables: what one worker runs between two uses may be another strand.
void OpenMP::check_thread_private(const clang::Stmt *statement) {
  if (is_alone_) return;
  std::set<const clang::FunctionDecl *> seen;
  const clang::DeclRefExpr *found = nullptr;
  reaches(
      source_, statement,
      [&](const clang::Stmt *inner) {
        auto *reference = dyn_cast<clang::DeclRefExpr>(inner);
        if (reference == nullptr ||
            !reference->getDecl()->hasAttr<clang::OMPThreadPrivateDeclAttr>())
          return false;
        found = reference;
        return true;
      },
      seen);
  if (found != nullptr) {
    const bool is_here =
        llvm::any_of(uses_in(statement), [&](const Use &use) { return use.reference == found; });
    return unit_->refuse(is_here ? found->getBeginLoc() : statement->getBeginLoc(),
                         "each thread has its own '" + found->getDecl()->getName() +
                             "': pass it as an argument, or make it a cilk::scratch");
  }
  walk(statement, [&](const clang::Stmt *inner) {
    auto *call = dyn_cast<clang::CallExpr>(inner);
    const clang::FunctionDecl *callee = call == nullptr ? nullptr : call->getDirectCallee();
    if (callee != nullptr && callee->getDefinition() == nullptr &&
        !source_.in_system_header(callee->getLocation()))
      unit_->depend(kThreadPrivate);
    return true;
  });
}

// A function that the code calls.
void OpenMP::callee(const clang::FunctionDecl *function, clang::SourceLocation at) {
  if (function->hasAttr<clang::OMPDeclareVariantAttr>())
    return unit_->refuse(at, "'" + function->getName() + "' has variants for OpenMP");
  const clang::FunctionDecl *definition = function->getDefinition();
  if (definition != nullptr && definition != function_ && definition->hasBody() &&
      !source_.in_system_header(definition->getLocation()) && may_spawn(definition->getBody()))
    calls_openmp_ = definition;
}

// The functions of OpenMP's library.
void OpenMP::call(const clang::CallExpr *call) {
  const llvm::StringRef name = call->getDirectCallee()->getName();
  if (is_alone_ && (name == "omp_get_num_threads" || name == "omp_in_parallel"))
    return unit_->refuse(call->getBeginLoc(), "'" + name +
                                                  "' has one answer in serial code and another in "
                                                  "parallel code: say which");
  static const std::map<llvm::StringRef, std::pair<std::string, std::string>> kRows{
      {"omp_get_thread_num", {"__cilkrts_get_worker_number()", "<cilk/cilk_api.h>"}},
      {"omp_get_num_threads", {"__cilkrts_get_nworkers()", "<cilk/cilk_api.h>"}},
      {"omp_get_max_threads", {"__cilkrts_get_nworkers()", "<cilk/cilk_api.h>"}},
      {"omp_in_parallel", {"__cilkrts_running_on_workers()", "<cilk/cilk_api.h>"}},
      {"omp_get_wtime", {"nopal_wtime()", "<time.h>"}},
  };
  if (auto row = kRows.find(name); row != kRows.end()) {
    unit_->replace(call->getSourceRange(), row->second.first);
    unit_->need(row->second.second);
    if (name == "omp_get_thread_num") {
      asks_thread_ = call->getBeginLoc();
      unit_->depend(kThreadsAreMade);
    }
    if (name != "omp_get_wtime") unit_->depend(kThreadsStay);
    if (name == "omp_get_wtime")
      unit_->need_helper("nopal_wtime",
                         "// Seconds, as omp_get_wtime gives them. C11, C++17.\n"
                         "static inline double nopal_wtime(void) {\n"
                         "  struct timespec now;\n"
                         "  timespec_get(&now, TIME_UTC);\n"
                         "  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;\n"
                         "}\n");
    return;
  }
  if (name.starts_with("omp_set_")) unit_->depend(kThreadsStay);
  if (name == "omp_set_num_threads") {
    unit_->replace(call->getCallee()->getSourceRange(), "nopal_set_workers");
    unit_->need("<cilk/cilk_api.h>");
    unit_->need("<stdio.h>");
    unit_->need_helper("nopal_set_workers",
                       "// As omp_set_num_threads, in serial code.\n"
                       "static inline void nopal_set_workers(int workers) {\n"
                       "  char text[16];\n"
                       "  snprintf(text, sizeof text, \"%d\", workers);\n"
                       "  if (__cilkrts_is_initialized()) __cilkrts_end_cilk();\n"
                       "  __cilkrts_set_param(\"nworkers\", text);\n"
                       "}\n");
    return;
  }
  if (name == "omp_set_nested" || name == "omp_set_dynamic" || name == "omp_set_max_active_levels")
    return unit_->replace(call->getSourceRange(), "(void)0");
  unit_->refuse(call->getBeginLoc(), "'" + name + "' has no counterpart");
}

// A taskwait waits for all children of its task; a sync for those of its region. They must be the
// same.
void OpenMP::check_waits() {
  if (unit_->is_refused()) return;
  if (asks_thread_.isValid() && calls_openmp_ != nullptr)
    return unit_->refuse(asks_thread_, "'" + calls_openmp_->getName() +
                                           "' has parallel code of its own, in which another "
                                           "strand may get this number");
  if (asks_thread_.isValid() && limits_threads_.isValid())
    return unit_->refuse(limits_threads_,
                         "this bounds the thread's number, which the code asks for");
  if (asks_thread_.isValid() && !tasks_.empty())
    return unit_->refuse(asks_thread_,
                         "another worker may go on after a spawn: do not keep the "
                         "thread's number");
  for (const Place &wait : waits_) {
    for (const Place &task : tasks_) {
      if (regions_[task.region].context != regions_[wait.region].context) continue;
      int region = task.region;
      while (region != -1 && region != wait.region) region = regions_[region].parent;
      if (region == -1)
        return unit_->refuse(wait.at,
                             "this waits for tasks that were made outside of the block, and a sync "
                             "would not");
    }
  }
}

}  // namespace nopal::migrate
