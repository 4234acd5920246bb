//===- Views.cpp - Look-ups of views become code --------------------------===//
//
// See Views.h. The layouts are those of runtime/include/cilk/views.h and of
// runtime/abi/nopal_abi.h.
//
//===----------------------------------------------------------------------===//
#include "Views.h"

#include "../compatibility/Compatibility.h"
#include "../contract/Abi.h"
#include "../contract/Markers.h"
#include "../contract/Serial.h"
#include "nopal_abi.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <array>
#include <map>

using namespace llvm;
using namespace nopal;
using namespace nopal::split;

namespace {

constexpr StringLiteral Inlined = "nopal.inlined";

class Lowering {
public:
  explicit Lowering(Module &M) : M(M), C(M.getContext()), Runtime(M) {}
  bool callLibrary();
  bool inlineTests();

private:
  using Fields = std::array<Constant *, 4>;

  bool lowerStrands();
  void inlineLookup(CallInst &Lookup);
  void inlineSearch(CallInst &Lookup, Value *Strand, Value *Hyperobject);
  Value *recentView(IRBuilder<> &B, Value *Table, Value *Hyperobject);
  void lowerView(ViewMarker &View);
  void lowerRange(CallBase &Range, EntryPoint Entry);
  void guard(CallInst &Call);
  Value *strand(IRBuilder<> &B);
  Constant *typeOf(const ViewMarker &View);
  Value *isStolen(IRBuilder<> &B, Value *Strand) {
    return B.CreateIsNotNull(B.CreateLoad(B.getPtrTy(), Strand));
  }

