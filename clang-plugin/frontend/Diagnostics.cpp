//===- Diagnostics.cpp - Every message of the front-end -------------------===//
//
// Hands the rows of Diagnostics.def to Clang's diagnostics engine.
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"
#include "clang/Basic/Diagnostic.h"

using namespace clang;

namespace nopal {
namespace {

struct Row {
  DiagnosticIDs::Level Level;
  const char *Text;
  const char *Note;
};

const Row Rows[] = {
#define NOPAL_DIAG(ID, LEVEL, TEXT, NOTE) {DiagnosticIDs::LEVEL, TEXT, NOTE},
#include "Diagnostics.def"
};

} // namespace

void Reporter::emit(Diag ID, SourceLocation ErrorLoc, SourceLocation NoteLoc, llvm::StringRef Word,
                    llvm::StringRef Entity) {
  if (Silent || !Reported.insert({unsigned(ID), ErrorLoc}).second)
    return;
  const Row &R = Rows[unsigned(ID) - 1];
  DiagnosticIDs &IDs = *Engine.getDiagnosticIDs();
  // Clang lets -w and -Werror act only on warnings of a group, and has no place
  // for new groups; -Wpass-failed is the one for what was asked for in vain.
  unsigned Message = R.Level == DiagnosticIDs::Warning
                         ? IDs.getCustomDiagID(DiagnosticIDs::CustomDiagDesc(diag::Severity::Warning, R.Text,
                                                                             DiagnosticIDs::CLASS_WARNING, false, false,
                                                                             diag::Group::BackendOptimizationFailure))
                         : IDs.getCustomDiagID(R.Level, R.Text);
  Engine.Report(Keywords.userLocation(ErrorLoc), Message) << Word << Entity;
  Engine.Report(Keywords.userLocation(NoteLoc), IDs.getCustomDiagID(DiagnosticIDs::Note, R.Note)) << Word << Entity;
}

void Reporter::report(Diag ID, SourceLocation Loc, llvm::StringRef Entity, SourceLocation NoteLoc) {
  emit(ID, Loc, NoteLoc.isValid() ? NoteLoc : Loc, Keywords.spelling(Loc), Entity);
}

void Reporter::reportAt(SourceLocation ErrorLoc, Diag ID, SourceLocation Loc, llvm::StringRef Entity) {
  emit(ID, ErrorLoc, Loc, Keywords.spelling(Loc), Entity);
}

} // namespace nopal
