// Hyperobjects of static storage that a strand reaches first which is not the serially first one:
// the additions of all strands are in the result, in serial order.

#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <functional>
#include <string>

#include "../support/check.h"

namespace {

cilk::reducer<long, std::plus<>> &total() {
  static cilk::reducer<long, std::plus<>> sum(5);
  return sum;
}
cilk::reducer<std::string, cilk::append> &letters() {
  static cilk::reducer<std::string, cilk::append> text(std::string("<"));
  return text;
}
cilk::scratch<std::string> &scratch() {
  static cilk::scratch<std::string> text;
  return text;
}

NOINLINE void add(int milliseconds, char letter) {
  usleep(static_cast<useconds_t>(1000 * milliseconds));
  *total() += 1;
  *letters() += letter;
  scratch()->assign(40, letter);
  usleep(1000);
  CHECK(*scratch() == std::string(40, letter));
}

/// Later children come to the objects earlier, and the last one constructs them.
void tree() {
  cilk_spawn add(12, 'a');
  cilk_spawn add(8, 'b');
  cilk_spawn add(4, 'c');
  add(0, 'd');
  cilk_sync;
}

}  // namespace

int main() {
  tree();
  printf("%ld %s\n", *total(), letters()->c_str());
  tree();
  printf("%ld %s\n", *total(), letters()->c_str());
}
