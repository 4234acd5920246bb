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

#include "source.h"
#include "trivia.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nopal::migrate {

/// Why a number of a library's threads stays: some of its code does.
inline const std::string kOthersStay = "other code stays, and this is a number of its threads";

/// Why a thread's number stays as a key.
inline const std::string kThreadsAreMade =
    "the program makes threads, whose workers have numbers, too, so this may be beyond the number "
    "of workers";

/// One edit of a file. At one offset what comes after a token precedes what comes before the next
/// one; of two of a kind the outer construct's is the outer one (outer constructs come first).
struct Edit {
  enum Kind { kAfter, kBefore, kReplace };
  unsigned offset, length;
  std::string text;
  Kind kind;

  bool operator==(const Edit &other) const {
    return offset == other.offset && length == other.length && text == other.text &&
           kind == other.kind;
  }
};

/// Why a construct stays as it is.
struct Note {
  unsigned offset, line, column;
  std::string reason;
};

/// What becomes of one construct: edits, and what the new code needs; or a note.
struct Outcome {
  unsigned begin;
  std::vector<Edit> edits;
  std::set<std::string> headers;               // <cilk/cilk.h> and others, with their brackets
  std::map<std::string, std::string> helpers;  // definitions that go after the includes, by name
  /// Names that text moved by other constructs of the file gets, too.
  std::vector<std::pair<std::string, std::string>> renames;
  /// Why this stays if another construct stays that keeps the same: a critical one its lock.
  std::set<std::string> needed, kept;
  std::optional<Note> note;
  bool is_optional = false;  // if it may not be, nothing is said

  bool is_rewritten() const { return !note; }
  /// Undoes the rewriting.
  void refuse(const Note &why);
};

struct FileChanges {
  std::string path, text;
  std::vector<Outcome> outcomes;  // outer constructs first
  struct Include {
    unsigned end;  // offset after its line
    std::string name;
    bool is_conditional;
  };
  std::vector<Include> includes;
  /// What is under one condition each: the offsets of the directives around it.
  std::set<std::pair<unsigned, unsigned>> branches;
  bool keeps_includes = false;  // of the old libraries: another file has them from here

  /// A note at a place of the old text.
  Note note_at(unsigned offset, const std::string &reason) const;
};

/// The changes of all files of a run.
class Changes {
 public:
  FileChanges &file(const clang::SourceManager &sources, clang::FileID id);
  /// Takes what becomes of a construct. It may have come before: from another translation unit,
  /// from another instantiation of its template, or since its file is included twice. If it came
  /// out differently then, it stays.
  void commit(const std::string &key, FileChanges &file, Outcome outcome);
  /// Remembers that code, or an instantiation of it, was looked at.
  void claim(const clang::SourceManager &sources, clang::SourceLocation at);
  /// Whether one of two places is under a condition of the preprocessor that the other is not.
  bool are_split(const clang::SourceManager &sources, clang::SourceLocation one,
                 clang::SourceLocation other);
  bool is_claimed(const clang::SourceManager &sources, clang::SourceLocation at) const;
  /// That code stays unless some instantiation of it, in any translation unit, is looked at.
  /// `kept`: as of an Outcome.
  void expect(const clang::SourceManager &sources, clang::SourceLocation at,
              const std::string &reason, const std::set<std::string> &kept = {});
  /// What needs this stays, whatever becomes of constructs.
  void keep(const std::string &reason) { facts_.insert(reason); }
  /// Ends a run: what was expected in vain stays.
  void refuse_unclaimed();
  /// What needs something that a construct that stays keeps, stays.
  void settle();
  std::map<std::string, FileChanges> &files() { return files_; }

 private:
  std::map<std::string, FileChanges> files_;
  std::map<std::string, std::pair<FileChanges *, std::size_t>> known_;
  std::set<std::string> claimed_, facts_;
  struct Expected {
    std::string place;
    FileChanges *file;
    unsigned offset;
    std::string reason;
    std::set<std::string> kept;
  };
  std::vector<Expected> expected_;
};

/// The edits of one construct: all or none. The first thing that refuses counts.
class Construct {
 public:
  Construct(Source &source, clang::SourceLocation begin) : source_(source), begin_(begin) {}

  /// Comments in the old text stay before the new one, unless that has them.
  void replace(clang::SourceRange tokens, const llvm::Twine &text);
  void replace(clang::CharSourceRange characters, const llvm::Twine &text);
  /// Before the token that begins here.
  void before(clang::SourceLocation token, const llvm::Twine &text);
  /// After the character before `end`, which Source::end gives.
  void after(clang::SourceLocation end, const llvm::Twine &text);
  /// With its line, if nothing else is on it.
  void remove_statement(const clang::Stmt *statement);
  /// Removes lines of the preprocessor.
  void remove_lines(clang::CharSourceRange lines);
  /// Replaces a pragma by lines of text, or removes its lines.
  void replace_pragma(clang::SourceRange pragma, const llvm::Twine &lines = "");
  /// Changes a name in text of this file that other constructs move.
  void rename(const std::string &from, const std::string &to) { renames_.emplace_back(from, to); }
  /// This stays, for that reason, if a construct stays that keeps the same.
  void depend(const std::string &reason) { needed_.insert(reason); }
  void keep(const std::string &reason) { kept_.insert(reason); }
  void refuse(clang::SourceLocation at, const llvm::Twine &reason);
  void need(const std::string &header) { headers_.insert(header); }
  void need_helper(const std::string &name, const std::string &definition) {
    helpers_[name] = definition;
  }
  bool is_refused() const { return is_refused_; }

  /// Hands the edits, or the note, to Changes. `what` tells constructs at one place apart.
  void commit(const std::string &what);
  /// The same if nothing refused; else nothing is said.
  void commit_if_possible(const std::string &what) {
    is_optional_ = true;
    if (!is_refused_) commit(what);
  }

 private:
  struct Placed {
    clang::SourceLocation at;
    unsigned length;
    std::string text;
    Edit::Kind kind;
    std::vector<Comment> comments;  // of the old text
  };
  void add(clang::CharSourceRange characters, const llvm::Twine &text,
           const std::vector<Comment> &comments);
  std::string text_of(const Placed &edit) const;

  Source &source_;
  clang::SourceLocation begin_;
  std::vector<Placed> edits_;
  std::set<std::string> headers_;
  std::map<std::string, std::string> helpers_;
  std::vector<std::pair<std::string, std::string>> renames_;
  std::set<std::string> needed_, kept_;
  bool is_refused_ = false, is_optional_ = false;
  clang::SourceLocation refused_at_;
  std::string reason_;
};

}  // namespace nopal::migrate

#endif
