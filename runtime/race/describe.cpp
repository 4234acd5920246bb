// Races become words: lines of the source, names of variables, and what to do. See report.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../src/platform/demangled.h"
#include "options.h"
#include "report.h"

#include <algorithm>

namespace nopal::race {

namespace {

Line line_of(const nopal_hook_site *site) {
  return site ? Line{demangled(site->function), site->file, site->line, site->column, ""} : Line{};
}

const char *kind_of(const Race &race) {
  switch (race.what.kind) {
    case AccessKind::kRead:
      return "read";
    case AccessKind::kWrite:
      return "write";
    case AccessKind::kReadWrite:
      return "update";
    case AccessKind::kFree:
      return "free";
    case AccessKind::kValue:
      return "use of the value";
    case AccessKind::kEnd:
      return "end of the hyperobject";
  }
  return "";
}

bool is_of_user(const Line &line) {
  return line.line != 0 && line.file.rfind("/usr/", 0) != 0 &&
         line.file.find("/include/cilk/") == std::string::npos;
}

/// The line that the user has written: libraries' templates are inlined, or lie above it. The
/// optimizer gives no line to what it has merged.
const Line &users_line(const std::vector<Line> &lines) {
  const auto own = std::find_if(lines.begin(), lines.end(), is_of_user);
  if (own != lines.end()) return *own;
  const auto known =
      std::find_if(lines.begin(), lines.end(), [](const Line &line) { return line.line != 0; });
  return known != lines.end() ? *known : lines.front();
}

/// The earlier is a whole child: the value of a hyperobject is used beside it.
bool is_of_child(const Race &race) { return race.what.kind == AccessKind::kValue; }
/// And not of bytes in it.
bool is_of_hyperobject(const Race &race) {
  return is_of_child(race) || race.what.kind == AccessKind::kEnd;
}

bool ends_with(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0 &&
         (text.size() == end.size() || text[text.size() - end.size() - 1] == '/');
}

bool is_ignored(const Line &line) {
  const std::string place = line.file + ":" + std::to_string(line.line);
  return std::any_of(
      options().ignored.begin(), options().ignored.end(),
      [&](const std::string &one) { return ends_with(place, one) || ends_with(line.file, one); });
}

std::string strand_of(const Frame &frame) {
  return (frame.site->kind == NOPAL_HOOK_LOOP
              ? (frame.iteration == kSomeIteration
                     ? "an iteration"
                     : "iteration " + std::to_string(frame.iteration)) +
                    " of the cilk_for at "
              : "the spawn at ") +
         text_of(line_of(frame.site));
}

class Describer {
 public:
  explicit Describer(const std::deque<Race> &races);
  Described describe(const Race &race) const;
  bool is_ignored(const Race &race) const;

 private:
  const std::vector<Line> &former(const Race &race) const {
    return symbolizer_.code(code_at(race.what.former));
  }
  const std::vector<Line> &later(const Race &race) const {
    return symbolizer_.code(reinterpret_cast<Address>(race.what.here.code));
  }
  std::string local_at(Address code, long offset) const;
  std::string parameter(const Race &race) const;
  std::string name(const Race &race) const;
  const Line &users_place(const std::vector<Line> &access, const std::vector<Frame> &stack) const;
  std::string memory(const Race &race) const;
  std::string field(const Race &race) const;
  void explain(const Race &race, Described &result) const;
  std::vector<Step> steps(const std::vector<Frame> &stack) const;
  std::vector<std::string> tree(const Race &race, const Described &result) const;

