//===- Runtime.h - The runtime's entry points in a module ------*- C++ -*-===//
//
// Used by all passes of the split that make calls of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_RUNTIME_H
#define NOPAL_SPLIT_RUNTIME_H

#include "../contract/Abi.h"

namespace nopal::split {

class Runtime : public Abi {
public:
  using Abi::Abi;

  /// Declares an entry point. All but those of the fast path and nopal_loop_grain are cold.
  llvm::FunctionCallee entry(EntryPoint Name);
};

} // namespace nopal::split

#endif
