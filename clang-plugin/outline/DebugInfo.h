//===- DebugInfo.h - What a debugger sees of a helper ----------*- C++ -*-===//
//
// A helper is a subprogram of its own with the lines of its parent, and with
// copies of the parent's blocks and variables. `scopeOrigins` is where the
// splitter finds the originals when it inlines the helper into the fast clone.
// Used by Outline and by Split. Tests: tests/pass/outline-debug*.ll, tests/debug.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_DEBUGINFO_H
#define NOPAL_OUTLINE_DEBUGINFO_H

#include "../contract/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include <utility>

namespace nopal::outline {

/// Describes \p Helper, whose instructions and records are copies from \p F.
/// \p Begin is the begin marker. \p Variables: allocas of \p F (or what has
/// replaced them) and what the helper has in their place. \p IsParents says whether a line has code
/// in the parent's part of the statement as well; it is counted only there by --coverage.
void describeHelper(llvm::Function &F, llvm::Function &Helper, const llvm::CallBase &Begin,
                    llvm::ArrayRef<std::pair<llvm::Value *, llvm::Value *>> Variables,
                    llvm::function_ref<bool(unsigned Line)> IsParents);

} // namespace nopal::outline

#endif
