// See view.h.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [word] the compare-exchange that installs a lifetime (release) -> a load of the word (acquire):
//       the lifetime is whole.
//   [count] relaxed up, since the adder holds a reference; acq_rel down: the last one frees what
//       all others have used.
//   [life] leave (release) -> end's loop (acquire): what was done to the hyperobject is done. And
//       end's mark (acq_rel) -> enter (acquire): it has died, so nothing is touched.
//   [hint] relaxed: publish nothing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "view.h"

#include "../platform/fatal.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace nopal::hyper {
namespace {

std::atomic<bool> has_created{false};
std::atomic<std::uint64_t> live{0};

/// Just before each view.
struct Header {
  void *block;  // what is freed
  Lifetime *lifetime;
  void (*identity)(void *view);             // the following two: of OpenCilk's and C's
  void (*reduce)(void *left, void *right);  // always
  void (*end)(void *view);                  // null: only reduce ends a view
  std::size_t bytes;
};

/// Views of different strands share no cache line.
constexpr std::size_t kAlignment = 64;
static_assert(sizeof(Header) <= kAlignment);

Header &header_of(void *view) noexcept {
  return *reinterpret_cast<Header *>(static_cast<char *>(view) - kAlignment);
}

/// What the view was allocated with, at least kAlignment.
std::size_t alignment_of(void *view) noexcept {
  return static_cast<std::size_t>(static_cast<char *>(view) -
                                  static_cast<char *>(header_of(view).block));
}

/// Memory for a header and a view after it; the address of the view.
void *allocate_view(std::size_t bytes, std::size_t alignment) noexcept {
  alignment = std::max(alignment, kAlignment);
  const std::size_t total = (alignment + bytes + alignment - 1) & ~(alignment - 1);
  void *block = total < bytes ? nullptr : std::aligned_alloc(alignment, total);
  if (block == nullptr)
    fatal(
        "cannot allocate %zu bytes for a view of a hyperobject: Cannot allocate memory; use "
        "smaller views or fewer workers",
        bytes);
  void *view = static_cast<char *>(block) + alignment;
  new (&header_of(view)) Header{};
  header_of(view).block = block;
  header_of(view).bytes = bytes;
  return view;
}

/// The memory alone: the view has ended.
void free_view(void *view) noexcept {
  const Header &header = header_of(view);
  if (header.lifetime != nullptr) header.lifetime->drop_reference();
  live.fetch_sub(1, std::memory_order_relaxed);  // [hint]
  std::free(header.block);
}

}  // namespace

Lifetime *Lifetime::find(void *const *word) noexcept {
  return static_cast<Lifetime *>(__atomic_load_n(word, __ATOMIC_ACQUIRE));  // [word]
}

Lifetime &Lifetime::of(void **word) noexcept {
  if (Lifetime *found = find(word)) return *found;
  auto *made = new (std::nothrow) Lifetime;
  if (made == nullptr)
    fatal(
        "cannot allocate the record of a hyperobject's lifetime: Cannot allocate memory; use "
        "fewer hyperobjects");
  void *expected = nullptr;
  if (__atomic_compare_exchange_n(word, &expected, made, false, __ATOMIC_ACQ_REL,  // [word]
                                  __ATOMIC_ACQUIRE))
    return *made;
  delete made;
  return *static_cast<Lifetime *>(expected);
}

void Lifetime::drop_reference() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;  // [count]
}

bool Lifetime::enter() noexcept {
  const bool lives = (state_.fetch_add(kOne, std::memory_order_acquire) & kDead) == 0;  // [life]
  if (!lives) leave();
  return lives;
}

void Lifetime::leave() noexcept { state_.fetch_sub(kOne, std::memory_order_release); }  // [life]

void Lifetime::end() noexcept {
  state_.fetch_or(kDead, std::memory_order_acq_rel);                      // [life]
  while (state_.load(std::memory_order_acquire) != kDead) sched_yield();  // [life]
  drop_reference();
}

void *create_view(void *hyperobject, const Origin &origin) {
  struct Guard {
    void *view;
    ~Guard() {
      if (view != nullptr) std::free(header_of(view).block);
    }
  } guard{allocate_view(origin.bytes, origin.alignment)};
  void *view = guard.view;
  Header &header = header_of(view);
  if (origin.type != nullptr) {
    origin.type->identity(hyperobject, view);
    header.reduce = origin.type->reduce;
    header.end = origin.type->end;
    if (origin.type->lifetime != nullptr) {
      Lifetime &lifetime = Lifetime::of(origin.type->lifetime(hyperobject));
      lifetime.add_reference();
      header.lifetime = &lifetime;
    }
  } else {
    origin.identity(view);
    header.identity = origin.identity;
    header.reduce = origin.reduce;
  }
  guard.view = nullptr;
  has_created.store(true, std::memory_order_relaxed);  // [hint]
  live.fetch_add(1, std::memory_order_relaxed);        // [hint]
  return view;
}

bool reduce_view(void *left, void *right, bool is_self) noexcept {
  const Header &header = header_of(right);
  Lifetime *entered = is_self ? header.lifetime : nullptr;
  if (entered != nullptr && !entered->enter()) {
    discard_view(right);
    return false;
  }
  header.reduce(left, right);
  if (entered != nullptr) entered->leave();
  free_view(right);
  return true;
}

void discard_view(void *view) noexcept {
  const Header &header = header_of(view);
  if (header.end != nullptr) {
    header.end(view);
  } else {
    // reduce alone ends a view. What it is folded into has no end: what that owns is lost.
    void *other = allocate_view(header.bytes, alignment_of(view));
    header.identity(other);
    header.reduce(other, view);
    std::free(header_of(other).block);
  }
  free_view(view);
}

const Lifetime *lifetime_of_view(const void *view) noexcept {
  return header_of(const_cast<void *>(view)).lifetime;
}

bool views_exist() noexcept { return has_created.load(std::memory_order_relaxed); }  // [hint]

std::uint64_t live_views() noexcept { return live.load(std::memory_order_relaxed); }  // [hint]

}  // namespace nopal::hyper
