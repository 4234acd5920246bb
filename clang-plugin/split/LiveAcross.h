//===- LiveAcross.h - Values live across a suspend point -*- C++ -*-===//
//
// Analysis only: which values and allocas live across a point at which a clone is left or entered,
// and which of them are in their slot of the frame already. Used by Frame and Clones.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_LIVEACROSS_H
#define NOPAL_SPLIT_LIVEACROSS_H

#include "SuspendPoints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SparseBitVector.h"

namespace nopal::split {

using ValueSet = llvm::SmallSetVector<llvm::Value *, 16>;

class LiveAcross {
public:
  LiveAcross(llvm::Function &F, const SuspendPoints &P);

  /// The values that are live at the start of \p Entry, the Cont, After or Rest block of a point,
  /// but for static allocas and the pad's own value. All of them have slots, unless \p Entry is the
  /// Rest of a spawn that only the fast clone runs.
  const ValueSet &liveInto(llvm::BasicBlock *Entry) const;
  /// All that is live across some suspend point, in a stable order.
  const ValueSet &values() const { return Values; }
  /// Allocas whose storage has to be the same in all clones.
  const llvm::SmallSetVector<llvm::AllocaInst *, 8> &sharedAllocas() const { return Shared; }
  /// True if the slot of \p V holds it at the end of \p BB on every path, before the spawn that may
  /// end \p BB.
  bool isInSlotAfter(llvm::Value *V, llvm::BasicBlock *BB) const;
  /// True if every path to the end of \p BB has entered the frame already.
  bool isEnteredBefore(llvm::BasicBlock *BB) const;

private:
  void computeLiveness();
  void computeSharedAllocas();
  void computeAvailability();

  llvm::Function &F;
  const SuspendPoints &P;
  llvm::MapVector<llvm::BasicBlock *, ValueSet> Live;
  /// Of these, the Rest blocks that no clone is entered at.
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> NotEntered;
  ValueSet Values;
  llvm::DenseMap<llvm::Value *, unsigned> Index;
  llvm::SmallSetVector<llvm::AllocaInst *, 8> Shared;
  /// At the end of each block. Bit 0 stands for the header, the others for Index.
  llvm::DenseMap<llvm::BasicBlock *, llvm::SparseBitVector<>> Missing;
};

} // namespace nopal::split

#endif
