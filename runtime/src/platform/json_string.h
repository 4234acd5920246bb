// A string of JSON, for each report that is written without a library.
//
// Checked by tests/unit/stats_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace nopal {

/// Length of the UTF-8 sequence that `text` begins with, or 0 if it begins with none (RFC 3629: no
/// overlong forms, no surrogates).
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  std::size_t length = 0;
  unsigned second_lowest = 0x80;
  unsigned second_highest = 0xbf;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf)
    length = 2;
  else if (first >= 0xe0 && first <= 0xef)
    length = 3;
  else if (first >= 0xf0 && first <= 0xf4)
    length = 4;
  else
    return 0;
  if (first == 0xe0) second_lowest = 0xa0;
  if (first == 0xed) second_highest = 0x9f;
  if (first == 0xf0) second_lowest = 0x90;
  if (first == 0xf4) second_highest = 0x8f;
  if (text.size() < length || byte(1) < second_lowest || byte(1) > second_highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return 0;
  }
  return length;
}

/// With its quotes. Bytes that are not UTF-8 become U+FFFD, so that any file name gives valid JSON.
inline std::string json_string(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      result += "\\ufffd";
      text.remove_prefix(1);
      continue;
    }
    const auto first = static_cast<unsigned char>(text.front());
    if (first == '"' || first == '\\') {
      result += '\\';
      result += text.front();
    } else if (first < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(first));
      result += escape;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result + '"';
}

}  // namespace nopal
