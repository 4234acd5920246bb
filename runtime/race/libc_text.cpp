// Functions of the C library that search text, take it apart and make numbers of it, and those on
// wide characters. As in libc.cpp, a text is checked as far as the function must read it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc.h"

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <string_view>

#include <strings.h>

using namespace nopal::race;

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }
constexpr int kReal = -1;
bool is_sign(char c) { return c == '+' || c == '-'; }

/// The first character of the text that is not that of the word, which is in small letters.
const char *after_common(const char *text, std::string_view word) {
  for (const char c : word) {
    if (lower(*text) != c) break;
    ++text;
  }
  return text;
}

/// The last character that a conversion looks at which ends at `after`; where that is `text`, there
/// is no number. `base`: 0, if the text says it; kReal.
const char *last_of_number(const char *text, const char *after, int base) {
  const bool is_real = base == kReal;
  const char *start = text;
  while (std::isspace(static_cast<unsigned char>(*start))) ++start;
  start += is_sign(*start);
  const char *last = after == text ? start : after;
  const bool is_hex = last - start > 2 && start[0] == '0' && lower(start[1]) == 'x';
  if ((is_real || base == 0 || base == 16) && last - start == 1 && *start == '0' &&
      lower(*last) == 'x')
    ++last;
  else if (!is_real)
    return last;
  else if (last == start && lower(*start) == 'i')
    return after_common(start, "inf");
  else if (last == start && lower(*start) == 'n')
    return after_common(start, "nan");
  else if (last - start == 3 && lower(*start) == 'i')
    return after_common(last, "inity");
  else if (last - start == 3 && lower(*start) == 'n' && *last == '(')
    do ++last;
    while (std::isalnum(static_cast<unsigned char>(*last)) || *last == '_');
  else if (last != start && lower(*last) == (is_hex ? 'p' : 'e'))
    last += 1 + is_sign(last[1]);
  if (is_real && *last == '.' && (last == start || last[-1] == 'x' || last[-1] == 'X')) ++last;
  return last;
}

/// `convert` sets what it is given to the first character that is no part of the number.
template <class Convert>
auto to_number(const char *text, char **end, int base, Here here, Convert convert) {
  char *after = nullptr;
  const auto number = convert(&after);
  read_by(text, static_cast<std::size_t>(last_of_number(text, after, base) - text) + 1, here);
  if (end) {
    write_by(end, sizeof(*end), here);
    *end = after;
  }
  return number;
}

/// Where a part of a text was found, or null.
char *found_part(const char *text, const char *part, char *found, Here here) {
  read_string(part, here);
  if (found)
    read_by(text, static_cast<std::size_t>(found - text) + std::strlen(part), here);
  else
    read_string(text, here);
  return found;
}

/// A token of the text was ended there, and the rest comes after it, or nothing.
char *next_token(char *text, const char *set, char **rest, Here here) {
  read_string(set, here);
  if (!text) read_by(rest, sizeof(*rest), here);
  char *const from = text ? text : *rest;
  char *const token = strtok_r(text, set, rest);
  write_by(rest, sizeof(*rest), here);
  if (!from) return token;
  const bool is_ended = token && *rest != token + std::strlen(token);  // not by the text's end
  read_by(from, static_cast<std::size_t>(*rest - from) + !is_ended, here);
  if (is_ended) write_by(*rest - 1, 1, here);
  return token;
}

void read_wide(const wchar_t *text, Here here) {
  read_by(text, (std::wcslen(text) + 1) * sizeof(wchar_t), here);
}

}  // namespace

