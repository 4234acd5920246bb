//===- SharedMetadata.h - What metadata copies of code share ----*- C++ -*-===//
//
// Used by the splitter, for the slow clone and its parts.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SHAREDMETADATA_H
#define NOPAL_SPLIT_SHAREDMETADATA_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace nopal::split {

/// Says in \p VMap which metadata a copy of code of the subprogram \p SP, or null, shares with it.
/// The copy has scopes, locations and variables of \p SP, and loops, for itself. Types, compilation
/// units, inlined functions, and what names a type or memory are shared. What is not told of is
/// copied if it is equal to no other, as assignments are.
///
/// LLVM's cloning copies the names of types, too, and then no type has the name for which a
/// clone tests (-fsanitize=cfi).
class SharedMetadata {
public:
  SharedMetadata(const llvm::DISubprogram *SP, llvm::ValueToValueMapTy &VMap)
      : SP(SP), VMap(VMap) {}

  /// To be called for what is remapped, before it is.
  void add(const llvm::Instruction &I);
  void add(unsigned Kind, llvm::MDNode &Node);

private:
  void addUsed(llvm::MDNode *Root);
  bool isShared(const llvm::MDNode &Node) const;
  void share(llvm::MDNode &Node) { VMap.MD()[&Node].reset(&Node); }

  const llvm::DISubprogram *SP;
  llvm::ValueToValueMapTy &VMap;
  llvm::SmallPtrSet<const llvm::MDNode *, 32> Seen;
};

} // namespace nopal::split

#endif
