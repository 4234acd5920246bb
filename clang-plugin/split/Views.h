//===- Views.h - Look-ups of views become code -----------------*- C++ -*-===//
//
// CallViewsPass makes calls of the library, which a tool may replace:
//
//   call @__nopal_view(%s, %h, ...)    call @nopal_view(%s, %h, @type)
//   call @__nopal_views_begin(...)     call @nopal_views_begin(...)
//
// LowerViewsPass makes the search of the worker's recent look-ups inline. It runs late, so nothing
// that a look-up computes is kept across a spawn:
//
//   %s = call @__nopal_strand()        %offset = asm "movq nopal_tls_strand@gottpoff(%rip), $0"
//                                      %s = load ptr, %fs:%offset
//   %v = call @nopal_view(%s, %h, %t)  %table = load ptr, %s
//                                      br (icmp ne %table, null), stolen, done
//                                    stolen:
//                                      %slot = the place of %h in %table: its address, hashed
//                                      br (icmp ne (load ptr, %slot), %h), missed, found
//                                    missed:
//                                      %w = call @nopal_find_view(%s, %h, %t)
//                                    found:
//                                      %r = phi [load ptr, %slot + 8, stolen], [%w, missed]
//                                    done:
//                                      %v = phi [%h, ...], [%r, found]
//
// Calls of @nopal_view_now and @__cilkrts_reducer_lookup get the same search before them.
//
// Until then a look-up is a function of its operands to the optimizer, and the strand is memory
// that no other code can name (contract/Markers.def). So look-ups move out of loops and never
// across a spawn. Used by Pipeline.cpp. Tests: tests/hyper.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_VIEWS_H
#define NOPAL_SPLIT_VIEWS_H

#include "../analysis/NamedPass.h"

namespace nopal::split {

/// Replaces markers by calls in all functions, before every other pass of the split.
class CallViewsPass : public analysis::RequiredPass<CallViewsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-call-views";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Puts look-ups and tests inline, in all functions. Leaves a module without look-ups alone.
class LowerViewsPass : public analysis::RequiredPass<LowerViewsPass> {
public:
  static constexpr llvm::StringLiteral Name = "nopal-lower-views";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace nopal::split

#endif
