// Tasks: a task becomes a spawn, a taskwait a sync; and what guards shared data.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.h"

#include "clang/AST/OpenMPClause.h"
#include "clang/Basic/OpenMPKinds.h"
#include "clang/Lex/Lexer.h"

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

bool OpenMP::has_tasks(const clang::Stmt *statement) const {
  bool has = false;
  walk(statement, [&](const clang::Stmt *found) {
    if (auto *directive = dyn_cast<clang::OMPExecutableDirective>(found))
      has |= directive->getDirectiveKind() == llvm::omp::OMPD_task;
    return !has && !isa<clang::LambdaExpr>(found);
  });
  return has;
}

// A task. The parent evaluates the arguments of a spawned call, as it copies the variables of a
// task, so a call that takes values needs no copy. Any other task gets copies in a lambda, or, if
// nothing changes the variables, none.
void OpenMP::task(const clang::OMPExecutableDirective *directive) {
  const Clauses clauses = read(directive);
  if (unit_->is_refused()) return;
  const clang::SourceLocation at = directive->getBeginLoc();
  const clang::Stmt *body = body_of(directive);
  tasks_.push_back({at, region_});
  const clang::CallExpr *call = spawnable_call(body);

  const std::vector<Use> uses = uses_in(body);
  const auto uses_variable = [&](const clang::VarDecl *variable) {
    return llvm::any_of(uses, [&](const Use &use) { return use.variable == variable; });
  };
  // The child looks at the variable itself, and not at its value alone.
  const auto needs_own = [&](const clang::VarDecl *variable) {
    return variable->hasLocalStorage() && llvm::any_of(uses, [&](const Use &use) {
             return use.variable == variable && (call == nullptr || use.kind != Use::kRead ||
                                                 is_of_object(call, use.reference));
           });
  };
  // In a lambda the child evaluates all arguments, so there each variable needs its copy.
  const bool is_lambda = source_.is_cplusplus() && llvm::any_of(clauses.firstprivates, needs_own);
  std::vector<const clang::VarDecl *> copied;
  bool are_changed = false;
  for (const clang::VarDecl *variable : clauses.firstprivates) {
    if (!variable->hasLocalStorage()) continue;
    if (is_lambda ? !uses_variable(variable) : !needs_own(variable)) continue;
    are_changed |= may_change(body, variable);
    // C has no lambdas: there only what nothing changes, and outlives the children of the function.
    if (!source_.is_cplusplus()) {
      if (!isa<clang::ParmVarDecl>(variable) || may_change(function_->getBody(), variable))
        return unit_->refuse(at, "the task has its own copy of '" + variable->getName() +
                                     "': make its code a function, and pass it by value");
      continue;
    }
    copied.push_back(variable);
  }
  if (!clauses.privates.empty()) {
    if (!isa<clang::CompoundStmt>(body))
      return unit_->refuse(at, "the task has private variables: declare them in a block");
    declare_privates(body, clauses, {}, {});
  }

  std::string opening = "cilk_spawn ", closing;
  if (is_lambda) {
    std::string captures = "[&";
    for (const clang::VarDecl *variable : copied) captures += ", " + variable->getName().str();
    captures += are_changed ? "]() mutable " : "] ";
    opening += captures;
    if (!isa<clang::CompoundStmt>(body)) opening += "{ ";
    closing = isa<clang::CompoundStmt>(body) ? "();" : " }();";
  }
  const std::string indentation = source_.indentation_of_pragma(at);
  const clang::SourceLocation end = source_.end(body);
  if (clauses.condition != nullptr) {
    if (has_openmp(body) || has_openmp(clauses.condition))
      return unit_->refuse(at, "the task has a condition, and more of OpenMP in it");
    // Without the condition the task is done at once: the same code, not spawned.
    if (end.isInvalid()) return unit_->refuse(at, "part of it is in a macro");
    const clang::CharSourceRange characters =
        clang::CharSourceRange::getCharRange(body->getBeginLoc(), end);
    const std::string text =
        clang::Lexer::getSourceText(characters, source_.sources, source_.context.getLangOpts())
            .str();
    std::string spawned, serial = text;
    if (is_lambda || call == nullptr) {
      spawned = opening + text + closing;
      serial = opening.substr(std::string("cilk_spawn ").size()) + text + closing;
    } else {
      const auto place = source_.sources.getFileOffset(call->getBeginLoc()) -
                         source_.sources.getFileOffset(body->getBeginLoc());
      spawned = text.substr(0, place) + "cilk_spawn " + text.substr(place);
    }
    unit_->replace_pragma(directive->getSourceRange());
    unit_->replace(characters, "if (" + source_.text(clauses.condition) + ") {\n" + indentation +
                                   "  " + spawned + "\n" + indentation + "} else {\n" +
                                   indentation + "  " + serial + "\n" + indentation + "}");
    unit_->need("<cilk/cilk.h>");
    return;
  }
  unit_->replace_pragma(directive->getSourceRange());
  unit_->need("<cilk/cilk.h>");
  if (is_lambda || call == nullptr) {
    unit_->before(body->getBeginLoc(), opening);
    if (is_lambda) unit_->after(end, closing);
  } else {
    unit_->before(call->getBeginLoc(), "cilk_spawn ");
  }
  visit_in(body, true);
}

