//===- Checks.cpp - The first lines of a check, inline --------------------===//
//
// See Checks.h. Most accesses repeat one of the same strand, or nothing can race with them:
//
//   call @__tsan_read8(%p)            %now = load @__nopal_race_now
//                                     br %now == 0, done, checked
//                                   checked:
//                                     br chunk of %p is apart, apart, new
//                        =>         apart:
//                                     br time of its last write == %now, done, other
//                                   other:
//                                     br it has no list, and time of its last read == %now, done,
//                                     read
//                                   read:
//                                     br no last write, and last read in @__nopal_race_parallel,
//                                     done, new
//                                   new:
//                                     call @__nopal_race_read8(%p)
//                                   done:
//
// A write is done if the last one is of %now and nobody has read since. What holds is is_recorded
// of runtime/race/detector.h; where shadow memory lies: runtime/abi/nopal_race_memory.h. Tests:
// tests/race, tests/pass/race-checks.ll.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"

#include "nopal_race_memory.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

/// A call of Clang's pass for an aligned access of 4 or 8 bytes.
struct Check {
  CallInst *Call;
  StringRef Name; // without __tsan_
  bool IsRead;
  unsigned Bytes;
};

class Inliner {
public:
  explicit Inliner(Module &M) : M(M), B(M.getContext()), Size(B.getInt64Ty()) {}
  void run(const Check &C);

private:
  GlobalVariable *global(StringRef Name, GlobalValue::ThreadLocalMode Mode);
  Value *recordAt(Value *Address, uint64_t Begin) {
    return B.CreateIntToPtr(B.CreateAdd(Address, B.getInt64(Begin)), B.getPtrTy());
  }

  Module &M;
  IRBuilder<> B;
  Type *Size;
};

GlobalVariable *Inliner::global(StringRef Name, GlobalValue::ThreadLocalMode Mode) {
  if (GlobalVariable *Known = M.getGlobalVariable(Name))
    return Known;
  return new GlobalVariable(M, Size, /*isConstant=*/false, GlobalValue::ExternalLinkage, nullptr,
                            Name, nullptr, Mode);
}

