//===- Target.cpp - The machine and system that clones can run on ---------===//
//
// See Target.h.
//
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "Runtime.h"
#include "llvm/Bitcode/BitcodeReader.h"

using namespace llvm;

Triple nopal::fastPathTarget() {
  Expected<std::string> Name = getBitcodeTargetTriple(fastPathBitcode());
  if (Name)
    return Triple(*Name);
  consumeError(Name.takeError()); // Runtime::linkFastPath() reports it.
  return Triple();
}

bool nopal::isSupportedTarget(const Triple &Target) {
  const Triple Ours = fastPathTarget();
  auto Environment = [](const Triple &T) {
    return T.getEnvironment() == Triple::UnknownEnvironment
               ? Triple::GNU
               : T.getEnvironment();
  };
  return Target.getArch() == Ours.getArch() && Target.getOS() == Ours.getOS() &&
         Environment(Target) == Environment(Ours) &&
         Target.getObjectFormat() == Ours.getObjectFormat();
}
