//===- EarlyExit.h - Children that return at once need no spawn -*- C++ -*-===//
//
// Before the split: where a spawner calls or spawns a function whose first test
// may end it at once (fib's `if (n < 2) return n;`), that test is done in place,
// and the rest only if it says so. Invariants: README.md in this folder,
// "Early exits"; why: docs/decisions. Used by Split alone.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_EARLYEXIT_H
#define NOPAL_SPLIT_EARLYEXIT_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace nopal {

/// Rewrites the spawns and the calls of \p Spawners whose callees have early
/// exits. The functions are not split yet, their markers are in place. A function
/// may lose its last spawn here.
void takeEarlyExits(llvm::ArrayRef<llvm::Function *> Spawners);

} // namespace nopal

#endif
