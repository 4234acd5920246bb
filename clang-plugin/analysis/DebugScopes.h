//===- DebugScopes.h - Debug info of functions made of parts ---*- C++ -*-===//
//
// Used by outline/DebugInfo and split/DebugValues.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_DEBUGSCOPES_H
#define NOPAL_ANALYSIS_DEBUGSCOPES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace nopal::analysis {

/// A function's metadata: pairs of a copied scope or variable and its original.
inline constexpr char ScopeOrigins[] = "nopal.scopes";

/// The scope of a function that the compiler makes from \p SP. For a member function, it is the
/// scope around the class, which has no such member.
llvm::DIScope *scopeOfPart(const llvm::DISubprogram &SP);

/// \p Ty for another function: lengths of arrays that are in variables are in those that \p Own
/// gives for them, or unknown if it gives null.
llvm::DIType *withLengths(llvm::DIType *Ty,
                          llvm::function_ref<llvm::DILocalVariable *(llvm::DILocalVariable *)> Own);

} // namespace nopal::analysis

#endif
