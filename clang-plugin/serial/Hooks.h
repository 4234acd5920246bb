//===- Hooks.h - Calls of hooks and the records they get -------*- C++ -*-===//
//
// The declarations of runtime/abi/nopal_hooks.h as LLVM's, and the constants that
// name places in the source. Used by Lowering.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_SERIAL_HOOKS_H
#define NOPAL_SERIAL_HOOKS_H

#include "nopal_hooks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace nopal::serial {

class Hooks {
public:
  explicit Hooks(llvm::Module &M);

  /// A record for \p F, a function that spawns; the same one each time.
  llvm::GlobalVariable *functionSite(llvm::Function &F);
  /// A new record for a marker of \p Kind in \p F, with that marker's operands. Those
  /// that are no constants any more are left out.
  llvm::GlobalVariable *site(llvm::Function &F, nopal_hook_kind Kind, llvm::Value *File,
                             llvm::Value *Line, llvm::Value *Column);

  /// Calls a hook of NOPAL_HOOKS: `call<&nopal_hook_leaf>(B, "nopal_hook_leaf", ...)`;
  /// NOPAL_CALL_HOOK saves the second mention.
  template <auto Hook>
  llvm::CallInst *call(llvm::IRBuilderBase &B, const char *Name,
                       llvm::ArrayRef<llvm::Value *> Args) {
    return B.CreateCall(declare(Name, typeOf(Hook)), Args);
  }

private:
  template <class T> llvm::Type *type() const {
    if constexpr (std::is_void_v<T>)
      return llvm::Type::getVoidTy(C);
    else if constexpr (std::is_pointer_v<T>)
      return llvm::PointerType::getUnqual(C);
    else
      return llvm::Type::getIntNTy(C, 8 * sizeof(T));
  }
  template <class Result, class... Args> llvm::FunctionType *typeOf(Result (*)(Args...)) const {
    return llvm::FunctionType::get(type<Result>(), {type<Args>()...}, false);
  }
  llvm::FunctionCallee declare(const char *Name, llvm::FunctionType *Type);
  llvm::Constant *text(llvm::StringRef S);

  llvm::Module &M;
  llvm::LLVMContext &C;
  llvm::StructType *SiteType;
  llvm::DenseMap<llvm::Function *, llvm::GlobalVariable *> Functions;
  llvm::StringMap<llvm::Constant *> Texts;
};

#define NOPAL_CALL_HOOK(HOOKS, BUILDER, NAME, ...)                                                 \
  (HOOKS).call<&NAME>(BUILDER, #NAME, {__VA_ARGS__})

} // namespace nopal::serial

#endif
