// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trivia.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace nopal::migrate {

static const clang::LangOptions &language() {
  static const clang::LangOptions options = [] {
    clang::LangOptions made;
    made.CPlusPlus = made.CPlusPlus11 = made.CPlusPlus14 = made.LineComment = true;
    made.RawStringLiterals = made.Digraphs = true;
    return made;
  }();
  return options;
}

namespace {

/// Gives comments, too.
struct CommentLexer : clang::Lexer {
  CommentLexer(llvm::StringRef file, std::size_t offset)
      : Lexer(clang::SourceLocation(), language(), file.begin(), file.begin() + offset,
              file.end()) {
    SetCommentRetentionState(true);
  }
};

}  // namespace

static std::size_t end_of(const clang::Lexer &lexer, llvm::StringRef file) {
  return static_cast<std::size_t>(lexer.getBufferLocation() - file.begin());
}

static Comment comment_at(llvm::StringRef file, std::size_t begin, std::size_t end) {
  const llvm::StringRef before = file.take_front(begin).rsplit('\n').second;
  const llvm::StringRef after = file.drop_front(end).split('\n').first;
  return {file.slice(begin, end).rtrim("\r\n").str(), before.trim().empty(), after.trim().empty()};
}

Trivia trivia_of(llvm::StringRef file, std::size_t begin, std::size_t end) {
  Trivia found;
  CommentLexer lexer(file, begin);
  clang::Token token;
  for (bool is_last = false; !is_last;) {
    is_last = lexer.LexFromRawLexer(token);
    const std::size_t token_end = end_of(lexer, file), at = token_end - token.getLength();
    if (token.is(clang::tok::eof) || at >= end) break;
    if (token.is(clang::tok::comment)) found.comments.push_back(comment_at(file, at, token_end));
    found.has_directive |= token.is(clang::tok::hash) && token.isAtStartOfLine();
  }
  return found;
}

std::size_t end_of_directive(llvm::StringRef file, std::size_t hash,
                             std::vector<Comment> &comments) {
  CommentLexer lexer(file, hash);
  lexer.setParsingPreprocessorDirective(true);
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    const std::size_t end = end_of(lexer, file), at = end - token.getLength();
    if (token.is(clang::tok::comment)) comments.push_back(comment_at(file, at, end));
    if (token.is(clang::tok::eod)) return std::min(file.size(), file.find('\n', at) + 1);
  } while (token.isNot(clang::tok::eof));
  return file.size();
}

std::size_t line_outside_tokens(llvm::StringRef file, std::size_t offset) {
  std::size_t line = file.take_front(offset).rfind('\n') + 1;
  for (std::size_t before = file.size(); before != line;) {
    before = line;
    CommentLexer lexer(file, 0);
    clang::Token token;
    for (std::size_t end = 0; end < line && token.isNot(clang::tok::eof);) {
      lexer.LexFromRawLexer(token);
      end = end_of(lexer, file);
      const std::size_t at = end - token.getLength();
      if (at < line && line < end) line = file.take_front(at).rfind('\n') + 1;
    }
  }
  return line;
}

static std::string indentation_at(llvm::StringRef file, std::size_t offset) {
  const std::size_t line = file.take_front(offset).rfind('\n') + 1;
  return file.drop_front(line).take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

std::string with_comments(const std::vector<Comment> &comments, llvm::StringRef text,
                          llvm::StringRef file, std::size_t begin, std::size_t end) {
  if (comments.empty()) return text.str();
  const std::string line = "\n" + indentation_at(file, begin);
  // What ends a statement stays on the statement's line.
  std::string kept = text.consume_front(";") ? ";" : "";
  const bool at_line_begin = file.take_front(begin).rsplit('\n').second.trim().empty();
  for (const Comment &comment : comments) {
    const bool is_first = &comment == &comments.front() && kept.empty();
    if (comment.begins_line && !(is_first && at_line_begin))
      kept += line;
    else if (!is_first || (begin > 0 && !llvm::isSpace(file[begin - 1])))
      kept += " ";
    kept += comment.text;
  }
  const llvm::StringRef rest = file.drop_front(end).split('\n').first;
  const bool ends_line = comments.back().ends_line || comments.back().begins_line;
  if (text.starts_with("\n") || (text.empty() && rest.trim().empty()))
    kept += text;
  else if (text.empty() && end > begin && file[end - 1] == '\n')
    kept += "\n";
  else
    kept += (ends_line ? line : " ") + text.str();
  return kept;
}

std::size_t length_of_mark(llvm::StringRef file) {
  return file.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

}  // namespace nopal::migrate
