// C++20: ranges and views, concepts, three-way comparison, designated initializers, span, init
// statements. mutator: c++20
#include <algorithm>
#include <compare>
#include <concepts>
#include <ranges>
#include <span>
#include <string>
#include <vector>
#include "common.h"

struct Version {
  int major, minor, patch;
  auto operator<=>(const Version &) const = default;
};
struct Loose {
  int n;
  std::weak_ordering operator<=>(const Loose &other) const {
    int a = n / 10;
    int b = other.n / 10;
    return a <=> b;
  }
  bool operator==(const Loose &other) const { return n / 10 == other.n / 10; }
};
template <class T>
concept Number = std::integral<T> || std::floating_point<T>;
template <Number T>
static T sum(std::span<const T> values) {
  T total{};
  for (T v : values) total += v;
  return total;
}
static auto scaled(const auto &values, auto by) {
  std::vector<decltype(values[0] * by)> result;
  for (auto v : values) {
    auto r = v * by;
    result.push_back(r);
  }
  return result;
}
struct Options {
  int width = 3;
  bool wide = false;
  std::string name = "none";
};
static size_t describe(const Options &options) {
  size_t n = options.name.size();
  if (options.wide) n *= 2;
  return n + static_cast<size_t>(options.width);
}

int main() {
  std::vector<int> numbers(20);
  for (int i = 0; i < 20; ++i) numbers[static_cast<size_t>(i)] = i * i % 17;
  auto even = [](int n) {
    bool r = n % 2 == 0;
    return r;
  };
  for (int n : numbers | std::views::filter(even) |
                   std::views::transform([](int n) { return n * 3; }) | std::views::take(5))
    add(static_cast<uint64_t>(n));
  for (int n : std::views::iota(1, 6) | std::views::reverse) add(static_cast<uint64_t>(n));
  std::ranges::sort(numbers, std::greater{});
  add(static_cast<uint64_t>(numbers.front()));
  std::vector<Version> versions{{1, 2, 3}, {1, 0, 9}, {0, 9, 9}};
  std::ranges::sort(versions);
  std::ranges::stable_sort(versions, {}, &Version::patch);
  for (const auto &[major, minor, patch] : versions)
    add(static_cast<uint64_t>(major * 100 + minor * 10 + patch));
  expect(Loose{12} == Loose{17} && Loose{12} < Loose{25}, "loose");
  int total = sum<int>(numbers);
  add(static_cast<uint64_t>(total));
  auto doubled = scaled(numbers, 2.5);
  add_double(sum<double>(doubled));
  size_t n = describe({.width = 4, .wide = true});
  add(n + describe({.name = "other name"}));
  for (int round = 0; auto v : versions) {
    ++round;
    add(static_cast<uint64_t>(round * v.minor));
  }
  if (auto it = std::ranges::find(numbers, 16); it != numbers.end()) [[likely]] {
    add(static_cast<uint64_t>(*it));
  }
  show("ranges");
}
