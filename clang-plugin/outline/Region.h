//===- Region.h - What belongs to one spawned statement --------*- C++ -*-===//
//
// Analysis only: finds the statements between the front-end's markers, and says which blocks are
// the parent's, which the child's, and where each alloca lives. The leaf of a cilk_for is such a
// region too: all of it is the "child". Used by Outline.cpp. The picture and the reasons: README.md
// in this folder.
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

/// Where an alloca that the child uses must be.
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
  bool IsBlock = false;              ///< all of it is the child's; true for a loop too
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
  bool Repeats = false;                    ///< of a called region: Begin is reachable again

  /// Splits blocks so that the parts are whole blocks, and fills the sets:
  ///
  ///   begin(id); a; call f; b; end(id); c    =>    begin(id); br ParentStart
  ///                                                ParentStart: a; br ChildStart
  ///                                                ChildStart: call f; b; br EndBlock
  ///                                                EndBlock: end(id); c
  void carve();
  /// Says where \p AI, which the child uses, must live. Needs carve().
  Storage classify(const llvm::AllocaInst &AI) const;
};

/// 0 if Clang keeps the exception in flight in \p AI, 1 for its selector; a function has one of
/// each. -1 for any other variable.
int exceptionVariable(const llvm::AllocaInst &AI);

/// Walks from the begin marker of \p R to the end marker of the same id, and sets End and Spawned.
/// Returns the begin marker of another statement or loop in between, or null. If it returns one and
/// \p R is spawned, End and Spawned are not valid.
llvm::Instruction *findEnd(Region &R);

/// The statements and loops of a function, each after those that it contains. The caller removes
/// the markers of one before it asks for the next.
class Regions {
public:
  explicit Regions(llvm::Function &F);
  /// The next one; false if none is left. In one without a spawned call or an end, that field is
  /// null.
  bool next(Region &Result);

private:
  /// A begin marker, and one that was found inside. Both may have been erased.
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
