// The classes of generated C++ programs: they count themselves and notice wrong treatment.

#include <array>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

static std::atomic<long> alive{0};  // constructions minus destructions; main prints it

// Knows its own address and whether it lives.
class Obj {
 public:
  explicit Obj(u64 n) : value_(n), self_(this) { alive.fetch_add(1, std::memory_order_relaxed); }
  Obj(const Obj &other) : value_(other.get()), self_(this) {
    alive.fetch_add(1, std::memory_order_relaxed);
  }
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

// Takes results of other types through its operator=.
struct Taker {
  explicit Taker(u64 n) : kept(n) {}
  Taker &operator=(u64 n) {
    kept = Obj(n);
    return *this;
  }
  Taker &operator=(const Obj &other) {
    kept = other.plus(1);
    return *this;
  }
  Obj kept;
};

// Adds to a trail when it dies: the order of destructors shows.
struct Ordered {
  Ordered(u64 *trail, u64 n) : trail_(trail), n_(n) {}
  Ordered(const Ordered &) = delete;
  ~Ordered() { *trail_ = mix(*trail_, n_.get()); }
  u64 *trail_;
  Obj n_;
};

template <class T>
T *same(T *p) {
  return static_cast<T *>(same(const_cast<void *>(static_cast<const void *>(p))));
}

// Callees of other sorts.
template <class... All>
u64 pack(u64 n, const All &...all) {
  linger(n);
  return (mix(n, static_cast<u64>(all)) + ... + 1);
}
NOINLINE UNUSED static u64 with_default(u64 n, const Obj &o = Obj(5), Obj p = Obj(6)) {
  linger(n);
  return mix(n, mix(o.get(), p.get()));
}
NOINLINE UNUSED static u64 total(std::initializer_list<u64> list) {
  u64 n = list.size();
  for (u64 word : list) n = mix(n, word);
  linger(n);
  return n;
}
struct Statics {
  static u64 call(u64 n, Obj o) {
    linger(n);
    return mix(n, o.get());
  }
  template <int kNumber>
  static Obj make(u64 n) {
    return Obj(n + kNumber);
  }
};
template <class F, class T>
auto apply(F &&function, T value) -> decltype(function(value)) {
  return function(value);
}

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
UNUSED static inline Functor make_Functor(u64 n) { return Functor(n); }
UNUSED static inline u64 use_Functor(const Functor &f) { return f.kept.get(); }
UNUSED static inline Taker make_Taker(u64 n) { return Taker(n); }
UNUSED static inline u64 use_Taker(const Taker &t) { return t.kept.get(); }
UNUSED static inline Round make_Shape(u64 n) { return Round(n); }

// What structured bindings take apart: a struct, tuples, an array, and a class whose parts are
// temporaries.
NOINLINE UNUSED static Pair pair_of(u64 n) {
  linger(n);
  return make_Pair(n);
}
NOINLINE UNUSED static std::pair<u64, u64> twin(u64 n) {
  linger(n);
  return {n, mix(n, 2)};
}
NOINLINE UNUSED static std::tuple<double, Obj, u64> mixed(u64 n) {
  linger(n);
  return {make_double(n), Obj(n), mix(n, 3)};
}
NOINLINE UNUSED static std::array<u64, 3> row(u64 n) {
  linger(n);
  return {n, mix(n, 4), mix(n, 5)};
}
struct Parts {
  u64 n;
  template <std::size_t kIndex>
  auto get() const {
    if constexpr (kIndex == 0)
      return mix(n, 6);
    else
      return Obj(n);
  }
};
template <>
struct std::tuple_size<Parts> : std::integral_constant<std::size_t, 2> {};
template <std::size_t kIndex>
struct std::tuple_element<kIndex, Parts> {
  using type = decltype(std::declval<const Parts &>().get<kIndex>());
};
NOINLINE UNUSED static Parts parts(u64 n) {
  linger(n);
  return {n};
}

// A member that is a reference keeps a temporary, too.
struct Held {
  const u64 &held;
};
NOINLINE UNUSED static u64 twice(u64 n) {
  linger(n);
  return mix(n, n);
}
