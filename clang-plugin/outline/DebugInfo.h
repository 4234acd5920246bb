//===- DebugInfo.h - What a debugger sees of a helper ----------*- C++ -*-===//
//
// A helper is a subprogram of its own with the lines of its parent, and with copies of the parent's
// blocks and variables. The split finds the originals in `ScopeOrigins` when it inlines the helper
// into the fast clone. Used by Helper.cpp. Tests: tests/pass/outline-debug*.ll, tests/debug.
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

/// Describes \p Helper, whose instructions and records are copies from \p F. \p Begin is the begin
/// marker. \p Variables pairs allocas of \p F (or what has replaced them) with their replacements
/// in the helper. \p IsParents says whether a line also has code in the parent's part of the
/// statement. --coverage counts such a line only there.
void describeHelper(llvm::Function &F, llvm::Function &Helper, const llvm::CallBase &Begin,
                    llvm::ArrayRef<std::pair<llvm::Value *, llvm::Value *>> Variables,
                    llvm::function_ref<bool(unsigned Line)> IsParents);

} // namespace nopal::outline

#endif
