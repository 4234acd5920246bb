// What a format of trace files must be able to write.
//
// Called by timeline.cpp, in one thread. Implemented by perfetto.cpp and chrome.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_OUTPUT_H
#define NOPAL_TRACE_OUTPUT_H

#include <cstdint>
#include <string>

namespace nopal::trace {

/// The name of a slice or instant. `id` counts from 1 in the order of first use, so that a format
/// can write a text once.
struct Name {
  std::uint32_t id = 0;
  std::string text;
};

/// A number that belongs to a slice or instant; no `key`, no number.
struct Note {
  const char *key = nullptr;
  std::uint64_t value = 0;
};

enum class Gauge : std::uint8_t { kBusyWorkers, kSegments, kDequeDepth };

class Output {
 public:
  virtual ~Output() = default;
  virtual void process(int pid, const std::string &name) = 0;
  /// Before anything else of that worker.
  virtual void worker(std::uint32_t worker) = 0;
  /// `arriving`: the flow that ends at this slice; 0: none.
  virtual void begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                     std::uint64_t arriving) = 0;
  virtual void end(std::uint32_t worker, std::uint64_t ns) = 0;
  /// `leaving`, `arriving`: the flow that begins or ends here; 0: none.
  virtual void instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                       std::uint64_t leaving, std::uint64_t arriving) = 0;
  /// `worker`: of kDequeDepth alone.
  virtual void gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) = 0;
  /// Nothing follows.
  virtual void finish() = 0;
};

}  // namespace nopal::trace

#endif
