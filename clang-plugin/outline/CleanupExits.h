//===- CleanupExits.h - Dead exits of cleanups -----------------*- C++ -*-===//
//
// A jump out of a scope with a destructor stores a number, runs the destructor and continues by a
// switch over the number. If Clang does not yet know the jump's target at the end of the scope, the
// switch's default leads to the next cleanup further out. Clang adds a case when it knows the
// target. The default remains, but no path takes it:
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
