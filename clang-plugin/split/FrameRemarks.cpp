//===- FrameRemarks.cpp - What the split says of a frame ------------------===//
//
// See FrameRemarks.h.
//
//===----------------------------------------------------------------------===//
#include "FrameRemarks.h"

#include "../analysis/Remarks.h"
#include "Frame.h"
#include "SuspendPoints.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;
using namespace nopal::split;

void split::remarkSplit(Function &F, const SuspendPoints &P, const Frame &Fr) {
  if (P.Spawns.empty())
    return; // all its spawns were unreachable
  OptimizationRemarkEmitter(&F).emit([&] {
    unsigned Values = 0, Variables = 0;
    for (const FrameField &Field : Fr.Fields) {
      Values += Field.Kind == FrameField::Value;
      Variables += Field.Kind == FrameField::Variable;
    }
    return OptimizationRemark(SplitName, "Split", P.Spawns.front().Marker)
           << "'" << ore::NV("Function", demangle(F.getName())) << "' has a fast and a slow clone: "
           << ore::NV("Spawns", counted(P.Spawns.size(), "spawn")) << ", "
           << ore::NV("Syncs", counted(P.Syncs.size(), "sync")) << ", frame of "
           << ore::NV("FrameSize", counted(Fr.Size, "byte")) << " ("
           << ore::NV("Values", counted(Values, "value")) << ", "
           << ore::NV("Variables", counted(Variables, "variable")) << ")";
  });
}

void split::printFrame(raw_ostream &OS, const Function &F, const SuspendPoints &P,
                       const Frame &Fr) {
  OS << "frame of " << demangle(F.getName()) << ": " << Fr.Size << " bytes, alignment "
     << Fr.Alignment << "; " << counted(P.Spawns.size(), "spawn") << ", "
     << counted(P.Syncs.size(), "sync") << "\n"
     << formatv("{0,8} {1,8}  {2}\n", "offset", "size", "what");
  for (const FrameField &Field : Fr.Fields) {
    OS << formatv("{0,8} {1,8}  ", Field.Offset, Field.Size);
    static constexpr const char *Kinds[] = {"header", "frame address", "stack pointer", "value",
                                            "variable"};
    OS << Kinds[Field.Kind] << (Field.Name.empty() ? "" : " ") << Field.Name;
    if (Field.Ty)
      OS << ": " << *Field.Ty;
    OS << "\n";
  }
}
