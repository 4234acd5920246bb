//===- Declare.h - A C declaration as LLVM's -------------------*- C++ -*-===//
//
// The functions of a tool's library are declared once, in the C of runtime/abi, and
// their types are taken from there. Used by serial and race.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_CONTRACT_DECLARE_H
#define NOPAL_CONTRACT_DECLARE_H

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace nopal {

/// An integer of 32 bits or more, which no convention extends; a pointer; void.
template <class T> llvm::Type *typeInC(llvm::LLVMContext &C) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(C);
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::getUnqual(C);
  } else {
    static_assert(std::is_integral_v<T> && sizeof(T) >= 4, "a narrow type would be extended");
    return llvm::Type::getIntNTy(C, 8 * sizeof(T));
  }
}

template <class Result, class... Args>
llvm::FunctionType *functionTypeInC(llvm::LLVMContext &C, Result (*)(Args...)) {
  return llvm::FunctionType::get(typeInC<Result>(C), {typeInC<Args>(C)...}, false);
}

/// The declaration of a tool's function in \p M, as NOPAL_DECLARE makes it.
inline llvm::FunctionCallee declareTool(llvm::Module &M, llvm::StringRef Name,
                                        llvm::FunctionType *Type) {
  llvm::FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  auto *F = llvm::cast<llvm::Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->addFnAttr(llvm::Attribute::NonLazyBind); // no detour for the dynamic linker at each call
  return Callee;
}

/// `NOPAL_DECLARE(M, nopal_hook_enter)`: the function that runtime/abi declares by that name.
#define NOPAL_DECLARE(MODULE, NAME)                                                                \
  nopal::declareTool(MODULE, #NAME,                                                                \
                     nopal::functionTypeInC((MODULE).getContext(), decltype (&NAME)()))

} // namespace nopal

#endif
