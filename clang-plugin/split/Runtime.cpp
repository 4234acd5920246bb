//===- Runtime.cpp - The runtime's entry points in a module ---------------===//
//
// See Runtime.h.
//
//===----------------------------------------------------------------------===//
#include "Runtime.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

FunctionCallee Runtime::entry(EntryPoint Name) {
  FunctionCallee Callee = function(Name);
  auto *Fn = cast<Function>(Callee.getCallee());
  if (!Fn->isDeclaration())
    return Callee;
  if (Fn->getName() == "nopal_loop_grain") // writes nopal_least_counts, where a stale 0 is harmless
    Fn->setMemoryEffects(MemoryEffects::none());
  else if (!Fn->getName().starts_with("nopal_fast_"))
    Fn->addFnAttr(Attribute::Cold);
  return Callee;
}
