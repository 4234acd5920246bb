/* Without a calling convention of 32-bit x86: see wordsize.h. */
#include_next <bits/pthreadtypes-arch.h>
#undef __cleanup_fct_attribute
#define __cleanup_fct_attribute
