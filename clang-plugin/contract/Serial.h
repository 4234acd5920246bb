//===- Serial.h - Whether a module is lowered to serial code ---*- C++ -*-===//
//
// A module flag, which serial/ sets at the start of the pipeline and which stays in
// bitcode. The passes whose work the split alone needs ask for it. What becomes of
// such a module: serial/README.md.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_SERIAL_H
#define NOPAL_CONTRACT_SERIAL_H

#include "llvm/IR/Module.h"

namespace nopal {

inline constexpr const char SerialFlag[] = "nopal-serial";

/// True if the markers of \p M become serial code with hooks, not clones.
inline bool isSerial(const llvm::Module &M) { return M.getModuleFlag(SerialFlag); }

} // namespace nopal

#endif