extern "C" {

char *__nopal_race_strstr(const char *text, const char *part) {
  return found_part(text, part, const_cast<char *>(std::strstr(text, part)), NOPAL_RACE_HERE);
}

char *__nopal_race_strcasestr(const char *text, const char *part) {
  return found_part(text, part, const_cast<char *>(strcasestr(text, part)), NOPAL_RACE_HERE);
}

char *__nopal_race_strtok_r(char *text, const char *set, char **rest) {
  return next_token(text, set, rest, NOPAL_RACE_HERE);
}

/// It has one state for the whole program, so two strands that use it race.
char *__nopal_race_strtok(char *text, const char *set) {
  static char *state_of_strtok = nullptr;
  return next_token(text, set, &state_of_strtok, NOPAL_RACE_HERE);
}

char *__nopal_race_strsep(char **rest, const char *set) {
  HERE;
  read_by(rest, sizeof(*rest), here);
  char *const token = strsep(rest, set);
  if (!token) return nullptr;
  read_string(set, here);
  read_string(token, here);
  if (*rest) write_by(*rest - 1, 1, here);
  write_by(rest, sizeof(*rest), here);
  return token;
}

/// In the locale of C as strcmp does, in others all is read.
int __nopal_race_strcoll(const char *a, const char *b) {
  HERE;
  const std::string_view locale = std::setlocale(LC_COLLATE, nullptr);
  const std::size_t most = compared(a, b, ~std::size_t{0});
  const bool is_plain = locale == "C" || locale == "POSIX";
  read_by(a, is_plain ? most : std::strlen(a) + 1, here);
  read_by(b, is_plain ? most : std::strlen(b) + 1, here);
  return strcoll(a, b);
}

std::size_t __nopal_race_strxfrm(char *to, const char *from, std::size_t most) {
  HERE;
  read_string(from, here);
  const std::size_t size = std::strxfrm(to, from, most);
  write_by(to, std::min(size + 1, most), here);
  return size;
}

std::size_t __nopal_race_strftime(char *to, std::size_t most, const char *format,
                                  const std::tm *time) {
  HERE;
  read_string(format, here);
  read_by(time, sizeof(*time), here);
  const std::size_t size = std::strftime(to, most, format, time);
  write_by(to, size == 0 ? std::min<std::size_t>(most, 1) : size + 1, here);
  return size;
}

// glibc has two of each since 2.38: that of C23, which C++ calls, too, knows binary numbers.
#define TO_INTEGER(NAME, T)                                                                  \
  T __nopal_race_##NAME(const char *text, char **end, int base) {                            \
    return to_number(text, end, base, NOPAL_RACE_HERE,                                       \
                     [=](char **after) { return NAME(text, after, base); });                 \
  }                                                                                          \
  [[gnu::weak]] T __isoc23_##NAME(const char *, char **, int) noexcept;                      \
  T __nopal_race___isoc23_##NAME(const char *text, char **end, int base) {                   \
    return to_number(text, end, base, NOPAL_RACE_HERE, [=](char **after) {                   \
      return __isoc23_##NAME ? __isoc23_##NAME(text, after, base) : NAME(text, after, base); \
    });                                                                                      \
  }
TO_INTEGER(strtol, long)
TO_INTEGER(strtoul, unsigned long)
TO_INTEGER(strtoll, long long)
TO_INTEGER(strtoull, unsigned long long)
TO_INTEGER(strtoimax, std::intmax_t)
TO_INTEGER(strtoumax, std::uintmax_t)
#undef TO_INTEGER
#define TO_REAL(NAME, T)                                               \
  T __nopal_race_##NAME(const char *text, char **end) {                \
    return to_number(text, end, kReal, NOPAL_RACE_HERE,                \
                     [=](char **after) { return NAME(text, after); }); \
  }
TO_REAL(strtod, double)
TO_REAL(strtof, float)
TO_REAL(strtold, long double)
#undef TO_REAL
int __nopal_race_atoi(const char *text) {
  return static_cast<int>(to_number(text, nullptr, 10, NOPAL_RACE_HERE,
                                    [=](char **after) { return strtol(text, after, 10); }));
}
long __nopal_race_atol(const char *text) {
  return to_number(text, nullptr, 10, NOPAL_RACE_HERE,
                   [=](char **after) { return strtol(text, after, 10); });
}
long long __nopal_race_atoll(const char *text) {
  return to_number(text, nullptr, 10, NOPAL_RACE_HERE,
                   [=](char **after) { return strtoll(text, after, 10); });
}
double __nopal_race_atof(const char *text) {
  return to_number(text, nullptr, kReal, NOPAL_RACE_HERE,
                   [=](char **after) { return strtod(text, after); });
}

std::size_t __nopal_race_wcslen(const wchar_t *text) {
  read_wide(text, NOPAL_RACE_HERE);
  return std::wcslen(text);
}

wchar_t *__nopal_race_wcscpy(wchar_t *to, const wchar_t *from) {
  HERE;
  read_wide(from, here);
  write_by(to, (std::wcslen(from) + 1) * sizeof(wchar_t), here);
  return std::wcscpy(to, from);
}

wchar_t *__nopal_race_wmemcpy(wchar_t *to, const wchar_t *from, std::size_t size) {
  HERE;
  read_by(from, size * sizeof(wchar_t), here);
  write_by(to, size * sizeof(wchar_t), here);
  return std::wmemcpy(to, from, size);
}

wchar_t *__nopal_race_wmemset(wchar_t *to, wchar_t value, std::size_t size) {
  write_by(to, size * sizeof(wchar_t), NOPAL_RACE_HERE);
  return std::wmemset(to, value, size);
}
}
