//===- Compiler.cpp - Which clang nopal-clang runs -------------------------===//
//
// See Compiler.h.
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace nopal {
namespace {

constexpr int Oldest = 19, Newest = 22;

/// The number at the end of \p Name, as in clang++-19, or 0.
int versionInName(const std::string &Name) {
  const size_t Dash = Name.rfind('-');
  if (Dash == std::string::npos || Dash + 1 == Name.size() ||
      Name.find_first_not_of("0123456789", Dash + 1) != std::string::npos)
    return 0;
  return atoi(Name.c_str() + Dash + 1);
}

bool isInPath(const std::string &Name) {
  const char *Path = getenv("PATH");
  for (const char *Begin = Path ? Path : ""; *Begin;) {
    const size_t Length = strcspn(Begin, ":");
    if (access((std::string(Begin, Length) + "/" + Name).c_str(), X_OK) == 0)
      return true;
    Begin += Length + (Begin[Length] == ':');
  }
  return false;
}

/// What \p Program prints for -dumpversion, as a number; 0 if it cannot be run.
int askVersion(const std::string &Program) {
  int Ends[2];
  if (pipe(Ends) != 0)
    return 0;
  const pid_t Child = fork();
  if (Child == 0) {
    dup2(Ends[1], STDOUT_FILENO);
    close(Ends[0]);
    close(Ends[1]);
    execlp(Program.c_str(), Program.c_str(), "-dumpversion", nullptr);
    _exit(127);
  }
  close(Ends[1]);
  char Answer[32] = "";
  const ssize_t Length = Child < 0 ? 0 : read(Ends[0], Answer, sizeof(Answer) - 1);
  close(Ends[0]);
  int Status = 0;
  if (Child < 0 || waitpid(Child, &Status, 0) != Child || Length <= 0 || Status != 0)
    return 0;
  return atoi(Answer);
}

std::string nameOf(int Version) { return "clang-" + std::to_string(Version); }

} // namespace

std::string folderOf(int Version, const std::string &Library) {
  const std::string Folder =
      Version == NOPAL_LLVM_VERSION ? Library : Library + "/" + std::to_string(Version);
  return access((Folder + "/NopalPlugin.so").c_str(), R_OK) == 0 ? Folder : std::string();
}

std::string folderOfTarget(const std::string &Target, const std::string &Folder) {
#ifndef __aarch64__
  if (Target.starts_with("aarch64-") || Target.starts_with("arm64-"))
    return Folder + "/aarch64-linux-gnu";
#endif
  return Folder;
}

std::string knownVersions(const std::string &Library) {
  std::vector<std::string> Known;
  for (int Version = Oldest; Version <= Newest; ++Version)
    if (!folderOf(Version, Library).empty())
      Known.push_back(std::to_string(Version));
  std::string Text;
  for (size_t I = 0; I < Known.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == Known.size() ? " and " : ", ") + Known[I];
  return Text;
}

Compiler chooseCompiler(const std::string &OwnName, const std::string &Library) {
  if (const char *Wanted = getenv("NOPAL_CLANG"); Wanted && *Wanted) {
    const std::string Program = Wanted;
    const int Named = versionInName(Program.substr(Program.rfind('/') + 1));
    return {Program, Named ? Named : askVersion(Program)};
  }
  if (const int Named = versionInName(OwnName))
    return {nameOf(Named), Named};
  if (isInPath(nameOf(NOPAL_LLVM_VERSION)))
    return {nameOf(NOPAL_LLVM_VERSION), NOPAL_LLVM_VERSION};
  for (int Version = Newest; Version >= Oldest; --Version)
    if (Version != NOPAL_LLVM_VERSION && !folderOf(Version, Library).empty() &&
        isInPath(nameOf(Version)))
      return {nameOf(Version), Version};
  return {access(NOPAL_CLANG_FALLBACK, X_OK) == 0 ? NOPAL_CLANG_FALLBACK
                                                  : nameOf(NOPAL_LLVM_VERSION),
          NOPAL_LLVM_VERSION};
}

} // namespace nopal
