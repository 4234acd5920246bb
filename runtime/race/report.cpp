// The report at exit, in words. See report.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <unistd.h>

namespace nopal::race {

namespace {

std::string in_function(const Line &line) {
  return text_of(line) + (line.file.empty() || line.function.empty() ? "" : " in " + line.function);
}

void write_file(const std::string &path, const std::string &text) {
  FILE *const file = std::fopen(path.c_str(), "w");
  if (file && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
      std::fclose(file) == 0)
    return;
  std::fprintf(stderr, "nopal: CILK_RACE_OUT: cannot write %s\n", path.c_str());
}

}  // namespace

std::string as_text(const std::vector<Described> &races) {
  std::string result;
  for (const Described &race : races) {
    result += "nopal: race on " + race.memory + "\n";
    result += "  " + race.later_kind + " at " + in_function(race.later) + "\n";
    for (const Step &step : race.stack) {
      result += "      " + in_function(step.line) + "\n";
      if (!step.note.empty()) result += "      --- " + step.note + "\n";
    }
    result += "  may run beside the earlier " + race.former_kind + " at " +
              in_function(race.former) + ":\n";
    result += "  " + race.parting + "\n";
    result += "  remedy: " + race.remedy + "\n";
    if (race.count > 1) result += "  seen " + std::to_string(race.count) + " times\n";
  }
  return result;
}

/// After all of the program's own code. Output that the program has not yet flushed comes first.
[[gnu::destructor(101)]] void report_at_exit() {
  if (!is_shadow_mapped()) return;
  own_state.now = 0;
  const std::vector<Described> found = describe(races().all());
  const std::string &out = options().out;
  if (!out.empty()) write_file(out, out.ends_with(".json") ? as_json(found) : as_sarif(found));
  if (Detector::get().has_other_threads())
    std::fprintf(stderr,
                 "nopal: race detector: other threads spawn, too; what they do is not checked\n");
  if (found.empty()) return;
  std::cout.flush();
  std::fflush(nullptr);
  std::fputs(as_text(found).c_str(), stderr);
  std::fprintf(stderr, "nopal: %zu %s\n", found.size(), found.size() == 1 ? "race" : "races");
  std::fflush(stderr);
  if (options().exit_status != 0) _exit(options().exit_status);
}

}  // namespace nopal::race
