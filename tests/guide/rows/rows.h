/* For the programs beside this: ends them if a condition does not hold. */
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
  ((condition)           \
       ? (void)0         \
       : (fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), exit(1)))
