// The classes of generated C++ programs: they count themselves and notice wrong treatment.

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

static std::atomic<long> alive{0};  // constructions minus destructions; main prints it

[[noreturn]] NOINLINE UNUSED static void wrong(const char *what) {
  std::printf("wrong: %s\n", what);
  std::fflush(stdout);
  std::abort();
}

// Knows its own address and whether it lives.
class Obj {
 public:
  explicit Obj(u64 n) : value_(n), self_(this) { alive.fetch_add(1, std::memory_order_relaxed); }
  Obj(const Obj &other) : value_(other.get()), self_(this) { alive.fetch_add(1, std::memory_order_relaxed); }
  Obj(Obj &&other) noexcept : value_(other.get()), self_(this) {
    other.value_ = 0;
    alive.fetch_add(1, std::memory_order_relaxed);
  }
  Obj &operator=(const Obj &other) {
    get();
    value_ = other.get();
    return *this;
  }
  ~Obj() {
    get();
    self_ = nullptr;
    alive.fetch_sub(1, std::memory_order_relaxed);
  }
  u64 get() const {
    if (self_ != this) wrong("an object that does not live there");
    return value_;
  }
  u64 spin(u64 n) const {
    linger(n);
    return mix(get(), n);
  }
  Obj plus(u64 n) const { return Obj(mix(get(), n)); }

 private:
  u64 value_;
  const Obj *self_;
};

// Large, copied only.
class Big {
 public:
  explicit Big(u64 n) : first_(n), last_(n + 1) {
    for (u64 &word : words_) word = n++;
  }
  Big(const Big &other) = default;
  Big &operator=(const Big &other) {
    first_ = other.first_;
    last_ = other.last_;
    for (int i = 0; i < 12; ++i) words_[i] = other.words_[i];
    return *this;
  }
  u64 get() const {
    u64 n = mix(first_.get(), last_.get());
    for (u64 word : words_) n = mix(n, word);
    return n;
  }

 private:
  Obj first_;
  u64 words_[12];
  Obj last_;
};

struct Shape {
  explicit Shape(u64 n) : seed(n) {}
  virtual ~Shape() = default;
  virtual u64 area(u64 n) const { return mix(seed.get(), n); }
  Obj seed;
};
struct Round : Shape {
  using Shape::Shape;
  u64 area(u64 n) const override {
    linger(n);
    return mix(n, seed.get());
  }
};

// A closure with a class inside.
struct Functor {
  explicit Functor(u64 n) : kept(n) {}
  u64 operator()(u64 n) const {
    linger(n);
    return mix(kept.get(), n);
  }
  Obj kept;
};

using Text = std::string;
using Box = std::unique_ptr<Obj>;
using Words = std::vector<u64>;
using Poly = std::unique_ptr<Shape>;

NOINLINE UNUSED static Obj make_Obj(u64 n) { return Obj(n); }
UNUSED static inline Big make_Big(u64 n) { return Big(n); }
UNUSED static Text make_Text(u64 n) {
  Text text(n % 40, 'x');
  for (char &c : text) c = static_cast<char>('a' + (n = n * 5 + 3) % 26);
  return text;
}
UNUSED static inline Box make_Box(u64 n) { return n % 8 == 0 ? Box() : std::make_unique<Obj>(n); }
UNUSED static Words make_Words(u64 n) { return Words(n % 7, n); }
UNUSED static Poly make_Poly(u64 n) { return n % 2 ? Poly(new Shape(n)) : Poly(new Round(n)); }

UNUSED static inline u64 use_Obj(const Obj &o) { return o.get(); }
UNUSED static inline u64 use_Big(const Big &b) { return b.get(); }
UNUSED static u64 use_Text(const Text &text) {
  u64 n = text.size();
  for (char c : text) n = mix(n, static_cast<u64>(c));
  return n;
}
UNUSED static inline u64 use_Box(const Box &box) { return box ? box->get() : 5; }
UNUSED static u64 use_Words(const Words &words) {
  u64 n = words.size();
  for (u64 word : words) n = mix(n, word);
  return n;
}
UNUSED static inline u64 use_Poly(const Poly &shape) { return shape ? shape->area(1) : 6; }
