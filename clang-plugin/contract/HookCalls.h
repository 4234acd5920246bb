//===- HookCalls.h - Calls of the hooks in serial code ---------*- C++ -*-===//
//
// A view of the calls of each hook, as markers have (Markers.h):
//
//   if (auto *Spawn = dyn_cast<SpawnHook>(&I))
//     use(Spawn->site());
//   SpawnHook::create(B, Site);
//
// What they mean: runtime/abi/nopal_hooks.h, from which come names and types. Used by serial
// and race.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_HOOKCALLS_H
#define NOPAL_CONTRACT_HOOKCALLS_H

#include "Declare.h"

#include "nopal_hooks.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IRBuilder.h"

namespace nopal {

/// The name of the function that \p V calls; empty: it calls none, or an unknown one.
inline llvm::StringRef calleeName(const llvm::Value &V) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&V);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee ? Callee->getName() : "";
}

template <class Result, class... Args> consteval size_t operandCount(Result (*)(Args...)) {
  return sizeof...(Args);
}

/// What all views of hooks share. The first operand is the site, except for FreshHook.
class HookCall : public llvm::CallInst {
public:
  HookCall() = delete;
  HookCall(const HookCall &) = delete;
  HookCall &operator=(const HookCall &) = delete;

  llvm::Value *site() const { return getArgOperand(0); }
};

#define NOPAL_HOOK(View, Symbol, Operands)                                                         \
  class View : public HookCall {                                                                   \
  public:                                                                                          \
    static constexpr const char *Name = #Symbol;                                                   \
    template <std::convertible_to<llvm::Value *>... Ts>                                            \
    static llvm::CallInst *create(llvm::IRBuilderBase &B, Ts &&...Args) {                          \
      static_assert(sizeof...(Ts) == operandCount(&Symbol), "a hook's operands: nopal_hooks.h");   \
      return B.CreateCall(NOPAL_DECLARE(*B.GetInsertBlock()->getModule(), Symbol),                 \
                          {static_cast<llvm::Value *>(Args)...});                                  \
    }                                                                                              \
    static bool classof(const llvm::Value *V) {                                                    \
      return llvm::isa<llvm::CallInst>(V) && calleeName(*V) == Name;                               \
    }                                                                                              \
    Operands                                                                                       \
  };
#define NOPAL_OPERAND(Index, Name)                                                                 \
  llvm::Value *Name() const { return getArgOperand(Index); }

NOPAL_HOOK(EnterHook, nopal_hook_enter, )
NOPAL_HOOK(LeaveHook, nopal_hook_leave, )
NOPAL_HOOK(SpawnHook, nopal_hook_spawn, )
NOPAL_HOOK(ReturnHook, nopal_hook_return, )
NOPAL_HOOK(SyncHook, nopal_hook_sync, )
NOPAL_HOOK(LoopHook, nopal_hook_loop, NOPAL_OPERAND(1, count))
NOPAL_HOOK(LeafHook, nopal_hook_leaf, NOPAL_OPERAND(1, low) NOPAL_OPERAND(2, high))
NOPAL_HOOK(LeafEndHook, nopal_hook_leaf_end, )
NOPAL_HOOK(LoopEndHook, nopal_hook_loop_end, )
NOPAL_HOOK(FreshHook, nopal_hook_fresh, )

#undef NOPAL_OPERAND
#undef NOPAL_HOOK

} // namespace nopal

#endif
