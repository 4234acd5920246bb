// Stack overflow: a message instead of a bare SIGSEGV when a worker runs into the guard zone of its segment.
//
// Called by the scheduler in each thread that runs on segments, before it does. Rules: README.md. Checked by
// tests/unit/overflow_test.cpp.
#ifndef NOPAL_OVERFLOW_OVERFLOW_H
#define NOPAL_OVERFLOW_OVERFLOW_H

namespace nopal {

/// Gives the calling thread an alternate signal stack if it has none (taken away again when the thread exits), and, at the first
/// call in the process, installs the SIGSEGV handler. A hit of a guard zone prints a message naming worker, segment size and
/// CILK_SEGMENT_SIZE, and the process dies by SIGSEGV with the faulting instruction in the core file; every other SIGSEGV goes to
/// the handler that was there before. A handler that the program installs later replaces ours. `worker_index` tells which worker
/// the calling thread is (negative: none); it must be async-signal-safe. The first call's counts. Errors: if the system refuses,
/// a warning is printed and overflows stay plain SIGSEGVs. Repeated calls are cheap.
void install_overflow_handler(int (*worker_index)() noexcept = nullptr) noexcept;

}  // namespace nopal

#endif
