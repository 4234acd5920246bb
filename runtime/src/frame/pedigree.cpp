// Pedigrees, and the random numbers that are made of them.
//
// Entry points of abi/nopal_pedigree.h and of <cilk/dprng.h>. The numbers: DotMix (Leiserson,
// Schardl and Sukha, "Deterministic parallel random-number generation for dynamic-multithreading
// platforms", PPoPP 2012). A strand's ranks, each times a number of its depth, are added modulo a
// prime; a few rounds mix the sum. Two pedigrees have the same sum with probability 1/p. Here each
// node has the sum down to it, so a number costs the same at every depth. Checked by tests/dprng.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pedigree.h"

#include "../../abi/nopal_pedigree.h"

#define __cilk_pedigrees__
#include <cilk/dprng.h>

#include <cstddef>
#include <mutex>
#include <vector>

namespace nopal::pedigree {
namespace {

using Node = nopal_pedigree_node;
static_assert(offsetof(Node, rank) == offsetof(__cilkrts_pedigree, rank));
static_assert(offsetof(Node, parent) == offsetof(__cilkrts_pedigree, parent));

struct Strand {
  std::uint64_t rank;
  const Node *parent;
};
// Of the strand that the thread runs. Owner-only. Zero in programs without pedigrees.
[[gnu::tls_model("initial-exec")]] constinit thread_local Strand strand{0, nullptr};

constexpr std::uint64_t kPrime = 0xffffffffffffffc5u;  // 2^64 - 59

constexpr std::uint64_t add(std::uint64_t x, std::uint64_t y) noexcept {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(x) + y) % kPrime);
}

/// x * y modulo the prime: 2^64 is 59.
constexpr std::uint64_t multiply(std::uint64_t x, std::uint64_t y) noexcept {
  unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
  for (int i = 0; i < 2; ++i) product = static_cast<std::uint64_t>(product) + (product >> 64) * 59;
  const auto rest = static_cast<std::uint64_t>(product);
  return (product >> 64) != 0 ? rest + 59 : rest >= kPrime ? rest - kPrime : rest;
}

/// Splitmix64: a different number for each x.
constexpr std::uint64_t scatter(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t factor_of(std::uint64_t depth) noexcept {
  return scatter(depth) % (kPrime - 1) + 1;
}

/// Four rounds of RC6's mixing on the two halves.
constexpr std::uint64_t mix(std::uint64_t x) noexcept {
  for (int round = 0; round < 4; ++round) {
    x *= 2 * x + 1;
    x = x << 32 | x >> 32;
  }
  return x;
}

std::uint64_t depth_below(const Node *parent) noexcept {
  return parent != nullptr ? parent->depth + 1 : 0;
}

/// The sum down to a strand or node. Ranks count from 1 here, or one 0 would be as good as two.
std::uint64_t sum_of(std::uint64_t rank, const Node *parent) noexcept {
  const std::uint64_t own = multiply(rank + 1, factor_of(depth_below(parent)));
  return parent != nullptr ? add(parent->sum, own) : own;
}

void make(Node &node, std::uint64_t rank, const Node *parent) noexcept {
  node = {rank, parent, sum_of(rank, parent), depth_below(parent)};
}

struct Kept {
  const void *exception;
  Strand strand;
};
[[clang::no_destroy]] constinit std::mutex mutex;
[[clang::no_destroy]] constinit std::vector<Kept> list;  // under the mutex; few at a time

Strand take(const void *exception) noexcept {
  const std::lock_guard<std::mutex> guard(mutex);
  for (Kept &kept : list)
    if (kept.exception == exception) {
      const Strand found = kept.strand;
      kept = list.back();
      list.pop_back();
      return found;
    }
  return {0, nullptr};
}

/// The seed of __cilkrts_get_dprand. Written while no strand asks for numbers.
std::uint64_t common_seed = 0;

}  // namespace

void keep(const void *exception) noexcept {
  if (strand.rank == 0 && strand.parent == nullptr) return;
  const std::lock_guard<std::mutex> guard(mutex);
  list.push_back({exception, strand});
}

void restore(const void *exception) noexcept { strand = take(exception); }

void forget(const void *exception) noexcept { (void)take(exception); }

void lock_list() noexcept { mutex.lock(); }
void unlock_list() noexcept { mutex.unlock(); }

}  // namespace nopal::pedigree

using namespace nopal::pedigree;

extern "C" {

void nopal_pedigree_save(nopal_pedigree_node *kept) {
  kept->rank = strand.rank;
  kept->parent = strand.parent;
}

void nopal_pedigree_advance(const nopal_pedigree_node *kept) {
  strand = {kept->rank + 1, kept->parent};
}

void nopal_pedigree_enter(nopal_pedigree_node *node) {
  make(*node, strand.rank, strand.parent);
  strand = {0, node};
}

void nopal_pedigree_loop(nopal_pedigree_node *node) { make(*node, strand.rank, strand.parent); }

void nopal_pedigree_iteration(const nopal_pedigree_node *loop, nopal_pedigree_node *iteration,
                              std::uint64_t k) {
  make(*iteration, k, loop);
  strand = {0, iteration};
}

__cilkrts_pedigree __cilkrts_get_pedigree(void) noexcept {
  // Not const, as OpenCilk has it.
  return {strand.rank, const_cast<__cilkrts_pedigree *>(
                           reinterpret_cast<const __cilkrts_pedigree *>(strand.parent))};
}

int __cilkrts_bump_worker_rank(void) noexcept {
  ++strand.rank;
  return 0;
}

std::uint64_t nopal_dprng_next(std::uint64_t seed) noexcept {
  const std::uint64_t sum = sum_of(strand.rank, strand.parent);
  ++strand.rank;
  return mix(add(sum, scatter(seed) % kPrime));
}

void __cilkrts_dprand_set_seed(std::uint64_t seed) noexcept { common_seed = seed; }

void __cilkrts_init_dprng(void) noexcept {}

std::uint64_t __cilkrts_get_dprand(void) noexcept { return nopal_dprng_next(common_seed); }

}  // extern "C"
