// Loads two libraries that spawn, alone and calling each other, and closes one while a thread is
// busy in the other. With -DSPAWNS it spawns itself. Prints the same in all settings; see run.py.

#include <dlfcn.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#ifdef SPAWNS
#include <cilk/cilk.h>
#else
#define cilk_spawn
#define cilk_sync
#endif

namespace {

using Work = long (*)(long, void *, long);

long fib(long n) {
  if (n < 2) return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

void *load(const char *path, int how) {
  void *library = dlopen(path, how);
  if (library != nullptr) return library;
  std::puts(dlerror());
  std::exit(1);
}

void *run(void *work) {
  return reinterpret_cast<void *>(reinterpret_cast<Work>(work)(20, nullptr, -1));
}

}  // namespace

int main() {
  std::printf("%ld\n", fib(15));
  void *const a = load("./a.so", RTLD_LAZY | RTLD_LOCAL), *const b = load("./b.so",
                                                                          RTLD_NOW | RTLD_GLOBAL);
  void *const work_a = dlsym(a, "work"), *const work_b = dlsym(b, "work");
  std::printf("two libraries: %d\n", work_a != work_b);
  const Work run_a = reinterpret_cast<Work>(work_a), run_b = reinterpret_cast<Work>(work_b);
  std::printf("%ld %ld %ld\n", run_a(15, nullptr, -1), run_a(15, work_b, -1),
              run_b(15, work_a, -1));
  for (int i = 0; i < 20; ++i) {
    try {
      std::printf("%ld\n", run_a(9, work_b, 1));
    } catch (const std::runtime_error &e) {
      if (i == 0) std::puts(e.what());
    }
  }
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, work_b) != 0 || dlclose(a) != 0) return 1;
  void *result = nullptr;
  std::printf("%ld\n", fib(15));
  if (pthread_join(thread, &result) != 0) return 1;
  std::printf("%ld\n", reinterpret_cast<long>(result));
  return dlclose(b);
}
