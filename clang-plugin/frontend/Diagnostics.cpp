//===- Diagnostics.cpp - Every message of the front-end -------------------===//
//
// Hands the rows NOPAL_DIAG of contract/Diagnostics.def to Clang's diagnostics engine.
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"

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

/// Clang's number of a row. Clang lets -w, -Werror and pragmas act only on
/// warnings of a group, and has no place for new groups.
unsigned messageOf(DiagnosticIDs &IDs, const Row &R) {
  if (R.Level == Error)
    return IDs.getCustomDiagID(DiagnosticIDs::Error, R.Text);
  return IDs.getCustomDiagID(DiagnosticIDs::CustomDiagDesc(diag::Severity::Warning, R.Text,
                                                           DiagnosticIDs::CLASS_WARNING, false,
                                                           false, groupOf(R.Level)));
}

/// Whether -Wno-everything is the last word on a group. Clang applies it to its own
/// table only, before a plugin has any message.
bool isSilenced(const DiagnosticOptions &Options, diag::Group Group) {
  llvm::StringRef Name = DiagnosticIDs::getWarningOptionForGroup(Group);
  bool Silenced = false;
  for (llvm::StringRef Option : Options.Warnings) {
    if (Option == "no-everything")
      Silenced = true;
    Option.consume_front("error=");
    if (Option == "everything" || Option == Name)
      Silenced = false;
  }
  return Silenced;
}

} // namespace

Reporter::Reporter(DiagnosticsEngine &Engine, KeywordTable &Keywords)
    : Engine(Engine), Keywords(Keywords) {
  // A pragma acts on those warnings of a group that exist when it is read, and Clang
  // remembers the state before it only if somebody has asked for it. (Volatile: Clang
  // declares the question free of effects.)
  for (const Row &R : Rows)
    if (R.Level != Error) {
      unsigned Message = messageOf(*Engine.getDiagnosticIDs(), R);
      volatile bool Asked = Engine.isIgnored(Message, SourceLocation());
      (void)Asked;
      if (isSilenced(Engine.getDiagnosticOptions(), groupOf(R.Level)))
        Engine.setSeverity(Message, diag::Severity::Ignored, SourceLocation());
    }
}

bool Reporter::isHeard(Diag ID, SourceLocation Loc) const {
  return !Engine.isIgnored(messageOf(*Engine.getDiagnosticIDs(), Rows[unsigned(ID) - 1]),
                           Keywords.userLocation(Loc));
}

void Reporter::emit(Diag ID, SourceLocation ErrorLoc, SourceLocation NoteLoc, llvm::StringRef Word,
                    llvm::StringRef Entity, llvm::StringRef Remedy,
                    llvm::ArrayRef<FixItHint> Changes) {
  if (Silent || !Reported.insert({unsigned(ID), ErrorLoc}).second)
    return;
  const Row &R = Rows[unsigned(ID) - 1];
  DiagnosticIDs &IDs = *Engine.getDiagnosticIDs();
  unsigned Message = messageOf(IDs, R);
  Engine.Report(Keywords.userLocation(ErrorLoc), Message) << Word << Entity;
  DiagnosticBuilder Note = Engine.Report(Keywords.userLocation(NoteLoc),
                                         IDs.getCustomDiagID(DiagnosticIDs::Note, R.Note));
  Note << Word << Entity << Remedy;
  for (const FixItHint &Change : Changes)
    Note << Change;
}

void Reporter::report(Diag ID, SourceLocation Loc, llvm::StringRef Entity, SourceLocation NoteLoc) {
  emit(ID, Loc, NoteLoc.isValid() ? NoteLoc : Loc, Keywords.spelling(Loc), Entity);
}

void Reporter::reportAt(SourceLocation ErrorLoc, Diag ID, SourceLocation Loc,
                        llvm::StringRef Entity) {
  emit(ID, ErrorLoc, Loc, Keywords.spelling(Loc), Entity);
}

void Reporter::reportRemedy(SourceLocation WarningLoc, Diag ID, SourceLocation Loc,
                            llvm::StringRef Entity, SourceLocation NoteLoc, llvm::StringRef Remedy,
                            llvm::ArrayRef<FixItHint> Changes) {
  emit(ID, WarningLoc, NoteLoc, Keywords.spelling(Loc), Entity, Remedy, Changes);
}

} // namespace nopal::frontend
