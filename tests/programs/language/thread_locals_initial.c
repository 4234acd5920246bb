/* Thread-locals of a library that is loaded at the start (initial-exec): support/thread_locals.h.
 */
/* matrix: flags -fPIC -ftls-model=initial-exec */
#include "../support/thread_locals.h"
