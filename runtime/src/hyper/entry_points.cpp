// What programs call: specified in <cilk/views.h>.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cilk/views.h>

#include "current.h"

namespace {

using nopal::hyper::CurrentViews;
using nopal::hyper::Origin;

/// Only if the strand was stolen: then the thread has a worker.
CurrentViews &current(nopal_strand *strand) noexcept {
  return *static_cast<CurrentViews *>(strand);
}

using Identity = void (*)(void *);
using Reduce = void (*)(void *, void *);

}  // namespace

constinit nopal_strand nopal::hyper::no_strand{nullptr};

constinit __thread nopal_strand *nopal_tls_strand = &nopal::hyper::no_strand;

void *nopal_find_view(nopal_strand *strand, void *hyperobject,
                      const nopal_view_type *type) noexcept {
  Origin origin{type->bytes, type->alignment, type};
  if (type->lifetime == nullptr && type->end == nullptr) {
    origin.type = nullptr;
    origin.identity = reinterpret_cast<Identity>(reinterpret_cast<void *>(type->identity));
    origin.reduce = type->reduce;
  }
  return current(strand).view(hyperobject, origin);
}

void *nopal_view(nopal_strand *strand, void *hyperobject, const nopal_view_type *type) noexcept {
  if (strand->stolen == nullptr) return hyperobject;
  const nopal::hyper::ViewEntry &found = current(strand).recent(hyperobject);
  if (found.hyperobject == hyperobject) [[likely]]
    return found.view;
  return nopal_find_view(strand, hyperobject, type);
}

void *nopal_view_now(void *hyperobject, const nopal_view_type *type) noexcept {
  return nopal_view(nopal_this_strand(), hyperobject, type);
}

void nopal_view_begin(void *hyperobject) noexcept {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen != nullptr) current(strand).begin(hyperobject);
}

void nopal_view_end(void *hyperobject, void **lifetime) noexcept {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen != nullptr) current(strand).end(hyperobject);
  if (auto *found = nopal::hyper::Lifetime::find(lifetime)) found->end();
}

void nopal_views_begin(void *first, std::uint64_t count, std::uint64_t stride) noexcept {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen == nullptr) return;
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride)
    current(strand).begin(one);
}

void nopal_views_end(void *first, std::uint64_t count, std::uint64_t stride) noexcept {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen == nullptr) return;
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride)
    current(strand).end(one);
}

void *__cilkrts_reducer_lookup(void *key, size_t size, void *identity, void *reduce) {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen == nullptr) return key;
  const nopal::hyper::ViewEntry &found = current(strand).recent(key);
  if (found.hyperobject == key) return found.view;
  return current(strand).view(key, Origin{size, 1, nullptr, reinterpret_cast<Identity>(identity),
                                          reinterpret_cast<Reduce>(reduce)});
}

void __cilkrts_reducer_register(void *key, size_t, void *, void *) { nopal_view_begin(key); }

void __cilkrts_reducer_unregister(void *key) {
  nopal_strand *const strand = nopal_this_strand();
  if (strand->stolen != nullptr) current(strand).end(key);
}
