// The report at exit, in words. See report.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "../src/platform/whole_file.h"
#include "options.h"
#include "process.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

#include <pthread.h>
#include <unistd.h>

namespace nopal::race {

namespace {

std::string in_function(const Line &line) {
  return text_of(line) + (line.file.empty() || line.function.empty() ? "" : " in " + line.function);
}

void write_file(const std::string &path, const std::string &text) {
  if (const int error = write_whole_file(path, text))
    std::fprintf(stderr, "nopal: cannot write '%s': %s; name another file in CILK_RACE_OUT\n",
                 path.c_str(), std::strerror(error));
}

void add_stack(std::string &result, const std::vector<Step> &stack) {
  for (const Step &step : stack) {
    result += "      " + in_function(step.line) + "\n";
    if (!step.note.empty()) result += "      --- " + step.note + "\n";
  }
}

}  // namespace

std::string as_text(const std::vector<Described> &races) {
  std::string result;
  for (const Described &race : races) {
    result += "nopal: race on " + race.memory + "\n";
    result += "  " + race.later_kind + " at " + in_function(race.later) + "\n";
    add_stack(result, race.stack);
    result += "  may run beside the earlier " + race.former_kind + " at " +
              in_function(race.former) + "\n";
    if (race.former_stack.empty() && !race.former_code.empty())
      result += "      (its calls are not known)\n";
    add_stack(result, race.former_stack);
    result += "  " + race.parting + "\n";
    for (const std::string &line : race.strands) result += "      " + line + "\n";
    result += "  remedy: " + race.remedy + "\n";
    if (race.count > 1) result += "  seen " + std::to_string(race.count) + " times\n";
  }
  return result;
}

/// How much a report says: whether a reducer mends it, and whether its memory has a name.
int clarity(const Described &race) {
  return 2 * (race.remedy.rfind("make `", 0) == 0) + (race.memory.rfind('`', 0) == 0);
}

/// An access of the program, or a call of a library's function that has accesses of each kind.
std::string side_of(const std::string &kind, const Line &line, const std::vector<Step> &stack) {
  const bool is_call = !stack.empty() && text_of(stack.front().line) != text_of(line);
  return (is_call ? "" : kind) + text_of(line);
}

/// One place of the source may be several in the code, or a library's function with several
/// accesses: the clearest of each pair of lines, and of these the first.
std::vector<Described> without_copies(const std::vector<Described> &races) {
  std::vector<Described> result;
  std::map<std::string, std::size_t> known;
  for (const Described &race : races) {
    const std::string key = side_of(race.former_kind, race.former, race.former_stack) +
                            side_of(race.later_kind, race.later, race.stack) + text_of(race.spawn);
    const auto [same, is_new] = known.try_emplace(key, result.size());
    if (is_new) {
      result.push_back(race);
      continue;
    }
    Described &shown = result[same->second];
    const std::uint64_t count = shown.count + race.count;
    if (clarity(race) > clarity(shown)) shown = race;
    shown.count = count;
  }
  return result;
}

void end_with_status() {
  std::cout.flush();
  std::fflush(nullptr);
  if (options().exit_status != 0) _exit(options().exit_status);
}

bool is_forked = false;

/// After all of the program's own code. Output that the program has not yet flushed comes first.
[[gnu::destructor(101)]] void report_at_exit() {
  if (!is_shadow_mapped() && unseen_spawn().empty()) return;  // nothing is instrumented
  own_state.now = 0;
  const FileSizeSignalBlocked blocked;
  const std::vector<Described> found = describe(races().all());
  if (is_forked && found.empty() && unseen_spawn().empty()) return;  // the parent reports
  const std::string &out = options().out;
  if (!out.empty()) write_file(out, out.ends_with(".json") ? as_json(found) : as_sarif(found));
  std::fputs(unchecked().c_str(), stderr);
  if (found.empty()) {
    if (!unseen_spawn().empty()) end_with_status();
    return;
  }
  std::cout.flush();
  std::fflush(nullptr);
  const std::vector<Described> shown = without_copies(found);
  std::fputs(as_text(shown).c_str(), stderr);
  const bool has_all_lines = std::all_of(shown.begin(), shown.end(), [](const Described &race) {
    return !race.former.file.empty() && !race.later.file.empty();
  });
  if (!has_all_lines)
    std::fputs(
        "nopal: places without a line: llvm-symbolizer-22 must be in PATH, and the program "
        "must keep its debug information (no strip, no -g0)\n",
        stderr);
  std::fprintf(stderr, "nopal: %zu %s\n", shown.size(), shown.size() == 1 ? "race" : "races");
  end_with_status();
}

/// Before the program can do the same, so the report comes after what the program does there.
[[gnu::constructor]] void note_other_ends() {
  at_quick_exit(report_at_exit);
  pthread_atfork(nullptr, nullptr, [] {
    is_forked = true;
    races().forget();
    forget_unseen_spawn();
  });
}

}  // namespace nopal::race
