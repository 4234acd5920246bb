// A trace as Chrome's JSON: an array of events, one a line. Times are microseconds.
//
// The closing bracket comes last; viewers read an array without it, so the file of a killed program
// is readable, too. Checked by tests/unit/trace_test.cpp and tests/trace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TRACE_CHROME_H
#define NOPAL_TRACE_CHROME_H

#include "file.h"
#include "output.h"

namespace nopal::trace {

class ChromeOutput final : public Output {
 public:
  explicit ChromeOutput(File &file) : file_(file) {}
  void process(int pid, const std::string &name) override;
  void worker(std::uint32_t worker) override;
  void begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
             std::uint64_t arriving) override;
  void end(std::uint32_t worker, std::uint64_t ns) override;
  void instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
               std::uint64_t leaving, std::uint64_t arriving) override;
  void gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) override;
  void finish() override { file_.append("\n]\n"); }

 private:
  /// `rest`: further members, each with a comma before it.
  void put(char phase, std::uint32_t worker, std::uint64_t ns, const std::string &rest);
  void put_metadata(const char *kind, std::uint32_t worker, const std::string &name);

  File &file_;
  int pid_ = 0;
  bool has_begun_ = false;
};

}  // namespace nopal::trace

#endif
