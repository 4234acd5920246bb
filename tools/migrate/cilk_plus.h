// Cilk Plus' keywords and reducers into the language's and the library's own.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_CILK_PLUS_H
#define NOPAL_TOOLS_MIGRATE_CILK_PLUS_H

#include "changes.h"

namespace nopal::migrate {

/// Rewrites `_Cilk_spawn` and its like in a file.
void rewrite_keywords(Source &source, clang::FileID file);

/// Rewrites Cilk Plus' reducers, one kind (op_add, op_max, ...) with all its uses in the
/// translation unit or not at all. `is_users`: which places may be changed.
void rewrite_reducers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation));

}  // namespace nopal::migrate

#endif
