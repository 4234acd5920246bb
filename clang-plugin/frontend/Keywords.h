//===- Keywords.h - Where the user wrote a Cilk keyword ---------*- C++ -*-===//
//
// The keywords are pragmas for the preprocessor and ordinary C and C++ for the
// parser: a pragma handler puts tokens into the stream which the AST keeps and
// which mean nothing to anyone else. All these tokens carry the location of the
// pragma, and the text at that location tells which keyword it is; so it also
// tells after a precompiled header or a preprocessed file was read.
//
// What the parser sees and how it is found again: README.md, "Keywords".
// Tested by tests/diagnostics.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_KEYWORDS_H
#define NOPAL_FRONTEND_KEYWORDS_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <string>
#include <utility>

namespace clang {
class Preprocessor;
class SourceManager;
class Stmt;
} // namespace clang

namespace nopal::frontend {
class Reporter;

enum class Keyword { None, Spawn, Sync, For, Scope, Grain, Reducer };

/// Annotations that the statement attributes of this plugin leave in the AST.
inline constexpr const char SpawnAnnotation[] = "nopal.spawn";
inline constexpr const char ScopeAnnotation[] = "nopal.scope";
/// The annotation of the type of a hyperobject; its arguments are the callbacks.
inline constexpr const char HyperAnnotation[] = "nopal.hyper";

class KeywordTable {
public:
  explicit KeywordTable(const clang::SourceManager &SM) : SM(SM) {}

  /// The keyword whose tokens were put in at \p Loc.
  Keyword at(clang::SourceLocation Loc);

  /// The token that the user wrote, for a location of ours.
  clang::SourceLocation userLocation(clang::SourceLocation Loc) const;

  /// The keyword as the user wrote it, "cilk_spawn" or "_Cilk_spawn".
  std::string spelling(clang::SourceLocation Loc);

  /// The preprocessor put tokens in at \p Loc.
  void injected(clang::SourceLocation Loc, Keyword K) {
    Pending[Loc] = K;
    Any = true;
    WritesReducers |= K == Keyword::Reducer;
  }
  /// The AST has the keyword of \p Loc.
  void found(clang::SourceLocation Loc) {
    if (auto It = Pending.find(Loc); It != Pending.end())
      It->second = Keyword::None; // erasing moves all the later ones
    ++Found;
  }
  /// How often the AST was seen to have one.
  unsigned timesFound() const { return Found; }
  /// No keyword so far: functions need not be looked at.
  bool empty() const { return !Any; }
  /// True once: the first keyword is the place to say that none can be compiled.
  bool isFirst() { return !std::exchange(Met, true); }
  /// A precompiled header may bring keywords.
  void expectForeign() { Any = HasForeign = true; }
  /// There may be hyperobjects of the language.
  bool hasReducers() const { return HasForeign || WritesReducers; }
  /// Some are written here.
  bool writesReducers() const { return WritesReducers; }

  using PendingMap = llvm::MapVector<clang::SourceLocation, Keyword,
                                     llvm::DenseMap<clang::SourceLocation, unsigned>>;
  /// What the parser dropped, beside keywords None: nobody may be told that it ran in parallel.
  const PendingMap &pending() const { return Pending; }

private:
  const clang::SourceManager &SM;
  llvm::DenseMap<clang::SourceLocation, Keyword> Decoded;
  PendingMap Pending;
  unsigned Found = 0;
  bool Any = false;
  bool HasForeign = false;
  bool WritesReducers = false;
  bool Met = false;
};

/// Where the user's part of \p E begins, around which tokens were put in at \p Loc.
clang::SourceLocation writtenPart(const clang::Stmt *E, clang::SourceLocation Loc);

/// The first keyword of the main file if no header made it one, else an invalid location.
clang::SourceLocation keywordWithoutHeader(clang::Preprocessor &PP);

/// Adds the handlers of `#pragma cilk ...`. The last two must outlive \p PP.
void addPragmaHandlers(clang::Preprocessor &PP, bool IsPreprocessed, KeywordTable &Keywords,
                       Reporter &Report);

} // namespace nopal::frontend

#endif
