// See locks.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "locks.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <vector>

namespace nopal::race {

namespace {

using Members = std::vector<Held>;  // ascending

struct All {
  std::map<std::uintptr_t, Lock> by_address;
  Lock last = kAtomic;
  std::vector<Members> sets{{}};  // by number; two are equal if they differed in a forgotten lock
  std::map<Members, LockSet> numbers{{{}, kNoLocks}};
  std::unordered_map<Lock, std::vector<LockSet>> sets_with;
  LockSet compared[2] = {kNoLocks, kNoLocks};  // by have_common
};

/// Never destroyed: destructors of the program are checked, too.
All &all() {
  static auto *const own = new All;
  return *own;
}

std::vector<Members> &sets() { return all().sets; }

LockSet number_of(const Members &members) {
  const auto found = all().numbers.find(members);
  if (found != all().numbers.end()) return found->second;
  const auto number = static_cast<LockSet>(sets().size());
  sets().push_back(members);
  all().numbers.emplace(members, number);
  for (const Held &held : members)
    if (held.lock != kAtomic) all().sets_with[held.lock].push_back(number);
  return number;
}

void forget(Lock lock) {
  const auto found = all().sets_with.find(lock);
  if (found == all().sets_with.end()) return;
  for (const LockSet number : found->second) {
    Members &members = sets()[number];
    all().numbers.erase(members);
    std::erase_if(members, [=](const Held &held) { return held.lock == lock; });
    members.shrink_to_fit();
    all().numbers.try_emplace(members, number);
  }
  all().sets_with.erase(found);
  all().compared[0] = all().compared[1] = kNoLocks;
}

}  // namespace

Lock lock_at(std::uintptr_t address) {
  const auto [known, is_new] = all().by_address.try_emplace(address, all().last + 1);
  if (is_new) ++all().last, ++known_locks;
  return known->second;
}

std::size_t known_locks = 0;

void forget_known_locks(std::uintptr_t begin, std::size_t size) {
  auto &known = all().by_address;
  // A node is freed when it is out of the map, since that comes here again.
  for (auto one = known.lower_bound(begin); one != known.end() && one->first - begin < size;
       --known_locks)
    forget(known.extract(one++).mapped());
}

LockSet with(LockSet set, const Held &held) {
  Members members = sets()[set];
  const auto place = std::lower_bound(members.begin(), members.end(), held);
  if (place != members.end() && *place == held) return set;
  members.insert(place, held);
  return number_of(members);
}

LockSet without(LockSet set, const Held &held) {
  Members members = sets()[set];
  const auto place = std::lower_bound(members.begin(), members.end(), held);
  if (place == members.end() || *place != held) return set;
  members.erase(place);
  return number_of(members);
}

std::span<const Held> members_of(LockSet set) { return sets()[set]; }

bool have_common(LockSet a, LockSet b) {
  if (a == kNoLocks || b == kNoLocks) return false;
  // A set never changes, and atomic accesses ask for the same two each time.
  static bool last = false;
  LockSet(&compared)[2] = all().compared;
  if (a == compared[0] && b == compared[1]) return last;
  const Members &left = sets()[a], &right = sets()[b];
  compared[0] = a, compared[1] = b;
  return last = std::any_of(left.begin(), left.end(), [&](const Held &one) {
           return std::any_of(right.begin(), right.end(), [&](const Held &other) {
             return one.lock == other.lock && !(one.is_shared && other.is_shared) &&
                    (one.acquisition == 0 || one.acquisition != other.acquisition);
           });
         });
}

bool is_subset(LockSet a, LockSet b) {
  if (a == kNoLocks || a == b) return true;
  if (b == kNoLocks) return sets()[a].empty();
  const Members &small = sets()[a], &large = sets()[b];
  return std::all_of(small.begin(), small.end(), [&](const Held &one) {
    return std::any_of(large.begin(), large.end(), [&](const Held &other) {
      return one.lock == other.lock && one.acquisition == other.acquisition &&
             (one.is_shared || !other.is_shared);
    });
  });
}

}  // namespace nopal::race
