// What generated programs throw; left out where they are compiled without exceptions.

#include <exception>
#include <stdexcept>

struct Fail {
  u64 number;
};
struct Counted : Fail {
  explicit Counted(u64 n) : Fail{n}, object(n) {}
  Obj object;
};

NOINLINE UNUSED static void throw_if(bool condition, u64 n) {
  if (!condition) return;
  if (n % 4 == 0) throw Fail{n};
  if (n % 4 == 1) throw Counted(n);
  if (n % 4 == 2) throw static_cast<int>(n & 0xffff);
  throw std::runtime_error(make_Text(n));
}

// An operand that throws for some values.
NOINLINE UNUSED static u64 checked(u64 n, u64 m) {
  throw_if(n % m == 0, n / m);
  return n;
}

// A class whose conversion throws for some values.
class Picky {
 public:
  Picky(u64 n) : kept_(n) { checked(n, 13); }
  Picky &operator=(u64 n) {
    kept_ = Obj(checked(n, 11));
    return *this;
  }
  u64 get() const { return kept_.get(); }

 private:
  Obj kept_;
};
UNUSED static inline u64 use_Picky(const Picky &p) { return p.get(); }

// The number of what is being handled.
NOINLINE UNUSED static u64 caught() {
  try {
    throw;
  } catch (const Counted &counted) {
    return mix(counted.object.get(), counted.number);
  } catch (const Fail &fail) {
    return fail.number;
  } catch (int number) {
    return static_cast<u64>(number);
  } catch (const std::exception &error) {
    return use_Text(error.what());
  }
}

// The exceptions that the stack handles when a function begins. Handlers, and code after them, must
// see the same.
class Calm {
 public:
  Calm() : uncaught_(std::uncaught_exceptions()), handling_(std::current_exception() != nullptr) {}
  void check(bool in_handler) const {
    if (std::uncaught_exceptions() != uncaught_) wrong("uncaught_exceptions");
    if ((std::current_exception() != nullptr) != (handling_ || in_handler))
      wrong("current_exception");
  }

 private:
  int uncaught_;
  bool handling_;
};
