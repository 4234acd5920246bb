/* The bitcode of runtime/fastpath as two symbols, nopal_fastpath_bitcode and nopal_fastpath_bitcode_end (see split/).
 *
 * NOPAL_FASTPATH_BITCODE is the file's name, set by the build. A zero byte follows the end, because LLVM's memory buffers
 * want one. Hidden: two plugins in one process must not see each other's. */
        .section .rodata.nopal_fastpath, "a", @progbits
        .globl  nopal_fastpath_bitcode
        .hidden nopal_fastpath_bitcode
        .globl  nopal_fastpath_bitcode_end
        .hidden nopal_fastpath_bitcode_end
        .balign 16
nopal_fastpath_bitcode:
        .incbin NOPAL_FASTPATH_BITCODE
nopal_fastpath_bitcode_end:
        .byte 0

        .section .note.GNU-stack, "", @progbits