  Module &M;
  LLVMContext &C;
  Abi Runtime;
  std::map<Fields, GlobalVariable *> Types; // any order: only looked up
};

/// Loads `nopal_tls_strand`. Its address must not be kept while the stack changes threads; its
/// offset may. Address space 257 is %fs. On AArch64 the thread pointer is read anew.
Value *Lowering::strand(IRBuilder<> &B) {
  auto *Type = FunctionType::get(B.getInt64Ty(), false);
  const bool IsAArch64 = compat::targetOf(M).isAArch64();
  CallInst *Offset =
      B.CreateCall(InlineAsm::get(Type,
                                  IsAArch64 ? "adrp $0, :gottprel:nopal_tls_strand\n\t"
                                              "ldr $0, [$0, :gottprel_lo12:nopal_tls_strand]"
                                            : "movq nopal_tls_strand@gottpoff(%rip), $0",
                                  "=r", /*hasSideEffects=*/false));
  Offset->setDoesNotThrow();
  Offset->setDoesNotAccessMemory();
  if (IsAArch64) {
    CallInst *Thread =
        B.CreateCall(InlineAsm::get(Type, "mrs $0, tpidr_el0", "=r", /*hasSideEffects=*/true));
    Thread->setDoesNotThrow();
    return B.CreateLoad(B.getPtrTy(), B.CreateIntToPtr(B.CreateAdd(Thread, Offset), B.getPtrTy()));
  }
  return B.CreateLoad(B.getPtrTy(), B.CreateIntToPtr(Offset, PointerType::get(C, 257)));
}

/// The `nopal_view_type` of a hyperobject whose callbacks alone are known. Null if they are not
/// constants (yet, without optimization).
Constant *Lowering::typeOf(const ViewMarker &View) {
  SmallVector<Constant *, 4> Parts;
  for (Value *V :
       {View.bytes().get(), View.alignment().get(), View.identity().get(), View.reduce().get()})
    if (auto *Part = dyn_cast<Constant>(V))
      Parts.push_back(Part);
  if (Parts.size() != 4)
    return nullptr;
  GlobalVariable *&Known = Types[{Parts[0], Parts[1], Parts[2], Parts[3]}];
  if (!Known) {
    Constant *Null = ConstantPointerNull::get(PointerType::getUnqual(C));
    Constant *Init = ConstantStruct::getAnon({Parts[0], Parts[1], Null, Parts[2], Parts[3], Null});
    Known = new GlobalVariable(M, Init->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage,
                               Init, "nopal.view.type");
  }
  return Known;
}

void Lowering::lowerView(ViewMarker &View) {
  IRBuilder<> B(&View);
  CallInst *Call;
  if (Constant *ViewType = typeOf(View)) {
    Call =
        B.CreateCall(Runtime.function("nopal_view"), {View.strand(), View.hyperobject(), ViewType});
    Call->setDoesNotAccessMemory();
  } else {
    Call = B.CreateCall(Runtime.function("__cilkrts_reducer_lookup"),
                        {View.hyperobject(), View.bytes(), View.identity(), View.reduce()});
  }
  Call->setDoesNotThrow();
  View.replaceAllUsesWith(Call);
  Call->takeName(&View);
  eraseMarker(View);
}

/// The slot of \p Hyperobject in the table of a worker's recent look-ups.
Value *Lowering::recentView(IRBuilder<> &B, Value *Table, Value *Hyperobject) {
  Value *Product = B.CreateMul(B.CreatePtrToInt(Hyperobject, B.getInt32Ty()),
                               B.getInt32(NOPAL_RECENT_VIEW_FACTOR));
  Value *Slot = B.CreateLShr(Product, 32 - NOPAL_RECENT_VIEW_BITS);
  return B.CreateInBoundsPtrAdd(Table, B.CreateMul(B.CreateZExt(Slot, B.getInt64Ty()),
                                                   B.getInt64(sizeof(nopal_recent_view))));
}

/// Whether the call can be taken apart: a program may declare the function in its own way.
bool isLookup(const CallInst &Call) {
  return Call.arg_size() > 1 && Call.getType()->isPointerTy() &&
         Call.getArgOperand(0)->getType()->isPointerTy() && !Call.isMustTailCall();
}

/// A call of `nopal_view` becomes one of `nopal_find_view`; others stay, and read the strand anew.
void Lowering::inlineLookup(CallInst &Lookup) {
  if (!isCallOf(Lookup, "nopal_view")) {
    IRBuilder<> B(&Lookup);
    return inlineSearch(Lookup, strand(B), Lookup.getArgOperand(0));
  }
  FunctionCallee Find = Runtime.function("nopal_find_view");
  cast<Function>(Find.getCallee())->addFnAttr(Attribute::NonLazyBind); // no jump through the PLT
  Lookup.setCalledFunction(Find);
  inlineSearch(Lookup, Lookup.getArgOperand(0), Lookup.getArgOperand(1));
}

/// Calls \p Lookup only if the strand was stolen and has not looked \p Hyperobject up lately.
void Lowering::inlineSearch(CallInst &Lookup, Value *Strand, Value *Hyperobject) {
  IRBuilder<> B(&Lookup);
  Value *Table = B.CreateLoad(B.getPtrTy(), Strand);
  BasicBlock *Before = Lookup.getParent();
  MDNode *Unlikely = MDBuilder(C).createUnlikelyBranchWeights();
  Instruction *Stolen = SplitBlockAndInsertIfThen(B.CreateIsNotNull(Table), &Lookup,
                                                  /*Unreachable=*/false, Unlikely);

  B.SetInsertPoint(Stolen);
  Value *Recent = recentView(B, Table, Hyperobject);
  Value *Key = B.CreateLoad(B.getPtrTy(), Recent);
  Value *Found =
      B.CreateLoad(B.getPtrTy(), B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Recent,
                                                              offsetof(nopal_recent_view, view)));
  BasicBlock *Searched = Stolen->getParent();
  Instruction *Missed = SplitBlockAndInsertIfThen(B.CreateICmpNE(Key, Hyperobject), Stolen,
                                                  /*Unreachable=*/false, Unlikely);

