//===- Clang20.cpp - Warnings and annotations of Clang 20 and newer -------===//
//
// See Compatibility.h. Clang19.cpp has the same functions for Clang 19.
//
//===----------------------------------------------------------------------===//
#include "Compatibility.h"
#include "clang/Basic/DiagnosticOptions.h"

using namespace clang;

namespace nopal::compat {

static unsigned numberOf(DiagnosticsEngine &Engine, diag::Group Group, llvm::StringRef Text) {
  return Engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::CustomDiagDesc(
      diag::Severity::Warning, Text.str(), DiagnosticIDs::CLASS_WARNING, false, false, Group));
}

unsigned warningOf(DiagnosticsEngine &Engine, diag::Group Group, llvm::StringRef Text,
                   SourceLocation Loc) {
  const unsigned Message = numberOf(Engine, Group, Text);
  return Engine.isIgnored(Message, Loc) ? 0 : Message;
}

/// Whether -Wno-everything is the last word on a group. Clang applies it to its own
/// table only, before a plugin has any message.
static bool isSilenced(const DiagnosticOptions &Options, diag::Group Group) {
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

// A pragma acts on those warnings of a group that exist when it is read, and Clang
// remembers the state before it only if somebody has asked for it. (Volatile: Clang
// declares the question free of effects.)
void prepareWarning(DiagnosticsEngine &Engine, diag::Group Group, llvm::StringRef Text) {
  const unsigned Message = numberOf(Engine, Group, Text);
  volatile bool Asked = Engine.isIgnored(Message, SourceLocation());
  (void)Asked;
  if (isSilenced(Engine.getDiagnosticOptions(), Group))
    Engine.setSeverity(Message, diag::Severity::Ignored, SourceLocation());
}

const Attr *annotationOf(const AttributedType *T, const Decl *) { return T->getAttr(); }

} // namespace nopal::compat
