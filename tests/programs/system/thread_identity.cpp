// The thread may change across a spawn and a sync: thread_local variables, errno and pthread_self()
// must be those of the thread that runs now, even where the compiler has seen the same address
// before. The thread that called a spawning function gets it back.

#include <cilk/cilk.h>

#include <pthread.h>

#include <cerrno>
#include <thread>
#include <vector>

#include "../support/check.h"

namespace {

thread_local long local_counter = 0;
thread_local struct {
  long padding[3];
  long tag;
} local_struct = {{1, 2, 3}, 4};

struct Constructed {
  Constructed() : value(17) {}
  ~Constructed() { value = 0; }
  long value;
};
thread_local Constructed constructed;

NOINLINE void work() { linger(); }

// What a function that was never inlined, and never saw a spawn, says about the thread.
NOINLINE long *counter_address() { return &local_counter; }
NOINLINE long *tag_address() { return &local_struct.tag; }
NOINLINE int *errno_address() { return &errno; }
NOINLINE pthread_t self() { return pthread_self(); }
NOINLINE void set_errno(int value) { errno = value; }
NOINLINE int get_errno() { return errno; }

void check_all_here() {
  CHECK(&local_counter == counter_address());
  CHECK(&local_struct.tag == tag_address());
  CHECK(&errno == errno_address());
  CHECK(pthread_self() == self());
}

// Spawned deep enough for steals; the checks are written out here, so that the addresses of one are
// at hand in the next.
void addresses(int depth) {
  CHECK(&local_counter == counter_address());
  CHECK(&local_struct.tag == tag_address());
  CHECK(&errno == errno_address());
  CHECK(pthread_equal(pthread_self(), self()));
  if (depth == 0) return work();
  cilk_spawn addresses(depth - 1);
  CHECK(&local_counter == counter_address());
  CHECK(&local_struct.tag == tag_address());
  CHECK(&errno == errno_address());
  CHECK(pthread_equal(pthread_self(), self()));
  CHECK_EQ(constructed.value, 17);
  addresses(depth - 1);
  cilk_sync;
  CHECK(&local_counter == counter_address());
  CHECK(&local_struct.tag == tag_address());
  CHECK(&errno == errno_address());
  CHECK(pthread_equal(pthread_self(), self()));
  CHECK_EQ(local_struct.tag, 4);
}

// A value written to errno or to a thread_local between spawns is what a call reads right after it.
void values(int rounds) {
  for (int i = 1; i <= rounds; ++i) {
    errno = i;
    CHECK_EQ(get_errno(), i);
    cilk_spawn work();
    errno = 1000 + i;
    CHECK_EQ(get_errno(), 1000 + i);
    local_counter = i;
    CHECK_EQ(*counter_address(), i);
    cilk_spawn [](int n) {
      set_errno(n);
      CHECK_EQ(errno, n);
    }(i);
    local_counter = -i;
    CHECK_EQ(*counter_address(), -i);
    if (i % 3 == 0) cilk_sync;
    set_errno(2000 + i);
    CHECK_EQ(errno, 2000 + i);
    *counter_address() = 3 * i;
    CHECK_EQ(local_counter, 3 * i);
  }
}

// A value computed from an address before a sync is used only after it, so the optimizer may
// compute it there.
NOINLINE long compared_in_front(int rounds) {
  long right = 0;
  for (int i = 0; i < rounds; ++i) {
    cilk_spawn work();
    right += &local_counter == counter_address();
    cilk_sync;
    right += &local_counter == counter_address();
  }
  return right;
}

NOINLINE long kept_in_front(int rounds) {
  long right = 0;
  for (int i = 0; i < rounds; ++i) {
    cilk_spawn work();
    long *const mine = i % 2 != 0 ? &local_counter : &local_struct.tag;
    long *const asked = i % 2 != 0 ? counter_address() : tag_address();
    const long distance =
        reinterpret_cast<char *>(&errno) - reinterpret_cast<char *>(errno_address());
    cilk_sync;
    right += mine == asked;
    right += distance == 0;
  }
  return right;
}

// A spawned block, which is inlined into its parent, names the variables of the thread that runs
// it.
NOINLINE long in_blocks(int rounds) {
  long right = 0;
  local_counter = 1;
  for (int i = 0; i < rounds; ++i) {
    cilk_spawn {
      local_counter = i;
      right += *counter_address() == i;
    }
    linger();
    cilk_sync;
  }
  return right;
}

// Sums what each thread added to its own thread_local: nothing is lost and nothing counted twice.
thread_local long added_here = 0;
thread_local bool registered = false;
pthread_mutex_t counters_mutex = PTHREAD_MUTEX_INITIALIZER;
std::vector<long *> counters;

NOINLINE void add_one() {
  if (!registered) {
    pthread_mutex_lock(&counters_mutex);
    counters.push_back(&added_here);
    pthread_mutex_unlock(&counters_mutex);
    registered = true;
  }
  ++added_here;
}

void add_tree(int depth) {
  add_one();
  if (depth == 0) return work();
  cilk_spawn add_tree(depth - 1);
  add_one();
  add_tree(depth - 1);
  cilk_sync;
  add_one();
}

// The caller continues on its own thread, wherever the work ran.
void check_comes_back() {
  const pthread_t before = self();
  long *const address = counter_address();
  for (int i = 0; i < 20; ++i) {
    addresses(3);
    CHECK(pthread_equal(self(), before));
    CHECK(counter_address() == address);
  }
}

}  // namespace

int main() {
  const pthread_t main_thread = pthread_self();
  addresses(7);
  values(30);
  CHECK_EQ(compared_in_front(30), 60);
  CHECK_EQ(kept_in_front(30), 60);
  CHECK_EQ(in_blocks(30), 30);
  check_comes_back();
  std::thread other(check_comes_back);
  other.join();
  CHECK(pthread_equal(pthread_self(), main_thread));
  printf("addresses and values: ok\n");

  add_tree(8);
  long total = 0;
  for (const long *counter : counters) total += *counter;
  printf("thread_local sums: %ld\n", total);

  cilk_spawn work();
  check_all_here();
  cilk_sync;
  check_all_here();
  CHECK(pthread_equal(pthread_self(), main_thread));
  printf("main thread: ok\n");
  return 0;
}
