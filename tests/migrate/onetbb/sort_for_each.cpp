// tbb::parallel_sort with and without a comparator, tbb::parallel_for_each over a vector.
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_sort.h>

#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

struct Item {
  int id;
  int weight;
  std::string label;
};

int main() {
  std::vector<int> keys(10000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = int(i * 7349 % 10007);
  tbb::parallel_sort(keys.begin(), keys.end());
  std::cout << keys[0] << ' ' << keys[1234] << ' ' << keys[9999] << '\n';
  tbb::parallel_sort(keys.begin(), keys.end(), std::greater<>());
  std::cout << keys[0] << ' ' << keys[1234] << ' ' << keys[9999] << '\n';

  std::vector<Item> items(2000);
  for (int i = 0; i < 2000; ++i) items[i] = Item{i, i * 37 % 101, ""};
  tbb::parallel_for_each(items, [](Item &item) { item.label = "#" + std::to_string(item.id); });
  tbb::parallel_for_each(items.begin(), items.end(), [](Item &item) {
    if (item.id % 2 == 0) return;
    item.weight += 50;
  });
  // Ties are broken by id: a total order, so the unstable sort has one result.
  tbb::parallel_sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
    return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
  });
  for (std::size_t i = 0; i < items.size(); i += 400)
    std::cout << items[i].label << ' ' << items[i].weight << '\n';
}
