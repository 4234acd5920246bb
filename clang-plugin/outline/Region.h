//===- Region.h - What belongs to one spawned statement --------*- C++ -*-===//
//
// Analysis only: finds the statements between the front-end's markers, and says
// which blocks are the parent's, which the child's, and where each alloca lives.
// The leaf of a cilk_for is such a region, too: all of it is the "child".
// Used by Outline.cpp. The picture and the reasons: README.md in this folder.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_REGION_H
#define NOPAL_OUTLINE_REGION_H

#include "../contract/Markers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include <vector>

namespace nopal::outline {

using BlockSet = llvm::SmallSetVector<llvm::BasicBlock *, 16>;

/// Where the storage of an alloca that the child uses has to be.
enum class Storage {
  Parent,      ///< used outside the statement: the child gets its address
  Helper,      ///< used by the child alone: becomes an alloca of the helper
  Value,       ///< a scalar that the parent sets for this child, or that a loop
               ///< only reads: passed by value
  Private,     ///< built by the parent for this child: __nopal_private
  PrivateHeap, ///< the same, and an exception of the parent may destroy it
};

/// One spawned statement, or one loop.
struct Region {
  AnyBeginMarker *Begin = nullptr;   ///< the begin marker, call or invoke
  llvm::CallBase *Spawned = nullptr; ///< the spawned call; null for a block
  llvm::CallInst *End = nullptr;     ///< the end marker; null if unreachable
  bool IsBlock = false;              ///< all of it is the child's; true of a loop, too
  bool IsLoop = false;
  bool IsCalled = false; ///< a nested sync region: called, not spawned (Nested.h)

  // After carve(): each of these starts and ends at a block boundary.
  llvm::BasicBlock *ParentStart = nullptr; ///< after the begin marker
  llvm::BasicBlock *ChildStart = nullptr;  ///< the spawned call, or ParentStart
  llvm::BasicBlock *EndBlock = nullptr;    ///< starts with the end marker
  BlockSet Parent;                         ///< blocks from ParentStart to ChildStart
  BlockSet Child;                          ///< blocks of the child, normal and exceptional
  BlockSet ParentPads;                     ///< exceptional blocks of the parent's part alone
  BlockSet Shared;                         ///< reachable from the begin marker's landing pad before
                                           ///< the begin marker comes again
  bool Repeats = false;                    ///< the begin marker of a called one may come again

  /// Splits blocks so that the parts are whole blocks, and fills the sets:
  ///
  ///   begin(id); a; call f; b; end(id); c    =>    begin(id); br ParentStart
  ///                                                ParentStart: a; br ChildStart
  ///                                                ChildStart: call f; b; br EndBlock
  ///                                                EndBlock: end(id); c
  void carve();
  /// Says where \p AI, which the child uses, has to live. Needs carve().
  Storage classify(const llvm::AllocaInst &AI) const;
};

/// Says whether Clang keeps the exception in flight (0) or its selector (1) in
/// \p AI, one of each a function; -1 for another variable.
int exceptionVariable(const llvm::AllocaInst &AI);

/// Walks from the begin marker of \p R to the end marker of the same id, and fills
/// End and Spawned in. Returns the begin marker of another statement or loop that lies
/// in between, or null. If \p R is spawned, End and Spawned are then not known.
llvm::Instruction *findEnd(Region &R);

/// The statements and loops of a function, each after those that it contains. Whoever
/// takes one removes its markers before the next is asked for.
class Regions {
public:
  explicit Regions(llvm::Function &F);
  /// The next one; false if none is left. Markers without a spawned call or without an
  /// end are reported as such.
  bool next(Region &Result);

private:
  /// A begin marker, and one that was found inside; both may be gone.
  struct Around {
    llvm::WeakVH Begin, Inner;
  };
  static bool isInnermost(Around &A, Region &Result);

  std::vector<llvm::WeakVH> Begins; ///< in the order of instructions
  unsigned Next = 0;                ///< the first of Begins not looked at
  llvm::SmallVector<Around, 4> Outer;
};

} // namespace nopal::outline

#endif
