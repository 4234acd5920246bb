//===- VarArgs.h - va_start after a spawn -----------------------*- C++ -*-===//
//
// Only the called function has variable arguments; a slow clone and a helper have none. So if a
// spawn may come before a va_start, the list is made at the function's entry, and copied where the
// program makes it:
//
//   __nopal_begin(...)               %list = alloca; va_start(%list)
//   ...                              __nopal_begin(...)
//   va_start(%ap)                    ...
//                                    va_copy(%ap, %list)
//
// Runs before the outlining of a function. Tests: tests/pass/outline-va-start.ll,
// tests/programs/language/variable_arguments.c.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_VARARGS_H
#define NOPAL_OUTLINE_VARARGS_H

namespace llvm {
class Function;
}

namespace nopal::outline {

/// Moves the work of \p F's va_starts to its entry, unless all of them are there already, before
/// the first spawn marker. Costs such a function one more list.
void startVarArgsAtEntry(llvm::Function &F);

} // namespace nopal::outline

#endif
