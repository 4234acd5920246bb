//===- LoopBuilder.h - What becomes of a cilk_for ---------------*- C++ -*-===//
//
// Makes the serial loop over a part of the iterations that the outliner turns
// into the leaf. All arithmetic is unsigned and of 64 bits, or as wide as the widest
// type in the header, so that no limit, stride or value at the end of its type
// overflows; __nopal_ variables are hidden.
//
//   {
//     T __nopal_start = INIT;  OTHER DECLARATIONS
//     C __nopal_limit = LIMIT;                  // the type of the comparison
//     u64 __nopal_stride = STRIDE;              // if it is no constant
//     u64 __nopal_count = start < limit ? (limit - start - 1) / stride + 1 : 0;
//     __nopal_loop_begin(ID, "file", line, column, region, count, grain);
//     for (u64 __nopal_k = __nopal_loop_low(ID), __nopal_end = __nopal_loop_high(ID); k < end; ++k)
//     {
//       T i = (T)((u64)start + k * stride);
//       BODY
//     }
//     __nopal_loop_end(ID);
//   }
//
// Each i is computed from k alone, not from the i before: loop optimizers turn
// that into an induction variable as good as that of the serial loop, and there is
// no value after the last. For a pointer it is `start + k * stride`, for a class
// `T i = start; i += k * stride;`, and the distance is `limit - start`. A loop
// over a range is one over its iterator __begin, with `T x = *__begin;` before
// BODY.
//
// Operators of iterators are looked up by Sema, as if the user had written them
// in the header. Tested by tests/diagnostics/ir/loop_*.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_LOOPBUILDER_H
#define NOPAL_FRONTEND_LOOPBUILDER_H

namespace clang {
class FunctionDecl;
class Sema;
class Stmt;
} // namespace clang

namespace nopal::frontend {
class MarkerBuilder;
class Reporter;
struct Loop;

/// The statement for \p L, whose body was rewritten already. Null if an operator
/// is missing; that was reported.
clang::Stmt *buildLoop(Loop L, unsigned Id, clang::FunctionDecl *FD, clang::Sema &S,
                       MarkerBuilder &Build, Reporter &Report);

} // namespace nopal::frontend

#endif
