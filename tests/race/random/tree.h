// A random program as a tree of operations, and the pairs of them that race: truth.cpp.
//
// run.cpp executes the tree with Cilk's keywords.
#ifndef NOPAL_TESTS_RACE_RANDOM_TREE_H
#define NOPAL_TESTS_RACE_RANDOM_TREE_H

#include <cstdint>
#include <random>
#include <vector>

enum class Kind {
  access,  // of memory
  spawn,   // body: a function, as a child
  call,    // body: a function
  sync,
  loop,     // body: a function, in each iteration
  scope,    // body: in this function, a sync region of its own
  attempt,  // body: the same as a try block, with a handler that does nothing
  fail,     // throws; only where an attempt encloses it
  hold,     // body: a function, called with a fake mutex held
  renew,    // the function's heap block is freed, and there is another
};

/// Whose memory. Each function has a local array and a heap block of kBytes.
enum class Space { pool, local, parents_local, block, parents_block };

enum class Form { read, write, update, fill, compare, copy, structure };

enum class Protection { none, mutex, fake_mutex, atomic, two_mutexes, reader, writer };

inline constexpr int kBytes = 32;

struct Operation {
  Kind kind;
  // Of an access.
  Space space;
  Form form;
  Protection protection;
  int offset, size, stride;  // stride: how much further for each iteration of the loop around it
  int count;                 // of a loop; of hold: which mutex
  std::vector<Operation> body;
};

/// How the program of a seed looks.
struct Shape {
  explicit Shape(unsigned seed) : random(seed) {
    density = pick(1, 8);
    pool_bytes = 16 << pick(0, 6);
    writes = pick(1, 10);
    protects = pick(0, 3) == 0;
  }
  int pick(int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  }
  bool chance(int of_ten) { return pick(1, 10) <= of_ten; }

  std::mt19937 random;
  int density, pool_bytes, writes;
  bool protects;
  int left = 60;  // operations that may still be made
};

std::vector<Operation> make_body(Shape &shape, int depth, bool may_fail, bool is_function);
/// Whether two accesses of the program race.
bool has_race(const std::vector<Operation> &program);

#endif
