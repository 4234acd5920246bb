// Exceptions: many destructors, partly built objects and arrays, rethrow, nested handlers, function
// try blocks. mutator: rtti
#include <exception>
#include <stdexcept>
#include <string>
#include "common.h"

static int alive;
struct Tracked {
  explicit Tracked(int n) : n(n), self(this) {
    if (n % 13 == 12) throw n;
    ++alive;
  }
  Tracked(const Tracked &other) : n(other.n), self(this) { ++alive; }
  ~Tracked() {
    expect(self == this, "tracked");
    --alive;
    add(static_cast<uint64_t>(n));
  }
  int n;
  Tracked *self;
};
struct Error : std::runtime_error {
  Error(const std::string &what, int code) : std::runtime_error(what), code(code) {}
  int code;
};

struct Members {
  Tracked a, b, c;
  explicit Members(int n) try : a(n), b(n + 1), c(n + 2) {
    Tracked local(n + 3);
    if (n % 3 == 0) throw Error("body", n);
  } catch (int m) {
    throw Error("member", m);
  }
};

static int depth(int n, Tracked by_value) {
  Tracked local(by_value.n + 1);
  if (n == 0) throw Error("deep " + std::to_string(local.n), local.n);
  int result = depth(n - 1, local);
  return result + 1;
}

static int middle(int n) {
  Tracked guard(n);
  try {
    Tracked inner(n + 1);
    return depth(n % 4, inner);
  } catch (const Error &error) {
    add(static_cast<uint64_t>(error.code));
    if (n % 2) throw;
    return error.code;
  }
}

static int outer(int n) {
  for (int i = 0; i < 3; ++i) {
    Tracked loop(i);
    try {
      if (i == 1) continue;
      Tracked before(n + i);
      int m = middle(n + i);
      Tracked after(m);
      if (m > 20) break;
    } catch (const std::exception &e) {
      add_bytes(e.what(), strlen(e.what()));
    } catch (int m) {
      add(static_cast<uint64_t>(m));
      if (m == 25) return m;
    }
  }
  return n;
}

static Tracked made(int n) {
  Tracked result(n);
  if (n == 5) throw std::out_of_range("five");
  return result;
}

static void arrays(int n) {
  try {
    Tracked list[] = {Tracked(n), Tracked(n + 1), Tracked(n + 2)};
    Tracked *heap = new Tracked[2]{Tracked(n + 3), Tracked(n + 4)};
    add(static_cast<uint64_t>(list[1].n + heap[1].n));
    delete[] heap;
    Tracked last = made(n);
    const Tracked &bound = made(n + 1);
    add(static_cast<uint64_t>(last.n * bound.n));
  } catch (int m) {
    add(static_cast<uint64_t>(m) * 3);
  } catch (...) {
    add(77);
  }
}

static std::exception_ptr kept(int n) {
  try {
    Members m(n);
    add(static_cast<uint64_t>(m.c.n));
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

int main() {
  for (int i = 0; i < 16; ++i) {
    add(static_cast<uint64_t>(outer(i)));
    expect(alive == 0, "all are dead after outer");
    arrays(i);
    expect(alive == 0, "all are dead after arrays");
    if (std::exception_ptr p = kept(i)) {
      try {
        std::rethrow_exception(p);
      } catch (const Error &error) {
        add(static_cast<uint64_t>(error.code) + strlen(error.what()));
      }
    }
    expect(alive == 0, "all are dead after kept");
  }
  show("unwinding");
}
