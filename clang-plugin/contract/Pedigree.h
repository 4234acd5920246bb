//===- Pedigree.h - Whether a module keeps pedigrees -----------*- C++ -*-===//
//
// A module flag, which the outliner sets and which stays in bitcode. All modules of a
// program that spawn have it or none: split/Sites.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_PEDIGREE_H
#define NOPAL_CONTRACT_PEDIGREE_H

#include "llvm/IR/Module.h"

namespace nopal {

inline constexpr const char PedigreeFlag[] = "nopal-pedigrees";

inline bool keepsPedigrees(const llvm::Module &M) { return M.getModuleFlag(PedigreeFlag); }

} // namespace nopal

#endif
