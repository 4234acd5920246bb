//===- Option.h - Options of the passes, for -mllvm ------------*- C++ -*-===//
//
// Used where an option is read.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_OPTION_H
#define NOPAL_CONTRACT_OPTION_H

#include "llvm/Support/CommandLine.h"

namespace nopal {

/// -mllvm -NAME. Registered by the first of the plugin's copies in this process, since LLVM ends a
/// process that registers a name twice. To be called when the plugin is loaded, for an object of
/// the namespace: the command line is read after that.
template <class T>
const llvm::cl::opt<T> &option(llvm::StringRef Name, const T &Default, llvm::StringRef What) {
  llvm::cl::Option *Known = llvm::cl::getRegisteredOptions().lookup(Name);
  if (!Known)
    Known = new llvm::cl::opt<T>(Name, llvm::cl::init(Default), llvm::cl::desc(What));
  return *static_cast<llvm::cl::opt<T> *>(Known);
}

} // namespace nopal

#endif
