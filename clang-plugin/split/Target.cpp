//===- Target.cpp - The machine and system that clones can run on ---------===//
//
// See Target.h.
//
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "Runtime.h"
#include "llvm/Bitcode/BitcodeReader.h"

using namespace llvm;

Triple nopal::fastPathTarget(Triple::ArchType Arch) {
  const MemoryBufferRef Bitcode = fastPathBitcode(Arch);
  if (Bitcode.getBufferSize() == 0)
    return Triple();
  Expected<std::string> Name = getBitcodeTargetTriple(Bitcode);
  if (Name)
    return Triple(*Name);
  consumeError(Name.takeError()); // Runtime::readABI() reports it.
  return Triple();
}

bool nopal::isSupportedTarget(const Triple &Target) {
  const Triple Ours = fastPathTarget(Target.getArch());
  if (Ours.getArch() == Triple::UnknownArch)
    return false;
  auto Environment = [](const Triple &T) {
    return T.getEnvironment() == Triple::UnknownEnvironment
               ? Triple::GNU
               : T.getEnvironment();
  };
  return Target.getArch() == Ours.getArch() && Target.getOS() == Ours.getOS() &&
         Environment(Target) == Environment(Ours) &&
         Target.getObjectFormat() == Ours.getObjectFormat();
}
