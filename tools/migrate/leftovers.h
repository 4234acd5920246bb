// What the other parts never look at: OpenMP and oneTBB that are in no function's body, as in
// initializers and default arguments, and OpenMP's functions as values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_LEFTOVERS_H
#define NOPAL_TOOLS_MIGRATE_LEFTOVERS_H

#include "changes.h"

#include <set>

namespace nopal::migrate {

/// Expects all that is in the user's files and in none of these bodies: it stays.
void expect_leftovers(Source &source, const std::set<const clang::Stmt *> &bodies,
                      bool (*is_users)(const Source &, clang::SourceLocation));

}  // namespace nopal::migrate

#endif
