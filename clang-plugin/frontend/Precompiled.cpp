//===- Precompiled.cpp - Keywords in a file that another compiler may read ===//
//
// See Precompiled.h.
//
//===----------------------------------------------------------------------===//
#include "Precompiled.h"
#include "../compatibility/Compatibility.h"
#include "Nodes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace nopal::frontend {
namespace {

constexpr const char Directive[] = ".error \"nopal: ";

/// The block that \p Body is, or that it tries.
CompoundStmt *blockOf(Stmt *Body) {
  if (auto *Try = dyn_cast_or_null<CXXTryStmt>(Body))
    return Try->getTryBlock();
  return dyn_cast_or_null<CompoundStmt>(Body);
}

bool isRefusal(const Stmt *S) {
  auto *Asm = dyn_cast<GCCAsmStmt>(S);
  auto *Text = Asm ? compat::textOf(Asm) : nullptr;
  return Text && Text->getString().starts_with(Directive);
}

void setStatements(FunctionDecl *FD, llvm::ArrayRef<Stmt *> Statements) {
  ASTContext &Ctx = FD->getASTContext();
  Stmt *New = Nodes(Ctx).withStatements(blockOf(FD->getBody()), Statements);
  if (auto *Try = dyn_cast<CXXTryStmt>(FD->getBody())) {
    llvm::SmallVector<Stmt *, 4> Handlers;
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
      Handlers.push_back(Try->getHandler(I));
    New = CXXTryStmt::Create(Ctx, Try->getTryLoc(), cast<CompoundStmt>(New), Handlers);
  }
  FD->setBody(New);
}

} // namespace

bool writesPrecompiled(const CompilerInstance &CI) {
  const FrontendOptions &Options = CI.getFrontendOpts();
  switch (Options.ProgramAction) {
  case clang::frontend::GeneratePCH:
  case clang::frontend::GenerateModule:
  case clang::frontend::GenerateModuleInterface:
  case clang::frontend::GenerateReducedModuleInterface:
  case clang::frontend::GenerateHeaderUnit:
    return true;
  default:
    return !Options.ModuleOutputPath.empty(); // beside an object
  }
}

void refuseOthers(FunctionDecl *FD) {
  CompoundStmt *Block = blockOf(FD->getBody());
  if (!Block || (!Block->body_empty() && isRefusal(Block->body_front())))
    return;
  ASTContext &Ctx = FD->getASTContext();
  SourceLocation Loc = FD->getLocation();
  std::string Text = Directive;
  if (FD->getDeclName().isIdentifier() && FD->getIdentifier())
    Text += "'" + FD->getName().str() + "'";
  else
    Text += "a function";
  Text += " has keywords of Cilk and was precompiled: compile this file, too, with "
          "nopal-clang (or clang with -fpass-plugin=NopalPlugin.so)\"";
  auto *Literal =
      StringLiteral::Create(Ctx, Text, StringLiteralKind::Ordinary, false,
                            Ctx.getStringLiteralArrayType(Ctx.CharTy, Text.size()), Loc);
  auto *Refusal = new (Ctx) GCCAsmStmt(Ctx, Loc, /*issimple=*/true, /*isvolatile=*/true, 0, 0,
                                       nullptr, nullptr, nullptr, Literal, 0, nullptr, 0, Loc);
  llvm::SmallVector<Stmt *, 16> Statements{Refusal};
  llvm::append_range(Statements, Block->body());
  setStatements(FD, Statements);
}

void accept(FunctionDecl *FD) {
  CompoundStmt *Block = blockOf(FD->getBody());
  if (Block && !Block->body_empty() && isRefusal(Block->body_front()))
    setStatements(FD, llvm::SmallVector<Stmt *, 16>(llvm::drop_begin(Block->body())));
}

} // namespace nopal::frontend
