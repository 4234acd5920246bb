//===- FrameRemarks.h - What the split says of a frame ---------*- C++ -*-===//
//
// The remark on a function that was split, and the frame printer's lines. Other
// remarks: analysis/Remarks.h. Tests: tests/pass/remarks*, print-frame*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_FRAMEREMARKS_H
#define NOPAL_SPLIT_FRAMEREMARKS_H

namespace llvm {
class Function;
class raw_ostream;
} // namespace llvm

namespace nopal::split {
struct Frame;
struct SuspendPoints;

/// Emits the remark that \p F was split, at its first spawn.
void remarkSplit(llvm::Function &F, const SuspendPoints &P, const Frame &Fr);
/// Prints the layout of the frame of \p F, a field a line.
void printFrame(llvm::raw_ostream &OS, const llvm::Function &F, const SuspendPoints &P,
                const Frame &Fr);

} // namespace nopal::split

#endif
