//===- Frame.h - Layout of a frame, and demoted slots ----*- C++ -*-===//
//
// The frame is one alloca of the fast clone: the runtime's header, two optional words
// (FrameAddress, StackPointer), a slot for each live value, and each alloca that all clones share.
// (Live: across a suspend point.) While the clones are built, each live value is in a demoted slot,
// an alloca that `promote` removes at the end, so no phi is built by hand. Used by Clones.
// Invariants: README.md in this folder.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_FRAME_H
#define NOPAL_SPLIT_FRAME_H

#include "LiveAcross.h"
#include "llvm/IR/IRBuilder.h"
#include <string>
#include <vector>

namespace nopal::split {

/// A line of a frame's layout, to be printed (FrameRemarks.h).
struct FrameField {
  enum FieldKind {
    Header,
    Address,  ///< of the fast clone's frame pointer
    Stack,    ///< the fast clone's stack pointer
    Value,    ///< live across a suspend point
    Variable, ///< a local that the clones share
  };
  FieldKind Kind;
  uint64_t Offset, Size;
  std::string Name;         ///< as an operand in IR; "" for the header
  llvm::Type *Ty = nullptr; ///< null for the header
};

/// Whether \p I is the stacksave or stackrestore of a scope. The stacksave of
/// __builtin_setjmp is none: __builtin_longjmp needs the stack pointer itself.
bool isScopeEdge(const llvm::Instruction &I);

struct Frame {
  llvm::AllocaInst *Memory = nullptr;
  /// Offset of each live value's slot.
  llvm::MapVector<llvm::Value *, uint64_t> Slots;
  /// Demoted slot of each live value, and of each landing pad where an exception is raised again.
  llvm::MapVector<llvm::Value *, llvm::AllocaInst *> Demoted;
  /// Addresses of the shared allocas, in the entry block, after Memory.
  llvm::SmallVector<llvm::Instruction *, 8> Addresses;

  /// The layout, in the order of offsets.
  std::vector<FrameField> Fields;
  uint64_t Size = 0, Alignment = 0;
  /// Offset of the fast clone's frame address, 0 in functions without frame pointers.
  uint64_t FrameAddress = 0;
  /// Offset of the fast clone's stack pointer, 0 in functions whose slow clone has
  /// no dynamic allocas and ends no scope with them.
  uint64_t StackPointer = 0;

  /// Lays out the frame of \p F, moves the shared allocas into it, and demotes all live values.
  Frame(llvm::Function &F, const SuspendPoints &P, const LiveAcross &X);

  /// Address \p Offset bytes into the frame at \p Base.
  static llvm::Value *address(llvm::IRBuilderBase &B, llvm::Value *Base, uint64_t Offset,
                              const llvm::Twine &Name = "");

private:
  void layOut(llvm::Function &F, const SuspendPoints &P, const LiveAcross &X);
  void replaceSharedAllocas(const LiveAcross &X, llvm::ArrayRef<uint64_t> Offsets);
  void demote(llvm::Value *V);
  void demotePad(const Landing &L);
};

} // namespace nopal::split

#endif
