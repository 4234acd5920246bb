// Runs a command in a process that lacks something:
//
//   without membarrier COMMAND...   the system call fails with EPERM, as in some sandboxes
//   without threads COMMAND...      no thread can be created: clone and clone3 with CLONE_THREAD
//                                   fail with EAGAIN
//   without segments COMMAND...     no stack segment can be mapped: mmap with MAP_STACK and
//                                   MAP_NORESERVE fails with ENOMEM
//   without memory_files COMMAND... no file can be given room: fallocate fails with ENOSPC, as in
//                                   a full /dev/shm
//   without processors COMMAND...   it may use one processor only
//
// By a seccomp filter, which execve keeps, or its affinity. Used by CMakeLists.txt. x86-64.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define SKIP_UNLESS_SET(bit, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 0, count)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define FAIL_WITH(error) RETURN(SECCOMP_RET_ERRNO | (error))

static const unsigned kCloneThread = 0x00010000;

static int install(struct sock_filter *filter, unsigned short length) {
  const struct sock_fprog program = {length, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int refuse_membarrier(void) {
  struct sock_filter filter[] = {LOAD(nr), SKIP_UNLESS(SYS_membarrier, 1), FAIL_WITH(EPERM),
                                 RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof *filter);
}

// clone3's flags are in memory, which a filter cannot read. So clone3 fails as in a kernel without
// it, and the C library falls back on clone.
static int refuse_threads(void) {
  struct sock_filter filter[] = {LOAD(nr),          SKIP_UNLESS(SYS_clone3, 1),
                                 FAIL_WITH(ENOSYS), SKIP_UNLESS(SYS_clone, 3),
                                 LOAD(args[0]),     SKIP_UNLESS_SET(kCloneThread, 1),
                                 FAIL_WITH(EAGAIN), RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof *filter);
}

static int refuse_segments(void) {
  struct sock_filter filter[] = {LOAD(nr),
                                 SKIP_UNLESS(SYS_mmap, 4),
                                 LOAD(args[3]),
                                 SKIP_UNLESS_SET(MAP_STACK, 2),
                                 SKIP_UNLESS_SET(MAP_NORESERVE, 1),
                                 FAIL_WITH(ENOMEM),
                                 RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof *filter);
}

static int refuse_memory_files(void) {
  struct sock_filter filter[] = {LOAD(nr), SKIP_UNLESS(SYS_fallocate, 1), FAIL_WITH(ENOSPC),
                                 RETURN(SECCOMP_RET_ALLOW)};
  return install(filter, sizeof filter / sizeof *filter);
}

static int leave_one_processor(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  int first = 0;
  while (!CPU_ISSET(first, &set)) ++first;
  CPU_ZERO(&set);
  CPU_SET(first, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr,
            "usage: without membarrier|threads|segments|memory_files|processors COMMAND...\n");
    return 2;
  }
  int (*const refuse)(void) = strcmp(argv[1], "membarrier") == 0     ? refuse_membarrier
                              : strcmp(argv[1], "threads") == 0      ? refuse_threads
                              : strcmp(argv[1], "segments") == 0     ? refuse_segments
                              : strcmp(argv[1], "memory_files") == 0 ? refuse_memory_files
                                                                     : leave_one_processor;
  if (!refuse()) {
    perror("without: the system refuses that");
    return 77;  // ctest: skipped
  }
  execv(argv[2], argv + 2);
  perror(argv[2]);
  return 2;
}
