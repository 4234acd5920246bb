//===- Refusal.cpp - What the passes cannot compile -----------------------===//
//
// See Refusal.h.
//
//===----------------------------------------------------------------------===//
#include "Refusal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace nopal;

StringRef nopal::messageOf(Refusal Row) {
  static constexpr StringLiteral Messages[] = {
#define NOPAL_REFUSAL(ID, TEXT, NOTE) TEXT "; " NOTE,
#include "Diagnostics.def"
  };
  return Messages[unsigned(Row)];
}

void nopal::refuse(const Function &F, Refusal Row, const DebugLoc &Where) {
  F.getContext().diagnose(DiagnosticInfoUnsupported(F, messageOf(Row), Where));
}

void nopal::refuse(const Module &M, Refusal Row, StringRef First, StringRef Second) {
  auto [Before, Rest] = messageOf(Row).split("%0");
  auto [Between, After] = Rest.split("%1");
  M.getContext().emitError("nopal: " + Before + First + Between + Second + After);
}
