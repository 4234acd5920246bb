// cilk::unite refuses a set or map that has no comparator or hash yet.
// RUN: %cilk_cxx_verify -std=c++17 %s
// RUN: %cilk_cxx_verify -std=c++23 %s
#include <cilk/cilk.h>
#include <cilk/reducer.h>

#include <functional>
#include <set>
#include <unordered_map>

bool down(int x, int y);
struct Down {
  bool is_down = true;
  bool operator()(int x, int y) const;
};
using Pointer = std::set<int, bool (*)(int, int)>;
using Function = std::multiset<int, std::function<bool(int, int)>>;
using Hash = std::unordered_map<int, int, std::size_t (*)(int)>;
using Equal = std::unordered_map<int, int, std::hash<int>, bool (*)(int, int)>;

// expected-error@cilk/monoid.h:* 4 {{the comparator, hash or equality of a default container of this type is null: construct the reducer from a container that has one}}
// expected-note@cilk/monoid.h:* 0+ {{}}
// expected-note@cilk/reducer.h:* 0+ {{}}
cilk::reducer<Pointer, cilk::unite> pointer;    // expected-note {{}}
cilk::reducer<Function, cilk::unite> function;  // expected-note {{}}
cilk::reducer<Hash, cilk::unite> hash;          // expected-note {{}}
cilk::reducer<Equal, cilk::unite> equal;        // expected-note {{}}

cilk::reducer<Pointer, cilk::unite> with_pointer(Pointer{down});
cilk::reducer<std::set<int, Down>, cilk::unite> with_default;
