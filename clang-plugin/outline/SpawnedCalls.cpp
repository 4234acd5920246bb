//===- SpawnedCalls.cpp - Which call a statement spawns -------------------===//
//
// See SpawnedCalls.h.
//
//===----------------------------------------------------------------------===//
#include "SpawnedCalls.h"

#include "../contract/Attributes.h"
#include "../contract/Markers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::outline;

void outline::forgetSpawned(CallBase &Spawned) {
  if (isa<ChildMarker>(Spawned))
    Spawned.eraseFromParent();
  else
    Spawned.removeFnAttr(SpawnedAttr);
}

bool outline::isSpawned(const CallBase &Call) {
  return isa<ChildMarker>(Call) || Call.hasFnAttr(SpawnedAttr);
}

/// The call after \p From on every path, if no other marker comes before it.
static CallBase *nextCall(BasicBlock::iterator From) {
  SmallSetVector<BasicBlock *, 8> Work;
  CallBase *Found = nullptr;
  auto Walk = [&](BasicBlock::iterator It) {
    BasicBlock *BB = It->getParent();
    for (auto End = BB->end(); It != End; ++It) {
      auto *Call = dyn_cast<CallBase>(&*It);
      if (!Call || isa<IntrinsicInst>(Call))
        continue;
      const Function *Callee = Call->getCalledFunction();
      if (Callee && Callee->getName().starts_with("__ubsan_handle_"))
        continue;
      if (!markerCalled(*Call))
        Found = Call;
      return;
    }
    Work.insert(succ_begin(BB), succ_end(BB));
  };
  Walk(From);
  for (unsigned I = 0; I < Work.size() && !Found; ++I)
    Walk(Work[I]->begin());
  return Found;
}

void outline::markSpawnedCalls(Function &F) {
  SmallVector<SpawnedMarker *, 8> Markers;
  for (Instruction &I : instructions(F))
    if (auto *Marker = dyn_cast<SpawnedMarker>(&I))
      Markers.push_back(Marker);
  for (SpawnedMarker *Marker : Markers) {
    if (CallBase *Call = nextCall(std::next(Marker->getIterator())))
      Call->addFnAttr(Attribute::get(F.getContext(), SpawnedAttr));
    Marker->eraseFromParent();
  }
}
