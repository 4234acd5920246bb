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

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
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

/// The configuration files for \p Sorted if its program is linked as \p Link.
static std::vector<std::string> configurations(const SortedArguments &Sorted, RuntimeLink Link) {
  std::vector<std::string> Configs;
  if (Sorted.MeasuresSpan)
    Configs.push_back(spanConfigFile(Link));
  if (Sorted.DetectsRaces)
    Configs.push_back(raceConfigFile(Link));
  Configs.push_back(configFile(Link));
  if (Sorted.KeepsPedigrees)
    Configs.push_back(PedigreesConfig);
  if (Sorted.ReservedKeywords)
    Configs.push_back(ReservedKeywordsConfig);
  return Configs;
}

/// From this version on a configuration file can put options after the user's own.
constexpr int FirstWithLateOptions = 20;

/// The words of the .link files that stand beside the \p Configs for an older clang. Ends the
/// process if there is none.
static std::vector<std::string> linkWords(const std::vector<std::string> &Configs,
                                          const std::string &Folder) {
  std::vector<std::string> Words;
  for (const std::string &Config : Configs) {
    const std::string Path = Folder + "/" + Config.substr(0, Config.rfind('.')) + ".link";
    std::ifstream File(Path);
    if (!File) {
      fprintf(stderr,
              "nopal-clang: error: cannot read '%s': %s; nopal-clang and its lib directory must be "
              "moved together\n",
              Path.c_str(), strerror(errno));
      exit(1);
    }
    for (std::string Word; std::getline(File, Word);) {
      if (Word.empty())
        continue;
      if (Word[0] == '@') {
        for (std::string &Inner : linkWords({Word.substr(1)}, Folder))
          Words.push_back(Inner);
        continue;
      }
      constexpr std::string_view Place = "<CFGDIR>";
      if (const size_t At = Word.find(Place); At != std::string::npos)
        Word.replace(At, Place.size(), Folder);
      Words.push_back(Word);
    }
  }
  return Words;
}

/// Whether there is a file to compile or to link, as far as one can see: clang says what it says
/// of none.
static bool hasInput(const std::vector<std::string> &Arguments) {
  for (const std::string &Argument : Arguments)
    if (!Argument.empty() && (Argument[0] != '-' || Argument == "-"))
      return true;
  return false;
}

/// Puts \p Words after the user's \p Arguments. Where nothing is linked, clang shall not say that
/// they are of no use.
static void addLate(const std::vector<std::string> &Words, std::vector<std::string> &Arguments) {
  auto At = std::find(Arguments.begin(), Arguments.end(), "--");
  At = Arguments.insert(At, "--end-no-unused-arguments");
  At = Arguments.insert(At, Words.begin(), Words.end());
  Arguments.insert(At, "--start-no-unused-arguments");
}

// Clang's heap grows by page faults, which take a fifth of its time in a virtual machine. With
// these settings glibc asks for huge pages, and for more memory at a time.
static const char HeapOfHugePages[] = "glibc.malloc.hugetlb=1:glibc.malloc.top_pad=16777216";

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
  setenv("GLIBC_TUNABLES", HeapOfHugePages, /*overwrite=*/0);
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
  if (!Sorted.Conflict.empty()) {
    fprintf(stderr, "%s: error: %s\n", Name.c_str(), Sorted.Conflict.c_str());
    return 1;
  }
  const std::string Library = canonical(Directory + "/" NOPAL_CONFIG_DIRECTORY);
  const Compiler Clang = chooseCompiler(Name, Library);
  // One that cannot be run is told so below.
  const int Version = Clang.Version ? Clang.Version : NOPAL_LLVM_VERSION;
  std::string Folder = folderOf(Version, Library);
  if (const std::string Known = knownVersions(Library); Folder.empty() && !Known.empty()) {
    fprintf(stderr,
            "%s: error: '%s' is clang %d, and Nopal is here for clang %s; name one of these in "
            "NOPAL_CLANG\n",
            Name.c_str(), Clang.Program.c_str(), Version, Known.c_str());
    return 1;
  }
  if (Folder.empty())
    Folder = Library;
  if (Sorted.DetectsRaces && folderOfTarget(Sorted.Target, Folder) != Folder) {
    fprintf(stderr,
            "%s: error: -fsanitize=cilk is not there for target '%s'; detect races on x86-64\n",
            Name.c_str(), Sorted.Target.c_str());
    return 1;
  }
  Folder = folderOfTarget(Sorted.Target, Folder);

  std::vector<std::string> Configs = configurations(Sorted, Sorted.Link);
  if (Version < FirstWithLateOptions && Sorted.Link != RuntimeLink::None) {
    if (hasInput(Sorted.ForClang))
      addLate(linkWords(Configs, Folder), Sorted.ForClang);
    Configs = configurations(Sorted, RuntimeLink::None);
  }
  for (std::string &Config : Configs) {
    Config = Folder + "/" + Config;
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
