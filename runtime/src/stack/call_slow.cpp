// See call_slow.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_slow.h"

namespace nopal {

__attribute__((naked)) nopal_frame *call_slow_clone(nopal_frame *, nopal_slow_clone,
                                                    void *) noexcept {
  asm(R"(
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    testq %rdx, %rdx
    cmoveq %rsp, %rdx
    movq %rdx, %rbp
    callq *%rsi
    popq %rbp
    .cfi_def_cfa_offset 8
    .cfi_restore rbp
    retq
  )");
}

}  // namespace nopal
