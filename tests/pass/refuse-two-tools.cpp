// The race detector, work and span, and the sanitizers of memory and threads would each have the
// program for themselves. nopal-clang says so earlier; this is for those who name the plugin.
// RUN: not %clangxx -Xclang=-mllvm -Xclang=-nopal-race -Xclang=-mllvm -Xclang=-nopal-span -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SPAN
// RUN: not %clangxx -Xclang=-mllvm -Xclang=-nopal-race -fsanitize=address -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: not %clangxx -Xclang=-mllvm -Xclang=-nopal-race -fsanitize=thread -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREAD
// RUN: %clangxx -Xclang=-mllvm -Xclang=-nopal-race -fsanitize=undefined -c %s -o /dev/null
// SPAN: error: nopal: '-fsanitize=cilk' cannot be used with '-fnopal-span'; build the program once with each
// ADDRESS: error: nopal: '-fsanitize=cilk' cannot be used with '-fsanitize=address'
// THREAD: error: nopal: '-fsanitize=cilk' cannot be used with '-fsanitize=thread'
#include <cilk/cilk.h>
void f();
void g() {
  cilk_spawn f();
  f();
}
