//===- Arguments.h - What nopal-clang reads of its command line ------------===//
//
// Used by driver.cpp alone. Clang parses the command line; this looks only for what decides between
// the configuration files.
//
//===----------------------------------------------------------------------===//

#ifndef NOPAL_DRIVER_ARGUMENTS_H
#define NOPAL_DRIVER_ARGUMENTS_H

#include <string>
#include <vector>

namespace nopal {

/// How the runtime gets into the program, if this command links one at all.
enum class RuntimeLink {
  Shared, ///< libnopal.so with a run path to it: one runtime for all libraries of a process
  Static, ///< libnopal.a, in a program that links libstdc++ anyway
  StaticWithLibstdcxx, ///< libnopal.a and, statically, what it needs of libstdc++
  None, ///< the user links without libraries, or no program comes out of this command (precompiled
        ///< header)
};

struct SortedArguments {
  std::vector<std::string>
      ForClang; ///< in the user's order, without those that only nopal-clang knows
  RuntimeLink Link = RuntimeLink::Shared;
  bool ReservedKeywords = false; ///< _Cilk_spawn and so on without a header
  bool MeasuresSpan = false;     ///< serial code with hooks, and the library of work and span
  bool KeepsPedigrees = false;   ///< strands know their place in the program
  bool DetectsRaces = false;     ///< the same, instrumented, with the race detector
  std::string Target;            ///< as in --target=; empty: this machine's
  std::string Conflict;          ///< why this cannot be compiled; empty: it can
};

/// What \p Arguments say, to clang++ if \p IsCxx. Takes out -fopencilk, -fcilkplus, -fnopal-span,
/// -fnopal-pedigrees, -fsanitize=cilk, -static-libnopal and -shared-libnopal. Does not look into
/// response files (@file), which are handed to clang unread.
SortedArguments sortArguments(const std::vector<std::string> &Arguments, bool IsCxx);

/// The name of the configuration file that is added for ReservedKeywords.
inline constexpr const char ReservedKeywordsConfig[] = "nopal-keywords.cfg";

/// The same for KeepsPedigrees.
inline constexpr const char PedigreesConfig[] = "nopal-pedigrees.cfg";

/// The name of the configuration file for \p Link.
const char *configFile(RuntimeLink Link);
/// The same of the one that is added before it for MeasuresSpan.
const char *spanConfigFile(RuntimeLink Link);
/// The same for DetectsRaces.
const char *raceConfigFile(RuntimeLink Link);

} // namespace nopal

#endif
