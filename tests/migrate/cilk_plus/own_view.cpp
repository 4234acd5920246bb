// User-defined views with cilk::monoid_with_view: a rolling hash, and a set in a wrapper class.
#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <cstdio>
#include <set>

struct HashView {
  typedef unsigned value_type;
  void add(unsigned letter) {
    hash_ = hash_ * 31 + letter;
    power_ *= 31;
  }
  void reduce(HashView *right) {
    hash_ = hash_ * right->power_ + right->hash_;
    power_ *= right->power_;
  }
  unsigned view_get_value() const { return hash_; }
  unsigned hash_ = 0, power_ = 1;
};

struct SetView : cilk::scalar_view<std::set<int>> {
  void insert(int x) { m_value.insert(x); }
  void reduce(SetView *right) { m_value.insert(right->m_value.begin(), right->m_value.end()); }
};

class SetReducer {
 public:
  void insert(int x) { imp_.view().insert(x); }
  const std::set<int> &get() const { return imp_.get_value(); }

 private:
  cilk::reducer<cilk::monoid_with_view<SetView>> imp_;
};

int main() {
  cilk::reducer<cilk::monoid_with_view<HashView>> hash;
  SetReducer rests;
  cilk_for (unsigned i = 0; i < 100; ++i) {
    hash->add(i % 26);
    rests.insert(static_cast<int>(i * i % 23));
  }
  for (int x : rests.get()) std::printf("%d ", x);
  std::printf("%u\n", hash.get_value());
}
