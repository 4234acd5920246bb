//===- Views.h - Look-ups of views become code -----------------*- C++ -*-===//
//
// Last, so that nothing which a look-up computes is kept across a spawn:
//
//   %s = call @__nopal_strand()        %offset = asm "movq nopal_tls_strand@gottpoff(%rip), $0"
//                                      %s = load ptr, %fs:%offset
//   %v = call @nopal_view(%s, %h, %t)  %is = icmp eq (load ptr, %s), null
//                                      br %is, done, stolen
//                                    stolen:
//                                      %w = call @nopal_view(%s, %h, %t)
//                                    done:
//                                      %v = phi [%h, ...], [%w, stolen]
//
// Until then the optimizer knows a look-up as a function of its operands, and the strand as memory
// that nobody can name (contract/Markers.def): it moves out of loops and never across a spawn.
// Used by Pipeline.cpp. Tests: tests/hyper.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_VIEWS_H
#define NOPAL_SPLIT_VIEWS_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// In all functions. A module that looks no view up stays as it is.
class LowerViewsPass : public analysis::RequiredPass<LowerViewsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-views";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
