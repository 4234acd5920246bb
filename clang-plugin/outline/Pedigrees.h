//===- Pedigrees.h - Strands learn their place in the program --*- C++ -*-===//
//
// With -mllvm -nopal-pedigrees, calls of runtime/abi/nopal_pedigree.h around spawns, syncs
// and loops. The passes are stages of the outliner (Passes.def). Where the calls stand:
// README.md, "Pedigrees". Tests: tests/dprng, tests/pass/outline-pedigrees.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_PEDIGREES_H
#define NOPAL_OUTLINE_PEDIGREES_H

#include "../contract/Pedigree.h"

namespace nopal::outline {

/// Marks the module if the option is set. True if it is marked.
bool choosesPedigrees(llvm::Module &M);

/// Before children are outlined: around each loop, and at the beginning of its iterations.
void keepPedigreesOfLoops(llvm::Function &F);

/// After that: around spawns and syncs, in helpers, and where an exception leaves a leaf.
void keepPedigrees(llvm::Module &M);

} // namespace nopal::outline

#endif
