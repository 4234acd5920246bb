// cilk::holder: scratch space per strand, a first value, and the policy holder_keep_last.
#include <cilk/cilk.h>
#include <cilk/holder.h>
#include <cilk/reducer_opadd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// stays: a holder stays Cilk Plus'
cilk::holder<std::vector<int>> buffer;

long median_of(int seed) {
  buffer().clear();
  for (int i = 0; i < 9; ++i) buffer().push_back((seed * 17 + i * i * 5) % 31);
  std::vector<int> &sorted = buffer();
  std::sort(sorted.begin(), sorted.end());
  return sorted[4];
}

void remember(int i, cilk::holder<int, cilk::holder_keep_last> &last) { *last = i * 10; }

int main() {
  cilk::reducer<cilk::op_add<long>> sum;
  cilk::holder<std::string> word(std::string("item"));
  cilk::reducer_opadd<int> letters;
  cilk_for (int i = 0; i < 80; ++i) {
    *sum += median_of(i);
    word->resize(4);
    word->append(std::to_string(i));
    letters += static_cast<int>(word().size());
  }
  cilk::holder<int, cilk::holder_keep_last> last(-1);
  for (int i = 0; i < 25; ++i) cilk_spawn remember(i, last);
  cilk_sync;
  std::printf("%ld %d %d\n", sum.get_value(), letters.get_value(), last());
}
