/* Thread-locals of a shared library (general-dynamic, local-dynamic): support/thread_locals.h. */
/* matrix: flags -fPIC -ftls-model=global-dynamic */
#include "../support/thread_locals.h"
