//===- driver.cpp - nopal-clang and nopal-clang++ --------------------------===//
//
// Runs a stock clang (Compiler.h) with the Nopal plugin, the headers of the language and the
// runtime. All it adds is --config=FILE, up to three times, for configuration files that lie beside
// the plugin (README.md). The files say what to add, and Clang itself knows whether it links. So
// nothing here has to guess that, and Clang never warns of an unused option.
//
// The process becomes clang (exec): exit status, signals and standard streams are clang's own.
// Tested by tests/install/driver_test.py.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Compiler.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

using namespace nopal;

/// The directory that the program itself lies in, with symbolic links resolved; empty if the system
/// does not tell.
static std::string ownDirectory() {
  char Path[PATH_MAX];
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path));
  if (Length <= 0 || Length == sizeof(Path))
    return {};
  std::string Own(Path, static_cast<size_t>(Length));
  return Own.substr(0, Own.rfind('/'));
}

/// \p Path without its "..", so that it reads well in messages of clang; as it is if it does not
/// exist.
static std::string canonical(const std::string &Path) {
  char Resolved[PATH_MAX];
  return realpath(Path.c_str(), Resolved) ? Resolved : Path;
}

/// Becomes \p Program; returns only if it cannot be run.
static void run(const std::string &Program, bool IsCxx, const std::vector<std::string> &Configs,
                const std::vector<std::string> &UserArguments) {
  std::vector<std::string> Arguments{Program};
  // Clang takes its internal modes only as the first option.
  bool IsInternal = !UserArguments.empty() && UserArguments[0].rfind("-cc1", 0) == 0;
  if (!IsInternal) {
    if (IsCxx)
      Arguments.push_back("--driver-mode=g++");
    for (const std::string &Config : Configs)
      Arguments.push_back("--config=" + Config);
  }
  Arguments.insert(Arguments.end(), UserArguments.begin(), UserArguments.end());

  std::vector<char *> Raw;
  for (std::string &Argument : Arguments)
    Raw.push_back(Argument.data());
  Raw.push_back(nullptr);
  execvp(Program.c_str(), Raw.data());
}

int main(int argc, char **argv) {
  std::string Name = argc ? argv[0] : "nopal-clang";
  Name = Name.substr(Name.rfind('/') + 1);
  bool IsCxx = Name.find("++") != std::string::npos;

  std::string Directory = ownDirectory();
  if (Directory.empty()) {
    fprintf(stderr, "%s: error: cannot read /proc/self/exe to find the plugin: %s; mount /proc\n",
            Name.c_str(), strerror(errno));
    return 1;
  }

  SortedArguments Sorted = sortArguments({argv + 1, argv + argc}, IsCxx);
  std::vector<std::string> Configs;
  if (Sorted.MeasuresSpan)
    Configs.push_back(spanConfigFile(Sorted.Link));
  if (Sorted.DetectsRaces)
    Configs.push_back(raceConfigFile(Sorted.Link));
  Configs.push_back(configFile(Sorted.Link));
  if (Sorted.KeepsPedigrees)
    Configs.push_back(PedigreesConfig);
  if (Sorted.ReservedKeywords)
    Configs.push_back(ReservedKeywordsConfig);
  const std::string Library = canonical(Directory + "/" NOPAL_CONFIG_DIRECTORY);
  const Compiler Clang = chooseCompiler(Name, Library);
  // One that cannot be run is told so below.
  const int Version = Clang.Version ? Clang.Version : NOPAL_LLVM_VERSION;
  const std::string Folder = folderOf(Version, Library);
  if (const std::string Known = knownVersions(Library); Folder.empty() && !Known.empty()) {
    fprintf(stderr,
            "%s: error: '%s' is clang %d, and Nopal is here for clang %s; name one of these in "
            "NOPAL_CLANG\n",
            Name.c_str(), Clang.Program.c_str(), Version, Known.c_str());
    return 1;
  }
  for (std::string &Config : Configs) {
    Config = (Folder.empty() ? Library : Folder) + "/" + Config;
    if (access(Config.c_str(), R_OK) != 0) {
      fprintf(stderr,
              "%s: error: cannot read '%s': %s; nopal-clang and its lib directory must be moved "
              "together\n",
              Name.c_str(), Config.c_str(), strerror(errno));
      return 1;
    }
  }

  run(Clang.Program, IsCxx, Configs, Sorted.ForClang);
  fprintf(stderr,
          "%s: error: cannot run '%s': %s; install clang-%d or name its path in NOPAL_CLANG\n",
          Name.c_str(), Clang.Program.c_str(), strerror(errno), NOPAL_LLVM_VERSION);
  return 127;
}
