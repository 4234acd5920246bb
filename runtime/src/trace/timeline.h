// Turns the records of all workers into slices, flows and instants.
//
// Each worker is always in one state, from the beginning of the trace to its end, so its slices
// follow one another without a gap. Used by tracer.cpp, in one thread. Checked by
// tests/unit/trace_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_TIMELINE_H
#define NOPAL_TRACE_TIMELINE_H

#include "output.h"
#include "record.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace nopal::trace {

class Timeline {
 public:
  Timeline(Output &output, std::uint64_t begun_ns) : output_(output), begun_ns_(begun_ns) {}

  /// Workers below `count` are in the trace from its beginning, without a thread at first.
  void show_workers(std::uint32_t count);
  /// What `worker` has noted; its records come in their order.
  void take(std::uint32_t worker, const Record &record);
  /// A gauge is written when it has changed.
  void gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value);
  /// Ends all slices. Nothing follows.
  void finish(std::uint64_t ns);

 private:
  struct Steal {
    std::uint64_t ns = 0;
    std::uint64_t flow = 0;  // 0: none
    std::uint32_t victim = 0;
    const nopal_site *site = nullptr;
  };
  struct Row {
    Kind kind = Kind::kNoThread;
    const nopal_site *site = nullptr;
    std::uint64_t since_ns = 0;
    Steal stolen;                        // the slice of what it took has not begun
    Kind before_turn = Kind::kNoThread;  // it waits for its turn, and then goes on with that
  };

  void change(std::uint32_t worker, Row &row, const Record &record);
  void write_victim(std::uint32_t thief, const Steal &steal);
  void write_lone_steal(std::uint32_t thief, Row &row);
  const Name &name_of(Kind kind, const nopal_site *site);

  Output &output_;
  const std::uint64_t begun_ns_;
  std::uint64_t flows_ = 0;
  std::vector<Row> rows_;
  std::map<std::pair<Kind, const nopal_site *>, Name> names_;
  std::map<std::pair<Gauge, std::uint32_t>, std::uint64_t> gauges_;
};

}  // namespace nopal::trace

#endif
