// Views of hyperobjects, as if every continuation were stolen: each child but the first, and what
// follows it, has views of its own, so that a wrong use is seen as a race.
//
// Called by the hooks and by nopal_view. The library's own work on views (identity, reduce) is not
// checked: it comes after what it needs, whatever the schedule.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_VIEWS_H
#define NOPAL_RACE_VIEWS_H

#include <cilk/views.h>

#include <cstddef>
#include <map>
#include <vector>

namespace nopal::race {

/// How a view is made and reduced. A copy: the program's may be a local variable.
struct ViewOrigin {
  nopal_view_type type;
  bool is_bare;  // identity is called with the view alone, and only reduce ends a view

  static ViewOrigin of(const nopal_view_type &type) {
    return {type, type.lifetime == nullptr && type.end == nullptr};
  }
  /// OpenCilk's two callbacks.
  static ViewOrigin of(std::size_t bytes, void *identity, void *reduce) {
    return {{bytes, 1, nullptr, reinterpret_cast<void (*)(const void *, void *)>(identity),
             reinterpret_cast<void (*)(void *, void *)>(reduce), nullptr},
            true};
  }
};

/// What a continuation is: the active function or loop whose children have returned. The outermost
/// has none, and there each hyperobject is its own view.
using Continuation = std::size_t;
inline constexpr Continuation kOutermost = ~Continuation{0};

class Views {
 public:
  /// Whether the hyperobject is its own view there, whatever the schedule.
  bool is_own(Continuation now, const void *key) const;
  bool are_none() const { return segments_.empty(); }
  void *view(Continuation now, void *key, const ViewOrigin &origin);
  /// The hyperobject is constructed: its own view in this continuation. What is known of its
  /// address is an older one's, which died unseen.
  void begin(Continuation now, void *key);
  void end(void *key);
  /// A continuation ends; its views go into those of `into`.
  void reduce(Continuation ended, Continuation into) {
    if (!segments_.empty() && segments_.back().of == ended) reduce_last(into);
  }

 private:
  struct View {
    void *memory;
    ViewOrigin origin;
  };
  using Map = std::map<void *, View>;
  struct Segment {
    Continuation of;
    Map views;
  };
  /// The views of `ended` are on their way into `into`. A callback may use, make and end
  /// hyperobjects: it finds the views of both sides, the left ones first, and makes new ones on
  /// the left. So an entry is taken out before its callback runs, and nothing points into a map
  /// or at a segment meanwhile.
  struct Merge {
    Continuation ended, into;
    Map right;
    Merge *outer;  // a callback of that one has spawned

    /// Of a callback, unless that has children of its own.
    bool is_at(Continuation now) const { return now == kOutermost || now <= ended; }
  };

  const View *find(Continuation now, const Merge *merge, void *key) const;
  /// Where the new views of a strand belong.
  Continuation target(Continuation now, const Merge *merge) const;
  Map &make(Continuation now);
  void reduce_last(Continuation into);
  void reduce_one(const Merge &merge, void *key, const View &right);

  std::vector<Segment> segments_;  // of those continuations that have a view, the outer first
  Merge *merge_ = nullptr;         // that runs, the innermost
};

}  // namespace nopal::race

#endif
