//===- Sites.h - The records that hooks get --------------------*- C++ -*-===//
//
// The constants that name places in the source. Used by Lowering.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SERIAL_SITES_H
#define NOPAL_SERIAL_SITES_H

#include "nopal_hooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace nopal::serial {

class Sites {
public:
  explicit Sites(llvm::Module &M);

  /// A record for \p F, a function that spawns; the same one each time.
  llvm::GlobalVariable *of(llvm::Function &F);
  /// A new record for a marker of \p Kind in \p F, with that marker's operands. Those
  /// that are no constants any more are left out. The race detector names accesses by debug
  /// information, so for it the file is named as by \p Where, the marker's location, if that has
  /// the same line.
  llvm::GlobalVariable *create(llvm::Function &F, nopal_hook_kind Kind, llvm::Value *File,
                               llvm::Value *Line, llvm::Value *Column,
                               const llvm::DILocation *Where = nullptr);

private:
  llvm::Constant *text(llvm::StringRef S);

  llvm::Module &M;
  llvm::LLVMContext &C;
  llvm::StructType *SiteType;
  llvm::DenseMap<llvm::Function *, llvm::GlobalVariable *> Functions;
  llvm::StringMap<llvm::Constant *> Texts;
};

} // namespace nopal::serial

#endif
