// The report for machines: fields of JSON, and SARIF 2.1.0. See report.h and docs/races.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../src/platform/json_string.h"
#include "process.h"
#include "report.h"

#include <cstdio>
#include <cstring>

namespace nopal::race {

namespace {

std::string fields(const Line &line) {
  return "\"file\": " + json_string(line.file) + ", \"line\": " + std::to_string(line.line) +
         ", \"column\": " + std::to_string(line.column) +
         ", \"function\": " + json_string(line.function);
}

/// A path as a URI reference.
std::string uri_of(const std::string &path) {
  constexpr const char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~+";
  std::string result;
  for (const char c : path) {
    char code[4] = {c};
    if (!std::strchr(kPlain, c))
      std::snprintf(code, sizeof(code), "%%%02X", static_cast<unsigned char>(c));
    result += code;
  }
  return result;
}

std::string location(const Line &line, const std::string &message) {
  std::string region;
  if (line.line != 0) {
    region = ", \"region\": {\"startLine\": " + std::to_string(line.line);
    if (line.column != 0) region += ", \"startColumn\": " + std::to_string(line.column);
    region += "}";
  }
  const std::string place =
      "\"physicalLocation\": {\"artifactLocation\": {\"uri\": " + json_string(uri_of(line.file)) +
      "}" + region + "}, ";
  return "{" + (line.file.empty() ? "" : place) +
         "\"message\": {\"text\": " + json_string(message) + "}}";
}

std::string steps(const std::vector<Step> &stack) {
  std::string result = "[";
  const char *comma = "";
  for (const Step &step : stack) {
    result += comma + ("{" + fields(step.line)) + ", \"note\": " + json_string(step.note) + "}";
    comma = ", ";
  }
  return result + "]";
}

/// A stack of SARIF.
std::string stack_of(const std::vector<Step> &stack, const std::string &message) {
  std::string result = "{\"message\": {\"text\": " + json_string(message) + "}, \"frames\": [";
  const char *comma = "";
  for (const Step &step : stack) {
    result += comma + ("{\"location\": " + location(step.line, step.line.function)) + "}";
    comma = ", ";
  }
  return result + "]}";
}

}  // namespace

std::string as_json(const std::vector<Described> &races) {
  std::string result = "{\"version\": 1, \"not_checked\": [";
  const char *comma = "";
  for (const std::string &path : unchecked_modules()) {
    result += comma + json_string(path);
    comma = ", ";
  }
  result += "], \"unseen_spawn\": " + json_string(unseen_spawn()) + ", \"races\": [";
  const char *between = "\n ";
  for (const Described &race : races) {
    result += between + ("{\"memory\": " + json_string(race.memory)) +
              ",\n  \"later\": {\"kind\": " + json_string(race.later_kind) + ", " +
              fields(race.later) + ", \"code\": " + json_string(race.later_code) +
              ", \"stack\": " + steps(race.stack) +
              "},\n  \"earlier\": {\"kind\": " + json_string(race.former_kind) + ", " +
              fields(race.former) + ", \"code\": " + json_string(race.former_code) +
              ", \"stack\": " + steps(race.former_stack) + "},\n  \"spawn\": {" +
              fields(race.spawn) + "},\n  \"parting\": " + json_string(race.parting) +
              ", \"remedy\": " + json_string(race.remedy) +
              ", \"count\": " + std::to_string(race.count) + "}";
    between = ",\n ";
  }
  return result + "]}\n";
}

std::string as_sarif(const std::vector<Described> &races) {
  std::string result =
      "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
      " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"nopal-race\", \"rules\": [{\"id\": "
      "\"determinacy-race\", \"shortDescription\": {\"text\": \"Two accesses may run in parallel, "
      "and one of them writes.\"}}]}},\n  \"results\": [";
  const char *between = "\n   ";
  for (const Described &race : races) {
    result +=
        between + ("{\"ruleId\": \"determinacy-race\", \"level\": \"error\", \"message\": "
                   "{\"text\": " +
                   json_string(race.later_kind + " of " + race.memory + " may run beside the " +
                               race.former_kind + " at " + text_of(race.former) + ": " +
                               race.parting + ". Remedy: " + race.remedy + "."));
    result += "},\n    \"locations\": [" + location(race.later, race.later_kind) + "],\n";
    result += "    \"relatedLocations\": [" + location(race.former, "earlier " + race.former_kind) +
              ", " + location(race.spawn, "what makes them parallel") + "],\n";
    result += "    \"stacks\": [" + stack_of(race.stack, race.later_kind);
    if (!race.former_stack.empty())
      result += ", " + stack_of(race.former_stack, "earlier " + race.former_kind);
    result += "]}";
    between = ",\n   ";
  }
  return result + "]}]}\n";
}

}  // namespace nopal::race
