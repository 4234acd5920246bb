//===- Runtime.h - What the clones call ------------------------*- C++ -*-===//
//
// Declares the runtime's entry points (runtime/abi/nopal_abi.h) in a module,
// brings the fast path in as bitcode, and emits the spawn sites with their
// registration. One object a module. Used by Clones and Split.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_RUNTIME_H
#define NOPAL_SPLIT_RUNTIME_H

#include "../contract/Abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

namespace nopal {

class Runtime {
public:
  explicit Runtime(llvm::Module &M) : M(M), ABI(M) {}

  /// Declares an entry point. All but those of the fast path and nopal_loop_grain are cold.
  llvm::FunctionCallee entry(EntryPoint Name);
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
  Abi ABI;
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
