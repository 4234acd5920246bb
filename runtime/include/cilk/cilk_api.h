/* The library's interface: questions about workers, and the life of the runtime. Nobody needs it to
 * spawn: the first spawn starts all.
 *
 * C11 and C++17. Names and results are those of OpenCilk where it has them, else those of Cilk
 * Plus; under -fcilkplus numbers of workers are int, as there. With CILK_SERIAL defined the
 * functions are those of a program with one worker, and no library is needed. Checked by
 * tests/unit/cilk_api_test.cpp.
 *
 * A *worker* is the right to run. A thread that spawns for the first time gets one (it is
 * *attached*) and keeps it until it exits; the runtime's own threads share the other ones. No
 * function below throws.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CILK_API_H
#define CILK_CILK_API_H

#ifdef CILK_SERIAL
#include <string.h>
#endif
#ifdef __cplusplus
#define NOPAL_API_NOTHROW noexcept
extern "C" {
#else
#define NOPAL_API_NOTHROW __attribute__((nothrow))
#endif

/* What __cilkrts_set_param returns. */
enum __cilkrts_set_param_status {
  __CILKRTS_SET_PARAM_SUCCESS = 0, /* changed */
  __CILKRTS_SET_PARAM_UNIMP = 1,   /* there is no such parameter */
  __CILKRTS_SET_PARAM_XRANGE = 2,  /* a number out of range */
  __CILKRTS_SET_PARAM_INVALID = 3, /* not a number */
  __CILKRTS_SET_PARAM_LATE = 4     /* the runtime has started */
};

#ifdef __NOPAL_CILK_PLUS__
#define NOPAL_API_COUNT int
#else
#define NOPAL_API_COUNT unsigned
#endif

#ifndef CILK_SERIAL

/* Workers that one thread of the program has at its disposal, itself included: CILK_NWORKERS, else
 * the CPUs that the process may use. At least 1. Any thread. */
NOPAL_API_COUNT __cilkrts_get_nworkers(void) NOPAL_API_NOTHROW;

/* The worker that the caller runs on, below __cilkrts_get_total_workers(); 0 for a thread that has
 * none. If one thread spawns it is below __cilkrts_get_nworkers(), unless the program has lowered
 * that number after its first spawn. It may change at each spawn and sync: an array indexed by it
 * is no replacement for a reducer. Any thread. */
NOPAL_API_COUNT __cilkrts_get_worker_number(void) NOPAL_API_NOTHROW;

/* Workers of the process that have no work now, those among them whose thread was never needed. A
 * hint, for code that divides its work only while somebody would take it. Nopal's own. Cost: two
 * loads. Any thread. */
unsigned nopal_idle_workers(void) NOPAL_API_NOTHROW;

/* Workers now: __cilkrts_get_nworkers(), and more if several threads of the program have spawned at
 * once. Only grows. Any thread.
 */
int __cilkrts_get_total_workers(void) NOPAL_API_NOTHROW;

/* Nonzero if the runtime's threads have been started. Any thread. */
int __cilkrts_is_initialized(void) NOPAL_API_NOTHROW;

/* Nonzero if the caller runs on a worker: in a spawned function, or anywhere in a thread that has
 * spawned before. Any thread. */
int __cilkrts_running_on_workers(void) NOPAL_API_NOTHROW;

/* Sets a parameter for the runtime's next start, which counts more than the environment.
 * "nworkers": a decimal number from 1 to 4096, or 0 for the default (CILK_NWORKERS). "adapt": 1 if
 * the number of workers that look for work follows how many the program uses, up to that of the
 * processors; "turns" if the program takes turns with others, too; else 0 (CILK_ADAPT). Returns one
 * of the above. Who may call: one thread at a time, while no thread spawns. */
int __cilkrts_set_param(const char *parameter, const char *value) NOPAL_API_NOTHROW;

/* Starts the runtime's threads, which the first spawn would do: for measurements. Those beyond the
 * processors that the process may use come later, when all others work. Any thread. Cost: some tens
 * of microseconds a worker, once. */
void __cilkrts_init(void) NOPAL_API_NOTHROW;

/* Ends the runtime's threads and gives stacks back; the next spawn starts them again, so that
 * nworkers may be changed between. Runs the functions registered by __cilkrts_atexit if the runtime
 * had been started. Waits for what the helper threads run, and for their thread_local destructors:
 * a fork there, or waiting for a thread's first spawn, would hang. Who may call: a thread of the
 * program, while no other thread of it is attached; else nothing happens but a warning on stderr.
 */
