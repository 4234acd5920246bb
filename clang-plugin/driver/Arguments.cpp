//===- Arguments.cpp - What nopal-clang reads of its command line ----------===//

#include "Arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace nopal {
namespace {

/// Options of clang whose value is the next argument. Needed only to tell a header that is compiled
/// from one that is, say, included: a missing row makes `-OPTION x.h` look like an input, which
/// matters only if there is no other input.
constexpr std::array ValueFollows = {"-o",
                                     "-I",
                                     "-D",
                                     "-U",
                                     "-L",
                                     "-l",
                                     "-include",
                                     "-imacros",
                                     "-isystem",
                                     "-iquote",
                                     "-idirafter",
                                     "-isysroot",
                                     "-iprefix",
                                     "-MF",
                                     "-MT",
                                     "-MQ",
                                     "-MJ",
                                     "-Xclang",
                                     "-Xlinker",
                                     "-Xassembler",
                                     "-mllvm",
                                     "-target",
                                     "-Xpreprocessor",
                                     "-include-pch",
                                     "-T",
                                     "-u",
                                     "-z",
                                     "-e",
                                     "-A",
                                     "-x",
                                     "--param",
                                     "-iwithprefix",
                                     "-F",
                                     "-arch",
                                     "-framework",
                                     "-working-directory",
                                     "-serialize-diagnostics",
                                     "-cxx-isystem"};

constexpr std::array HeaderSuffixes = {".h",   ".hh", ".hp", ".hpp", ".hxx",
                                       ".h++", ".H",  ".HH", ".hm"};

bool isHeaderName(std::string_view Name) {
  return std::any_of(HeaderSuffixes.begin(), HeaderSuffixes.end(),
                     [&](std::string_view Suffix) { return Name.ends_with(Suffix); });
}

bool takesNextArgument(std::string_view Option) {
  return std::find(ValueFollows.begin(), ValueFollows.end(), Option) != ValueFollows.end();
}

/// Clang would make a precompiled header of every input, and link nothing.
bool compilesOnlyHeaders(const std::vector<std::string> &Arguments) {
  bool SawHeader = false;
  std::string_view Language = "none";
  for (size_t I = 0; I < Arguments.size(); ++I) {
    std::string_view Argument = Arguments[I];
    if (Argument == "-x" && I + 1 < Arguments.size()) {
      Language = Arguments[++I];
    } else if (Argument.starts_with("-x")) {
      Language = Argument.substr(2);
    } else if (takesNextArgument(Argument)) {
      ++I;
    } else if (!Argument.starts_with("-") || Argument == "-") {
      bool IsHeader = Language == "none" ? isHeaderName(Argument) : Language.ends_with("-header");
      if (!IsHeader)
        return false;
      SawHeader = true;
    }
  }
  return SawHeader;
}

/// Sanitizers that need the memory or the functions that the race detector has for itself.
constexpr std::array ForeignSanitizers = {"address",        "dataflow",         "hwaddress",
                                          "kernel-address", "kernel-hwaddress", "kernel-memory",
                                          "leak",           "memory",           "thread"};

/// What -fsanitize= and -fno-sanitize= say, in the order of the command line.
struct Sanitizers {
  bool Cilk = false;
  std::vector<std::string> Foreign;

  /// Takes "cilk" out of the list of \p Argument. False if nothing is left for clang.
  bool read(std::string &Argument) {
    const bool IsOn = Argument.starts_with("-fsanitize=");
    const size_t Begin = Argument.find('=') + 1;
    std::string Left;
    std::string_view Rest = std::string_view(Argument).substr(Begin);
    while (!Rest.empty()) {
      const std::string_view Word = Rest.substr(0, Rest.find(','));
      Rest.remove_prefix(std::min(Rest.size(), Word.size() + 1));
      if (Word == "cilk") {
        Cilk = IsOn;
        continue;
      }
      if (Word == "all" && !IsOn) {
        Cilk = false;
        Foreign.clear();
      }
      std::erase(Foreign, Word);
      if (IsOn && std::find(ForeignSanitizers.begin(), ForeignSanitizers.end(), Word) !=
                      ForeignSanitizers.end())
        Foreign.emplace_back(Word);
      Left += (Left.empty() ? "" : ",") + std::string(Word);
    }
    Argument.replace(Begin, std::string::npos, Left);
    return !Left.empty();
  }
};

} // namespace

