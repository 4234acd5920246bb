//===- Returned.h - Objects returned before a sync that raises -*- C++ -*-===//
//
// `return T();` makes the object in the return slot, and on the way out come the
// implicit syncs. One that raises what a child threw has to destroy the object:
// serially it is not made. Clang does not do it, as it does not for a destructor
// that throws there (CWG 2426). Runs before all statements are outlined. Tests:
// tests/pass/outline-returned.ll, tests/programs/regressions/return_*.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_RETURNED_H
#define NOPAL_OUTLINE_RETURNED_H

namespace llvm {
class Module;
}

namespace nopal {

/// Gives each function of \p M that marks returned objects (__nopal_returned) a
/// flag: set by the marker, asked where a sync behind it raises an exception, in
/// front of all other cleanups and handlers there. A path without exceptions
/// costs a store. Takes the markers away.
void destroyReturnedObjects(llvm::Module &M);

} // namespace nopal

#endif