void __cilkrts_end_cilk(void) NOPAL_API_NOTHROW;

/* Registers a function that is called once after the runtime's first start, in the order of
 * registration, by the thread that started it; it may spawn. Returns 0, or -1 if that start has
 * already happened or memory is short. Any thread. */
int __cilkrts_atinit(void (*callback)(void)) NOPAL_API_NOTHROW;

/* Registers a function that is called once, last registered first, before the runtime ends: by
 * __cilkrts_end_cilk, or by exit() if the runtime was ever started; it may spawn. Returns 0, or -1
 * if memory is short. Any thread. */
int __cilkrts_atexit(void (*callback)(void)) NOPAL_API_NOTHROW;

/* What other systems have and this program cannot use. An error where it is called. */
#define NOPAL_API_UNAVAILABLE(why) __attribute__((unavailable(why)))
#if !defined(__cilk_pedigrees__) && !defined(CILK_DPRNG_H)
#define NOPAL_API_NO_PEDIGREES \
  NOPAL_API_UNAVAILABLE("compile all modules that spawn with -fnopal-pedigrees")
NOPAL_API_NO_PEDIGREES int __cilkrts_get_pedigree(void);
NOPAL_API_NO_PEDIGREES int __cilkrts_bump_worker_rank(void);
NOPAL_API_NO_PEDIGREES int __cilkrts_get_dprand(void);
#undef NOPAL_API_NO_PEDIGREES
#endif
NOPAL_API_UNAVAILABLE("whether children still run is luck: write cilk_sync where they must not")
int __cilkrts_synched(void);
NOPAL_API_UNAVAILABLE("set CILK_CHAOS=1:1, which steals each continuation")
int __cilkrts_get_force_reduce(void);
#undef NOPAL_API_UNAVAILABLE

#else /* CILK_SERIAL: one worker */

static inline NOPAL_API_COUNT __cilkrts_get_nworkers(void) { return 1; }
static inline NOPAL_API_COUNT __cilkrts_get_worker_number(void) { return 0; }
static inline int __cilkrts_get_total_workers(void) { return 1; }
static inline unsigned nopal_idle_workers(void) { return 0; }
static inline int __cilkrts_is_initialized(void) { return 0; }
static inline int __cilkrts_running_on_workers(void) { return 0; }
/* Accepts what the parallel program accepts, and changes nothing. */
static inline int __cilkrts_set_param(const char *parameter, const char *value) {
  unsigned number = 0;
  const char *digit = value;
  if (!parameter || !value) return __CILKRTS_SET_PARAM_INVALID;
  if (!strcmp(parameter, "adapt"))
    return !strcmp(value, "0") || !strcmp(value, "1") || !strcmp(value, "turns")
               ? __CILKRTS_SET_PARAM_SUCCESS
               : __CILKRTS_SET_PARAM_INVALID;
  if (strcmp(parameter, "nworkers") != 0) return __CILKRTS_SET_PARAM_UNIMP;
  for (; *digit >= '0' && *digit <= '9'; ++digit)
    if (number <= 4096) number = 10 * number + (unsigned)(*digit - '0');
  if (digit == value || *digit) return __CILKRTS_SET_PARAM_INVALID;
  return number > 4096 ? __CILKRTS_SET_PARAM_XRANGE : __CILKRTS_SET_PARAM_SUCCESS;
}
static inline void __cilkrts_init(void) {}
static inline void __cilkrts_end_cilk(void) {}
/* Never called: the runtime of a serial program neither starts nor ends. */
static inline int __cilkrts_atinit(void (*callback)(void)) {
  (void)callback;
  return 0;
}
static inline int __cilkrts_atexit(void (*callback)(void)) {
  (void)callback;
  return 0;
}

#endif /* CILK_SERIAL */

#ifdef __cplusplus
}
#endif

#undef NOPAL_API_COUNT
#undef NOPAL_API_NOTHROW

/* OpenCilk declares pedigrees and random numbers here. */
#if defined(__cilk_pedigrees__) || defined(ENABLE_CILKRTS_PEDIGREE) || defined(CILK_SERIAL)
#include "dprng.h"
#endif

#endif
