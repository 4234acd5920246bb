//===- Functions.h - What passes do with whole functions -------*- C++ -*-===//
//
// Used by outline/ and split/.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_FUNCTIONS_H
#define NOPAL_ANALYSIS_FUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace nopal::analysis {

/// Lets \p F and \p Part, which was made of a part of it and is called by it, both use registers
/// for the vectors among \p Part's arguments. A vector that is wider than "min-legal-vector-width"
/// is passed in parts, and inlining raises that width in one of the two functions alone.
void passVectorsAlike(llvm::Function &F, llvm::Function &Part);

/// Gives \p F the personality of C++ if it has none.
void ensurePersonality(llvm::Function &F);

/// A new block of \p F that control never reaches.
llvm::BasicBlock *createNever(llvm::Function &F, const llvm::Twine &Name = "never");

/// A place in \p F without a line; none if \p F has no debug info.
llvm::DebugLoc noLine(const llvm::Function &F);

/// True if a sanitizer's pass will change \p F after the split.
bool isInstrumented(const llvm::Function &F);

/// True if control ends in \p BB with Clang's call of std::terminate, for an exception that may not
/// leave a function or a cleanup.
bool endsInTerminate(const llvm::BasicBlock &BB);

/// True for a call that may unwind into its function.
bool mayUnwind(const llvm::Instruction &I);

/// Runs \p Simplify on each of \p Changed, functions of \p M.
void simplifyChanged(llvm::ArrayRef<llvm::Function *> Changed, llvm::FunctionPassManager &Simplify,
                     llvm::Module &M, llvm::ModuleAnalysisManager &AM);

} // namespace nopal::analysis

#endif
