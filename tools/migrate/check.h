// Whether the new program compiles. A construct of which it does not stays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_CHECK_H
#define NOPAL_TOOLS_MIGRATE_CHECK_H

#include "changes.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <string>
#include <vector>

namespace nopal::migrate {

/// Compiles the translation units as they will be, with or without comments, with nopal-clang or
/// nopal-clang++ in `binaries`.
/// What the compiler refuses gets a note with the compiler's words. Says on standard error of which
/// files it is not known.
void check(Changes &changes, bool has_comments, const std::string &binaries,
           const std::vector<clang::tooling::CompileCommand> &commands);

}  // namespace nopal::migrate

#endif
