//===- Refusal.h - What the passes cannot compile ---------------*- C++ -*-===//
//
// A pass that meets what it cannot compile reports a row NOPAL_REFUSAL of
// Diagnostics.def, an error, and leaves the function as it is.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_REFUSAL_H
#define NOPAL_CONTRACT_REFUSAL_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class DebugLoc;
class Function;
class Module;
} // namespace llvm

namespace nopal {

enum class Refusal : unsigned {
#define NOPAL_REFUSAL(ID, TEXT, NOTE) ID,
#include "Diagnostics.def"
};

/// "TEXT; NOTE" of \p Row.
llvm::StringRef messageOf(Refusal Row);

/// Reports \p Row for \p F. \p Where is the instruction at fault; it may be empty.
void refuse(const llvm::Function &F, Refusal Row, const llvm::DebugLoc &Where);

/// Reports \p Row for all of \p M. \p First and \p Second are what the row calls %0 and %1.
void refuse(const llvm::Module &M, Refusal Row, llvm::StringRef First, llvm::StringRef Second);

} // namespace nopal

#endif
