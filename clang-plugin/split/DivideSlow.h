//===- DivideSlow.h - Parts of the slow clone of many spawns ----*- C++ -*-===//
//
// Used by the splitter alone.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_DIVIDESLOW_H
#define NOPAL_SPLIT_DIVIDESLOW_H

#include "llvm/IR/Function.h"

namespace nopal::split {

/// So many spawns have one slow clone. The code generator takes longer for an instruction of a
/// large function than for one of a small one; of functions with fewer spawns than this nothing
/// changes, and where one part calls the next, once in so many spawns, costs nothing.
inline constexpr unsigned SpawnsOfPart = 256;
/// SpawnsOfPart, if no option says otherwise.
unsigned spawnsOfPart();

/// Moves what \p Parts, declarations, are entered for out of the slow clone \p Slow, and gives each
/// its body. Part N has the spawns from (N + 1) * spawnsOfPart() on. If that would copy much, there
/// are no parts: whoever refers to them refers to \p Slow. Else blocks that several parts reach,
/// like the end of the function, are copied.
///
///   slow: switch index                      slow:   switch index 0 to 255
///     ...                            =>       ...
///     pop ? onward : left                     pop ? onward : left
///   onward: musttail slow.1(frame)          onward: musttail slow.1(frame)
///   ...                                     slow.1: switch index 256 to 511
///
/// To be called with demoted slots promoted: what a part uses and does not define is then defined
/// in the entry block, since the switch there leads to all entries of the part.
void divideSlow(llvm::Function &Slow, llvm::ArrayRef<llvm::Function *> Parts);

} // namespace nopal::split

#endif
