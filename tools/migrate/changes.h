// What becomes of the files of a program: edits, notes, headers and helpers that the new code
// needs.
//
// Constructs are rewritten whole or not at all: a Construct collects edits, and commits them if
// nothing refused. Edits touch single tokens and lines, never the text of a construct as a whole,
// so that constructs nest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_CHANGES_H
#define NOPAL_TOOLS_MIGRATE_CHANGES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Tooling/Core/Replacement.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace nopal::migrate {

/// One edit of a file. At one offset what comes after a token precedes what comes before the next
/// one; of two of a kind the outer construct's is the outer one (outer constructs come first).
struct Edit {
  enum Kind { kAfter, kBefore, kReplace };
  unsigned offset, length;
  std::string text;
  Kind kind;
};

/// Why a construct stays as it is.
struct Note {
  unsigned offset, line, column;
  std::string reason;
};

struct FileChanges {
  std::string path, text;
  std::vector<Edit> edits;
  std::vector<Note> notes;
  std::set<std::string> headers;               // <cilk/cilk.h> and others, with their brackets
  std::map<std::string, std::string> helpers;  // definitions that go after the includes, by name
  struct Include {
    unsigned end;  // offset after its line
    std::string name;
    bool is_conditional;
  };
  std::vector<Include> includes;
  unsigned constructs = 0;  // rewritten
  bool headers_stay = false;
};

/// The changes of all files of a run.
class Changes {
 public:
  FileChanges &file(const clang::SourceManager &sources, clang::FileID id);
  /// True the first time that a construct at this place, in any translation unit and any
  /// instantiation of a template, is committed or refused.
  bool claim(const std::string &path, unsigned offset, const std::string &what);
  /// Changes a name in text that was moved in the file of a location.
  void rename_in_edits(const clang::SourceManager &sources, clang::SourceLocation location,
                       const std::string &from, const std::string &to);
  /// The same as claim(), for a function: templates are rewritten by their first instantiation.
  void claim(const clang::SourceManager &sources, const clang::FunctionDecl *function);
  bool is_claimed(const clang::SourceManager &sources, const clang::FunctionDecl *function) const;
  std::map<std::string, FileChanges> &files() { return files_; }

 private:
  std::map<std::string, FileChanges> files_;
  std::set<std::string> claimed_;
};

/// The new text of a file, or an error if edits overlap.
llvm::Expected<std::string> new_text(const FileChanges &file);

/// The source of a translation unit: texts and places.
class Source {
 public:
  Source(const clang::ASTContext &context, Changes &changes)
      : context(context), sources(context.getSourceManager()), changes(changes) {}

  /// The text of these tokens as written, macros not expanded; empty if it has no place in a file.
  std::string text(clang::SourceRange tokens) const;
  std::string text(const clang::Stmt *statement) const { return text(statement->getSourceRange()); }
  /// The tokens as characters of one file; invalid if they begin or end inside a macro.
  clang::CharSourceRange range(clang::SourceRange tokens) const;
  /// After the statement with its semicolon; invalid inside macros.
  clang::SourceLocation end(const clang::Stmt *statement) const;
  /// The line of a location: where it begins, and its indentation.
  clang::SourceLocation line_begin(clang::SourceLocation location) const;
  std::string indentation(clang::SourceLocation location) const;
  /// Of the code that a pragma belongs to, which may be more than the pragma's own.
  std::string indentation_of_pragma(clang::SourceLocation pragma) const;
  /// A name for a new variable, which the translation unit does not use: `base`, or with a number.
  std::string fresh(const std::string &base) const;
  bool is_cplusplus() const { return context.getLangOpts().CPlusPlus; }
  bool in_system_header(clang::SourceLocation location) const;

  const clang::ASTContext &context;
  const clang::SourceManager &sources;
  Changes &changes;
};

/// The edits of one construct: all or none. The first thing that refuses counts.
class Construct {
 public:
  Construct(Source &source, clang::SourceLocation begin) : source_(source), begin_(begin) {}

  void replace(clang::SourceRange tokens, const llvm::Twine &text);
  void replace(clang::CharSourceRange characters, const llvm::Twine &text);
  /// Before the token that begins here.
  void before(clang::SourceLocation token, const llvm::Twine &text);
  /// After the character before `end`, which Source::end gives.
  void after(clang::SourceLocation end, const llvm::Twine &text);
  /// Replaces a pragma by lines of text, or removes its lines.
  void replace_pragma(clang::SourceRange pragma, const llvm::Twine &lines = "");
  void refuse(clang::SourceLocation at, const llvm::Twine &reason);
  void need(const std::string &header) { headers_.insert(header); }
  void need_helper(const std::string &name, const std::string &definition) {
    helpers_[name] = definition;
  }
  bool is_refused() const { return is_refused_; }

  /// Hands the edits, or the note, to Changes. `what` tells constructs at one place apart.
  void commit(const std::string &what);

 private:
  struct Placed {
    clang::SourceLocation at;
    unsigned length;
    std::string text;
    Edit::Kind kind;
  };
  Source &source_;
  clang::SourceLocation begin_;
  std::vector<Placed> edits_;
  std::set<std::string> headers_;
  std::map<std::string, std::string> helpers_;
  bool is_refused_ = false;
  clang::SourceLocation refused_at_;
  std::string reason_;
};

}  // namespace nopal::migrate

#endif
