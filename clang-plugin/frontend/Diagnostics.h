//===- Diagnostics.h - Every message of the front-end -----------*- C++ -*-===//
//
// The messages are the rows of Diagnostics.def. A message is reported once for
// a location, so that the instances of a template do not repeat it.
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
}

namespace nopal {

enum class Diag : unsigned {
  None,
#define NOPAL_DIAG(ID, LEVEL, TEXT, NOTE) ID,
#include "Diagnostics.def"
};

class Reporter {
public:
  Reporter(clang::DiagnosticsEngine &Engine, KeywordTable &Keywords)
      : Engine(Engine), Keywords(Keywords) {}

  /// Reports row \p ID at the user's keyword behind \p Loc. \p Entity is what
  /// the row calls %1; \p NoteLoc, if valid, is where the note stands.
  void report(Diag ID, clang::SourceLocation Loc, llvm::StringRef Entity = "",
              clang::SourceLocation NoteLoc = clang::SourceLocation());

  /// While silent nothing is reported: the pattern of a template is looked at
  /// for its keywords only, its instances are judged.
  void setSilent(bool Value) { Silent = Value; }

  /// Errors reported so far.
  unsigned errors() const { return Errors; }

private:
  clang::DiagnosticsEngine &Engine;
  KeywordTable &Keywords;
  llvm::DenseSet<std::pair<unsigned, clang::SourceLocation>> Reported;
  unsigned Errors = 0;
  bool Silent = false;
};

} // namespace nopal

#endif
