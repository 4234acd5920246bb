// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source.h"

#include "trivia.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Lexer.h"

namespace nopal::migrate {

using clang::CharSourceRange;
using clang::SourceLocation;
using clang::SourceRange;

CharSourceRange Source::range(SourceRange tokens) const {
  return clang::Lexer::makeFileCharRange(CharSourceRange::getTokenRange(tokens), sources,
                                         context.getLangOpts());
}

std::string Source::text(SourceRange tokens) const {
  return clang::Lexer::getSourceText(range(tokens), sources, context.getLangOpts()).str();
}

bool Source::has_directive(SourceRange tokens) const {
  const CharSourceRange characters = range(tokens);
  if (characters.isInvalid()) return false;
  const auto [file, begin] = sources.getDecomposedLoc(characters.getBegin());
  return trivia_of(sources.getBufferData(file), begin, sources.getFileOffset(characters.getEnd()))
      .has_directive;
}

SourceLocation Source::end(const clang::Stmt *statement) const {
  const clang::Stmt *last = statement;
  for (;;) {
    const clang::Stmt *inner = nullptr;
    if (auto *loop = llvm::dyn_cast<clang::ForStmt>(last)) inner = loop->getBody();
    if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(last)) inner = loop->getBody();
    if (auto *loop = llvm::dyn_cast<clang::WhileStmt>(last)) inner = loop->getBody();
    if (auto *choice = llvm::dyn_cast<clang::IfStmt>(last))
      inner = choice->getElse() != nullptr ? choice->getElse() : choice->getThen();
    if (auto *captured = llvm::dyn_cast<clang::CapturedStmt>(last))
      inner = captured->getCapturedStmt();
    if (auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(last))
      inner = directive->hasAssociatedStmt() ? directive->getAssociatedStmt() : nullptr;
    if (auto *labelled = llvm::dyn_cast<clang::LabelStmt>(last)) inner = labelled->getSubStmt();
    if (auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(last))
      inner = attributed->getSubStmt();
    if (inner == nullptr) break;
    last = inner;
  }
  const CharSourceRange characters = range(last->getSourceRange());
  if (characters.isInvalid()) return {};
  const SourceLocation after = characters.getEnd();
  if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt, clang::SwitchStmt,
                clang::CXXTryStmt>(last))
    return after;
  const auto [file, offset] = sources.getDecomposedLoc(after);
  const llvm::StringRef text = sources.getBufferData(file);
  clang::Lexer lexer(sources.getLocForStartOfFile(file), context.getLangOpts(), text.begin(),
                     text.begin() + offset, text.end());
  clang::Token next;
  lexer.LexFromRawLexer(next);
  return next.is(clang::tok::semi) ? next.getEndLoc() : SourceLocation();
}

SourceLocation Source::line_begin(SourceLocation location) const {
  const auto [file, offset] = sources.getDecomposedLoc(location);
  const llvm::StringRef before = sources.getBufferData(file).take_front(offset);
  const std::size_t line = before.rfind('\n');
  const std::size_t begin = line == llvm::StringRef::npos ? 0 : line + 1;
  return location.getLocWithOffset(-static_cast<int>(offset - begin));
}

std::string Source::indentation(SourceLocation location) const {
  const llvm::StringRef rest = sources.getCharacterData(line_begin(location));
  return rest.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

bool Source::is_first_on_line(SourceLocation location) const {
  const char *const begin = sources.getCharacterData(line_begin(location));
  return indentation(location).size() ==
         static_cast<std::size_t>(sources.getCharacterData(location) - begin);
}

std::string Source::indentation_of_pragma(SourceLocation pragma) const {
  const std::string own = indentation(pragma);
  if (!own.empty()) return own;
  llvm::StringRef rest = sources.getCharacterData(line_begin(pragma));
  bool is_continued = false;
  while (!rest.empty()) {
    const auto [line, others] = rest.split('\n');
    const bool is_code = !is_continued && !line.trim().empty() && !line.starts_with("#");
    if (is_code) {
      const std::string found = line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
      return line.trim().starts_with("}") ? found + "  " : found;
    }
    is_continued = line.ends_with("\\");
    rest = others;
  }
  return own;
}

std::string Source::fresh(const std::string &base) const {
  std::string name = base;
  for (int number = 2; context.Idents.find(name) != context.Idents.end(); ++number)
    name = base + std::to_string(number);
  return name;
}

bool Source::in_system_header(SourceLocation location) const {
  return location.isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(location));
}

bool Source::is_systems(const clang::Decl *declaration) const {
  return declaration != nullptr &&
         !llvm::isa<clang::TranslationUnitDecl, clang::LinkageSpecDecl>(declaration) &&
         in_system_header(declaration->getLocation());
}

}  // namespace nopal::migrate
