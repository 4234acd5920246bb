// What the other parts never look at: OpenMP and oneTBB that are in no function's body, as in
// initializers and default arguments, and OpenMP's functions as values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_LEFTOVERS_H
#define NOPAL_TOOLS_MIGRATE_LEFTOVERS_H

#include "changes.h"

namespace nopal::migrate {

/// Expects all that is in the user's files and in no function's body: it stays.
void expect_leftovers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation));

}  // namespace nopal::migrate

#endif
