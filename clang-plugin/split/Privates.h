//===- Privates.h - Private temporaries of children -------------*- C++ -*-===//
//
// A __nopal_private is storage for a temporary of a spawned statement, in each activation of a
// clone for itself (README.md, "What is live across a suspend point"). Used by Splitter and
// Cleanup. In a slow clone: Splitter::usePrivates. Tests: tests/pass/split-private*.ll.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_PRIVATES_H
#define NOPAL_SPLIT_PRIVATES_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace nopal::split {

/// Creates an alloca that can replace \p CB, a __nopal_private, in its function.
llvm::AllocaInst *allocaFor(llvm::CallBase &CB);

/// Makes allocas of the private temporaries of spawns that the optimizer has removed.
/// True if there was one.
bool lowerIdlePrivates(llvm::Module &M);

} // namespace nopal::split

#endif
