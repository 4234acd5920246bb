// See victims.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "victims.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "machine.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

namespace nopal {
namespace {

using Env = VictimEnvironment;
using policy::Kind;

constexpr std::size_t index_of(Kind kind) noexcept { return 1 + static_cast<std::size_t>(kind); }

#define NOPAL_ALTERNATIVE(word, type, text) , policy::type<Env>::Shared
using Shared = std::variant<policy::RandomPolicy<Env>::Shared NOPAL_POLICIES(NOPAL_ALTERNATIVE)>;
#undef NOPAL_ALTERNATIVE

/// What all workers' policies share. Made for the first worker, never destroyed.
struct Sharing {
  explicit Sharing(const std::atomic<std::uint32_t> &count)
      : environment(count, topology_of(machine(uses_topology()), most_workers())),
        random(environment),
        shared(make_shared(environment)) {}

  /// Threads of the program have workers beyond P, and P may grow between a stop and a start.
  static std::uint32_t most_workers() {
    constexpr std::uint32_t kLeast = 1024;
    return std::max(kLeast, 2 * config().nworkers);
  }
  static bool uses_topology() {
    switch (static_cast<Kind>(config().steal)) {
#define NOPAL_CASE(word, type, text) \
  case Kind::word:                   \
    return policy::type<Env>::kUsesTopology;
      NOPAL_POLICIES(NOPAL_CASE)
#undef NOPAL_CASE
    }
    __builtin_unreachable();
  }
  static Shared make_shared(const Env &environment) {
    switch (static_cast<Kind>(config().steal)) {
#define NOPAL_CASE(word, type, text) \
  case Kind::word:                   \
    return Shared(std::in_place_index<index_of(Kind::word)>, environment);
      NOPAL_POLICIES(NOPAL_CASE)
#undef NOPAL_CASE
    }
    __builtin_unreachable();
  }

  Env environment;
  policy::RandomPolicy<Env>::Shared random;
  Shared shared;
};

Sharing &sharing(const std::atomic<std::uint32_t> &count) {
  static Sharing *const made = [&count] {
    try {
      return new Sharing(count);
    } catch (const std::bad_alloc &) {
      fatal("cannot allocate what CILK_STEAL's policy needs: %s; raise the limit on memory",
            std::strerror(ENOMEM));
    }
  }();
  return *made;
}

Victims::Policy make_policy(Sharing &sharing, std::uint32_t self) {
  const std::uint64_t seed = std::uint64_t{self} << 32;
  if (self >= sharing.environment.most_workers())
    return Victims::Policy(std::in_place_index<0>, sharing.random, sharing.environment, self, seed);
  switch (static_cast<Kind>(config().steal)) {
#define NOPAL_CASE(word, type, text)                                                            \
  case Kind::word:                                                                              \
    return Victims::Policy(std::in_place_index<index_of(Kind::word)>,                           \
                           std::get<index_of(Kind::word)>(sharing.shared), sharing.environment, \
                           self, seed);
    NOPAL_POLICIES(NOPAL_CASE)
#undef NOPAL_CASE
  }
  __builtin_unreachable();
}

}  // namespace

Victims::Victims(std::uint32_t self, const std::atomic<std::uint32_t> &count)
    : environment_(sharing(count).environment),
      policy_(make_policy(sharing(count), self)),
      has_owners_(ask([](auto &policy) { return policy.kHasOwners; })) {}

}  // namespace nopal
