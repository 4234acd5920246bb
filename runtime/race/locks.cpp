// See locks.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "locks.h"

#include <algorithm>
#include <map>
#include <vector>

namespace nopal::race {

namespace {

using Members = std::vector<Held>;  // ascending

constexpr std::size_t kMostSets = 65536;

/// Never destroyed: destructors of the program are checked, too.
std::vector<Members> &sets() {
  static auto *const own = new std::vector<Members>(1);
  return *own;
}

/// Programs with more sets than there are numbers: those are taken for none, so races may be
/// reported that a lock prevents.
LockSet number_of(const Members &members) {
  static auto *const known = new std::map<Members, LockSet>{{{}, kNoLocks}};
  const auto found = known->find(members);
  if (found != known->end()) return found->second;
  if (sets().size() == kMostSets) return kNoLocks;
  const auto number = static_cast<LockSet>(sets().size());
  sets().push_back(members);
  known->emplace(members, number);
  return number;
}

}  // namespace

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

bool have_common(LockSet a, LockSet b) {
  if (a == kNoLocks || b == kNoLocks) return false;
  // A set never changes, and atomic accesses ask for the same two each time.
  static LockSet last_a = kNoLocks, last_b = kNoLocks;
  static bool last = false;
  if (a == last_a && b == last_b) return last;
  const Members &left = sets()[a], &right = sets()[b];
  last_a = a, last_b = b;
  return last = std::any_of(left.begin(), left.end(), [&](const Held &one) {
           return std::any_of(right.begin(), right.end(), [&](const Held &other) {
             return one.lock == other.lock && !(one.is_shared && other.is_shared) &&
                    (one.acquisition == 0 || one.acquisition != other.acquisition);
           });
         });
}

bool is_subset(LockSet a, LockSet b) {
  if (a == kNoLocks || a == b) return true;
  if (b == kNoLocks) return false;
  const Members &small = sets()[a], &large = sets()[b];
  return std::all_of(small.begin(), small.end(), [&](const Held &one) {
    return std::any_of(large.begin(), large.end(), [&](const Held &other) {
      return one.lock == other.lock && one.acquisition == other.acquisition &&
             (one.is_shared || !other.is_shared);
    });
  });
}

}  // namespace nopal::race
