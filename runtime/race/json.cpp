// The report for machines: fields of JSON, and SARIF 2.1.0. See report.h and docs/races.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process.h"
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace nopal::race {

namespace {

/// The bytes of the character that the text begins with; 0 if that is not UTF-8.
std::size_t first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  // No longer form than needed, no surrogates, nothing beyond U+10FFFF.
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xc2 || first > 0xf4 || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i != size; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  return size;
}

/// A byte of a path that is not UTF-8 becomes U+FFFD.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (std::size_t size; !text.empty(); text.remove_prefix(std::max<std::size_t>(size, 1))) {
    size = first_character(text);
    const char c = text[0];
    if (size != 1) {
      result += size == 0 ? "\xef\xbf\xbd" : text.substr(0, size);
    } else if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      result += code;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string fields(const Line &line) {
  return "\"file\": " + quoted(line.file) + ", \"line\": " + std::to_string(line.line) +
         ", \"column\": " + std::to_string(line.column) +
         ", \"function\": " + quoted(line.function);
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
      "\"physicalLocation\": {\"artifactLocation\": {\"uri\": " + quoted(uri_of(line.file)) + "}" +
      region + "}, ";
  return "{" + (line.file.empty() ? "" : place) + "\"message\": {\"text\": " + quoted(message) +
         "}}";
}

std::string steps(const std::vector<Step> &stack) {
  std::string result = "[";
  const char *comma = "";
  for (const Step &step : stack) {
    result += comma + ("{" + fields(step.line)) + ", \"note\": " + quoted(step.note) + "}";
    comma = ", ";
  }
  return result + "]";
}

/// A stack of SARIF.
std::string stack_of(const std::vector<Step> &stack, const std::string &message) {
  std::string result = "{\"message\": {\"text\": " + quoted(message) + "}, \"frames\": [";
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
    result += comma + quoted(path);
    comma = ", ";
  }
  result += "], \"races\": [";
  const char *between = "\n ";
  for (const Described &race : races) {
    result +=
        between + ("{\"memory\": " + quoted(race.memory)) +
        ",\n  \"later\": {\"kind\": " + quoted(race.later_kind) + ", " + fields(race.later) +
        ", \"code\": " + quoted(race.later_code) + ", \"stack\": " + steps(race.stack) +
        "},\n  \"earlier\": {\"kind\": " + quoted(race.former_kind) + ", " + fields(race.former) +
        ", \"code\": " + quoted(race.former_code) + ", \"stack\": " + steps(race.former_stack) +
        "},\n  \"spawn\": {" + fields(race.spawn) + "},\n  \"parting\": " + quoted(race.parting) +
        ", \"remedy\": " + quoted(race.remedy) + ", \"count\": " + std::to_string(race.count) + "}";
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
    result += between + ("{\"ruleId\": \"determinacy-race\", \"level\": \"error\", \"message\": "
                         "{\"text\": " +
                         quoted(race.later_kind + " of " + race.memory + " may run beside the " +
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
