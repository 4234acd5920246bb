//===- CleanupExits.h - Ways out of cleanups that nobody takes -*- C++ -*-===//
//
// A jump that leaves a scope with a destructor stores a number, runs the destructor and goes on by
// a switch over the number. Where Clang does not yet know a jump's target when the scope ends, it
// lets the switch's default lead to the next cleanup further out, and adds a case for the target
// when it knows it. The default then stays, and nobody takes it:
//
//   cilk_for (...) {                      store 6, %dest
//     { Big b; if (c) goto done; }        ~b
//   done:;                                switch %dest [0: next, 6: done]
//   }                                       default: what the function ends with
//
// So the body of the loop seems to reach the function's return. Runs before the
// outlining of a function. Tests: tests/pass/outline-cleanup-exits.ll,
// tests/programs/regressions/jump_past_a_destructor.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_CLEANUPEXITS_H
#define NOPAL_OUTLINE_CLEANUPEXITS_H

namespace llvm {
class Function;
}

namespace nopal::outline {

/// Makes the default of a switch over a cleanup's destination unreachable where
/// each number that can come to it has a case of its own.
void removeDeadCleanupExits(llvm::Function &F);

} // namespace nopal::outline

#endif
