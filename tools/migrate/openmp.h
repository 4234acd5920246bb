// OpenMP's directives into keywords.
//
// What is rewritten together or not at all (a unit): a parallel construct with all that it holds,
// or all tasks of a function that are in none. README.md has the rules, and why each keeps the
// meaning.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_OPENMP_H
#define NOPAL_TOOLS_MIGRATE_OPENMP_H

#include "changes.h"
#include "uses.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace nopal::migrate {

/// Why what depends on the number of threads stays if others of them stay.
inline const std::string kThreadsStay =
    "OpenMP's threads remain in other code, and this depends on their number";

/// Why a region stays if code stays that runs on the threads of a region elsewhere.
inline const std::string kTeamIsNeeded =
    "OpenMP's code stays in other functions, which may need this region's threads";

/// Why code stays that calls functions of other files.
inline const std::string kThreadPrivate =
    "it calls functions of other files, where OpenMP's threads have variables of their own";

/// What the clauses of a directive say, as far as the rewriting asks.
struct Clauses {
  struct Reduction {
    const clang::VarDecl *variable;
    std::string operation;  // "+", "min", ...
    std::string text;       // its name in the clause, with the namespace
  };
  std::vector<Reduction> reductions;
  std::vector<const clang::VarDecl *> privates;       // each thread's or task's own
  std::vector<const clang::VarDecl *> firstprivates;  // the same, with the value from outside
  const clang::Expr *chunk = nullptr;      // of dynamic and guided schedules; grain sizes
  const clang::Expr *condition = nullptr;  // of `if`
  unsigned collapse = 1;
  bool may_vectorize = false;
  bool is_serial = false;  // one thread alone
};

/// Rewrites what one function has.
class OpenMP {
 public:
  OpenMP(Source &source, const clang::FunctionDecl *function)
      : source_(source), function_(function) {}
  void run();
  /// For a template's own code, after its instantiations: what none of them has.
  void refuse_unclaimed();

 private:
  // A sync region that the new code has, and the context whose children it waits for.
  struct Region {
    int parent, context;
  };
  struct Place {
    clang::SourceLocation at;
    int region;
  };
  // A variable that the code of a unit declares anew.
  struct Moved {
    const clang::VarDecl *variable;
    const clang::Stmt *where;
    std::string unit;
  };

  // openmp.cpp: the walk, and regions that the threads of a team enter.
  void outside(const clang::Stmt *statement);
  void rewrite_unit(const clang::Stmt *statement, clang::SourceLocation at, const char *name);
  void visit(const clang::Stmt *statement);
  void visit_in(const clang::Stmt *statement, bool is_new_context);
  // Calls `rewrite` in a sync region of its own.
  void in_region(bool is_new_context, llvm::function_ref<void()> rewrite);
  void directive(const clang::OMPExecutableDirective *directive);
  void parallel(const clang::OMPExecutableDirective *directive);
  void thread_code(const clang::Stmt *statement, const Clauses &outer);
  void single(const clang::OMPExecutableDirective *directive);
  void sections(const clang::OMPExecutableDirective *directive);
  Clauses read(const clang::OMPExecutableDirective *directive);
  void read_clause(const clang::OMPClause *clause, const clang::OMPExecutableDirective *directive,
                   Clauses &found);
  void read_reduction(const clang::OMPReductionClause *clause,
                      const clang::OMPExecutableDirective *directive, Clauses &found);
  template <class Clause>
  void add_variables(const Clause *clause, const clang::OMPExecutableDirective *directive,
                     std::vector<const clang::VarDecl *> &variables);

  // openmp_calls.cpp
  void call(const clang::CallExpr *call);
  void callee(const clang::FunctionDecl *function, clang::SourceLocation at);
  void check_waits();
  void check_thread_private(const clang::Stmt *statement);
  // It, or a function that it calls.
  bool may_spawn(const clang::Stmt *statement) const;

  // openmp_loops.cpp
  void remove_moved();
  std::string grain_of(const Clauses &clauses, const Clauses &outer);
  void simd(const clang::OMPExecutableDirective *directive);
  void loop(const clang::OMPExecutableDirective *directive, const Clauses &outer);
  // `grain`: a pragma that inner loops get, too, or nothing.
  void header(const clang::Stmt *loop, unsigned levels, const std::string &grain,
              std::vector<const clang::VarDecl *> &own);
  const clang::VarDecl *for_header(const clang::ForStmt *loop);
  // `own`: variables that are declared in the loop's header.
  void declare_privates(const clang::Stmt *body, const Clauses &clauses, const Clauses &outer,
                        const std::vector<const clang::VarDecl *> &own);
  std::string begin_reductions(const Clauses &clauses, const clang::Stmt *body,
                               const std::string &indentation);
  std::string end_reductions(const Clauses &clauses, const std::string &indentation);
  std::string declaration(const clang::VarDecl *variable) const;
  bool is_for_team(const clang::Stmt *statement) const;
  bool calls_users_function(const clang::Stmt *statement) const;

  // openmp_tasks.cpp
  void task(const clang::OMPExecutableDirective *directive);
  void taskwait(const clang::OMPExecutableDirective *directive);
  void taskgroup(const clang::OMPExecutableDirective *directive);
  void critical(const clang::OMPCriticalDirective *directive);
  void atomic(const clang::OMPAtomicDirective *directive);
  bool has_tasks(const clang::Stmt *statement) const;
  static bool has_openmp(const clang::Stmt *statement);

  // `{` and `}` around a statement that is not a block, on lines of the pragma's.
  void replace_pragma_by_scope(const clang::OMPExecutableDirective *directive,
                               const clang::Stmt *body, bool is_scope);

  Source &source_;
  const clang::FunctionDecl *function_;
  Construct *unit_ = nullptr;
  std::vector<Region> regions_;
  std::vector<Place> tasks_, waits_;
  std::vector<Moved> moved_;
  std::string unit_name_;                              // what the removal of a variable depends on
  std::vector<const clang::VarDecl *> reduced_;        // by the loops around
  clang::SourceLocation asks_thread_;                  // where the thread's number is asked for
  const clang::FunctionDecl *calls_openmp_ = nullptr;  // a function that has parallel code
  clang::SourceLocation limits_threads_;               // a num_threads clause
  bool is_alone_ = false;                              // the unit is a call
  int region_ = 0;
  int contexts_ = 0;
};

}  // namespace nopal::migrate

#endif
