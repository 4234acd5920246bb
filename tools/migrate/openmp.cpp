// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclOpenMP.h"
#include "clang/AST/ExprOpenMP.h"
#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/OpenMPKinds.h"

namespace nopal::migrate {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;
namespace omp = llvm::omp;

static std::string name_of(const clang::OMPExecutableDirective *directive) {
  return "omp " + omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
}

// Outside of a parallel construct all of these in a function are one unit.
static bool is_task_construct(const clang::OMPExecutableDirective *directive) {
  switch (directive->getDirectiveKind()) {
    case omp::OMPD_task:
    case omp::OMPD_taskwait:
    case omp::OMPD_taskyield:
    case omp::OMPD_taskgroup:
    case omp::OMPD_taskloop:
    case omp::OMPD_taskloop_simd:
      return true;
    default:
      return false;
  }
}

static const clang::FunctionDecl *openmp_function(const clang::Stmt *statement) {
  auto *call = dyn_cast<clang::CallExpr>(statement);
  const clang::FunctionDecl *callee = call == nullptr ? nullptr : call->getDirectCallee();
  if (callee == nullptr || callee->getIdentifier() == nullptr) return nullptr;
  return callee->getName().starts_with("omp_") && callee->isExternC() ? callee : nullptr;
}

bool OpenMP::has_openmp(const clang::Stmt *statement) {
  bool has = false;
  walk(statement, [&](const clang::Stmt *found) {
    has |= isa<clang::OMPExecutableDirective>(found) || openmp_function(found) != nullptr;
    return !has;
  });
  return has;
}

void OpenMP::run() {
  const clang::Stmt *body = function_->getBody();
  walk(body, [&](const clang::Stmt *statement) {
    if (isa<clang::OMPExecutableDirective>(statement))
      source_.changes.claim(source_.sources, statement->getBeginLoc());
    return true;
  });
  // A construct of tasks in no parallel one: the unit of all of them may hold others.
  const clang::OMPExecutableDirective *first = nullptr;
  walk(body, [&](const clang::Stmt *statement) {
    auto *directive = dyn_cast<clang::OMPExecutableDirective>(statement);
    if (directive == nullptr || first != nullptr) return first == nullptr;
    if (is_task_construct(directive)) first = directive;
    return !clang::isOpenMPParallelDirective(directive->getDirectiveKind());
  });
  if (first != nullptr)
    rewrite_unit(body, first->getBeginLoc(), "tasks");
  else
    outside(body);
  remove_moved();
}

void OpenMP::rewrite_unit(const clang::Stmt *statement, clang::SourceLocation at,
                          const char *name) {
  Construct unit(source_, at);
  unit_ = &unit;
  regions_ = {{-1, contexts_++}};
  region_ = 0;
  tasks_.clear();
  asks_thread_ = {};
  waits_.clear();
  calls_openmp_ = nullptr;
  is_alone_ = openmp_function(statement) != nullptr;
  limits_threads_ = {};
  unit_name_ = "the unit at " + at.printToString(source_.sources) + " stays";
  unit.keep(unit_name_);
  walk(statement, [&](const clang::Stmt *found) {
    if (auto *critical = dyn_cast<clang::OMPCriticalDirective>(found)) {
      const std::string reason = "the critical construct '" +
                                 critical->getDirectiveName().getAsString() +
                                 "' stays in other code";
      unit.depend(reason);
      unit.keep(reason);
    }
    auto *directive = dyn_cast<clang::OMPExecutableDirective>(found);
    if (directive == nullptr) return true;
    if (directive->getDirectiveKind() != omp::OMPD_simd) unit.keep(kThreadsStay);
    const clang::Stmt *body = body_of(directive);
    if (body == nullptr || directive->getDirectiveKind() == omp::OMPD_simd) return true;
    if (source_.changes.are_split(source_.sources, directive->getBeginLoc(), body->getBeginLoc()) ||
        source_.changes.are_split(source_.sources, directive->getBeginLoc(), body->getEndLoc()))
      unit.refuse(directive->getBeginLoc(),
                  "its pragma and its code are not under the same #if: remove the #if, or put the "
                  "code under it");
    return true;
  });
  if (is_for_team(statement)) unit.keep(kTeamIsNeeded);
  check_thread_private(statement);
  visit(statement);
  check_waits();
  unit.commit(name);
  unit_ = nullptr;
}

void OpenMP::refuse_unclaimed() {
  walk(function_->getBody(), [&](const clang::Stmt *statement) {
    if (!isa<clang::OMPExecutableDirective>(statement)) return true;
    if (source_.changes.is_claimed(source_.sources, statement->getBeginLoc())) return true;
    source_.changes.expect(source_.sources, statement->getBeginLoc(),
                           "it is in a template that nothing here instantiates");
    return false;
  });
}

// Looks for units in code that is in none.
void OpenMP::outside(const clang::Stmt *statement) {
  walk(statement, [&](const clang::Stmt *found) {
    auto *directive = dyn_cast<clang::OMPExecutableDirective>(found);
    const bool is_call = openmp_function(found) != nullptr;
    if (directive == nullptr && !is_call) return true;
    rewrite_unit(found, found->getBeginLoc(), "unit");
    return is_call;
  });
}

void OpenMP::in_region(bool is_new_context, llvm::function_ref<void()> rewrite) {
  const int outer = region_;
  const int context = is_new_context ? contexts_++ : regions_[outer].context;
  regions_.push_back({outer, context});
  region_ = static_cast<int>(regions_.size()) - 1;
  rewrite();
  region_ = outer;
}

void OpenMP::visit_in(const clang::Stmt *statement, bool is_new_context) {
  in_region(is_new_context, [&] { visit(statement); });
}

void OpenMP::visit(const clang::Stmt *statement) {
  if (statement == nullptr || unit_->is_refused()) return;
  if (auto *found = dyn_cast<clang::OMPExecutableDirective>(statement)) return directive(found);
  if (auto *lambda = dyn_cast<clang::LambdaExpr>(statement)) {
    for (const clang::Expr *capture : lambda->capture_inits()) visit(capture);
    return visit_in(body_of(lambda), true);
  }
  if (auto *attempt = dyn_cast<clang::CXXTryStmt>(statement)) {
    visit_in(attempt->getTryBlock(), false);
    for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) visit(attempt->getHandler(i));
    return;
  }
  if (openmp_function(statement) != nullptr) call(cast<clang::CallExpr>(statement));
  if (auto *call = dyn_cast<clang::CallExpr>(statement); call != nullptr && call->getDirectCallee())
    callee(call->getDirectCallee(), call->getBeginLoc());
  for (const clang::Stmt *child : statement->children()) visit(child);
}

