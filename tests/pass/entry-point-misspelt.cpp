// The name of an entry point that runtime/abi does not list does not compile, wherever the plugin writes it.
// RUN: %clangxx -std=c++20 -fsyntax-only -I%S/../../clang-plugin -I%S/../../runtime/abi %s
// RUN: not %clangxx -std=c++20 -fsyntax-only -I%S/../../clang-plugin -I%S/../../runtime/abi -DMISSPELT %s 2>&1 | FileCheck %s
#include "contract/EntryPoint.h"

constexpr nopal::EntryPoint Right = "nopal_sync";
#ifdef MISSPELT
// CHECK: error: call to consteval function 'nopal::EntryPoint::EntryPoint' is not a constant expression
// CHECK: note: non-constexpr function 'thisIsNoEntryPointOfTheRuntime' cannot be used in a constant expression
constexpr nopal::EntryPoint Wrong = "nopal_snyc";
#endif
