/* Thread-locals that the compiler emulates by calls: support/thread_locals.h. */
/* matrix: flags -femulated-tls */
#include "../support/thread_locals.h"
