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
#define NOPAL_DIAG(ID, LEVEL, TEXT, NOTE)                                      \
  {DiagnosticIDs::LEVEL, TEXT, NOTE},
#include "Diagnostics.def"
};

} // namespace

void Reporter::report(Diag ID, SourceLocation Loc, llvm::StringRef Entity,
                      SourceLocation NoteLoc) {
  if (Silent || !Reported.insert({unsigned(ID), Loc}).second)
    return;
  const Row &R = Rows[unsigned(ID) - 1];
  Errors += R.Level >= DiagnosticIDs::Error;
  SourceLocation User = Keywords.userLocation(Loc);
  std::string Word = Keywords.spelling(Loc);
  Engine.Report(User, Engine.getDiagnosticIDs()->getCustomDiagID(R.Level,
                                                                 R.Text))
      << Word << Entity;
  Engine.Report(NoteLoc.isValid() ? Keywords.userLocation(NoteLoc) : User,
                Engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Note,
                                                           R.Note))
      << Word << Entity;
}

} // namespace nopal
