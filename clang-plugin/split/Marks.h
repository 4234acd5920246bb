//===- Marks.h - What one pass of the split tells a later one --*- C++ -*-===//
//
// Each mark is an attribute or metadata, so the IR between two passes is complete.
// EraseMarksPass removes them.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_MARKS_H
#define NOPAL_SPLIT_MARKS_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"

namespace nopal::split::mark {

/// Function attribute of each clone: Fast or Slow.
inline constexpr char Clone[] = "nopal-clone", Fast[] = "fast", Slow[] = "slow";
/// Function attribute of what was linked in from the fast path's bitcode.
inline constexpr char FastPath[] = "nopal-fast-path";
/// Metadata of a clone's call of a child that may be inlined there.
inline constexpr char Child[] = "nopal.child";
/// Metadata of the alloca that is a fast clone's frame.
inline constexpr char Frame[] = "nopal.frame";
/// Metadata of a site: its fast clone.
inline constexpr char FastClone[] = "nopal.fast.clone";

inline bool isClone(const llvm::Function &F) { return F.hasFnAttribute(Clone); }
inline bool isFastClone(const llvm::Function &F) {
  return F.getFnAttribute(Clone).getValueAsString() == Fast;
}
/// Puts the mark \p Kind on \p I.
inline void set(llvm::Instruction &I, const char *Kind) {
  I.setMetadata(Kind, llvm::MDNode::get(I.getContext(), {}));
}

} // namespace nopal::split::mark

#endif
