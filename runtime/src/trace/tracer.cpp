// See tracer.h.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [ring] make_ring's store-release of the count -> the drainer's load-acquire: the rings below it
//       are whole.
//   [count] relaxed: numbers, which publish nothing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tracer.h"

#include "../config/config.h"
#include "../platform/clock.h"
#include "../platform/fatal.h"
#include "../platform/hooks_tool.h"
#include "chrome.h"
#include "file.h"
#include "perfetto.h"
#include "timeline.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace nopal::trace {

namespace {

// All rings together, README.md. A share lasts for one period of the sampler at a steal every
// microsecond; four times smaller drops records of programs with very many steals.
constexpr std::size_t kRingsBytes = std::size_t{32} << 20;
constexpr std::size_t kMostRecords = 8192;
constexpr std::size_t kLeastRecords = 64;

std::array<std::atomic<Ring *>, kMostWorkers> rings{};  // null: there was no memory
std::atomic<std::uint32_t> ring_count{0};               // workers are made one after the other
std::atomic<std::size_t> taken_bytes{0};
std::atomic<std::uint32_t> without_ring{0};

/// What the drainer has. Never destroyed: the process may exit while it works.
struct Tracer {
  File file;
  std::unique_ptr<Output> output;
  std::unique_ptr<Timeline> timeline;
  std::uint64_t begun_ns = 0;
  bool is_lost = false;  // the file takes no more
};
Tracer *the_tracer = nullptr;  // written by begin()

std::uint32_t rings_for() noexcept {
  const unsigned expected = std::max(config().nworkers, 1u) + 1;
  const std::size_t share = kRingsBytes / sizeof(Record) / 2 / expected;
  return static_cast<std::uint32_t>(std::bit_floor(std::clamp(share, kLeastRecords, kMostRecords)));
}

void flush() {
  if (the_tracer->is_lost) return;
  const int error = the_tracer->file.flush();
  if (error == 0) return;
  the_tracer->is_lost = true;
  warn(
      "CILK_TRACE: cannot write %s: %s; the trace ends %.3f ms after its beginning, and the "
      "program goes on",
      config().trace.path.c_str(), std::strerror(error),
      static_cast<double>(now_ns() - the_tracer->begun_ns) / 1e6);
}

template <class Visit>
void visit_rings(Visit visit) {
  const std::uint32_t count = ring_count.load(std::memory_order_acquire);  // [ring]
  for (std::uint32_t worker = 0; worker < count; ++worker)
    if (Ring *ring = rings[worker].load(std::memory_order_relaxed)) visit(worker, *ring);  // [ring]
}

/// The process that loaded the library; 0 if the variable was not set then.
pid_t loaded_in = 0;
bool is_elsewhere = false;  // the file is another process's

bool is_forked() noexcept { return loaded_in != 0 && loaded_in != getpid(); }

/// If the variable is set and nothing ever spawns, there is no file; then it is said why.
[[gnu::constructor]] void watch_programs_that_never_spawn() {
  if (!asks_for_trace()) return;
  loaded_in = getpid();
  std::atexit([] {
    if (the_tracer == nullptr && !is_elsewhere && !is_forked())
      warn("CILK_TRACE: this program %s, so there is no trace",
           has_hooks_tool() ? "was built to run serially, for work and span or for races"
                            : "never spawned");
  });
}

}  // namespace

bool is_on() noexcept { return the_tracer != nullptr; }

void begin() {
  const Config::Trace &wanted = config().trace;
  if (wanted.format == Config::Trace::Format::kNone || is_forked()) return;
  auto tracer = std::make_unique<Tracer>();
  const int error = tracer->file.open(wanted.path.c_str(), config().stats.path.c_str());
  if (error == EWOULDBLOCK) {
    warn("CILK_TRACE: another process writes %s; there is no trace of this one",
         wanted.path.c_str());
    is_elsewhere = true;
    return;
  }
  if (error == EEXIST)
    refuse("CILK_TRACE: \"%s\" is the file of CILK_STATS, too; give each a file of its own",
           wanted.path.c_str());
  if (error != 0)
    refuse("CILK_TRACE: cannot write %s: %s; name a file in a directory that can be written",
           wanted.path.c_str(), std::strerror(error));
  if (wanted.format == Config::Trace::Format::kPerfetto)
    tracer->output = std::make_unique<PerfettoOutput>(tracer->file);
  else
    tracer->output = std::make_unique<ChromeOutput>(tracer->file);
  tracer->begun_ns = now_ns();
  tracer->timeline = std::make_unique<Timeline>(*tracer->output, tracer->begun_ns);
  tracer->output->process(getpid(), program_invocation_short_name);
  tracer->timeline->show_workers(config().nworkers);
  the_tracer = tracer.release();
}

Ring *make_ring(std::uint32_t worker) noexcept {
  if (!is_on()) return nullptr;
  const std::size_t capacity = rings_for();
  const std::size_t bytes = capacity * sizeof(Record) + sizeof(Ring);
  Ring *ring = nullptr;
  if (taken_bytes.fetch_add(bytes, std::memory_order_relaxed) + bytes <= kRingsBytes) {  // [count]
    std::unique_ptr<Record[]> records(new (std::nothrow) Record[capacity]);
    if (records != nullptr) ring = new (std::nothrow) Ring(std::move(records), capacity);
  }
  if (ring == nullptr) without_ring.fetch_add(1, std::memory_order_relaxed);  // [count]
  rings[worker].store(ring, std::memory_order_relaxed);                       // [ring]
  ring_count.store(worker + 1, std::memory_order_release);                    // [ring]
  return ring;
}

void sample(Gauge gauge, std::uint32_t worker, std::uint64_t now_ns, std::uint64_t value) {
  if (!the_tracer->is_lost) the_tracer->timeline->gauge(gauge, worker, now_ns, value);
}

void drain() {
  visit_rings([](std::uint32_t worker, Ring &ring) {
    ring.drain([worker](const Record &record) {
      if (!the_tracer->is_lost) the_tracer->timeline->take(worker, record);
    });
  });
  flush();
}

void lose(const char *why) {
  if (!the_tracer->is_lost) warn("CILK_TRACE: %s; the trace ends here", why);
  the_tracer->is_lost = true;
}

void finish() {
  drain();
  if (!the_tracer->is_lost) the_tracer->timeline->finish(now_ns());
  flush();
  the_tracer->file.close();
  the_tracer->is_lost = true;
  std::uint64_t dropped = 0;
  visit_rings([&dropped](std::uint32_t, Ring &ring) { dropped += ring.dropped(); });
  if (dropped != 0)
    warn("CILK_TRACE: %llu events came too fast and are not in the trace",
         static_cast<unsigned long long>(dropped));
  const std::uint32_t untraced = without_ring.load(std::memory_order_relaxed);  // [count]
  if (untraced != 0)
    warn("CILK_TRACE: there was no memory for the events of %u workers; they are not in the trace",
         untraced);
}

}  // namespace nopal::trace
