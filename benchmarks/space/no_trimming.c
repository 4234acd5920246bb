/* Preloaded, it makes the madvise that releases pages do nothing: the runtime as if it did not
 * trim. */
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int madvise(void *address, size_t length, int advice) {
  if (advice == MADV_DONTNEED) return 0;
  return (int)syscall(SYS_madvise, address, length, advice);
}