void Inliner::run(const Check &C) {
  BasicBlock *Before = C.Call->getParent();
  BasicBlock *New = SplitBlock(Before, C.Call);
  BasicBlock *Done = SplitBlock(New, C.Call->getNextNode());
  const auto Block = [&](StringRef Name) {
    return BasicBlock::Create(M.getContext(), "race." + Name, Before->getParent(), New);
  };
  const auto BranchAt = [&](BasicBlock *BB) {
    B.SetInsertPoint(BB);
    B.SetCurrentDebugLocation(C.Call->getDebugLoc());
  };
  BasicBlock *Checked = Block("checked"), *Apart = Block("apart");
  BasicBlock *Other = C.IsRead ? Block("other") : nullptr;
  BasicBlock *Read = C.IsRead ? Block("read") : nullptr;

  Before->getTerminator()->eraseFromParent();
  BranchAt(Before);
  Value *Now = B.CreateLoad(
      Size, B.CreateThreadLocalAddress(global(NOPAL_RACE_NOW, GlobalValue::InitialExecTLSModel)));
  B.CreateCondBr(B.CreateICmpEQ(Now, B.getInt64(0)), Done, Checked);

  BranchAt(Checked);
  Value *Address = B.CreatePtrToInt(C.Call->getArgOperand(0), Size);
  static_assert(NOPAL_RACE_CHUNK % NOPAL_RACE_CHUNK_RECORD == 0);
  Value *Record =
      B.CreateAnd(B.CreateLShr(Address, Log2_64(NOPAL_RACE_CHUNK / NOPAL_RACE_CHUNK_RECORD)),
                  B.getInt64(NOPAL_RACE_MASK / NOPAL_RACE_CHUNK * NOPAL_RACE_CHUNK_RECORD));
  Value *State = B.CreateLoad(B.getInt32Ty(), recordAt(Record, NOPAL_RACE_CHUNKS));
  B.CreateCondBr(B.CreateICmpEQ(State, B.getInt32(NOPAL_RACE_APART)), Apart, New);

  BranchAt(Apart);
  Value *Times = B.CreateShl(B.CreateAnd(Address, B.getInt64(NOPAL_RACE_MASK & ~7)), 1);
  Type *Time = C.Bytes == 8 ? Size : B.getInt32Ty();
  if (C.Bytes == 4) {
    Times = B.CreateOr(Times, B.CreateAnd(Address, B.getInt64(4)));
    Now = B.CreateTrunc(Now, Time);
  }
  Value *Write = B.CreateLoad(Time, recordAt(Times, NOPAL_RACE_TIMES));
  if (!C.IsRead) {
    Value *Last = B.CreateLoad(Time, recordAt(Times, NOPAL_RACE_TIMES + 8));
    Value *IsUnread = B.CreateICmpEQ(Last, ConstantInt::get(Time, 0));
    B.CreateCondBr(B.CreateAnd(B.CreateICmpEQ(Write, Now), IsUnread), Done, New);
  } else {
    B.CreateCondBr(B.CreateICmpEQ(Write, Now), Done, Other);
    BranchAt(Other);
    Value *Last = B.CreateLoad(Time, recordAt(Times, NOPAL_RACE_TIMES + 8));
    Value *IsList =
        B.CreateICmpEQ(B.CreateTrunc(Write, B.getInt32Ty()), B.getInt32(NOPAL_RACE_APART));
    if (C.Bytes == 8)
      IsList =
          B.CreateOr(IsList, B.CreateICmpUGE(Write, B.getInt64(uint64_t{NOPAL_RACE_APART} << 32)));
    B.CreateCondBr(B.CreateAnd(B.CreateICmpEQ(Last, Now), B.CreateNot(IsList)), Done, Read);

    BranchAt(Read);
    GlobalVariable *Parallel = global(NOPAL_RACE_PARALLEL, GlobalValue::NotThreadLocal);
    Value *Begin = B.CreateLoad(B.getInt32Ty(), Parallel);
    Value *Many = B.CreateLoad(B.getInt32Ty(), B.CreateConstGEP1_64(B.getInt8Ty(), Parallel, 4));
    Value *Half = B.CreateTrunc(Last, B.getInt32Ty());
    Value *Is = B.CreateAnd(B.CreateICmpEQ(Write, ConstantInt::get(Time, 0)),
                            B.CreateICmpULT(B.CreateSub(Half, Begin), Many));
    if (C.Bytes == 8)
      Is = B.CreateAnd(Is,
                       B.CreateICmpEQ(B.CreateTrunc(B.CreateLShr(Last, 32), B.getInt32Ty()), Half));
    B.CreateCondBr(Is, Done, New);
  }
  FunctionCallee Callee =
      M.getOrInsertFunction(("__nopal_race_" + C.Name).str(), C.Call->getFunctionType());
  auto *Declared = cast<Function>(Callee.getCallee());
  Declared->setDoesNotThrow();
  Declared->addFnAttr(Attribute::NonLazyBind); // no detour for the dynamic linker at each call
  C.Call->setCalledFunction(Callee);
}

} // namespace

void nopal::race::inlineChecks(Function &F) {
  if (F.hasOptNone() || F.hasMinSize())
    return;
  SmallVector<Check, 16> Checks;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    StringRef Name = Callee ? Callee->getName() : "";
    if (!Name.consume_front("__tsan_"))
      continue;
    const StringRef How = Name.drop_back(Name.empty() ? 0 : 1);
    if ((How == "read" || How == "write" || How == "read_write") &&
        (Name.back() == '4' || Name.back() == '8'))
      Checks.push_back({Call, Name, How == "read", Name.back() == '8' ? 8u : 4u});
  }
  Inliner Inline(*F.getParent());
  for (const Check &C : Checks)
    Inline.run(C);
}
