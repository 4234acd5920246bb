// A trace in Perfetto's format: TrackEvent packets, in protobuf's encoding.
//
// The numbers of the fields are those of the stable part of Perfetto's trace format; tests/trace
// reads them with a decoder of its own and with protoc. Checked by tests/unit/trace_test.cpp, too.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_PERFETTO_H
#define NOPAL_TRACE_PERFETTO_H

#include "file.h"
#include "output.h"

#include <set>
#include <string_view>

namespace nopal::trace {

/// A protobuf message that is being written.
class Message {
 public:
  void number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    varint(field << 3 | 1);
    for (int byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>(value >> (8 * byte));
  }
  void text(std::uint32_t field, std::string_view value) {
    varint(field << 3 | 2);
    varint(value.size());
    bytes_ += value;
  }
  void message(std::uint32_t field, const Message &value) { text(field, value.bytes_); }
  const std::string &bytes() const noexcept { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

class PerfettoOutput final : public Output {
 public:
  explicit PerfettoOutput(File &file) : file_(file) {}
  void process(int pid, const std::string &name) override;
  void worker(std::uint32_t worker) override;
  void begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
             std::uint64_t arriving) override;
  void end(std::uint32_t worker, std::uint64_t ns) override;
  void instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
               std::uint64_t leaving, std::uint64_t arriving) override;
  void gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) override;
  void finish() override {}

 private:
  void put(Message packet);
  void put_event(std::uint64_t ns, const Message &event, const Name *name);
  void put_counter(std::uint64_t track, std::string_view name);
  std::uint64_t track_of(std::uint32_t kind, std::uint32_t worker) const noexcept;

  File &file_;
  std::uint64_t pid_ = 0;
  std::uint32_t known_names_ = 0;
  bool has_begun_ = false;
  std::set<std::uint32_t> deques_;  // workers whose counter is known
};

}  // namespace nopal::trace

#endif
