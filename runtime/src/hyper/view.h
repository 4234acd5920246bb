// One view of a hyperobject: its memory, its callbacks, and whether its hyperobject still lives.
//
// Used by ViewMap and CurrentViews. Rules: README.md, "The merge itself" and "A hyperobject that
// dies". Checked by tests/unit/hyper_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_HYPER_VIEW_H
#define NOPAL_HYPER_VIEW_H

#include <cilk/views.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nopal::hyper {

/// Whether a hyperobject still lives: shared by it and its views, counted. Made with its first view
/// that is not itself.
class Lifetime {
 public:
  /// The lifetime in `word`, a member of a living hyperobject; makes it if there is none yet. Any
  /// strand that may use the hyperobject. One reference is the hyperobject's own.
  static Lifetime &of(void **word) noexcept;
  /// The same, or null.
  static Lifetime *find(void *const *word) noexcept;

  void add_reference() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void drop_reference() noexcept;

  /// Before work on the hyperobject's own memory by a strand that does not own it. False: it has
  /// died.
  bool enter() noexcept;
  void leave() noexcept;
  /// The hyperobject's destructor: it dies, after all that has entered has left.
  void end() noexcept;

 private:
  static constexpr std::uint32_t kDead = 1;
  static constexpr std::uint32_t kOne = 2;  // a strand that has entered

  std::atomic<std::uint32_t> references_{1};
  std::atomic<std::uint32_t> state_{0};
};

/// Where a new view comes from: the callbacks of its hyperobject.
struct Origin {
  std::size_t bytes;
  std::size_t alignment;
  const nopal_view_type *type;  // a class of our library; or null, and then:
  void (*identity)(void *view) = nullptr;
  void (*reduce)(void *left, void *right) = nullptr;
};

/// Makes the identity view of `hyperobject`. Passes on what the callback throws. Never null.
void *create_view(void *hyperobject, const Origin &origin);
/// Folds `right` into `left`, both views or the hyperobject itself, and frees the right one.
/// `is_self`: the left one is the hyperobject. Returns false, and has discarded the right one, if
/// that has died.
bool reduce_view(void *left, void *right, bool is_self) noexcept;
/// Ends a view without reducing it.
void discard_view(void *view) noexcept;
/// The hyperobject's lifetime when the view was made; null if it has none.
const Lifetime *lifetime_of_view(const void *view) noexcept;

/// Whether any view was ever created in this process. A hint.
bool views_exist() noexcept;
/// Views that live now, in all strands.
std::uint64_t live_views() noexcept;

}  // namespace nopal::hyper

#endif
