// See call_slow.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_slow.h"

namespace nopal {

#if defined(__x86_64__)

__attribute__((naked))
nopal_frame *call_slow_clone(nopal_frame *, nopal_slow_clone, void *) noexcept {
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

#elif defined(__aarch64__)

#if defined(__ARM_FEATURE_PAC_DEFAULT)
#define NOPAL_SIGN_RETURN_ADDRESS "hint #25\n .cfi_negate_ra_state\n"          // paciasp
#define NOPAL_AUTHENTICATE_RETURN_ADDRESS "hint #29\n .cfi_negate_ra_state\n"  // autiasp
#else
#define NOPAL_SIGN_RETURN_ADDRESS
#define NOPAL_AUTHENTICATE_RETURN_ADDRESS
#endif

__attribute__((naked))
nopal_frame *call_slow_clone(nopal_frame *, nopal_slow_clone, void *) noexcept {
  asm(NOPAL_SIGN_RETURN_ADDRESS R"(
    stp x29, x30, [sp, #-16]!
    .cfi_def_cfa_offset 16
    .cfi_offset w30, -8
    .cfi_offset w29, -16
    mov x9, sp
    cmp x2, #0
    csel x29, x9, x2, eq
    blr x1
    ldp x29, x30, [sp], #16
    .cfi_def_cfa_offset 0
    .cfi_restore w30
    .cfi_restore w29
  )" NOPAL_AUTHENTICATE_RETURN_ADDRESS "ret");
}

#else
#error "nopal: the call of a slow clone is written for x86-64 and AArch64"
#endif

}  // namespace nopal