void OpenMP::directive(const clang::OMPExecutableDirective *directive) {
  const clang::SourceLocation at = directive->getBeginLoc();
  switch (directive->getDirectiveKind()) {
    case omp::OMPD_parallel_for:
    case omp::OMPD_parallel_for_simd:
    case omp::OMPD_taskloop:
    case omp::OMPD_taskloop_simd:
      return loop(directive, {});
    case omp::OMPD_parallel:
    case omp::OMPD_parallel_master:
    case omp::OMPD_parallel_masked:
      return parallel(directive);
    case omp::OMPD_parallel_sections:
      return sections(directive);
    case omp::OMPD_task:
      return task(directive);
    case omp::OMPD_taskwait:
      return taskwait(directive);
    case omp::OMPD_taskyield:
      return unit_->replace_pragma(directive->getSourceRange());
    case omp::OMPD_taskgroup:
      return taskgroup(directive);
    case omp::OMPD_critical:
      return critical(cast<clang::OMPCriticalDirective>(directive));
    case omp::OMPD_atomic:
      return atomic(cast<clang::OMPAtomicDirective>(directive));
    case omp::OMPD_simd:
      return simd(directive);
    case omp::OMPD_for:
    case omp::OMPD_for_simd:
    case omp::OMPD_single:
    case omp::OMPD_sections:
    case omp::OMPD_master:
    case omp::OMPD_masked:
    case omp::OMPD_barrier:
      return unit_->refuse(at, "'" + name_of(directive) +
                                   "' belongs to a parallel region that is elsewhere: write the "
                                   "region and this in one function");
    default:
      return unit_->refuse(at, "'" + name_of(directive) + "' has no counterpart");
  }
}

// Those that a clause names.
template <class Clause>
void OpenMP::add_variables(const Clause *clause, const clang::OMPExecutableDirective *directive,
                           std::vector<const clang::VarDecl *> &variables) {
  for (const clang::Expr *named :
       llvm::make_range(clause->varlist_begin(), clause->varlist_end())) {
    auto *reference = dyn_cast<clang::DeclRefExpr>(named->IgnoreParenImpCasts());
    auto *variable =
        reference == nullptr ? nullptr : dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr || isa<clang::OMPCapturedExprDecl>(variable)) {
      unit_->refuse(directive->getBeginLoc(),
                    "a clause names '" + source_.text(named) + "', which is not a variable");
      continue;
    }
    variables.push_back(variable);
  }
}

