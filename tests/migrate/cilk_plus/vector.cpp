// stays: reducers of this kind stay Cilk Plus': 'insert_back'
// cilk::reducer<cilk::op_vector<T>>: push_back and insert_back in a loop and in spawned calls.
#include <cilk/cilk.h>
#include <cilk/reducer_vector.h>

#include <cstdio>
#include <string>
#include <vector>

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

void divisors(int n, cilk::reducer<cilk::op_vector<int>> *found) {
  for (int d = 1; d <= n; ++d)
    if (n % d == 0) (*found)->push_back(d);
}

int main() {
  cilk::reducer<cilk::op_vector<int>> primes;
  cilk_for (int n = 0; n < 200; ++n)
    if (is_prime(n)) primes->push_back(n);

  cilk::reducer<cilk::op_vector<int>> all(std::vector<int>{0});
  for (int n = 10; n < 20; ++n) cilk_spawn divisors(n, &all);
  cilk_sync;

  cilk::reducer<cilk::op_vector<std::string>> words;
  cilk_for (int i = 0; i < 12; ++i) {
    const std::string two[2] = {std::to_string(i), "x"};
    words->insert_back(two, two + 2);
    if (i % 4 == 0) words->insert_back(2, "-");
  }

  std::vector<int> out;
  primes.move_out(out);
  std::printf("%zu %d %d:", out.size(), out[10], out.back());
  for (int d : all.get_value()) std::printf(" %d", d);
  std::printf("\n");
  const std::vector<std::string> &text = words.get_value();
  for (std::size_t i = 0; i < text.size(); ++i) std::printf("%s", text[i].c_str());
  std::printf("\n");
}
