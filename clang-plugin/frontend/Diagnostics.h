//===- Diagnostics.h - Every message of the front-end -----------*- C++ -*-===//
//
// The messages are the rows NOPAL_DIAG of contract/Diagnostics.def. A message is
// reported once for a location, so that the instances of a template do not repeat it.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_DIAGNOSTICS_H
#define NOPAL_FRONTEND_DIAGNOSTICS_H

#include "Keywords.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include <utility>

namespace clang {
class DiagnosticsEngine;
class FixItHint;
} // namespace clang

namespace nopal::frontend {

enum class Diag : unsigned {
  None,
#define NOPAL_DIAG(ID, LEVEL, TEXT, NOTE) ID,
#include "../contract/Diagnostics.def"
};

class Reporter {
public:
  Reporter(clang::DiagnosticsEngine &Engine, KeywordTable &Keywords);

  /// Whether a warning would be shown at \p Loc.
  bool isHeard(Diag ID, clang::SourceLocation Loc) const;

  /// Reports row \p ID at the user's keyword whose tokens have \p Loc. \p Entity is what
  /// the row calls %1; \p NoteLoc, if valid, is where the note stands.
  void report(Diag ID, clang::SourceLocation Loc, llvm::StringRef Entity = "",
              clang::SourceLocation NoteLoc = clang::SourceLocation());

  /// The same, but the error stands at \p ErrorLoc, and the note at \p NoteLoc or, if that is not
  /// valid, at the keyword.
  void reportAt(clang::SourceLocation ErrorLoc, Diag ID, clang::SourceLocation Loc,
                llvm::StringRef Entity, clang::SourceLocation NoteLoc = clang::SourceLocation());

  /// A warning at \p WarningLoc of the keyword at \p Loc, and a note at \p NoteLoc that says
  /// \p Remedy, the row's %2, and offers \p Changes.
  void reportRemedy(clang::SourceLocation WarningLoc, Diag ID, clang::SourceLocation Loc,
                    llvm::StringRef Entity, clang::SourceLocation NoteLoc, llvm::StringRef Remedy,
                    llvm::ArrayRef<clang::FixItHint> Changes);

  /// While silent nothing is reported: the pattern of a template is only searched for
  /// its keywords, and its instances are judged.
  void setSilent(bool Value) { Silent = Value; }

private:
  void emit(Diag ID, clang::SourceLocation ErrorLoc, clang::SourceLocation NoteLoc,
            llvm::StringRef Word, llvm::StringRef Entity, llvm::StringRef Remedy = "",
            llvm::ArrayRef<clang::FixItHint> Changes = {});

  clang::DiagnosticsEngine &Engine;
  KeywordTable &Keywords;
  llvm::DenseSet<std::pair<unsigned, clang::SourceLocation>> Reported;
  bool Silent = false;
};

} // namespace nopal::frontend

#endif