void OpenMP::taskwait(const clang::OMPExecutableDirective *directive) {
  const clang::SourceLocation at = directive->getBeginLoc();
  if (!directive->clauses().empty())
    return unit_->refuse(at, "this taskwait waits for some tasks alone");
  waits_.push_back({at, region_});
  unit_->replace_pragma(directive->getSourceRange(),
                        source_.indentation_of_pragma(at) + "cilk_sync;\n");
  unit_->need("<cilk/cilk.h>");
}

void OpenMP::taskgroup(const clang::OMPExecutableDirective *directive) {
  const Clauses clauses = read(directive);
  if (unit_->is_refused()) return;
  if (!clauses.reductions.empty())
    return unit_->refuse(directive->getBeginLoc(), "a reduction over tasks: use cilk::reducer");
  const clang::Stmt *body = body_of(directive);
  replace_pragma_by_scope(directive, body, has_tasks(body));
  visit_in(body, false);
}

// One mutex for all critical constructs of a name, in the whole program.
void OpenMP::critical(const clang::OMPCriticalDirective *directive) {
  const clang::SourceLocation at = directive->getBeginLoc();
  const clang::Stmt *body = body_of(directive);
  if (!source_.is_cplusplus())
    return unit_->refuse(at, "a critical construct: use a reducer, or a mutex of your own");
  if (may_spawn(body))
    return unit_->refuse(at, "parallel code in a critical construct: no mutex may be held over it");
  const std::string name =
      "nopal_critical" + (directive->getDirectiveName().getName().isEmpty()
                              ? std::string()
                              : "_" + directive->getDirectiveName().getAsString());
  unit_->need("<mutex>");
  unit_->need_helper(name, "inline std::mutex " + name + ";  // of all such critical constructs\n");
  const std::string indentation = source_.indentation_of_pragma(at);
  const std::string lock = "const std::lock_guard<std::mutex> lock_of_" + name + "(" + name + ");";
  unit_->replace_pragma(directive->getSourceRange());
  if (auto *block = dyn_cast<clang::CompoundStmt>(body)) {
    unit_->after(block->getLBracLoc().getLocWithOffset(1), "\n" + indentation + "  " + lock);
  } else {
    unit_->before(body->getBeginLoc(),
                  "{\n" + indentation + "  " + lock + "\n" + indentation + "  ");
    unit_->after(source_.end(body), "\n" + indentation + "}");
  }
  visit(body);
}

namespace {

// x op= e, in any of its spellings.
struct Update {
  const clang::Expr *target = nullptr, *value = nullptr;  // value: null for 1
  const char *operation = nullptr;                        // of __atomic_fetch_...
  bool is_before = false;                                 // the whole has the value from before
};

}  // namespace

static const char *builtin_of(clang::BinaryOperatorKind kind, bool is_integer) {
  switch (kind) {
    case clang::BO_Add:
    case clang::BO_AddAssign:
      return "add";
    case clang::BO_Sub:
    case clang::BO_SubAssign:
      return "sub";
    case clang::BO_And:
    case clang::BO_AndAssign:
      return is_integer ? "and" : nullptr;
    case clang::BO_Or:
    case clang::BO_OrAssign:
      return is_integer ? "or" : nullptr;
    case clang::BO_Xor:
    case clang::BO_XorAssign:
      return is_integer ? "xor" : nullptr;
    default:
      return nullptr;
  }
}

static bool is_same(const Source &source, const clang::Expr *a, const clang::Expr *b) {
  return source.text(a->IgnoreParenImpCasts()) == source.text(b->IgnoreParenImpCasts());
}

