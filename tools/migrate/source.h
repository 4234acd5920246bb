// The source of a translation unit: texts and places.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_SOURCE_H
#define NOPAL_TOOLS_MIGRATE_SOURCE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

#include <string>

namespace nopal::migrate {

class Changes;

/// A translation unit, and the changes that its files get.
class Source {
 public:
  Source(const clang::ASTContext &context, Changes &changes)
      : context(context), sources(context.getSourceManager()), changes(changes) {}

  /// The text of these tokens as written, macros not expanded; empty if it has no place in a file.
  std::string text(clang::SourceRange tokens) const;
  std::string text(const clang::Stmt *statement) const { return text(statement->getSourceRange()); }
  /// The tokens as characters of one file; invalid if they begin or end inside a macro.
  clang::CharSourceRange range(clang::SourceRange tokens) const;
  /// Whether a line of the preprocessor is among them.
  bool has_directive(clang::SourceRange tokens) const;
  /// After the statement with its semicolon; invalid inside macros.
  clang::SourceLocation end(const clang::Stmt *statement) const;
  /// The line of a location: where it begins, and its indentation.
  clang::SourceLocation line_begin(clang::SourceLocation location) const;
  std::string indentation(clang::SourceLocation location) const;
  bool is_first_on_line(clang::SourceLocation location) const;
  /// Of the code that a pragma belongs to, which may be more than the pragma's own.
  std::string indentation_of_pragma(clang::SourceLocation pragma) const;
  /// A name for a new variable, which the translation unit does not use: `base`, or with a number.
  std::string fresh(const std::string &base) const;
  bool is_cplusplus() const { return context.getLangOpts().CPlusPlus; }
  bool in_system_header(clang::SourceLocation location) const;
  /// Whether a walk over the user's declarations leaves this one out. Null is not.
  bool is_systems(const clang::Decl *declaration) const;

  const clang::ASTContext &context;
  const clang::SourceManager &sources;
  Changes &changes;
};

}  // namespace nopal::migrate

#endif
