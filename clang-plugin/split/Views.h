//===- Views.h - Look-ups of views become code -----------------*- C++ -*-===//
//
// First calls of the library, which a tool may replace by its own:
//
//   call @__nopal_view(%s, %h, ...)    call @nopal_view(%s, %h, @type)
//   call @__nopal_views_begin(...)     call @nopal_views_begin(...)
//
// Then, last, so that nothing which a look-up computes is kept across a spawn:
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

/// Calls in the place of markers, in all functions, before any other pass at the end.
class CallViewsPass : public analysis::RequiredPass<CallViewsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-call-views";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Tests inline, in all functions. A module that looks no view up stays as it is.
class LowerViewsPass : public analysis::RequiredPass<LowerViewsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-views";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
