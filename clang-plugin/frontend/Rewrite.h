//===- Rewrite.h - Puts markers into a body ---------------------*- C++ -*-===//
//
// Carries out a FunctionPlan. Below, what becomes of each form; `hidden` is the
// variable whose cleanup is an implicit sync (MarkerBuilder::hiddenSync).
//
//   cilk_spawn f(a);         begin(1); [f(a)]; end(1);
//   x[i] = cilk_spawn f(a);  begin(1); T *t; t = &x[i], *t = [f(a)]; end(1);
//   T x = cilk_spawn f(a);   begin(1); T x = [f(a)]; made(1, &x); end(1);
//   cilk_spawn { S }         block_begin(1); { hidden; S } end(1);
//   cilk_sync;               sync(region);
//   return T();              { T r = T(); sync(region); return r; }, r in the slot
//   cilk_for (...) { S }     LoopBuilder.h; { hidden; S } if an iteration spawns
//   { T x; ... }             { hidden; T x; hidden; ... }
//
// [f(a)] is the spawned call. The last line is the body of a function, try
// block, cilk_scope or spawned statement that spawns; the second hidden variable
// is there only if T has a destructor, so that the sync comes before it.
// A cilk_scope, and a block around a try statement with its handlers, begin with
// region_begin(2) and a variable whose cleanup is region_end(2): the one place
// where control leaves the block without an exception, by whatever statement.
//
// Of a try block that is no region, with a sync in it for a region around it:
//   try { cilk_sync; } catch (T) { S }
//     try_begin(3, 0); try { try_body(3); pass_through_sync(region, 3); } catch (T) { S }
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_REWRITE_H
#define NOPAL_FRONTEND_REWRITE_H

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace nopal::frontend {
class MarkerBuilder;
class Reporter;
struct FunctionPlan;

/// Rewrites the body of \p FD. \p NextId counts the spawned statements and loops
/// of the translation unit. Reports operators that a loop lacks.
void rewrite(clang::FunctionDecl *FD, FunctionPlan &Plan, clang::Sema &S, MarkerBuilder &Build,
             unsigned &NextId, Reporter &Report);

} // namespace nopal::frontend

#endif
