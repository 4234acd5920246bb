//===- Abi.h - The runtime's types and entry points -------------*- C++ -*-===//
//
// The types come from the bitcode of runtime/fastpath, which the build makes from the
// declarations in runtime/abi/nopal_abi.h and <cilk/views.h> and embeds in the plugin. So
// nothing here writes them a second time. Used by outline/ and split/.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_ABI_H
#define NOPAL_CONTRACT_ABI_H

#include "EntryPoint.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace nopal {

/// What one module knows of the runtime. Reads the bitcode when it is needed first.
class Abi {
public:
  explicit Abi(llvm::Module &M) : M(M) {}

  /// Declares \p Entry. It does not unwind, unless it is one of the two that raise.
  llvm::FunctionCallee function(EntryPoint Entry);
  /// The type nopal_site, without a name.
  llvm::StructType *siteType();
  /// Of the field at \p Offset of a nopal_frame, or of a nopal_site.
  llvm::Type *frameField(uint64_t Offset);
  llvm::Type *siteField(uint64_t Offset);
  /// Declares nopal_least_counts.
  llvm::GlobalVariable *leastCounts();
  /// The bitcode itself, to be linked into the module, once.
  std::unique_ptr<llvm::Module> takeBitcode();

private:
  void read(); ///< fills what follows, once

  llvm::Module &M;
  std::unique_ptr<llvm::Module> Bitcode; ///< until takeBitcode()
  llvm::StringMap<llvm::FunctionType *> Types;
  llvm::StructType *SiteType = nullptr, *FrameType = nullptr;
  llvm::Type *LeastCountsType = nullptr;
};

/// True if \p I is a call of \p Entry.
bool isCallOf(const llvm::Instruction &I, EntryPoint Entry);

} // namespace nopal

#endif
