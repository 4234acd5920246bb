//===- Compiler.h - Which clang nopal-clang runs ---------------------------===//
//
// Used by driver.cpp alone. Tested by tests/install/driver_test.py and versions_test.py.
//
//===----------------------------------------------------------------------===//

#ifndef NOPAL_DRIVER_COMPILER_H
#define NOPAL_DRIVER_COMPILER_H

#include <string>

namespace nopal {

struct Compiler {
  std::string Program; ///< a path, or a name that is looked for in PATH
  int Version = 0;     ///< its major version; 0 if it cannot be run
};

/// The clang that the user wants: the one named in NOPAL_CLANG; else, of a name as nopal-clang-19,
/// that version; else the version that Nopal was built for, or another that has a plugin in
/// \p Library and is in PATH, the newest first. A name without a version is asked for its own,
/// which takes some milliseconds.
Compiler chooseCompiler(const std::string &OwnName, const std::string &Library);

/// The folder with the plugin and the configuration files for \p Version, in \p Library; empty if
/// there is none.
std::string folderOf(int Version, const std::string &Library);
/// The folder with the configuration files for \p Target (as in --target=; empty: this machine's)
/// in that folder.
std::string folderOfTarget(const std::string &Target, const std::string &Folder);
/// The versions that have a plugin in \p Library, as "19 and 22".
std::string knownVersions(const std::string &Library);

} // namespace nopal

#endif
