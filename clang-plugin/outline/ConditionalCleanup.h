//===- ConditionalCleanup.h - Results whose child threw --------*- C++ -*-===//
//
// `T x = cilk_spawn f();` where f throws and the continuation was stolen: the
// continuation went past the declaration, so the exception is raised at a sync
// that lies in the scope of x, and the cleanups there destroy x, which was never
// made. The same for a temporary whose life a reference extends. Runs before the outlining of a
// function. Tests: tests/pass/outline-made.ll, tests/programs/exceptions/results_never_made.cpp.
//
// Where the same objects live, and what the parent says of them before the child runs: README.md in
// this folder, "Where a local lives". Tests: tests/pass/outline-made-bound.ll,
// tests/programs/language/bound_results.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_CONDITIONALCLEANUP_H
#define NOPAL_OUTLINE_CONDITIONALCLEANUP_H

namespace llvm {
class Function;
}

namespace nopal::outline {

/// Gives each variable that a child of \p F constructs (marker __nopal_made) a flag: false before
/// the spawn, set by the child after the construction, asked by the destructor calls on exceptional
/// paths. A path without exceptions costs one store. Marks it as the parent's (__nopal_outer), and
/// binds references to it in the parent's part where that can be done. Takes the markers away.
void guardConditionalCleanups(llvm::Function &F);

} // namespace nopal::outline

#endif
