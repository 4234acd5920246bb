//===- Remarks.h - What the two passes say of their work -------*- C++ -*-===//
//
// Optimization remarks (-Rpass=nopal, -Rpass-missed=nopal, -Rpass-analysis=nopal):
// which function was split, with what frame, what each child is given, which spawn
// was done in place and why, which loop is too small to be divided. They change no code. Table:
// docs/hacking.md, "Remarks". Tests: tests/pass/remarks*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_ANALYSIS_REMARKS_H
#define NOPAL_ANALYSIS_REMARKS_H

#include "llvm/ADT/Twine.h"
#include <string>

namespace llvm {
class ConstantInt;
class Function;
class Instruction;
} // namespace llvm

namespace nopal::analysis {

/// The names of the passes in remarks.
inline constexpr char SplitName[] = "nopal-split";
inline constexpr char OutlineName[] = "nopal-outline";
inline constexpr char LoopName[] = "nopal-loop";

/// "1 spawn", "2 spawns".
std::string counted(size_t N, llvm::StringRef What);

/// \p F was not split, because of \p Where.
void remarkNotSplit(llvm::Function &F, const llvm::Instruction *Where, llvm::StringRef Why);
/// The spawned statement whose begin marker is \p Begin is done in place.
void remarkDissolved(const llvm::Instruction &Begin, llvm::StringRef Why);
/// The child of \p Spawn, a spawn marker, is \p Helper.
void remarkOutlined(const llvm::Instruction &Spawn, const llvm::Function &Helper);
/// Of the loop of \p Marker no fewer than \p Least iterations are worth a leaf;
/// \p Count is how many there are, or null.
void remarkLeast(const llvm::Instruction &Marker, const llvm::ConstantInt *Count, uint64_t Least);
/// The same, where how many are worth a leaf is computed at run time.
void remarkLeastAtRunTime(const llvm::Instruction &Marker);

} // namespace nopal::analysis

#endif
