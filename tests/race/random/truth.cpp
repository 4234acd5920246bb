// Whether a random program has a race, from its tree alone: what is pending in a region is compared
// with all that follows in it. See tree.h.
#include "tree.h"

#include <map>
#include <set>

namespace {

struct Touch {
  int space;  // a number for each array or block that ever is
  int begin, size;
  bool is_write;
  std::set<int> locks;      // of kinds below
  std::set<int> readers;    // locks of which the read side is held
  std::map<int, int> held;  // around it: mutex -> a number for the time that it is held
};
using Touches = std::vector<Touch>;
constexpr int kAtomic = 0, kFirstMutex = 1, kSecondMutex = 2, kFakeMutex = 3, kReaderLock = 4;

struct Spaces {
  int local, parents_local, block, parents_block;
};

struct Truth {
  int spaces = 1;  // 0: the pool
  int holds = 0;
  std::map<int, int> held;
  bool found = false;

  void compare(const Touches &a, const Touches &b) {
    for (const Touch &one : a)
      for (const Touch &other : b) found = found || do_race(one, other);
  }
  static bool do_race(const Touch &a, const Touch &b) {
    if (a.space != b.space || !(a.is_write || b.is_write)) return false;
    if (a.begin + a.size <= b.begin || b.begin + b.size <= a.begin) return false;
    for (const int lock : a.locks)
      if (b.locks.contains(lock) || b.readers.contains(lock)) return false;
    for (const auto &[mutex, hold] : a.held)
      if (b.held.contains(mutex) && b.held.at(mutex) != hold) return false;
    for (const int lock : a.readers)
      if (b.locks.contains(lock)) return false;
    return true;
  }
  static void append(Touches &to, const Touches &more) {
    to.insert(to.end(), more.begin(), more.end());
  }

  /// True if it ends by an exception.
  bool function(const std::vector<Operation> &body, const Spaces &caller, int iteration,
                Touches &out) {
    Spaces own{spaces, caller.local, spaces + 1, caller.block};
    spaces += 2;
    const bool fails = region(body, own, iteration, out);
    return fails;
  }
  bool region(const std::vector<Operation> &body, Spaces &own, int iteration, Touches &out);
  Touches accesses(const Operation &operation, const Spaces &own, int iteration) const;
};

Touches Truth::accesses(const Operation &operation, const Spaces &own, int iteration) const {
  Touch touch{};
  switch (operation.space) {
    case Space::pool:
      break;
    case Space::local:
      touch.space = own.local;
      break;
    case Space::parents_local:
      touch.space = own.parents_local;
      break;
    case Space::block:
      touch.space = own.block;
      break;
    case Space::parents_block:
      touch.space = own.parents_block;
      break;
  }
  touch.begin = operation.offset + operation.stride * iteration % 8;
  touch.size = operation.size;
  switch (operation.protection) {
    case Protection::none:
      break;
    case Protection::mutex:
      touch.locks = {kFirstMutex};
      break;
    case Protection::two_mutexes:
      touch.locks = {kFirstMutex, kSecondMutex};
      break;
    case Protection::fake_mutex:
      touch.locks = {kFakeMutex};
      break;
    case Protection::atomic:
      touch.locks = {kAtomic};
      break;
    case Protection::reader:
      touch.readers = {kReaderLock};
      break;
    case Protection::writer:
      touch.locks = {kReaderLock};
      break;
  }
  touch.held = held;
  touch.is_write = operation.form != Form::read && operation.form != Form::compare;
  Touches result{touch};
  if (operation.form == Form::copy) {  // to the next bytes
    result[0].is_write = false;
    touch.begin += touch.size;
    result.push_back(touch);
  }
  return result;
}

/// What a sync region does, and which of it races with what it has spawned.
bool Truth::region(const std::vector<Operation> &body, Spaces &own, int iteration, Touches &out) {
  Touches pending;
  for (const Operation &operation : body) {
    Touches now;
    bool fails = false;
    switch (operation.kind) {
      case Kind::access:
        now = accesses(operation, own, iteration);
        break;
      case Kind::spawn:
      case Kind::call:
        fails = function(operation.body, own, iteration, now);
        break;
      case Kind::sync:
        pending.clear();
        break;
      case Kind::loop:
        for (int i = 0; i != operation.count; ++i) {
          Touches one;
          function(operation.body, own, i, one);
          compare(now, one);
          append(now, one);
        }
        break;
      case Kind::hold: {
        const std::map<int, int> before = held;
        held.try_emplace(operation.count, ++holds);
        function(operation.body, own, iteration, now);
        held = before;
        break;
      }
      case Kind::scope:
        fails = region(operation.body, own, iteration, now);
        break;
      case Kind::attempt:
        region(operation.body, own, iteration, now);
        break;
      case Kind::fail:
        fails = true;
        break;
      case Kind::renew:
        now.push_back({own.block, 0, kBytes, true, {}, {}, held});
        break;
    }
    compare(pending, now);
    append(out, now);
    if (operation.kind == Kind::spawn) append(pending, now);
    if (operation.kind == Kind::renew) own.block = spaces++;
    if (fails) return true;
  }
  return false;
}

}  // namespace

bool has_race(const std::vector<Operation> &program) {
  Truth truth;
  Touches all;
  const Spaces nothing{truth.spaces, truth.spaces, truth.spaces + 1, truth.spaces + 1};
  truth.spaces += 2;
  truth.function(program, nothing, 0, all);
  return truth.found;
}
