// See strands.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strands.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

namespace nopal::race {

constinit Interval Strands::parallel_;

void *reserve(std::size_t bytes) {
  void *const got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got != MAP_FAILED) return got;
  std::fprintf(stderr,
               "nopal: fatal: cannot map %zu GiB for the race detector's strands: %s; it needs no "
               "memory of that size, but addresses: raise the limit (ulimit -v), and set "
               "vm.overcommit_memory to 0 or 1\n",
               bytes >> 30, std::strerror(errno));
  std::_Exit(2);
}

void use_huge_pages_later(void *begin, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t later = (first + kHugePage * 3 / 2) / kHugePage * kHugePage;
  madvise(reinterpret_cast<void *>(later), first + bytes - later, MADV_HUGEPAGE);
}

void Strands::start() {
  active_.start();
  children_.start();
  push(ActiveKind::kFunction, now_, nullptr, nullptr);  // what calls the outermost of the program
}

void Strands::end_of_time() {
  std::fprintf(stderr,
               "nopal: fatal: the race detector cannot count more than %u strands; "
               "take a smaller input\n",
               kLastTime);
  std::_Exit(2);
}

Children *Strands::first_after(Time time) const {
  Children *next = children_.end();
  for (int near = 0; near != 4 && next != children_.begin() && time < next[-1].begin; ++near)
    --next;
  if (next != children_.begin() && time < next[-1].begin)
    next = std::upper_bound(children_.begin(), next, time,
                            [](Time value, const Children &one) { return value < one.begin; });
  return next;
}

/// What ran before is parallel if a child did it that nothing has waited for.
[[clang::preserve_most]] bool Strands::look_up(Time time) {
  const Children *const next = first_after(time);
  const Time begin = next == children_.begin() ? 0 : next[-1].end;
  if (time < begin) {
    parallel_ = {next[-1].begin, begin - next[-1].begin};
    return true;
  }
  serial_ = {begin, (next == children_.end() ? last_ + 1 : next->begin) - begin};
  return false;
}

Parting Strands::parting(Time time) const {
  const Children &former = first_after(time)[-1];
  return {active_.index_of(former.parent), former.site};
}

}  // namespace nopal::race