  Symbolizer symbolizer_;
};

Describer::Describer(const std::deque<Race> &races) {
  for (const Race &race : races) {
    if (!is_of_child(race)) symbolizer_.want_code(code_at(race.what.former));
    symbolizer_.want_code(reinterpret_cast<Address>(race.what.here.code));
    for (const Frame &frame : race.stack) symbolizer_.want_code(frame.code);
    for (const Frame &frame : race.earlier) symbolizer_.want_code(frame.code);
    symbolizer_.want_variable(race.what.byte);
    if (race.owner.code != 0) {
      symbolizer_.want_code(race.owner.code);
      symbolizer_.want_locals(race.owner.code);
    }
    if (race.owner.callee != 0) {
      symbolizer_.want_code(race.owner.callee);
      symbolizer_.want_locals(race.owner.callee);
    }
    if (race.block)
      for (const Place place : race.block->allocated) symbolizer_.want_code(code_at(place));
  }
  symbolizer_.ask();
}

/// Empty: none, or several, whose scopes share the memory.
std::string Describer::local_at(Address code, long offset) const {
  std::string result;
  for (const Local &local : symbolizer_.locals(code)) {
    if (static_cast<std::size_t>(offset - local.offset) >= local.size) continue;
    if (!result.empty() && result != local.name) return "";
    result = local.name;
  }
  return result;
}

/// What the owner passes by value in memory; empty: it is something else.
std::string Describer::parameter(const Race &race) const {
  const Owner &owner = race.owner;
  return owner.callee == 0 ? "" : local_at(owner.callee, owner.callee_offset);
}

/// Of the variable; empty: not known, or part of a larger thing.
std::string Describer::name(const Race &race) const {
  if (race.owner.code != 0) {
    const std::string own = local_at(race.owner.code, race.owner.offset);
    return own.empty() ? parameter(race) : own;
  }
  if (race.block) return "";
  std::string name = symbolizer_.variable(race.what.byte).name;
  if (const std::size_t tag = name.find("[abi:"); tag != name.npos)  // libstdc++'s
    name.erase(tag, name.find(']', tag) + 1 - tag);
  return name;
}

/// Where debug information says it.
std::string Describer::field(const Race &race) const {
  if (is_of_hyperobject(race)) return "";
  const std::string &own = later(race).front().field;
  const std::string &known = own.empty() ? former(race).front().field : own;
  return known.empty() ? "" : ", field `" + known + "`";
}

std::string bytes(std::size_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

std::string Describer::memory(const Race &race) const {
  const std::string own = name(race);
  if (race.owner.code != 0) {
    const bool is_parameter = local_at(race.owner.code, race.owner.offset).empty() && !own.empty();
    const std::string &function =
        symbolizer_.code(is_parameter ? race.owner.callee : race.owner.code).back().function;
    if (is_parameter) return "the parameter `" + own + "` of " + function;
    return own.empty() ? "a local variable of " + function
                       : "the local variable `" + own + "` of " + function;
  }
  if (race.block) {
    const Block &block = *race.block;
    std::string result = "byte " + std::to_string(race.what.byte - block.begin) +
                         " of a block of " + bytes(block.size) + " on the heap";
    const Line *best = nullptr;
    for (const Place place : block.allocated) {
      const Line &line = users_line(symbolizer_.code(code_at(place)));
      if (!best) best = &line;
      if (!is_of_user(line)) continue;
      best = &line;
      break;
    }
    return best ? result + ", allocated at " + text_of(*best) : result;
  }
  const Variable &variable = symbolizer_.variable(race.what.byte);
  if (own.empty()) return "memory of no known variable";
  std::string result = "`" + own + "`";
  if (variable.size > race.what.size && !is_of_hyperobject(race))
    result += ", byte " + std::to_string(race.what.byte - variable.begin) + " of " +
              std::to_string(variable.size);
  return result;
}

void Describer::explain(const Race &race, Described &result) const {
  const std::string own = name(race);
  const std::string what = own.empty() ? "the variable" : "`" + own + "`";
  const bool are_updates = race.was_update && race.what.kind == AccessKind::kReadWrite;
  result.spawn = line_of(race.what.parting.former);
  if (race.parts_in_loop) {
    result.parting = "both are in iterations of the cilk_for at " + text_of(result.spawn);
    const bool is_bit =
        !race.stack.empty() &&
        symbolizer_.code(race.stack.front().code).front().function.find("_Bit_reference") !=
            std::string::npos;
    result.remedy = is_bit        ? "if the elements differ, use a std::vector<char>: those of a "
                                    "std::vector<bool> share words"
                    : are_updates ? "make " + what + " a reducer"
                    : is_of_child(race) ? "use the value of " + what + " after the loop"
                    : is_of_hyperobject(race)
                        ? "let " + what + " live until after the loop"
                        : "give each iteration its own, or make the loop a serial one";
    return;
  }
  const Line &later = symbolizer_.code(race.later).back();  // not what is inlined there
  result.parting = "the earlier is in the child spawned at " + text_of(result.spawn) +
                   ", which nothing has waited for";
  if (are_updates)
    result.remedy = "make " + what + " a reducer, or put";
  else
    result.remedy = "put";
  result.remedy += " a cilk_sync before " +
                   (later.line != 0 || later.file.empty() ? text_of(later) : "the later access");
}

/// Of an access: the user's line, or the one that calls the library's function which has it.
const Line &Describer::users_place(const std::vector<Line> &access,
                                   const std::vector<Frame> &stack) const {
  const Line &own = users_line(access);
  if (is_of_user(own)) return own;
  for (const Frame &frame : stack)
    if (const Line &caller = users_line(symbolizer_.code(frame.code)); is_of_user(caller))
      return caller;
  return own;
}

std::vector<Step> Describer::steps(const std::vector<Frame> &stack) const {
  std::vector<Step> result;
  for (const Frame &frame : stack) {
    for (const Line &line : symbolizer_.code(frame.code)) result.push_back({line, ""});
    if (frame.site) result.back().note = strand_of(frame);
    if (frame.left_out != 0)
      result.back().note += (frame.site ? "; " : "") + std::to_string(frame.left_out) +
                            " calls between these are not shown";
  }
  return result;
}

/// What the two strands have in common, then the way from there to each access:
///
///   main
///   +- the spawn at a.cpp:6:3 -- earlier update
///   +- after it -- later update
std::vector<std::string> Describer::tree(const Race &race, const Described &result) const {
  const auto way = [](const std::vector<Frame> &stack) {
    constexpr std::size_t kMost = 4;  // of the outermost ones
    std::string text;
    std::size_t strands = 0;
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
      if (frame->site && ++strands <= kMost)
        text += (text.empty() ? "" : " -- ") + strand_of(*frame);
    return strands <= kMost ? text : text + " -- and so on";
  };
  std::string former = way(race.earlier), later = way(race.stack);
  if (former.empty())
    former = race.parts_in_loop ? "an earlier iteration" : "the spawn at " + text_of(result.spawn);
  if (later.empty()) later = "after it";
  return {race.parts_in_loop ? "the cilk_for at " + text_of(result.spawn)
                             : symbolizer_.code(race.later).back().function,
          "+- " + former + " -- earlier " + result.former_kind,
          "+- " + later + " -- later " + result.later_kind};
}

Described Describer::describe(const Race &race) const {
  Described result;
  if (is_of_child(race))
    result.former_kind = race.parts_in_loop ? "iteration" : "child";
  else
    result.former_kind = race.was_update                      ? "update"
                         : race.what.was_write                ? "write"
                         : race.what.kind == AccessKind::kEnd ? "use"
                                                              : "read";
  result.later_kind = kind_of(race);
  result.former = is_of_child(race) ? line_of(race.what.parting.former)
                                    : users_place(former(race), race.earlier);
  result.later = users_place(later(race), race.stack);
  if (!is_of_child(race)) result.former_code = offset_in_module(code_at(race.what.former));
  result.later_code = offset_in_module(reinterpret_cast<Address>(race.what.here.code));
  result.memory = memory(race) + field(race);
  result.count = race.count;
  explain(race, result);
  result.stack = steps(race.stack);
  result.former_stack = steps(race.earlier);
  result.strands = tree(race, result);
  return result;
}

bool Describer::is_ignored(const Race &race) const {
  if (is_of_child(race) ? race::is_ignored(line_of(race.what.parting.former))
                        : race::is_ignored(users_line(former(race))))
    return true;
  return race::is_ignored(users_line(later(race)));
}

}  // namespace

std::string text_of(const Line &line) {
  if (line.file.empty()) return line.function.empty() ? "an unknown place" : line.function;
  if (line.line == 0) return "an unknown line of " + line.file;
  return line.file + ":" + std::to_string(line.line) +
         (line.column ? ":" + std::to_string(line.column) : "");
}

std::vector<Described> describe(const std::deque<Race> &races) {
  std::vector<Described> result;
  if (races.empty()) return result;
  const Describer describer(races);
  for (const Race &race : races)
    if (!describer.is_ignored(race)) result.push_back(describer.describe(race));
  return result;
}

}  // namespace nopal::race
