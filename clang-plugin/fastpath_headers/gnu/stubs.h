/* No function of the C library is called: see ../bits/wordsize.h. */