  BasicBlock *Done = Lookup.getParent();
  Lookup.moveBefore(*Missed->getParent(), Missed->getIterator());
  B.SetInsertPoint(Stolen);
  PHINode *Either = B.CreatePHI(B.getPtrTy(), 2);
  Either->addIncoming(Found, Searched);
  B.SetInsertPoint(Done, Done->begin());
  PHINode *View = B.CreatePHI(B.getPtrTy(), 2);
  Lookup.replaceAllUsesWith(View);
  Either->addIncoming(&Lookup, Lookup.getParent());
  View->addIncoming(Hyperobject, Before);
  View->addIncoming(Either, Either->getParent());
  View->setDebugLoc(Lookup.getDebugLoc());
}

/// `if (strand->stolen) CALL;`
void Lowering::guard(CallInst &Call) {
  IRBuilder<> B(&Call);
  Instruction *Then =
      SplitBlockAndInsertIfThen(isStolen(B, strand(B)), &Call, /*Unreachable=*/false,
                                MDBuilder(C).createUnlikelyBranchWeights());
  Call.removeFromParent();
  Call.insertBefore(Then->getIterator());
}

/// The marker becomes a call of \p Entry with the same operands.
void Lowering::lowerRange(CallBase &Range, EntryPoint Entry) {
  IRBuilder<> B(&Range);
  SmallVector<Value *, 3> Operands(Range.args());
  B.CreateCall(Runtime.function(Entry), Operands)->setDoesNotThrow();
  eraseMarker(Range);
}

bool Lowering::lowerStrands() {
  SmallVector<CallBase *, 16> Strands = callsOf(M, {Marker::Strand});
  for (CallBase *Strand : Strands) {
    IRBuilder<> B(Strand);
    Strand->replaceAllUsesWith(strand(B));
    eraseMarker(*Strand);
  }
  return !Strands.empty();
}

bool Lowering::callLibrary() {
  bool Changed = false;
  for (CallBase *View : callsOf(M, {Marker::View})) {
    lowerView(*cast<ViewMarker>(View));
    Changed = true;
  }
  for (auto [Ranges, Entry] : {std::pair(Marker::ViewsBegin, EntryPoint("nopal_views_begin")),
                               std::pair(Marker::ViewsEnd, EntryPoint("nopal_views_end"))})
    for (CallBase *Range : callsOf(M, {Ranges})) {
      lowerRange(*Range, Entry);
      Changed = true;
    }
  return Changed;
}

bool Lowering::inlineTests() {
  bool Changed = false;
  constexpr EntryPoint Begin("nopal_views_begin"), End("nopal_views_end");
  for (EntryPoint Entry : {EntryPoint("nopal_view"), EntryPoint("nopal_view_now"),
                           EntryPoint("__cilkrts_reducer_lookup"), Begin, End}) {
    Function *Callee = M.getFunction(Entry.name());
    if (!Callee || !Callee->isDeclaration() || isSerial(M)) // a tool may put its own there
      continue;
    Callee->addFnAttr(Attribute::NonLazyBind); // no jump through the PLT
    SmallVector<InvokeInst *, 16> Invokes;     // nothing throws, whatever its declaration says
    for (User *U : Callee->users())
      if (auto *Invoke = dyn_cast<InvokeInst>(U); Invoke && Invoke->getCalledFunction() == Callee)
        Invokes.push_back(Invoke);
    for (InvokeInst *Invoke : Invokes)
      changeToCall(Invoke);
    SmallVector<CallInst *, 16> Calls;
    for (User *U : Callee->users())
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == Callee && !Call->hasMetadata(Inlined))
        Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      if (Entry == Begin || Entry == End)
        guard(*Call);
      else if (isLookup(*Call))
        inlineLookup(*Call);
      Call->setMetadata(Inlined, MDNode::get(C, {})); // once, also at link time
      Changed = true;
    }
  }
  return lowerStrands() || Changed;
}

} // namespace

PreservedAnalyses CallViewsPass::run(Module &M, ModuleAnalysisManager &) {
  return Lowering(M).callLibrary() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses LowerViewsPass::run(Module &M, ModuleAnalysisManager &) {
  return Lowering(M).inlineTests() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
