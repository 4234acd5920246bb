//===- Precompiled.h - Keywords in a file that another compiler may read -*- C++ -*-===//
//
// A precompiled header or a module's interface holds functions as they were parsed:
// the compilation that reads the file rewrites what it emits. A clang without the
// plugin reads it, too, and would compile what was meant to be parallel in serial.
// So each function with a keyword begins, in such a file, with an assembler's error:
//
//   asm volatile(".error \"'fib' ... compile this file with Nopal's plugin ...\"");
//
// The plugin takes it out of what it emits; any other compiler ends with that error
// where it emits the function, and only there. Used by Action.cpp. Tested by
// tests/modes (modes "module ..." and "pch ...").
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_PRECOMPILED_H
#define NOPAL_FRONTEND_PRECOMPILED_H

namespace clang {
class CompilerInstance;
class FunctionDecl;
} // namespace clang

namespace nopal::frontend {

/// Whether this compilation writes functions into a file that others read.
bool writesPrecompiled(const clang::CompilerInstance &CI);

/// Puts the error at the beginning of the body of \p FD, unless it is there.
void refuseOthers(clang::FunctionDecl *FD);

/// Takes it away.
void accept(clang::FunctionDecl *FD);

} // namespace nopal::frontend

#endif
