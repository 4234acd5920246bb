//===- ConditionalCleanup.h - Results whose child threw --------*- C++ -*-===//
//
// Let f throw in `T x = cilk_spawn f();` after its continuation was stolen. The continuation has
// passed the declaration, so the exception is raised at a sync in the scope of x. The cleanups
// there would destroy x, which was never constructed. The same holds for a temporary whose life a
// reference extends. Runs before the outlining of a function. Tests: tests/pass/outline-made.ll,
// tests/programs/exceptions/results_never_made.cpp.
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

/// Gives a flag to each variable that a child of \p F constructs (marker __nopal_made). The flag is
/// false before the spawn, and the child sets it after the construction. Destructor calls on
/// exceptional paths test it; a path without exceptions costs one store. Marks the variable as the
/// parent's (__nopal_outer), and binds references to it in the parent's part where possible.
/// Removes the markers.
void guardConditionalCleanups(llvm::Function &F);

} // namespace nopal::outline

#endif
