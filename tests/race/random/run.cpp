// Executes random programs: run SEED. Prints whether the program has a race ("race", "none").
// See tree.h. Driven by random_test.py.
#include <cilk/cilk.h>
#include <cilk/race.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>

#include "tree.h"

namespace {

#define NOINLINE [[gnu::noinline]]

alignas(16) char pool[16 << 7];
alignas(16) char outermost[kBytes];
const char zeros[kBytes] = {};
std::mutex first_mutex, second_mutex;
cilk::race::fake_mutex fake, held[2];
std::shared_mutex shared;

/// Where a function's memory is.
struct Memory {
  char *local, *parents_local, *block, *parents_block;
};

/// At any address.
template <class T>
struct [[gnu::packed]] Unaligned {
  T value;
};

template <class T>
NOINLINE void touch(char *at, Form form) {
  auto *const here = reinterpret_cast<Unaligned<T> *>(at);
  volatile T sink = 0;
  if (form == Form::read)
    sink = here->value;
  else if (form == Form::write)
    here->value = 1;
  else
    here->value += 1;
  (void)sink;
}

struct Structure {
  char bytes[12];
};
constexpr Structure kStructure = {};
NOINLINE void fill(char *at, std::size_t size) { std::memset(at, 1, size); }
NOINLINE void copy(char *at, std::size_t size) { std::memcpy(at + size, at, size); }
NOINLINE int compare(const char *at, std::size_t size) { return std::memcmp(at, zeros, size); }
NOINLINE void store(Structure *at) { *at = kStructure; }

template <class T>
NOINLINE void touch_atomic(char *at, Form form) {
  T *const value = reinterpret_cast<T *>(at);
  if (form == Form::read)
    (void)__atomic_load_n(value, __ATOMIC_ACQUIRE);
  else
    __atomic_fetch_add(value, 1, __ATOMIC_ACQ_REL);
}

NOINLINE void access(char *at, const Operation &operation) {
  const auto size = static_cast<std::size_t>(operation.size);
  const Form form = operation.form;
  switch (form) {
    case Form::fill:
      return fill(at, size);
    case Form::copy:
      return copy(at, size);
    case Form::compare: {
      volatile int sink = compare(at, size);
      (void)sink;
      return;
    }
    case Form::structure:
      return store(reinterpret_cast<Structure *>(at));
    default:
      break;
  }
  switch (size) {
    case 1:
      return touch<char>(at, form);
    case 2:
      return touch<short>(at, form);
    case 4:
      return touch<int>(at, form);
    case 8:
      return touch<long>(at, form);
    default:
      return touch<__int128>(at, form);
  }
}

NOINLINE void access(const Operation &operation, const Memory &own, int iteration) {
  char *const spaces[] = {pool, own.local, own.parents_local, own.block, own.parents_block};
  char *const at = spaces[static_cast<int>(operation.space)] + operation.offset +
                   operation.stride * iteration % 8;
  switch (operation.protection) {
    case Protection::none:
      return access(at, operation);
    case Protection::mutex: {
      const std::lock_guard hold(first_mutex);
      return access(at, operation);
    }
    case Protection::two_mutexes: {
      const std::scoped_lock hold(first_mutex, second_mutex);
      return access(at, operation);
    }
    case Protection::fake_mutex: {
      const std::lock_guard hold(fake);
      return access(at, operation);
    }
    case Protection::reader: {
      const std::shared_lock hold(shared);
      return access(at, operation);
    }
    case Protection::writer: {
      const std::lock_guard hold(shared);
      return access(at, operation);
    }
    case Protection::atomic:
      return operation.size == 4 ? touch_atomic<int>(at, operation.form)
                                 : touch_atomic<long>(at, operation.form);
  }
}

NOINLINE void run(const std::vector<Operation> &body, Memory caller, int iteration);

NOINLINE char *renewed(char *block) {
  std::free(block);
  return static_cast<char *>(std::calloc(1, kBytes));
}

struct Failure {};

NOINLINE void run_held(const Operation &operation, const Memory &own, int iteration) {
  const std::lock_guard hold(held[operation.count]);
  run(operation.body, own, iteration);
}

NOINLINE void run_loop(const Operation &loop, const Memory &own) {
  cilk_for (int i = 0; i < loop.count; ++i) run(loop.body, own, i);
}

/// The operations that are the same in each kind of region.
#define SIMPLE_CASES                                \
  case Kind::access:                                \
    access(operation, own, iteration);              \
    break;                                          \
  case Kind::spawn:                                 \
    cilk_spawn run(operation.body, own, iteration); \
    break;                                          \
  case Kind::call:                                  \
    run(operation.body, own, iteration);            \
    break;                                          \
  case Kind::sync:                                  \
    cilk_sync;                                      \
    break;                                          \
  case Kind::loop:                                  \
    run_loop(operation, own);                       \
    break;                                          \
  case Kind::hold:                                  \
    run_held(operation, own, iteration);            \
    break;                                          \
  case Kind::fail:                                  \
    throw Failure();                                \
  case Kind::renew:                                 \
    own.block = renewed(own.block);                 \
    break;

NOINLINE void run_scope(const std::vector<Operation> &body, Memory &own, int iteration) {
  cilk_scope {
    for (const Operation &operation : body) switch (operation.kind) {
        SIMPLE_CASES
        default:
          std::abort();
      }
  }
}

NOINLINE void run_attempt(const std::vector<Operation> &body, Memory &own, int iteration) {
  try {
    for (const Operation &operation : body) switch (operation.kind) {
        SIMPLE_CASES
        default:
          std::abort();
      }
  } catch (const Failure &) {
  }
}

struct Block {
  Memory &own;
  ~Block() { std::free(own.block); }  // after the implicit sync
};

NOINLINE void run_operations(const std::vector<Operation> &body, Memory &own, int iteration) {
  for (const Operation &operation : body) switch (operation.kind) {
      SIMPLE_CASES
      case Kind::scope:
        run_scope(operation.body, own, iteration);
        break;
      case Kind::attempt:
        run_attempt(operation.body, own, iteration);
        break;
    }
}

NOINLINE void run(const std::vector<Operation> &body, Memory caller, int iteration) {
  alignas(16) char local[kBytes];
  Memory own{local, caller.local, static_cast<char *>(std::calloc(1, kBytes)), caller.block};
  const Block block{own};
  run_operations(body, own, iteration);
}

}  // namespace

int main(int, char **argv) {
  Shape shape(static_cast<unsigned>(std::atol(argv[1])));
  const std::vector<Operation> program = make_body(shape, 5, false, true);
  std::puts(has_race(program) ? "race" : "none");
  std::fflush(stdout);
  char *const block = static_cast<char *>(std::malloc(kBytes));
  run(program, {outermost, outermost, block, block}, 0);
}
