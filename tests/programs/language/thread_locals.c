/* Thread-locals of an executable (local-exec): support/thread_locals.h. */
#include "../support/thread_locals.h"
