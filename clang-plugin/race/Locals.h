//===- Locals.h - Locals that cannot race ----------------------*- C++ -*-===//
//
// Most locals of a function that spawns are touched only where no child can touch them. Used by
// Instrument.cpp, before Clang's pass. Tests: tests/pass/race-locals.ll, tests/race.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_LOCALS_H
#define NOPAL_RACE_LOCALS_H

#include "../contract/HookCalls.h"

namespace nopal::race {

/// The hook right before \p Call, which runs the child. Null: it runs none.
SpawnHook *spawnOf(llvm::CallBase &Call);

/// Marks the accesses of locals that cannot race, so that nothing reports them.
void leaveOutLocals(llvm::Module &M);

} // namespace nopal::race

#endif
