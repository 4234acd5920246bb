/* The bitcode of runtime/fastpath, as a pair of symbols for each target (their table is in
 * contract/Target.cpp): nopal_fastpath_ARCH and nopal_fastpath_ARCH_end.
 *
 * NOPAL_FASTPATH_ARCH are the files' names, set by the build. A zero byte follows each end, because
 * LLVM's memory buffers want one. Hidden: two plugins in one process must not see each other's. */
        .macro  bitcode symbol, file
        .globl  \symbol
        .hidden \symbol
        .globl  \symbol\()_end
        .hidden \symbol\()_end
        .balign 16
\symbol:
        .incbin "\file"
\symbol\()_end:
        .byte 0
        .endm

        .section .rodata.nopal_fastpath, "a", @progbits
        bitcode nopal_fastpath_x86_64, NOPAL_FASTPATH_X86_64
        bitcode nopal_fastpath_aarch64, NOPAL_FASTPATH_AARCH64

        .section .note.GNU-stack, "", @progbits
