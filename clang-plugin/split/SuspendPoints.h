//===- SuspendPoints.h - Where a spawning function can be left and entered -------===//
//
// Normalizes a function: each marker ends its block, and each invoke has a landing pad of its own.
// Lists the points where one clone is left and the other entered. Used by LiveAcross and Clones.
// Invariants: README.md in this folder.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SUSPENDPOINTS_H
#define NOPAL_SPLIT_SUSPENDPOINTS_H

#include "../contract/Refusal.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace nopal::split {

/// The landing pad of one invoke, after normalization:
///   invoke ... unwind Pad;   Pad: landingpad; br Rest;   Rest: (rest)
/// Rest has no other predecessor and no phis. Pad contains nothing else.
struct Landing {
  llvm::BasicBlock *Pad = nullptr;
  llvm::BasicBlock *Rest = nullptr;
  explicit operator bool() const { return Pad; }
  llvm::LandingPadInst *inst() const { return Pad->getLandingPadInst(); }
};

/// A spawn: its marker ends the block (a call is followed by a branch).
struct SpawnPoint {
  llvm::CallBase *Marker = nullptr;
  llvm::Function *Helper = nullptr;
  llvm::BasicBlock *Cont = nullptr; ///< the continuation: one predecessor
  Landing Unwind;                   ///< empty if the child cannot throw
  unsigned Region = 0;              ///< see SuspendPoints::SeveralRegions
  bool InLoop = false;              ///< may be reached from its continuation
};

/// A sync.
struct SyncPoint {
  llvm::CallBase *Marker = nullptr;
  llvm::BasicBlock *After = nullptr; ///< one predecessor, no phis
  Landing Unwind;                    ///< empty for a call
  unsigned Region = 0;
  bool InFlight = false; ///< stands in a cleanup that an exception runs
};

/// An ordinary invoke.
struct ThrowPoint {
  llvm::InvokeInst *Invoke = nullptr;
  Landing Unwind;
  unsigned Region = 0;
};

struct SuspendPoints {
  llvm::SmallVector<SpawnPoint, 4> Spawns;
  /// What a slow clone can reach, and what only the fast clone can.
  llvm::SmallVector<SyncPoint, 4> Syncs, FastSyncs;
  llvm::SmallVector<ThrowPoint, 4> Throws, FastThrows;
  /// Blocks that a slow clone can run: from a continuation, up to a sync.
  llvm::SmallSetVector<llvm::BasicBlock *, 32> SlowBlocks;
  /// The function may throw, so exceptions must reach the fast clone.
  bool MayThrow = false;
  /// Spawns of more than one sync region, or a handler after a spawn that is no region: what a
  /// child of an outer region threw may then be pending while the fast clone runs. If not, all
  /// Regions are NOPAL_ALL_REGIONS, and FastSyncs and FastThrows are empty.
  bool SeveralRegions = false;
};

/// Says why \p F cannot be split, with the instruction at fault; nothing if it can.
std::optional<Refusal> whyNotSplittable(const llvm::Function &F, const llvm::Instruction *&Where);

/// Normalizes \p F and lists its points. Erases syncs that no spawn can reach. \p F contains at
/// least one spawn marker.
SuspendPoints normalize(llvm::Function &F);

} // namespace nopal::split

#endif
