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

/// The scope of a function that the compiler makes from \p SP: a class has no
/// member of that kind, so what is around it.
llvm::DIScope *scopeOfPart(const llvm::DISubprogram &SP);

/// \p Ty with the lengths of its arrays of unknown length in the variables that
/// \p Own has for those of another function; null: not known.
llvm::DIType *withLengths(llvm::DIType *Ty,
                          llvm::function_ref<llvm::DILocalVariable *(llvm::DILocalVariable *)> Own);

} // namespace nopal::analysis

#endif