SortedArguments sortArguments(const std::vector<std::string> &Arguments, bool IsCxx) {
  SortedArguments Sorted;
  Sanitizers Sanitized;
  bool IsStatic = false;
  bool WithoutLibraries = false, LinksLibstdcxx = IsCxx;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const std::string &Argument = Arguments[I];
    // Other compilers' names for "this is Cilk".
    if (Argument == "-fopencilk" || Argument == "-fcilkplus") {
      Sorted.ReservedKeywords = true;
      if (Argument == "-fcilkplus") // cilk::holder is Cilk Plus': <cilk/holder.h>
        Sorted.ForClang.push_back("-D__NOPAL_CILK_PLUS__=1");
      continue;
    }
    if (Argument == "-fnopal-span" || Argument == "-fno-nopal-span" ||
        Argument == "-fcilktool=cilkscale") { // OpenCilk's name for it
      Sorted.MeasuresSpan = Argument != "-fno-nopal-span";
      continue;
    }
    if (Argument.starts_with("-fcilktool=")) {
      Sorted.Conflict = "'" + Argument +
                        "': the only tool is cilkscale; -fsanitize=cilk finds races; to measure "
                        "times build without the option";
      continue;
    }
    if (Argument == "-fnopal-pedigrees" || Argument == "-fno-nopal-pedigrees" ||
        Argument == "-fopencilk-enable-pedigrees") { // OpenCilk's name for it
      Sorted.KeepsPedigrees = Argument != "-fno-nopal-pedigrees";
      continue;
    }
    if (Argument.starts_with("-fsanitize=") || Argument.starts_with("-fno-sanitize=")) {
      std::string ForClang = Argument;
      if (Sanitized.read(ForClang))
        Sorted.ForClang.push_back(ForClang);
      continue;
    }
    if (Argument == "-static-libnopal" || Argument == "-shared-libnopal") {
      Sorted.Link = Argument == "-static-libnopal" ? RuntimeLink::Static : RuntimeLink::Shared;
      continue;
    }
    if (Argument == "-static" || Argument == "-static-pie") {
      Sorted.Link = RuntimeLink::Static;
      IsStatic = true;
    }
    if (Argument == "-nostdlib" || Argument == "-nodefaultlibs" || Argument == "-r")
      WithoutLibraries = true;
    if (Argument.starts_with("--target="))
      Sorted.Target = Argument.substr(strlen("--target="));
    if (Argument == "-target" && I + 1 < Arguments.size())
      Sorted.Target = Arguments[I + 1];
    if (Argument == "-nostdlib++" || Argument == "-stdlib=libc++")
      LinksLibstdcxx = false;
    Sorted.ForClang.push_back(Argument);
    if (takesNextArgument(Argument) && I + 1 < Arguments.size())
      Sorted.ForClang.push_back(Arguments[++I]);
  }
  Sorted.DetectsRaces = Sanitized.Cilk;
  if (Sorted.DetectsRaces) {
    std::string Other = Sorted.MeasuresSpan ? "-fnopal-span" : "";
    if (!Sanitized.Foreign.empty())
      Other = "-fsanitize=" + Sanitized.Foreign.front();
    if (!Other.empty())
      Sorted.Conflict =
          "'-fsanitize=cilk' cannot be used with '" + Other + "': build the program once with each";
    else if (IsStatic)
      Sorted.Conflict =
          "'-fsanitize=cilk' needs a shared library: leave out '-static' or '-static-pie'";
  }
  if (Sorted.Link == RuntimeLink::Static && !LinksLibstdcxx)
    Sorted.Link = RuntimeLink::StaticWithLibstdcxx;
  if (WithoutLibraries || compilesOnlyHeaders(Sorted.ForClang))
    Sorted.Link = RuntimeLink::None;
  return Sorted;
}

const char *configFile(RuntimeLink Link) {
  switch (Link) {
  case RuntimeLink::Shared:
    return "nopal.cfg";
  case RuntimeLink::Static:
    return "nopal-static.cfg";
  case RuntimeLink::StaticWithLibstdcxx:
    return "nopal-static-c.cfg";
  case RuntimeLink::None:
    return "nopal-compile.cfg";
  }
  return nullptr;
}

const char *raceConfigFile(RuntimeLink Link) {
  return Link == RuntimeLink::None ? "nopal-race-compile.cfg" : "nopal-race.cfg";
}

const char *spanConfigFile(RuntimeLink Link) {
  switch (Link) {
  case RuntimeLink::Shared:
    return "nopal-span.cfg";
  case RuntimeLink::Static:
  case RuntimeLink::StaticWithLibstdcxx:
    return "nopal-span-static.cfg";
  case RuntimeLink::None:
    return "nopal-serial.cfg";
  }
  return nullptr;
}

} // namespace nopal
