//===- LateEntry.h - A function behind its first tests ---------*- C++ -*-===//
//
// Cuts a function in two: its early paths, and what they give up for, which
// becomes a function of its own and gets all that they have computed.
//
//   double f(double x) {               double f(double x) {
//     double y = g(x);                   double y = g(x);
//     if (y < 1) return y;               if (y < 1) return y;
//     a = cilk_spawn f(x); ...           return f.late(x, y);
//   }                                  }
//
// f keeps its name, its type and its callers from elsewhere, and spawns nothing
// any more. Where a spawner calls or spawns f, EarlyExit puts f's new body in the
// place of the call, so that no test is done twice. Why: docs/decisions/0021.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_LATEENTRY_H
#define NOPAL_SPLIT_LATEENTRY_H

#include "../contract/Attributes.h"
#include "EarlyPaths.h"

namespace nopal {

/// Cuts \p F behind its early paths \p E, which then have a Rest. Returns the new
/// function; null if \p F cannot be cut so, and is as it was, up to an empty
/// block. \p F is unsplit, its markers are in place.
llvm::Function *cutBehind(llvm::Function &F, EarlyPaths &E);

} // namespace nopal

#endif
