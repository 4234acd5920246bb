// oneTBB's templates and classes into keywords and <cilk/algorithm.h>.
//
// What is rewritten together or not at all: one call of an algorithm; a task_group, or an
// enumerable_thread_specific, with all its uses. README.md has the rules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_ONETBB_H
#define NOPAL_TOOLS_MIGRATE_ONETBB_H

#include "changes.h"
#include "uses.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <optional>
#include <string>

namespace nopal::migrate {

/// The name of a function or class of oneTBB without its namespaces; empty for all others.
llvm::StringRef onetbb_name(const clang::NamedDecl *declaration);

/// Rewrites what one function has.
class OneTBB {
 public:
  OneTBB(Source &source, const clang::FunctionDecl *function)
      : source_(source), function_(function) {}
  void run();
  /// For a template's own code, after its instantiations: what none of them has.
  void refuse_unclaimed();

 private:
  // What a blocked_range says, as text, and of which types it is.
  struct Range {
    std::string begin, end, grain;
    std::set<std::string> names;  // of variables in it
    clang::QualType begin_type, end_type;
    clang::QualType value;      // of the range, with its name; begin and end have it in the range
    std::string value_name;     // empty if begin and end have the type anyway
    bool is_known = false;      // constants from zero on
    bool is_repeatable = true;  // may be computed more than once
  };
  // A loop over a range in a body's lambda, with what is before it.
  struct RangeLoop {
    const clang::LambdaExpr *lambda = nullptr;
    const clang::CompoundStmt *body = nullptr;
    const clang::ForStmt *loop = nullptr;
    std::vector<const clang::DeclStmt *> before;
    const clang::Stmt *after = nullptr;  // a return statement
  };

  // onetbb.cpp
  void members();
  void call(const clang::CallExpr *call, const Path &path);
  void variable(const clang::VarDecl *variable, const clang::DeclStmt *statement);
  void task_group(const clang::VarDecl *group, const clang::DeclStmt *statement);
  void thread_specific(const clang::VarDecl *variable, const clang::DeclStmt *statement);
  void spawn(Construct &unit, const clang::Expr *whole, const clang::Expr *body, bool is_spawned);
  void remove(Construct &unit, const clang::DeclStmt *statement);
  void partitioner(const clang::VarDecl *variable, const clang::DeclStmt *statement);

  // onetbb_loops.cpp
  void parallel_for(const clang::CallExpr *call, bool is_statement);
  void index_loop(Construct &unit, const clang::CallExpr *call,
                  const std::vector<const clang::Expr *> &arguments);
  void range_loop(Construct &unit, const clang::CallExpr *call, const clang::Expr *body);
  void range_loop_2d(Construct &unit, const clang::CallExpr *call, const clang::Expr *body);
  void parallel_reduce(const clang::CallExpr *call);
  void count_partitioners(const Construct &unit, const clang::CallExpr *call);
  const clang::VarDecl *aliased_copy(const clang::LambdaExpr *lambda) const;
  RangeLoop loop_of(Construct &unit, const clang::Expr *body, unsigned parameters) const;
  std::vector<const clang::DeclStmt *> moved_into_loop(Construct &unit, const RangeLoop &found);

  // onetbb_ranges.cpp
  // Its text, as an operand of a comparison.
  std::string operand(const clang::Expr *value) const;
  std::optional<Range> range_of(const clang::Expr *range, unsigned dimension = 0) const;
  bool header(Construct &unit, const clang::ForStmt *loop, const clang::ParmVarDecl *parameter,
              const Range &range, llvm::StringRef dimension);
  void condition(Construct &unit, const clang::ForStmt *loop, const clang::VarDecl *index) const;

  Source &source_;
  const clang::FunctionDecl *function_;
  // Statements whose text moved into a loop.
  std::set<const clang::Stmt *> moved_;
  // How often each partitioner was an argument of what was rewritten.
  std::map<const clang::VarDecl *, unsigned> partitioners_;
};

/// The arguments of a call without partitioners; refuses a context.
std::vector<const clang::Expr *> arguments_of(Construct &unit, const clang::CallExpr *call);
/// The name of a value's class, if it is one of oneTBB.
std::string class_name(const clang::Expr *value);
/// The lambda that an argument is, or null.
const clang::LambdaExpr *lambda_of(const clang::Expr *argument);

}  // namespace nopal::migrate

#endif
