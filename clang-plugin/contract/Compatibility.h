//===- Compatibility.h - What differs between LLVM 19 and 22 ----*- C++ -*-===//
//
// The only file of the plugin that asks which LLVM it is compiled for (a lint looks for others).
// Each name here does on every version what its newest form does on LLVM 22. Where an older
// version cannot, the comment says what is lost.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_COMPATIBILITY_H
#define NOPAL_CONTRACT_COMPATIBILITY_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/InstructionCost.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace nopal::compat {

/// The target that \p M is compiled for: text in the module before LLVM 21.
inline llvm::Triple targetOf(const llvm::Module &M) { return llvm::Triple(M.getTargetTriple()); }

/// The records that describe a variable by \p V.
inline void findDebugRecords(llvm::Value *V,
                             llvm::SmallVectorImpl<llvm::DbgVariableRecord *> &Records) {
#if LLVM_VERSION_MAJOR >= 22
  llvm::findDbgUsers(V, Records);
#else
  llvm::SmallVector<llvm::DbgVariableIntrinsic *, 0> Intrinsics; // none: they are records
  llvm::findDbgUsers(Intrinsics, V, &Records);
#endif
}

/// The variable of a lifetime intrinsic, after its size before LLVM 22.
inline llvm::Value *variableOf(const llvm::Instruction &Lifetime) {
  return Lifetime.getOperand(LLVM_VERSION_MAJOR >= 22 ? 0 : 1);
}

/// \p Cost is valid.
inline uint64_t valueOf(const llvm::InstructionCost &Cost) {
#if LLVM_VERSION_MAJOR >= 21
  return Cost.getValue();
#else
  return *Cost.getValue();
#endif
}

struct ScevExpander : llvm::SCEVExpander {
  ScevExpander(llvm::ScalarEvolution &SE, const llvm::DataLayout &Layout, const char *Name)
#if LLVM_VERSION_MAJOR >= 22
      : SCEVExpander(SE, Name) {
    (void)Layout;
  }
#else
      : SCEVExpander(SE, Layout, Name) {
  }
#endif
};

/// The attribute of a parameter that says where its pointer may go.
inline constexpr llvm::Attribute::AttrKind CapturesAttr =
#if LLVM_VERSION_MAJOR >= 21
    llvm::Attribute::Captures;
#else
    llvm::Attribute::NoCapture;
#endif

/// LICM moves a call that reads out of a loop whose stores it cannot see.
inline constexpr bool HoistsReads = LLVM_VERSION_MAJOR >= 22;

/// The attributes of functions that a sanitizer or the safe stack changes.
inline constexpr llvm::Attribute::AttrKind SanitizerAttrs[] = {
    llvm::Attribute::SanitizeAddress,
    llvm::Attribute::SanitizeHWAddress,
    llvm::Attribute::SanitizeMemory,
    llvm::Attribute::SanitizeThread,
    llvm::Attribute::SanitizeMemTag,
    llvm::Attribute::SanitizeNumericalStability,
    llvm::Attribute::SafeStack,
#if LLVM_VERSION_MAJOR >= 20
    llvm::Attribute::SanitizeType,
    llvm::Attribute::SanitizeRealtime,
    llvm::Attribute::SanitizeRealtimeBlocking,
#endif
};

/// Set by the front-end: the object will be optimized again when it is linked. (LLVM 20 and newer
/// tell the passes.)
inline bool PreparesForLink = false;

/// Has \p Early and \p Last called in their places, with LLVM's phase.
template <class EarlyT, class LastT>
void registerOptimizerCallbacks(llvm::PassBuilder &PB, EarlyT Early, LastT Last) {
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerEarlyEPCallback(Early);
  PB.registerOptimizerLastEPCallback(Last);
#else
  auto Phase = [] {
    return PreparesForLink ? llvm::ThinOrFullLTOPhase::ThinLTOPreLink
                           : llvm::ThinOrFullLTOPhase::None;
  };
  PB.registerOptimizerEarlyEPCallback(
      [=](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level) {
        Early(MPM, Level, Phase());
      });
  PB.registerOptimizerLastEPCallback(
      [=](llvm::ModulePassManager &MPM, llvm::OptimizationLevel Level) {
        Last(MPM, Level, Phase());
      });
#endif
}

} // namespace nopal::compat

#endif
