//===- Ranges.h - Accesses of loops, reported at once ----------*- C++ -*-===//
//
// A loop that calls nothing belongs to one strand, so what it accesses can be reported before it
// begins. Used by Instrument.cpp, before Clang's pass. Tests: tests/race/loops_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_RANGES_H
#define NOPAL_RACE_RANGES_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace nopal::race {

/// Reports accesses in loops before the loops, and marks the accesses so that Clang's pass leaves
/// them out. A cilk_for whose iterations access nothing else gets one leaf, which reports what each
/// iteration accesses; the library says whether they must run one by one.
void reportRanges(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace nopal::race

#endif
