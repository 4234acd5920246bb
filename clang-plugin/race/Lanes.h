//===- Lanes.h - Vectors of which some lanes are accessed ------*- C++ -*-===//
//
// Used by Instrument.cpp. Tests: tests/race/vectors_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_LANES_H
#define NOPAL_RACE_LANES_H

#include "llvm/IR/IntrinsicInst.h"

namespace nopal::race {

/// Before Clang's pass: makes masked loads of loads that the optimizer has widened to all lanes.
void restoreMaskedLoads(llvm::Function &F);

/// Reports which lanes \p II accesses, if that is known of it: LLVM's own intrinsics with a mask,
/// and those of x86 that take a mask or a vector of indices.
void reportLanes(llvm::IntrinsicInst &II);

} // namespace nopal::race

#endif
