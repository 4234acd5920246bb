//===- Runtime.h - What the clones call ------------------------*- C++ -*-===//
//
// Declares the runtime's entry points (runtime/abi/nopal_abi.h) in a module,
// brings the fast path in as bitcode, and emits the spawn sites with their
// registration. One object a module. Used by Clones and Split.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_RUNTIME_H
#define NOPAL_SPLIT_RUNTIME_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

#include <memory>

namespace nopal {

class Runtime {
public:
  explicit Runtime(llvm::Module &M) : M(M) {}

  /// An entry point by name, of NOPAL_ENTRY_POINTS in nopal_abi.h; its type is that of the
  /// declaration there, and another name ends the compilation. All but nopal_raise_pending
  /// and nopal_merge_pending never unwind, and all but the fast path are cold.
  llvm::FunctionCallee entry(llvm::StringRef Name);
  /// The address of a thread-bound value, by a call that no pass can hoist, merge
  /// or keep across a change of thread. \p Key: see createThreadBound().
  llvm::Function *threadBoundAccessor(llvm::Constant *Key);
  /// A new nopal_site for the spawn at \p Marker in \p F, whose case in \p Slow
  /// is \p Index; \p FrameAddress is that of the frame's layout, \p Header its
  /// alloca. How far the frame reaches it does not say before boundFrames().
  llvm::GlobalVariable *createSite(llvm::Function &F, llvm::Function *Slow,
                                   llvm::CallBase &Marker, unsigned Index,
                                   uint64_t FrameAddress,
                                   llvm::AllocaInst *Header);
  /// Links the fast path's bitcode in. False, with an error reported, if it
  /// cannot be linked.
  bool linkFastPath();
  /// Inlines all calls of the fast path and takes its functions away.
  void inlineFastPath();
  /// Emits the constructor that registers the sites and names the ABI version.
  void emitRegistration();
  /// When the clones are final: says in each site how far its function's frame
  /// reaches (FrameBytes.h).
  void boundFrames();

private:
  llvm::Module &M;
  std::unique_ptr<llvm::Module> ABI; ///< the bitcode, until linkFastPath() takes it
  llvm::StringMap<llvm::FunctionType *> Types;
  llvm::StructType *SiteType = nullptr; ///< nopal_site
  /// Reads the three above, once.
  void readABI();
  llvm::MapVector<llvm::Constant *, llvm::Function *> Accessors;
  llvm::SmallVector<llvm::Function *, 8> FastPath;
  struct SiteOfFrame {
    llvm::GlobalVariable *Site;
    llvm::WeakTrackingVH Fast, Header; ///< null if they are gone
  };
  llvm::SmallVector<SiteOfFrame, 8> Sites;
};

} // namespace nopal

#endif