void OpenMP::read_reduction(const clang::OMPReductionClause *clause,
                            const clang::OMPExecutableDirective *directive, Clauses &found) {
  const clang::DeclarationName name = clause->getNameInfo().getName();
  std::string operation;
  if (name.getNameKind() == clang::DeclarationName::CXXOperatorName)
    operation = clang::getOperatorSpelling(name.getCXXOverloadedOperator());
  else
    operation = name.getAsString();
  static const std::set<std::string> kKnown{"+", "-", "*", "&", "|", "^", "&&", "||", "min", "max"};
  std::vector<const clang::VarDecl *> variables;
  add_variables(clause, directive, variables);
  if (kKnown.count(operation) == 0)
    unit_->refuse(clause->getBeginLoc(), "the reduction '" + operation +
                                             "' is the program's own: write a monoid for "
                                             "cilk::reducer");
  for (const clang::VarDecl *variable : variables) {
    const clang::QualType type = variable->getType().getNonReferenceType();
    const auto named = llvm::find_if(clause->varlist(), [&](const clang::Expr *expression) {
      auto *reference = dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
      return reference != nullptr && reference->getDecl() == variable;
    });
    if (!type->isArithmeticType())
      unit_->refuse(clause->getBeginLoc(),
                    "the reduction of '" + variable->getName() + "' is not one of a number");
    found.reductions.push_back({variable, operation, source_.text(*named)});
  }
}

// Hints, and what holds anyway.
static bool may_be_dropped(clang::OpenMPClauseKind kind) {
  switch (kind) {
    case omp::OMPC_shared:
    case omp::OMPC_default:
    case omp::OMPC_proc_bind:
    case omp::OMPC_nowait:
    case omp::OMPC_num_tasks:
    case omp::OMPC_final:
    case omp::OMPC_untied:
    case omp::OMPC_mergeable:
    case omp::OMPC_priority:
    case omp::OMPC_simdlen:
    case omp::OMPC_aligned:
    case omp::OMPC_nontemporal:
    case omp::OMPC_order:
      return true;
    default:
      return false;
  }
}

// What the program says: Clang evaluates the expression before the region. Null if it asks OpenMP
// for something: then the default grain is as good.
static const clang::Expr *as_written(const clang::Expr *value) {
  if (value == nullptr) return nullptr;
  auto *reference = dyn_cast<clang::DeclRefExpr>(value->IgnoreImpCasts());
  auto *captured =
      reference == nullptr ? nullptr : dyn_cast<clang::OMPCapturedExprDecl>(reference->getDecl());
  const clang::Expr *written = captured == nullptr ? value : captured->getInit();
  bool asks_openmp = false;
  walk(written, [&](const clang::Stmt *found) {
    asks_openmp |= openmp_function(found) != nullptr;
    return true;
  });
  return asks_openmp ? nullptr : written;
}

static bool is_constant(const clang::ASTContext &context, const clang::Expr *value, int wanted) {
  clang::Expr::EvalResult found;
  return !value->isValueDependent() && value->EvaluateAsInt(found, context) &&
         found.Val.getInt() == wanted;
}

void OpenMP::read_clause(const clang::OMPClause *clause,
                         const clang::OMPExecutableDirective *directive, Clauses &found) {
  switch (clause->getClauseKind()) {
    case omp::OMPC_private:
      return add_variables(cast<clang::OMPPrivateClause>(clause), directive, found.privates);
    case omp::OMPC_firstprivate:
      return add_variables(cast<clang::OMPFirstprivateClause>(clause), directive,
                           found.firstprivates);
    case omp::OMPC_reduction:
      return read_reduction(cast<clang::OMPReductionClause>(clause), directive, found);
    case omp::OMPC_schedule: {
      auto *schedule = cast<clang::OMPScheduleClause>(clause);
      if (schedule->getScheduleKind() == clang::OMPC_SCHEDULE_dynamic ||
          schedule->getScheduleKind() == clang::OMPC_SCHEDULE_guided)
        found.chunk = as_written(schedule->getChunkSize());
      return;
    }
    case omp::OMPC_grainsize:
      found.chunk = as_written(cast<clang::OMPGrainsizeClause>(clause)->getGrainsize());
      return;
    case omp::OMPC_collapse: {
      const clang::Expr *count = cast<clang::OMPCollapseClause>(clause)->getNumForLoops();
      if (auto value = count->getIntegerConstantExpr(source_.context))
        found.collapse = static_cast<unsigned>(value->getZExtValue());
      return;
    }
    case omp::OMPC_if:
      // One that asks OpenMP only limits nested parallelism.
      found.condition = as_written(cast<clang::OMPIfClause>(clause)->getCondition());
      found.is_serial |=
          found.condition != nullptr && is_constant(source_.context, found.condition, 0);
      return;
    case omp::OMPC_num_threads: {
      limits_threads_ = clause->getBeginLoc();
      const clang::Expr *count =
          as_written(cast<clang::OMPNumThreadsClause>(clause)->getNumThreads());
      found.is_serial |= count != nullptr && is_constant(source_.context, count, 1);
      return;
    }
    case omp::OMPC_safelen:
      found.may_vectorize = false;
      return;
    default:
      if (!may_be_dropped(clause->getClauseKind()))
        unit_->refuse(clause->getBeginLoc(), "the clause '" +
                                                 omp::getOpenMPClauseName(clause->getClauseKind()) +
                                                 "' has no counterpart");
  }
}

