// The trace of the process: begun before the first worker is made, drained by one thread, ended at
// exit.
//
// begin() and make_ring() are called by process and worker; the rest by the sampler's thread alone
// (process/sampler.cpp). Rules: README.md. Checked by tests/trace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_TRACER_H
#define NOPAL_TRACE_TRACER_H

#include "output.h"
#include "ring.h"

#include <cstdint>

namespace nopal::trace {

/// Workers at most, as the registry has it.
inline constexpr std::uint32_t kMostWorkers = 8192;

/// Opens the file that CILK_TRACE names; ends the process with status 2 if the system refuses it.
/// Once, before the first worker is made.
void begin();
/// Whether there is a trace. Any thread, after begin().
bool is_on() noexcept;
/// A ring for the new worker `worker`; null without a trace, or if there is no memory for it.
Ring *make_ring(std::uint32_t worker) noexcept;

/// What is read every time that the rings are drained. Written only if it has changed.
void sample(Gauge gauge, std::uint32_t worker, std::uint64_t now_ns, std::uint64_t value);
/// Writes to the file what has come. Warns once if the system refuses it; the trace ends there.
void drain();
/// Ends the trace, with a warning: there is no memory for it.
void lose(const char *why);
/// Drains, ends all slices and closes the file. Says how many records were dropped.
void finish();

}  // namespace nopal::trace

#endif
