//===- Serial.h - Whether a module is lowered to serial code ---*- C++ -*-===//
//
// Module flags, which serial/ and race/ set at the start of the pipeline and which stay
// in bitcode. The passes whose work the split alone needs ask for the first. What
// becomes of such a module: serial/README.md.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_SERIAL_H
#define NOPAL_CONTRACT_SERIAL_H

#include "llvm/IR/Module.h"

namespace nopal {

inline constexpr const char SerialFlag[] = "nopal-serial";

/// True if the markers of \p M become serial code with hooks, not clones.
inline bool isSerial(const llvm::Module &M) { return M.getModuleFlag(SerialFlag); }

/// Of a module whose accesses are reported to the race detector.
inline constexpr const char RaceFlag[] = "nopal-race";
inline bool isChecked(const llvm::Module &M) { return M.getModuleFlag(RaceFlag); }

} // namespace nopal

#endif
