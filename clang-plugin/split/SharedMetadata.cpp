//===- SharedMetadata.cpp - What metadata copies of code share ------------===//
//
// See SharedMetadata.h.
//
//===----------------------------------------------------------------------===//
#include "SharedMetadata.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

void SharedMetadata::add(unsigned Kind, MDNode &Node) {
  if (Kind == LLVMContext::MD_dbg || Kind == LLVMContext::MD_loop)
    addUsed(&Node);
  else if (Kind != LLVMContext::MD_DIAssignID)
    share(Node);
}

void SharedMetadata::add(const Instruction &I) {
  SmallVector<std::pair<unsigned, MDNode *>, 4> All;
  I.getAllMetadata(All);
  for (auto &[Kind, Node] : All)
    add(Kind, *Node);
  for (const Value *V : I.operands())
    if (auto *Operand = dyn_cast<MetadataAsValue>(V))
      if (auto *Node = dyn_cast<MDNode>(Operand->getMetadata()))
        share(*Node);
  for (DbgRecord &R : I.getDbgRecordRange()) {
    addUsed(R.getDebugLoc().getAsMDNode());
    if (auto *Label = dyn_cast<DbgLabelRecord>(&R))
      addUsed(Label->getLabel());
    else
      addUsed(cast<DbgVariableRecord>(R).getVariable());
  }
}

void SharedMetadata::addUsed(MDNode *Root) {
  SmallVector<MDNode *, 16> Work{Root};
  while (!Work.empty()) {
    MDNode *Node = Work.pop_back_val();
    if (!Node || !Seen.insert(Node).second)
      continue;
    if (isShared(*Node))
      share(*Node);
    else
      for (const MDOperand &Operand : Node->operands())
        Work.push_back(dyn_cast_or_null<MDNode>(Operand.get()));
  }
}

bool SharedMetadata::isShared(const MDNode &Node) const {
  if (auto *Scope = dyn_cast<DILocalScope>(&Node))
    return Scope->getSubprogram() != SP;
  if (isa<DINode>(Node))
    return Node.isDistinct() || isa<DIType>(Node);
  return Node.getNumOperands() == 0; // an access group
}
