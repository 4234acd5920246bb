// Multiple and virtual inheritance, covariant returns, member pointers, RTTI, dynamic_cast.
// mutator: rtti
#include <memory>
#include <typeinfo>
#include <vector>
#include "common.h"

struct Base {
  explicit Base(int n) : n(n) { hook(); }
  Base(const Base &) = default;
  virtual ~Base() { add(static_cast<uint64_t>(n)); }
  virtual int value() const { return n; }
  virtual Base *clone() const { return new Base(*this); }
  virtual void hook() { add(1); }
  int twice(int by) { return value() * 2 + by; }
  int plain(int by) const { return n + by; }
  int n;
};
struct Left : virtual Base {
  explicit Left(int n) : Base(n), left(n * 2) { hook(); }
  int value() const override {
    int below = Base::value();
    return below + left;
  }
  Left *clone() const override { return new Left(*this); }
  void hook() override { add(2); }
  int left;
};
struct Right : virtual Base {
  explicit Right(int n) : Base(n), right(n * 3) {}
  ~Right() override {
    int v = value();
    add(static_cast<uint64_t>(v));
  }
  int value() const override { return right - Base::value(); }
  Right *clone() const override { return new Right(*this); }
  int right;
};
struct Both final : Left, Right {
  explicit Both(int n) : Base(n), Left(n + 1), Right(n + 2) { hook(); }
  ~Both() override { hook(); }
  int value() const override {
    int a = Left::value();
    int b = Right::value();
    return a * 100 + b;
  }
  Both *clone() const override { return new Both(*this); }
  void hook() override {
    add(4);
    if (n > 5) n--;
  }
};
struct Unrelated {
  virtual ~Unrelated() = default;
  virtual int other() { return 9; }
};
struct Mixed : Unrelated, Left {
  explicit Mixed(int n) : Base(n), Left(n) {}
  int other() override {
    int v = value();
    return v + 1;
  }
};

static int through(Base &b, int (Base::*method)(int) const, int by) {
  int r = (b.*method)(by);
  return r;
}
static int sum(const std::vector<std::unique_ptr<Base>> &all) {
  int total = 0;
  for (const auto &each : all) {
    int v = each->value();
    total += v;
    if (const auto *both = dynamic_cast<const Both *>(each.get())) total += both->left;
    if (auto *other = dynamic_cast<Unrelated *>(each.get())) {
      int o = other->other();
      total -= o;
    }
  }
  return total;
}

int main() {
  std::vector<std::unique_ptr<Base>> all;
  for (int i = 0; i < 8; ++i) {
    all.push_back(std::make_unique<Base>(i));
    all.push_back(std::make_unique<Left>(i));
    all.push_back(std::make_unique<Both>(i));
    all.emplace_back(new Mixed(i));
    all.emplace_back(all[all.size() / 2]->clone());
  }
  add(static_cast<uint64_t>(sum(all)));
  Both both(7);
  Base *base = &both;
  Right &right = both;
  int a = base->value();
  int b = right.twice(3);
  expect(a == both.value() && dynamic_cast<Both *>(base) == &both, "the same object");
  add(static_cast<uint64_t>(a + b));
  add(static_cast<uint64_t>(through(both, &Base::plain, 4)));
  int (Base::*pointer)(int) = &Base::twice;
  int Left::*member = &Left::left;
  int t = (base->*pointer)(1);
  add(static_cast<uint64_t>(t + both.*member));
  expect(typeid(*base) == typeid(Both), "typeid");
  try {
    Base plain(3);
    dynamic_cast<Right &>(plain).right = 1;
  } catch (const std::bad_cast &) {
    add(11);
  }
  all.clear();
  show("inheritance");
}
