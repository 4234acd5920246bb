// Loaded before a program (LD_PRELOAD), makes the C library refuse some of its calls:
// NOPAL_REFUSE=CALL:N fails the N-th call of CALL (counted from 1), CALL:N+ that one and all later
// ones, CALL:0 none. CALL: mmap, mprotect, madvise, munmap, thread, heap, malloc, deque,
// affinity (sched_getaffinity).
//
// With NOPAL_REFUSE_COUNT=FILE the number of calls stands in FILE when the program ends. Calls from
// inside of the C library itself (stacks of threads, heaps) do not come here. heap: malloc,
// posix_memalign and aligned_alloc; malloc: the same, but between the program's calls of
// refuse_begin() and refuse_end() only, which it finds by dlsym; deque: malloc of about as many
// bytes as a new deque takes (256 slots, or 512 where its owner may fence, and 48 to 63 bytes; a
// file of many mounts may be read into 2,080).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char call[16];
static long refused_from, refused_to;
static atomic_long calls;
static atomic_int is_counting_malloc;

__attribute__((constructor(101))) static void read_environment(void) {
  const char *text = getenv("NOPAL_REFUSE");
  const char *colon = text ? strchr(text, ':') : NULL;
  if (!colon || (size_t)(colon - text) >= sizeof call) return;
  char *end;
  refused_from = strtol(colon + 1, &end, 10);
  refused_to = *end == '+' ? __LONG_MAX__ : refused_from;
  memcpy(call, text, (size_t)(colon - text));  // last: from here on calls are counted
}

__attribute__((destructor)) static void write_count(void) {
  const char *path = getenv("NOPAL_REFUSE_COUNT");
  const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
  if (file >= 0) {
    dprintf(file, "%ld\n", atomic_load(&calls));
    close(file);
  }
}

static int is_refused(const char *name) {
  if (strcmp(call, name) != 0) return 0;
  const long now = atomic_fetch_add(&calls, 1) + 1;
  return refused_from > 0 && now >= refused_from && now <= refused_to;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (!real) real = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
  if (is_refused("mmap")) return errno = ENOMEM, MAP_FAILED;
  return real(address, size, protection, flags, file, offset);
}

#define REFUSABLE(name, parameters, arguments)                    \
  int name parameters {                                           \
    static int(*real) parameters;                                 \
    if (!real) real = (int(*) parameters)dlsym(RTLD_NEXT, #name); \
    if (is_refused(#name)) return errno = ENOMEM, -1;             \
    return real arguments;                                        \
  }
REFUSABLE(mprotect, (void *address, size_t size, int protection), (address, size, protection))
REFUSABLE(madvise, (void *address, size_t size, int advice), (address, size, advice))
REFUSABLE(munmap, (void *address, size_t size), (address, size))

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set) {
  static int (*real)(pid_t, size_t, cpu_set_t *);
  if (!real) real = (int (*)(pid_t, size_t, cpu_set_t *))dlsym(RTLD_NEXT, "sched_getaffinity");
  if (is_refused("affinity")) return errno = EPERM, -1;
  return real(thread, size, set);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!real)
    real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
        RTLD_NEXT, "pthread_create");
  return is_refused("thread") ? EAGAIN : real(thread, attributes, start, argument);
}

extern void *__libc_malloc(size_t);
extern void *__libc_memalign(size_t, size_t);
void refuse_begin(void) { atomic_store(&is_counting_malloc, 1); }
void refuse_end(void) { atomic_store(&is_counting_malloc, 0); }
static int is_memory_short(void) {
  return is_refused("heap") || (atomic_load(&is_counting_malloc) && is_refused("malloc"));
}

static int is_deque_refused(size_t size) {
  const size_t slots = size / 8 / 256, rest = size % 2048;
  return (slots == 1 || slots == 2) && rest >= 48 && rest < 64 && is_refused("deque");
}

void *malloc(size_t size) {
  return is_deque_refused(size) || is_memory_short() ? (errno = ENOMEM, (void *)0)
                                                     : __libc_malloc(size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  void *found = is_memory_short() ? (void *)0 : __libc_memalign(alignment, size);
  if (!found) return ENOMEM;
  *memory = found;
  return 0;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return is_memory_short() ? (errno = ENOMEM, (void *)0) : __libc_memalign(alignment, size);
}
