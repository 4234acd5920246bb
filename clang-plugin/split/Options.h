//===- Options.h - The splitter's options for -mllvm -----------*- C++ -*-===//
//
// Used by Prediction.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_OPTIONS_H
#define NOPAL_SPLIT_OPTIONS_H

#include "llvm/Support/CommandLine.h"

namespace nopal::split {

/// The option \p Name, registered by the first of the plugin's copies in this
/// process: LLVM ends a process that registers a name twice. To be called when
/// the plugin is loaded, too: the command line is read after that.
template <class T>
llvm::cl::opt<T> &option(llvm::StringRef Name, T Default, llvm::StringRef Description) {
  llvm::cl::Option *Known = llvm::cl::getRegisteredOptions().lookup(Name);
  if (!Known)
    Known = new llvm::cl::opt<T>(Name, llvm::cl::init(Default), llvm::cl::desc(Description));
  return *static_cast<llvm::cl::opt<T> *>(Known);
}

} // namespace nopal::split

#endif
