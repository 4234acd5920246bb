//===- Analyzer.h - The walk over one function ------------------*- C++ -*-===//
//
// Shared by Analysis.cpp, which walks the statements, and Checks.cpp, which
// looks into expressions and at what surrounds a spawn. Nobody else includes it.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_ANALYZER_H
#define NOPAL_FRONTEND_ANALYZER_H

#include "Analysis.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace nopal::frontend {

/// What surrounds a statement.
struct Place {
  Region *In = nullptr;
  /// The innermost spawned statement, cilk_scope or cilk_for.
  Region *Closed = nullptr;
  /// The value of Closed where the target of a break or continue, or the
  /// switch of a case label, stands.
  Region *Break = nullptr, *Continue = nullptr, *Switch = nullptr;
  /// Why nothing can be spawned here, if so.
  Diag Ban = Diag::None;
};

struct Jump {
  clang::SourceLocation Loc;
  const clang::LabelDecl *Target;
  Region *Closed;
};

class Analyzer {
public:
  Analyzer(clang::ASTContext &Ctx, SpawnMatcher &Matcher, KeywordTable &Keywords, Reporter &Report)
      : Ctx(Ctx), Matcher(Matcher), Keywords(Keywords), Report(Report) {}

  FunctionPlan Plan;

  void function(clang::FunctionDecl *FD);
  void expression(clang::Stmt *E, Diag Why, const Place &P);
  std::string Entity;

private:
  void statement(clang::Stmt *S, Place P);
  void compound(clang::CompoundStmt *Body, const Place &P);
  void declaration(clang::DeclStmt *S, const Place &P);
  void variable(clang::DeclStmt *S, clang::VarDecl *Var, const Place &P);
  void expressionStatement(clang::Expr *E, const Place &P);
  void attributed(clang::AttributedStmt *S, const Place &P);
  void spawnedStatement(clang::Stmt *Key, clang::Stmt *Body, clang::SourceLocation Loc, Place P);
  clang::Stmt *parallelLoop(clang::Stmt *S, clang::ForStmt *&Grain);
  bool loop(clang::Stmt *Key, Place P);
  void returned(clang::ReturnStmt *S, const Place &P);
  void tryBlock(clang::CXXTryStmt *S, const Place &P);
  bool admit(Spawn &S, const Place &P);
  void found(clang::SourceLocation Loc);
  Region *region(Region::RegionKind Kind, Region *Parent,
                 clang::SourceLocation Loc = clang::SourceLocation());
  void leave(clang::SourceLocation Loc, llvm::StringRef What, Region *From, Region *To);
  void loopJump(const clang::Stmt *S, llvm::StringRef What, const Place &P, Region *To);
  void operandJumps(clang::Expr *E, const Spawn &S);
  void jumps();
  void refuseInSpawning();
  void number();

  clang::ASTContext &Ctx;
  SpawnMatcher &Matcher;
  KeywordTable &Keywords;
  Reporter &Report;
  llvm::DenseSet<clang::SourceLocation> Accepted;
  llvm::DenseMap<const clang::LabelDecl *, Region *> Labels;
  /// Where loops and switches stand, which a label may name.
  llvm::DenseMap<const clang::Stmt *, Region *> Targets;
  llvm::SmallVector<Jump, 4> Gotos;
  llvm::SmallVector<std::pair<clang::SourceLocation, std::string>, 1> Setjmps;
  llvm::SmallVector<std::pair<clang::SourceLocation, Region *>, 1> ComputedGotos;
  llvm::SmallSetVector<const clang::LabelDecl *, 8> LabelsWithAddress;
  clang::SourceLocation AsmGoto, AnySpawn;
};

} // namespace nopal::frontend

#endif
