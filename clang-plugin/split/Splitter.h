//===- Splitter.h - The state of splitting one function --------*- C++ -*-===//
//
// Used by SplitFunctionsPass alone. Its members are in four files: Clones.cpp (what both clones
// share, and the order of work), Privates.cpp, SlowClone.cpp and FastClone.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SPLIT_SPLITTER_H
#define NOPAL_SPLIT_SPLITTER_H

#include "Clones.h"
#include "Frame.h"
#include "LiveAcross.h"
#include "Runtime.h"
#include "SuspendPoints.h"

#include "../contract/Refusal.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace nopal::split {

/// A __nopal_private whose address is live across a suspend point.
struct KeptPrivate {
  llvm::CallBase *Marker;
  /// The resume numbers where the fast clone may use the storage of a slow clone.
  llvm::SmallSet<unsigned, 4> NeededAt;
};

class Splitter {
public:
  Splitter(llvm::Function &F, Runtime &RT, llvm::raw_ostream *Layout)
      : F(F), M(*F.getParent()), RT(RT), Layout(Layout), B(F.getContext()) {}

  /// Splits the function, or reports why not.
  void run();

private:
  enum class Clone { Fast, Slow };

  std::optional<Refusal> analyze(const llvm::Instruction *&At);
  void lowerPrivates();
  void numberResumePoints();
  llvm::Function *createSlow(const llvm::Twine &Suffix = "");
  void copyIntoSlow(llvm::ValueToValueMapTy &VMap);
  void setSlowCloneAttributes();
  void createParts();
  llvm::BasicBlock *onward(unsigned Index);
  llvm::Function *slowOf(unsigned Spawn) const;
  void buildSlowEntry(llvm::Function &Slow, llvm::ValueToValueMapTy &VMap);
  void buildSlow(llvm::Function &Slow, llvm::ValueToValueMapTy &VMap);
  void buildFast();
  void enterFrame();
  void buildResume();
  void lowerFastSync(SyncPoint &S);
  void mergeAtPad(llvm::BasicBlock *From, const Landing &L, unsigned Region);
  llvm::BasicBlock *padAgain(const Landing &L, bool Resumed);
  llvm::Value *isPending();

  /// What a spawn becomes, in either clone.
  void lowerSpawn(const SpawnPoint &S, unsigned Index, Clone Kind, llvm::ValueToValueMapTy *VMap);
  void push(const SpawnPoint &S, unsigned Index, Clone Kind, llvm::ValueToValueMapTy *VMap,
            bool InLine);
  llvm::CallBase *callChild(const SpawnPoint &S, llvm::CallBase *Marker, Clone Kind,
                            llvm::ValueToValueMapTy *VMap, llvm::BasicBlock *Cont,
                            llvm::BasicBlock *Lost, bool InLine);
  void storeLive(llvm::BasicBlock *Entry, llvm::BasicBlock *At, llvm::ValueToValueMapTy *VMap);
  void loadLive(llvm::BasicBlock *Entry, llvm::ValueToValueMapTy *VMap);
  void chooseInline();
  void pop(llvm::BasicBlock *Here, llvm::BasicBlock *Lost, bool InLine);
  void lowerSpawnPad(const SpawnPoint &S, Clone Kind, llvm::ValueToValueMapTy *VMap);
  void reloadAfter(bool InLoop, llvm::BasicBlock *At, llvm::BasicBlock *Entry);
  void keepThrow(llvm::Value *Pad, llvm::BasicBlock *Rest, llvm::BasicBlock *From, unsigned Resume,
                 unsigned Region, llvm::ValueToValueMapTy *VMap);
  llvm::LandingPadInst *catchAll();
  void keepPlainThrows(llvm::Function &Slow);
  void usePrivates(llvm::Function &Slow, llvm::SmallVectorImpl<llvm::AllocaInst *> &Demoted,
                   llvm::ValueToValueMapTy &VMap);
  void useArena(llvm::Function &Slow);
  void findScopes();
  void guardScopes();
  void freeArena();
  void finish(llvm::Function &Clone, llvm::ArrayRef<llvm::AllocaInst *> Demoted);

  /// The field of the frame's header at \p Offset.
  llvm::LoadInst *loadHeader(uint64_t Offset, const llvm::Twine &Name = "") {
    return B.CreateLoad(RT.frameField(Offset), field(Offset), Name);
  }
  llvm::Value *field(uint64_t Offset) { return Frame::address(B, Base, Offset); }
  template <class T> T *in(T *V, llvm::ValueToValueMapTy *VMap) {
    return VMap ? llvm::cast<T>((*VMap)[V]) : V;
  }

  llvm::Function &F;
  llvm::Module &M;
  Runtime &RT;
  llvm::raw_ostream *Layout; ///< where the frame's layout is printed, or null
  llvm::IRBuilder<> B;
  llvm::SmallVector<KeptPrivate, 2> Kept;
  SuspendPoints P;
  std::optional<LiveAcross> X;
  std::optional<Frame> Fr;
  llvm::SmallVector<llvm::GlobalVariable *, 4> Sites;
  llvm::SmallVector<unsigned, 8> ChildRecords;            ///< of variables, at each spawn's marker
  llvm::MapVector<llvm::BasicBlock *, unsigned> ResumeAt; ///< After or Rest block → number
  llvm::BitVector IsInline;                               ///< by the spawn's number (chooseInline)
  llvm::SmallPtrSet<llvm::BasicBlock *, 8> LoweredPads;   ///< in the clone being built
  llvm::BasicBlock *Left = nullptr;                       ///< where a slow clone is left for good
  llvm::BasicBlock *Stolen = nullptr; ///< where a fast clone of many spawns is suspended
  llvm::Function *Slow = nullptr;
  llvm::SmallVector<llvm::Function *, 0> Parts; ///< of the slow clone, after the first
  unsigned PlainThrow = 0;                      ///< resume number of calls without a pad
  bool NeedsArena = false;                      ///< a slow clone may put something into the arena
  /// Each stacksave and stackrestore of the program in the fast clone.
  llvm::SmallVector<llvm::IntrinsicInst *, 8> Scopes;
  llvm::Value *Base = nullptr;  ///< the frame, in the clone being built
  llvm::Value *Order = nullptr; ///< frame->steals at the slow clone's entry
};

} // namespace nopal::split

#endif
