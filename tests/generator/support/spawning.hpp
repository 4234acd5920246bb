// Classes of generated C++ programs whose constructors, destructors, assignments and operators
// spawn.

NOINLINE UNUSED static void put(u64 *place, u64 n) {
  linger(n);
  *place = n;
}
NOINLINE UNUSED static u64 half(u64 n) {
  linger(n * 3);
  return n / 2;
}

// The implicit sync at the end of each function comes before what its children use dies.
class Forker {
 public:
  explicit Forker(u64 n) : first_(n), second_(0) {
    cilk_spawn put(&left_, n);
    right_ = cilk_spawn half(n);
    second_ = cilk_spawn first_.plus(1);
  }
  Forker(const Forker &other) : first_(other.first_), second_(other.second_) {
    left_ = cilk_spawn half(other.left_ * 2);
    cilk_spawn { right_ = other.right_; };
  }
  Forker &operator=(const Forker &other) {
    const u64 n = cilk_spawn other.sum();
    first_ = other.first_;
    cilk_sync;
    second_ = cilk_spawn other.second_.plus(0);
    left_ = n;
    right_ = n / 2;
    return *this;
  }
  ~Forker() {
    Obj last(3);
    u64 seen = 0;
    cilk_spawn put(&seen, first_.get());
    cilk_spawn first_.spin(left_);
    cilk_spawn last.spin(right_);
    second_.spin(1);
  }
  u64 sum() const { return mix(first_.get(), mix(second_.get(), mix(left_, right_))); }

 private:
  Obj first_, second_;
  u64 left_ = 1, right_ = 1;
};

struct Root {
  explicit Root(u64 n) : root(n) { cilk_spawn put(&word, root.get() + 1); }
  virtual ~Root() { cilk_spawn root.spin(word); }
  virtual u64 get() const { return mix(root.get(), word); }
  Obj root;
  u64 word = 0;
};
struct Left : virtual Root {
  explicit Left(u64 n) : Root(n), left(n + 1) { word_left = cilk_spawn half(n); }
  ~Left() override { cilk_spawn left.spin(word_left); }
  u64 get() const override { return mix(Root::get(), mix(left.get(), word_left)); }
  Obj left;
  u64 word_left = 0;
};
struct Right : virtual Root {
  explicit Right(u64 n) : Root(n), right(n + 2) {}
  u64 get() const override {
    u64 a = cilk_spawn Root::get();
    u64 b = right.spin(3);
    cilk_sync;
    return mix(a, b);
  }
  Obj right;
};
struct Diamond : Left, Right {
  explicit Diamond(u64 n) : Root(n), Left(n), Right(n) {
    cilk_spawn put(&last, n);
    Obj own(n);
    cilk_spawn own.spin(n);
  }
  Diamond(const Diamond &) = default;
  Diamond &operator=(const Diamond &other) {
    Left::operator=(other);
    Right::operator=(other);
    last = other.last;
    return *this;
  }
  ~Diamond() override {
    Obj own(4);
    cilk_spawn own.spin(last);
    cilk_spawn right.spin(last);
  }
  u64 get() const override {
    u64 a = cilk_spawn Left::get();
    u64 b = cilk_spawn Right::get();
    cilk_sync;
    return mix(a, mix(b, last));
  }
  u64 last = 0;
};

// A function object that spawns.
struct Swarm {
  explicit Swarm(u64 n) : kept(n) {}
  u64 operator()(u64 n) const {
    if (n % 5 == 0) return kept.spin(n);
    u64 a = cilk_spawn(*this)(n / 5 * 5);
    Obj b = cilk_spawn kept.plus(n);
    cilk_sync;
    return mix(a, b.get());
  }
  Obj kept;
};

UNUSED static inline Forker make_Forker(u64 n) { return Forker(n); }
UNUSED static inline u64 use_Forker(const Forker &f) { return f.sum(); }
UNUSED static inline Diamond make_Diamond(u64 n) { return Diamond(n); }
UNUSED static inline u64 use_Diamond(const Root &d) { return d.get(); }
UNUSED static inline Swarm make_Swarm(u64 n) { return Swarm(n); }
UNUSED static inline u64 use_Swarm(const Swarm &s) { return s.kept.get(); }
