//===- Target.cpp - The machine and system that clones can run on ---------===//
//
// See Target.h.
//
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "llvm/Bitcode/BitcodeReader.h"

using namespace llvm;

// The fast path, compiled by the build (clang-plugin/CMakeLists.txt).
extern "C" const char nopal_fastpath_x86_64[], nopal_fastpath_x86_64_end[];
extern "C" const char nopal_fastpath_aarch64[], nopal_fastpath_aarch64_end[];

namespace {
struct FastPathOfTarget {
  Triple::ArchType Arch;
  const char *Begin, *End;
};
} // namespace

/// One row for each target (fastpath_bitcode.S).
static const FastPathOfTarget FastPaths[] = {
    {Triple::x86_64, nopal_fastpath_x86_64, nopal_fastpath_x86_64_end},
    {Triple::aarch64, nopal_fastpath_aarch64, nopal_fastpath_aarch64_end},
};

MemoryBufferRef nopal::fastPathBitcode(Triple::ArchType Arch) {
  for (const FastPathOfTarget &Row : FastPaths)
    if (Row.Arch == Arch)
      return {StringRef(Row.Begin, Row.End - Row.Begin), "nopal fast path"};
  return {};
}

MemoryBufferRef nopal::abiBitcode(Triple::ArchType Arch) {
  const MemoryBufferRef Own = fastPathBitcode(Arch);
  return Own.getBufferSize() ? Own : fastPathBitcode(FastPaths[0].Arch);
}

std::string nopal::fastPathTargets() {
  std::string Names;
  for (const FastPathOfTarget &Row : FastPaths)
    Names += (Names.empty() ? "" : ", ") + fastPathTarget(Row.Arch).str();
  return Names;
}

Triple nopal::fastPathTarget(Triple::ArchType Arch) {
  const MemoryBufferRef Bitcode = fastPathBitcode(Arch);
  if (Bitcode.getBufferSize() == 0)
    return Triple();
  Expected<std::string> Name = getBitcodeTargetTriple(Bitcode);
  if (Name)
    return Triple(*Name);
  consumeError(Name.takeError()); // Abi reports it.
  return Triple();
}

bool nopal::isSupportedTarget(const Triple &Target) {
  const Triple Ours = fastPathTarget(Target.getArch());
  if (Ours.getArch() == Triple::UnknownArch)
    return false;
  auto Environment = [](const Triple &T) {
    return T.getEnvironment() == Triple::UnknownEnvironment ? Triple::GNU : T.getEnvironment();
  };
  return Target.getArch() == Ours.getArch() && Target.getOS() == Ours.getOS() &&
         Environment(Target) == Environment(Ours) &&
         Target.getObjectFormat() == Ours.getObjectFormat();
}
