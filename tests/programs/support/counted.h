// Counted: a class that notices when its objects are not treated as C++ requires.
//
// It counts its constructions and destructions (Counted::live() must be 0 when all are gone), and
// each object knows its own address and whether it is alive: an object that was moved as bytes,
// destroyed twice, or used before or after its life fails a check.
#pragma once

#include <atomic>

#include "check.h"

class Counted {
 public:
  explicit Counted(long value = 0) noexcept : value_(value) { born(); }
  Counted(const Counted &other) : value_(other.value()) { born(); }
  Counted(Counted &&other) noexcept : value_(other.value()) {
    other.value_ = -1;
    born();
  }
  Counted &operator=(const Counted &other) {
    check_alive();
    value_ = other.value();
    return *this;
  }
  Counted &operator=(Counted &&other) noexcept {
    check_alive();
    value_ = other.value();
    if (&other != this) other.value_ = -1;
    return *this;
  }
  ~Counted() {
    check_alive();
    state_ = kDead;
    live_.fetch_sub(1, std::memory_order_relaxed);
  }

  long value() const noexcept {
    check_alive();
    return value_;
  }
  void set(long value) {
    check_alive();
    value_ = value;
  }

  static long live() { return live_.load(std::memory_order_relaxed); }
  static long made() { return made_.load(std::memory_order_relaxed); }

 private:
  static constexpr unsigned long kAlive = 0x616c697665212121, kDead = 0x64656164212121;

  void born() noexcept {
    state_ = kAlive;
    self_ = this;
    live_.fetch_add(1, std::memory_order_relaxed);
    made_.fetch_add(1, std::memory_order_relaxed);
  }
  void check_alive() const noexcept {
    CHECK(state_ == kAlive);
    CHECK(self_ == this);
  }

  volatile unsigned long state_;
  const void *volatile self_;
  long value_;
  static inline std::atomic<long> live_{0}, made_{0};
};

// At the end of a scope no Counted made in it is left.
class BalanceCheck {
 public:
  BalanceCheck() : before_(Counted::live()) {}
  ~BalanceCheck() { CHECK_EQ(Counted::live(), before_); }
  BalanceCheck(const BalanceCheck &) = delete;
  BalanceCheck &operator=(const BalanceCheck &) = delete;

 private:
  long before_;
};