Clauses OpenMP::read(const clang::OMPExecutableDirective *directive) {
  Clauses found;
  found.may_vectorize = clang::isOpenMPSimdDirective(directive->getDirectiveKind());
  for (const clang::OMPClause *clause : directive->clauses()) read_clause(clause, directive, found);
  // Of a region only a change is lost: what is read alone may be shared.
  const clang::OpenMPDirectiveKind kind = directive->getDirectiveKind();
  if (found.is_serial && kind != omp::OMPD_task)
    unit_->refuse(directive->getBeginLoc(),
                  "one thread runs this, in order: remove the pragma, or the clause");
  if (kind != omp::OMPD_task) {
    for (const clang::VarDecl *variable : found.firstprivates)
      if (may_change(body_of(directive), variable))
        unit_->refuse(directive->getBeginLoc(), "each thread changes its own copy of '" +
                                                    variable->getName() +
                                                    "': declare it in the body");
    found.firstprivates.clear();
  }
  return found;
}

void OpenMP::replace_pragma_by_scope(const clang::OMPExecutableDirective *directive,
                                     const clang::Stmt *body, bool is_scope) {
  const std::string indentation = source_.indentation_of_pragma(directive->getBeginLoc());
  const bool is_block = isa<clang::CompoundStmt>(body);
  std::string line = is_scope ? "cilk_scope" : "";
  if (!is_block && is_scope) line += " {";
  unit_->replace_pragma(directive->getSourceRange(), line.empty() ? "" : indentation + line + "\n");
  if (!is_block && is_scope) unit_->after(source_.end(body), "\n" + indentation + "}");
  if (is_scope) unit_->need("<cilk/cilk.h>");
}

/// Whether it has a construct for the threads of a region that is elsewhere.
bool OpenMP::is_for_team(const clang::Stmt *statement) const {
  bool is_found = false;
  walk(statement, [&](const clang::Stmt *found) {
    auto *directive = dyn_cast<clang::OMPExecutableDirective>(found);
    if (directive == nullptr) return !is_found;
    const omp::Directive kind = directive->getDirectiveKind();
    if (clang::isOpenMPParallelDirective(kind)) return false;
    is_found |= clang::isOpenMPTaskingDirective(kind) || clang::isOpenMPWorksharingDirective(kind);
    return !is_found;
  });
  return is_found;
}

bool OpenMP::calls_users_function(const clang::Stmt *statement) const {
  bool is_found = false;
  walk(statement, [&](const clang::Stmt *found) {
    if (auto *call = dyn_cast<clang::CallExpr>(found)) {
      const clang::FunctionDecl *callee = call->getDirectCallee();
      is_found |= callee == nullptr || !source_.in_system_header(callee->getLocation());
    }
    return !is_found;
  });
  return is_found;
}

// A parallel region: its threads do the work of the constructs in it, and each thread all that is
// outside of them. The latter has no counterpart.
void OpenMP::parallel(const clang::OMPExecutableDirective *directive) {
  Clauses clauses = read(directive);
  if (unit_->is_refused()) return;
  const clang::Stmt *body = body_of(directive);
  if (calls_users_function(body)) unit_->depend(kTeamIsNeeded);
  const std::string indentation = source_.indentation_of_pragma(directive->getBeginLoc());
  if (directive->getDirectiveKind() != omp::OMPD_parallel) {
    if (!clauses.reductions.empty() || !clauses.privates.empty())
      return unit_->refuse(directive->getBeginLoc(), "a master region with variables of its own");
    replace_pragma_by_scope(directive, body, has_tasks(body));
    return visit_in(body, true);
  }
  if (clauses.reductions.empty()) {
    unit_->replace_pragma(directive->getSourceRange());
  } else {
    unit_->replace_pragma(directive->getSourceRange(),
                          begin_reductions(clauses, body, indentation));
    unit_->after(source_.end(body), end_reductions(clauses, indentation));
  }
  in_region(true, [&] { thread_code(body, clauses); });
}

