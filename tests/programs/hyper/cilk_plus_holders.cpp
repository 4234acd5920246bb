// Cilk Plus' holders, with each policy: what -fcilkplus makes of <cilk/holder.h>.
//
// matrix: flags -D__NOPAL_CILK_PLUS__=1

#include <cilk/cilk.h>
#include <cilk/holder.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/check.h"

namespace {

/// With what a holder's view must keep track of: how it was made and moved.
struct Value {
  std::string text = "new";
  void swap(Value &other) { text.swap(other.text); }
};

// A strand finds what it has left itself, or a new value.
NOINLINE long scratch() {
  cilk::holder<std::vector<int>> buffer;
  cilk::reducer<long, std::plus<>> total;
  cilk_for (int i = 0; i < 300; ++i) {
    if (i % 50 == 0) linger();
    buffer().clear();
    buffer->push_back(i);
    (*buffer).push_back(i);
    *total += static_cast<long>(buffer.view().size());
  }
  return *total;
}

NOINLINE void set(cilk::holder<int, cilk::holder_keep_last> *last, int i) {
  if (i % 5 == 0) linger();
  last->view() = i;
}

// The serially last value stays, whatever was stolen.
template <class Holder>
NOINLINE std::string last_of(int count) {
  Holder last(Value{"first"});
  for (int i = 0; i < count; ++i)
    cilk_spawn [&last](int n) {
      if (n % 5 == 0) linger();
      last->text = std::to_string(n);
    }(i);
  cilk_sync;
  return last().text;
}

// Each view begins as the first one does.
NOINLINE int copies() {
  cilk::holder<int> seven(7);
  cilk::holder<std::string> made([] { return std::string("made"); });
  CHECK_EQ(*seven, 7);
  CHECK(made() == "made");
  int wrong = 0;
  cilk_for (int i = 0; i < 100; ++i) {
    if (i % 20 == 0) linger();
    if (*seven != 7 || *made != "made") __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  }
  return wrong;
}

}  // namespace

static_assert(!std::is_copy_constructible_v<cilk::holder<int>>);

int main() {
  CHECK_EQ(scratch(), 600);
  CHECK_EQ(copies(), 0);
  using cilk::holder;
  CHECK((last_of<holder<Value, cilk::holder_keep_last>>(50) == "49"));
  CHECK((last_of<holder<Value, cilk::holder_keep_last_copy>>(50) == "49"));
  CHECK((last_of<holder<Value, cilk::holder_keep_last_move>>(50) == "49"));
  CHECK((last_of<holder<Value, cilk::holder_keep_last_swap>>(50) == "49"));
  CHECK(last_of<holder<Value>>(50) != "new");  // any view's, and each begins as the first one
  cilk::holder<int, cilk::holder_keep_last> last;
  for (int i = 0; i < 40; ++i) cilk_spawn set(&last, i);
  cilk_sync;
  printf("%d\n", last());
}
