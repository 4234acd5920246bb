// The standard containers and algorithms: vector, deque, list, map, set, unordered_map, string,
// heap, variant, optional, any.
#include <algorithm>
#include <any>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
#include "common.h"

struct Person {
  std::string name;
  int age;
  bool operator<(const Person &other) const {
    if (age != other.age) return age < other.age;
    bool less = name < other.name;
    return less;
  }
};
static std::string name_of(int n) {
  std::string name = "n";
  for (int i = 0; i < n % 5 + 12; ++i) name += static_cast<char>('a' + (n * i) % 26);
  return name;
}
static std::vector<Person> people(int count) {
  std::vector<Person> all;
  for (int i = 0; i < count; ++i) {
    Person p{name_of(i), i * 7 % 11};
    all.push_back(std::move(p));
  }
  return all;
}
using Value = std::variant<int, std::string, std::vector<int>>;
static uint64_t weigh(const Value &value) {
  struct Visitor {
    uint64_t operator()(int n) const { return static_cast<uint64_t>(n); }
    uint64_t operator()(const std::string &s) const {
      auto n = s.size();
      return n;
    }
    uint64_t operator()(const std::vector<int> &v) const {
      int sum = std::accumulate(v.begin(), v.end(), 0);
      return static_cast<uint64_t>(sum);
    }
  };
  uint64_t r = std::visit(Visitor{}, value);
  return r;
}
static std::optional<int> found(const std::map<std::string, int> &map, const std::string &key) {
  auto it = map.find(key);
  if (it == map.end()) return std::nullopt;
  return it->second;
}

int main() {
  std::vector<Person> all = people(14);
  std::sort(all.begin(), all.end());
  std::stable_sort(all.begin(), all.end(), [](const Person &a, const Person &b) {
    bool less = a.name.size() < b.name.size();
    return less;
  });
  std::map<std::string, int> ages;
  for (const auto &[name, age] : all) {
    ages[name] = age;
    add(name.size() * static_cast<uint64_t>(age + 1));
  }
  int known = 0;
  for (int i = 0; i < 20; i += 3) {
    auto age = found(ages, name_of(i));
    if (age) known += *age;
  }
  add(static_cast<uint64_t>(known));
  std::unordered_map<int, std::vector<std::string>> by_age;
  for (const Person &p : all) by_age[p.age].push_back(p.name);
  for (int i = 0; i < 11; ++i) {
    auto it = by_age.find(i);
    if (it == by_age.end()) continue;
    for (const std::string &s : it->second) add(s.back());
  }
  std::list<int> list{3, 1, 2};
  list.push_front(9);
  list.sort();
  list.remove_if([](int n) { return n == 2; });
  std::deque<int> queue(list.begin(), list.end());
  while (!queue.empty()) {
    int n = queue.front();
    queue.pop_front();
    if (n < 6) queue.push_back(n * 2 + 1);
    add(static_cast<uint64_t>(n));
  }
  std::set<std::pair<int, std::string>> pairs;
  for (int i = 0; i < 9; ++i) pairs.emplace(i % 4, name_of(i));
  auto [first, inserted] = pairs.emplace(0, "zero");
  expect(inserted && first->second == "zero", "emplaced");
  std::vector<Value> values{1, std::string("text"), std::vector<int>{1, 2, 3}};
  values.emplace_back(7);
  for (Value &v : values) {
    uint64_t w = weigh(v);
    add(w);
    v = static_cast<int>(w);
  }
  std::any any = std::string("any");
  add(std::any_cast<std::string &>(any).size());
  std::vector<int> heap{5, 3, 8, 1};
  std::make_heap(heap.begin(), heap.end());
  heap.push_back(6);
  std::push_heap(heap.begin(), heap.end());
  std::sort_heap(heap.begin(), heap.end());
  for (int n : heap) add(static_cast<uint64_t>(n));
  auto shared = std::make_shared<Person>(all.front());
  std::weak_ptr<Person> weak = shared;
  expect(!weak.expired(), "shared");
  shared.reset();
  expect(weak.expired(), "gone");
  show("containers");
}