// Code that every thread of a team runs.
void OpenMP::thread_code(const clang::Stmt *statement, const Clauses &outer) {
  if (unit_->is_refused()) return;
  if (auto *block = dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt *part : block->body()) thread_code(part, outer);
    return;
  }
  if (isa<clang::NullStmt>(statement)) return;
  if (auto *declaration = dyn_cast<clang::DeclStmt>(statement)) {
    // A constant of each thread is one constant, if it is made of what they have in common.
    for (const clang::Decl *declared : declaration->decls()) {
      auto *variable = dyn_cast<clang::VarDecl>(declared);
      if (variable == nullptr) continue;
      const clang::Expr *value = variable->getInit();
      bool asks_thread = false;
      walk(value, [&](const clang::Stmt *found) {
        asks_thread |= openmp_function(found) != nullptr;
        return true;
      });
      bool is_own = false;
      for (const Use &use : value == nullptr ? std::vector<Use>() : uses_in(value))
        is_own |= llvm::is_contained(outer.privates, use.variable) ||
                  llvm::any_of(outer.reductions, [&](const Clauses::Reduction &reduction) {
                    return reduction.variable == use.variable;
                  });
      if (asks_thread || is_own || has_effects(source_.context, value) ||
          may_change(function_->getBody(), variable))
        return unit_->refuse(statement->getBeginLoc(),
                             "each thread has its own '" + variable->getName() +
                                 "': declare it in the loop, or make it a reducer");
    }
    return visit(statement);
  }
  auto *directive = dyn_cast<clang::OMPExecutableDirective>(statement);
  if (directive == nullptr)
    return unit_->refuse(statement->getBeginLoc(),
                         "each thread of the region runs this: say what is to be done once, and "
                         "what for each element");
  switch (directive->getDirectiveKind()) {
    case omp::OMPD_for:
    case omp::OMPD_for_simd:
      return loop(directive, outer);
    case omp::OMPD_single:
    case omp::OMPD_master:
    case omp::OMPD_masked:
    case omp::OMPD_sections:
      if (!outer.privates.empty())
        for (const Use &use : uses_in(body_of(directive)))
          if (llvm::is_contained(outer.privates, use.variable))
            return unit_->refuse(directive->getBeginLoc(),
                                 "one thread uses its own '" + use.variable->getName() + "'");
      return directive->getDirectiveKind() == omp::OMPD_sections ? sections(directive)
                                                                 : single(directive);
    case omp::OMPD_barrier:
      return unit_->replace_pragma(directive->getSourceRange());
    default:
      return unit_->refuse(directive->getBeginLoc(),
                           "each thread of the region meets this '" + name_of(directive) + "'");
  }
}

// Once for all threads. Tasks made there have ended at the barrier after it.
void OpenMP::single(const clang::OMPExecutableDirective *directive) {
  const Clauses clauses = read(directive);
  if (unit_->is_refused()) return;
  if (!clauses.privates.empty())
    return unit_->refuse(directive->getBeginLoc(), "'" + name_of(directive) +
                                                       "' has private variables: declare them in "
                                                       "it");
  const clang::Stmt *body = body_of(directive);
  replace_pragma_by_scope(directive, body, has_tasks(body));
  visit_in(body, false);
}

// Each section but the last is spawned.
void OpenMP::sections(const clang::OMPExecutableDirective *directive) {
  const Clauses clauses = read(directive);
  auto *block = dyn_cast<clang::CompoundStmt>(body_of(directive));
  if (unit_->is_refused()) return;
  if (block == nullptr || !clauses.privates.empty() || !clauses.reductions.empty())
    return unit_->refuse(directive->getBeginLoc(),
                         "sections with variables of their own: declare them in each section");
  const bool is_alone = block->size() < 2;
  replace_pragma_by_scope(directive, block, !is_alone);
  unsigned number = 0;
  for (const clang::Stmt *part : block->body()) {
    auto *section = dyn_cast<clang::OMPSectionDirective>(part);
    const clang::Stmt *body = section == nullptr ? part : body_of(section);
    const bool is_last = ++number == block->size();
    if (section != nullptr) unit_->replace_pragma(section->getSourceRange());
    if (!is_last) unit_->before(body->getBeginLoc(), "cilk_spawn ");
    visit_in(body, true);
  }
}

}  // namespace nopal::migrate