static Update update_of(const Source &source, const clang::Stmt *statement) {
  Update found;
  auto *value = dyn_cast<clang::Expr>(statement);
  if (value == nullptr) return found;
  value = value->IgnoreParenImpCasts();
  if (auto *cleanups = dyn_cast<clang::ExprWithCleanups>(value))
    value = cleanups->getSubExpr()->IgnoreParenImpCasts();
  if (auto *step = dyn_cast<clang::UnaryOperator>(value)) {
    if (!step->isIncrementDecrementOp() || !step->getType()->isArithmeticType()) return found;
    found.target = step->getSubExpr();
    found.operation = step->isIncrementOp() ? "add" : "sub";
    found.is_before = step->isPostfix();
    return found;
  }
  auto *binary = dyn_cast<clang::BinaryOperator>(value);
  if (binary == nullptr || !binary->isAssignmentOp() ||
      !binary->getLHS()->getType()->isArithmeticType())
    return found;
  const bool is_integer = binary->getLHS()->getType()->isIntegerType();
  if (binary->isCompoundAssignmentOp()) {
    found.operation = builtin_of(binary->getOpcode(), is_integer);
    found.value = binary->getRHS();
  } else if (auto *sum = dyn_cast<clang::BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts())) {
    const bool is_left = is_same(source, binary->getLHS(), sum->getLHS());
    const bool is_right = is_same(source, binary->getLHS(), sum->getRHS());
    if (is_left || (is_right && sum->getOpcode() != clang::BO_Sub)) {
      found.operation = builtin_of(sum->getOpcode(), is_integer);
      found.value = is_left ? sum->getRHS() : sum->getLHS();
    }
  }
  found.target = binary->getLHS();
  if (found.value != nullptr) {
    // The functions convert the operand first, the language the result.
    const clang::QualType target = found.target->getType();
    const clang::QualType value = found.value->IgnoreParenImpCasts()->getType();
    if (value->isRealFloatingType() &&
        (!target->isRealFloatingType() ||
         source.context.getTypeSize(value) > source.context.getTypeSize(target)))
      found.operation = nullptr;
  }
  return found;
}

// Updates of one variable, by the compiler's own atomic functions.
void OpenMP::atomic(const clang::OMPAtomicDirective *directive) {
  const clang::SourceLocation at = directive->getBeginLoc();
  const clang::Stmt *body = body_of(directive);
  if (has_openmp(body)) return unit_->refuse(at, "an atomic construct with more of OpenMP in it");
  std::string order = "__ATOMIC_RELAXED", kind = "update";
  for (const clang::OMPClause *clause : directive->clauses()) {
    const std::string name = llvm::omp::getOpenMPClauseName(clause->getClauseKind()).str();
    if (name == "seq_cst")
      order = "__ATOMIC_SEQ_CST";
    else if (name == "acq_rel")
      order = "__ATOMIC_ACQ_REL";
    else if (name == "acquire")
      order = "__ATOMIC_ACQUIRE";
    else if (name == "release")
      order = "__ATOMIC_RELEASE";
    else if (name == "read" || name == "write" || name == "update" || name == "capture")
      kind = name;
    else if (name != "relaxed" && name != "hint")
      return unit_->refuse(at, "an atomic construct with '" + name + "'");
  }
  const std::string hint = "this atomic operation has no short form: use a reducer or std::atomic";
  const auto builtin = [&](const Update &update, bool is_before) {
    const std::string name = is_before ? std::string("__atomic_fetch_") + update.operation
                                       : std::string("__atomic_") + update.operation + "_fetch";
    return name + "(&" + source_.text(update.target) + ", " +
           (update.value == nullptr ? "1" : source_.text(update.value)) + ", " + order + ")";
  };
  if (kind == "update") {
    const Update update = update_of(source_, body);
    if (update.operation == nullptr) return unit_->refuse(at, hint);
    unit_->replace_pragma(directive->getSourceRange());
    return unit_->replace(body->getSourceRange(), builtin(update, true));
  }
  auto *value = dyn_cast<clang::Expr>(body);
  auto *assignment =
      value == nullptr ? nullptr : dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
  if (assignment == nullptr || assignment->getOpcode() != clang::BO_Assign)
    return unit_->refuse(at, hint);
  const clang::Expr *left = assignment->getLHS(), *right = assignment->getRHS();
  if (kind == "capture") {
    const Update update = update_of(source_, right);
    if (update.operation == nullptr) return unit_->refuse(at, hint);
    unit_->replace_pragma(directive->getSourceRange());
    return unit_->replace(right->getSourceRange(), builtin(update, update.is_before));
  }
  const clang::QualType type = (kind == "read" ? right : left)->getType();
  if (!type->isIntegerType() && !type->isPointerType()) return unit_->refuse(at, hint);
  unit_->replace_pragma(directive->getSourceRange());
  if (kind == "read")
    unit_->replace(right->getSourceRange(),
                   "__atomic_load_n(&" + source_.text(right) + ", " + order + ")");
  else
    unit_->replace(assignment->getSourceRange(), "__atomic_store_n(&" + source_.text(left) + ", " +
                                                     source_.text(right) + ", " + order + ")");
}

}  // namespace nopal::migrate
