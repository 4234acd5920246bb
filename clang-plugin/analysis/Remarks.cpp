//===- Remarks.cpp - What the two passes say of their work ----------------===//
//
// See Remarks.h.
//
//===----------------------------------------------------------------------===//
#include "Remarks.h"

#include "../contract/Markers.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::analysis;

std::string analysis::counted(size_t N, StringRef What) {
  return (Twine(N) + " " + What + (N == 1 ? "" : "s")).str();
}

void analysis::remarkNotSplit(Function &F, const Instruction *Where, StringRef Why) {
  if (!Where)
    Where = &F.getEntryBlock().front();
  OptimizationRemarkEmitter(&F).emit([&] {
    return OptimizationRemarkMissed(SplitName, "NotSplit", Where)
           << "'" << ore::NV("Function", demangle(F.getName()))
           << "' is not split: " << ore::NV("Reason", Why);
  });
}

void analysis::remarkDissolved(const Instruction &Begin, StringRef Why) {
  OptimizationRemarkEmitter(Begin.getFunction()).emit([&] {
    return OptimizationRemarkMissed(OutlineName, "Dissolved", &Begin)
           << "the statement is not spawned but done in place: " << ore::NV("Reason", Why);
  });
}

void analysis::remarkOutlined(const Instruction &Spawn, const Function &Helper) {
  OptimizationRemarkEmitter(Spawn.getFunction()).emit([&] {
    OptimizationRemarkAnalysis R(OutlineName, "Outlined", &Spawn);
    // An address that the parent passes is a variable that both know.
    unsigned Addresses = 0;
    std::string Names;
    for (auto [Arg, Operand] : zip(Helper.args(), cast<SpawnMarker>(Spawn).helperOperands())) {
      const Value *Given = Operand->stripInBoundsOffsets();
      const bool IsLocal = isa<AllocaInst>(Given);
      Addresses += IsLocal;
      Names += Arg.hasName()
                   ? (Twine(Names.empty() ? "" : ", ") + (IsLocal ? "&" : "") + Arg.getName()).str()
                   : "";
    }
    R << "the child is '" << ore::NV("Helper", demangle(Helper.getName())) << "', which is given "
      << ore::NV("Values", counted(Helper.arg_size() - Addresses, "value"))
      << " and the address of " << ore::NV("Addresses", counted(Addresses, "local"));
    if (!Names.empty())
      R << ": " << ore::NV("Names", Names);
    return R;
  });
}

void analysis::remarkLeast(const Instruction &Marker, const ConstantInt *Count, uint64_t Least) {
  OptimizationRemarkEmitter ORE(Marker.getFunction());
  if (Count && Count->getValue().ule(Least)) {
    ORE.emit([&] {
      return OptimizationRemarkMissed(LoopName, "Small", &Marker)
             << "the loop is not divided: a leaf of "
             << ore::NV("Least", counted(Least, "iteration"))
             << " takes no longer than a steal, and it has "
             << ore::NV("Count", Count->getZExtValue());
    });
    return;
  }
  ORE.emit([&] {
    return OptimizationRemarkAnalysis(LoopName, "Least", &Marker)
           << "a leaf has at least " << ore::NV("Least", counted(Least, "iteration"))
           << ", which take no longer than a steal; a loop of no more is not divided";
  });
}

void analysis::remarkLeastAtRunTime(const Instruction &Marker) {
  OptimizationRemarkEmitter(Marker.getFunction()).emit([&] {
    return OptimizationRemarkAnalysis(LoopName, "TripCounts", &Marker)
           << "how many iterations take no longer than a steal is computed from the trip counts "
              "of the loops in them; a leaf has at least so many";
  });
}
