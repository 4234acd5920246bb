//===- Diagnostics.cpp - Every message of the front-end -------------------===//
//
// Hands the rows NOPAL_DIAG of contract/Diagnostics.def to Clang's diagnostics engine.
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"
#include "../compatibility/Compatibility.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// The levels of the table; all but Error are warnings of a group.
enum RowLevel { Error, Warning, Race, Dangling };

struct Row {
  RowLevel Level;
  const char *Text;
  const char *Note;
};

const Row Rows[] = {
#define NOPAL_DIAG(ID, LEVEL, TEXT, NOTE) {LEVEL, TEXT, NOTE},
#include "../contract/Diagnostics.def"
};

diag::Group groupOf(RowLevel Level) {
  switch (Level) {
  case Race:
    return diag::Group::Unsequenced;
  case Dangling:
    return diag::Group::Dangling;
  default:
    return diag::Group::BackendOptimizationFailure;
  }
}

/// Clang's number of a row at \p Loc, or 0 if the user has silenced it there. Clang lets -w,
/// -Werror and pragmas act only on warnings of a group, and has no place for new groups.
unsigned messageOf(DiagnosticsEngine &Engine, const Row &R, SourceLocation Loc) {
  if (R.Level == Error)
    return Engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, R.Text);
  return compat::warningOf(Engine, groupOf(R.Level), R.Text, Loc);
}

} // namespace

Reporter::Reporter(DiagnosticsEngine &Engine, KeywordTable &Keywords)
    : Engine(Engine), Keywords(Keywords) {
  for (const Row &R : Rows)
    if (R.Level != Error)
      compat::prepareWarning(Engine, groupOf(R.Level), R.Text);
}

bool Reporter::isHeard(Diag ID, SourceLocation Loc) const {
  return messageOf(Engine, Rows[unsigned(ID) - 1], Keywords.userLocation(Loc)) != 0;
}

void Reporter::emit(Diag ID, SourceLocation ErrorLoc, SourceLocation NoteLoc, llvm::StringRef Word,
                    llvm::StringRef Entity, llvm::StringRef Remedy,
                    llvm::ArrayRef<FixItHint> Changes) {
  if (Silent || !Reported.insert({unsigned(ID), ErrorLoc}).second)
    return;
  const Row &R = Rows[unsigned(ID) - 1];
  const SourceLocation Loc = Keywords.userLocation(ErrorLoc);
  const unsigned Message = messageOf(Engine, R, Loc);
  if (!Message)
    return;
  Engine.Report(Loc, Message) << Word << Entity;
  DiagnosticBuilder Note =
      Engine.Report(Keywords.userLocation(NoteLoc),
                    Engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note, R.Note));
  Note << Word << Entity << Remedy;
  for (const FixItHint &Change : Changes)
    Note << Change;
}

void Reporter::report(Diag ID, SourceLocation Loc, llvm::StringRef Entity, SourceLocation NoteLoc) {
  reportAt(Loc, ID, Loc, Entity, NoteLoc);
}

void Reporter::reportAt(SourceLocation ErrorLoc, Diag ID, SourceLocation Loc,
                        llvm::StringRef Entity, SourceLocation NoteLoc) {
  emit(ID, ErrorLoc, NoteLoc.isValid() ? NoteLoc : Loc, Keywords.spelling(Loc), Entity);
}

void Reporter::reportRemedy(SourceLocation WarningLoc, Diag ID, SourceLocation Loc,
                            llvm::StringRef Entity, SourceLocation NoteLoc, llvm::StringRef Remedy,
                            llvm::ArrayRef<FixItHint> Changes) {
  emit(ID, WarningLoc, NoteLoc, Keywords.spelling(Loc), Entity, Remedy, Changes);
}

} // namespace nopal::frontend
