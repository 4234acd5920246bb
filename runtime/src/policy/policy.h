// The words that a policy, and whoever asks it, have in common: who, what, how it ended, whose
// work.
//
// Included by each policy, by the runtime's search and by the simulator (tools/sim). Protocol and
// invariants: README.md. Checked by tests/unit/policy_*_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "topology.h"

namespace nopal::policy {

using WorkerId = std::uint32_t;
inline constexpr WorkerId kNobody = 0xff'ffff;  // the largest number that fits into a Mark

/// Whose work a path is, and how often that owner's work was handed on before he got it. 32 bits,
/// as nopal_frame::owner, into which a thief writes it.
class Mark {
 public:
  static constexpr std::uint32_t kMostGenerations = 0xff;

  constexpr Mark() noexcept = default;
  constexpr Mark(WorkerId owner, std::uint32_t generation) noexcept
      : bits_(generation << 24 | owner) {}
  static constexpr Mark from_bits(std::uint32_t bits) noexcept {
    return Mark(bits & kNobody, bits >> 24);
  }

  constexpr std::uint32_t bits() const noexcept { return bits_; }
  constexpr WorkerId owner() const noexcept { return bits_ & kNobody; }
  constexpr std::uint32_t generation() const noexcept { return bits_ >> 24; }

 private:
  std::uint32_t bits_ = kNobody;
};

/// How many of the victim's continuations are wanted. The thief runs the youngest that it gets, and
/// the others are in its deque, in their order.
enum class Amount : std::uint8_t {
  kOldest,
  kHalf,  // the older half, at least one
  kAll,   // all, up to kMostTaken: the victim keeps the child that it runs
};

/// So many continuations at most change hands at one steal.
inline constexpr std::int64_t kMostTaken = 64;

/// How many of `there` continuations `amount` means.
constexpr std::int64_t taken_of(Amount amount, std::int64_t there) noexcept {
  const std::int64_t wanted = amount == Amount::kOldest ? 1
                              : amount == Amount::kHalf ? there - there / 2
                                                        : there;
  return wanted < kMostTaken ? wanted : kMostTaken;
}

/// What to try next.
struct Choice {
  WorkerId victim = kNobody;
  WorkerId only_of = kNobody;  // take only what is this owner's work; kNobody: anybody's
  Amount amount = Amount::kOldest;
  bool is_drawn = false;  // the victim runs the work of an owner that was drawn (hashing)

  constexpr bool is_steal_back() const noexcept { return only_of != kNobody; }
};

enum class Outcome : std::uint8_t {
  kStolen,
  kEmpty,
  kLostRace,
  kOthersWork,  // not empty, but not the work of Choice::only_of
};

/// How it ended, and how long it took: in the runtime, 0 unless the policy says kTimesAttempts.
struct Attempt {
  Choice choice;
  Outcome outcome = Outcome::kEmpty;
  std::uint64_t ns = 0;
};

/// What a policy is compiled against: the runtime's slots and atomic words, or the simulator's.
/// Word<T> has the methods of HardwareWord and the two below; all that a policy shares is hints, so
/// each order is relaxed.
template <class E>
concept Environment = requires(const E &environment, typename E::Random &random,
                               typename E::template Word<std::uint64_t> &word) {
  { environment.workers() } -> std::same_as<std::uint32_t>;  // now; grows only
  // Only workers below this number have a policy object of the kind, and own work.
  { environment.most_workers() } -> std::same_as<std::uint32_t>;
  { environment.topology() } -> std::same_as<const Topology &>;
  { random.below(std::uint32_t{}) } -> std::same_as<std::uint32_t>;
  { random.chance(double{}) } -> std::same_as<bool>;
  { word.load_relaxed() } -> std::same_as<std::uint64_t>;
  word.store_relaxed(std::uint64_t{});
  word.fetch_or_relaxed(std::uint64_t{});
  word.fetch_and_relaxed(std::uint64_t{});
  { word.fetch_add_relaxed(std::uint64_t{}) } -> std::same_as<std::uint64_t>;
};

/// One of the `workers`, uniformly, but never `self`. workers >= 2.
template <class Random>
WorkerId other_than(WorkerId self, std::uint32_t workers, Random &random) noexcept {
  const std::uint32_t other = random.below(workers - 1);
  return other < self ? other : other + 1;
}

/// What each policy object answers. README.md says when it is asked.
template <class P>
concept Policy = requires(P &policy, const Attempt &attempt, Mark mark, std::uint32_t k) {
  typename P::Shared;
  { std::bool_constant<P::kHasOwners>{} };      // whether marks are asked for
  { std::bool_constant<P::kTimesAttempts>{} };  // whether Attempt::ns is measured
  { std::bool_constant<P::kUsesTopology>{} };   // whether the machine is to be looked at
  { policy.next() } -> std::same_as<Choice>;
  { policy.victim_at(k) } -> std::same_as<WorkerId>;
  policy.learn(attempt);
  { policy.stolen(attempt, mark) } -> std::same_as<Mark>;
  policy.path_begins(mark);
  policy.path_ends(mark);
};

}  // namespace nopal::policy
