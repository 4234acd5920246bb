//===- HyperUses.h - Each use of a hyperobject is its view ------*- C++ -*-===//
//
// Changes the body of a function so that what Clang takes for a variable is the view of
// the calling strand:
//
//   sum += 1;    ->    *(long *)__nopal_view(__nopal_strand(), &sum, 8, zero, plus) += 1;
//
// and so that the strand knows of each hyperobject that it makes (HyperLifetimes.h).
//
// Runs before Analysis.h, which so sees ordinary expressions. Used by Action.cpp. Tests:
// tests/diagnostics/Hyper*, tests/programs/hyper.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_HYPERUSES_H
#define NOPAL_FRONTEND_HYPERUSES_H

#include "HyperTypes.h"
#include "MarkerBuilder.h"

namespace nopal::frontend {

/// \p FD has a body and is no pattern of a template.
void rewriteHyperobjects(clang::FunctionDecl *FD, clang::Sema &S, MarkerBuilder &Build,
                         HyperCallbacks &Callbacks, Reporter &Report);

/// After the translation unit: finds each `cilk_reducer` in a type, and reports what may not be
/// one.
void checkHyperobjects(clang::Sema &S, HyperCallbacks &Callbacks, KeywordTable &Keywords,
                       Reporter &Report);

} // namespace nopal::frontend

#endif
