// Work and span of one thread, from the order of its hooks and the times between them: the
// mathematics of the library, without a clock and without a program. The bodies that spawns run are
// in recurrences.h.
//
// Called by hooks.cpp; tests/span/report_test.py checks it with a counted clock. The recurrences
// and their argument: README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_METER_H
#define NOPAL_SPAN_METER_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nopal::span {

using Ticks = std::int64_t;

/// The number of a site in the table of sites. 0 is the program outside of all spawns.
using SiteIndex = std::uint32_t;

/// What-if questions are answered for the sites of lower numbers: those that ran first. Each costs
/// a few instructions at each spawn.
inline constexpr SiteIndex kTrackedSites = 64;
/// What if a site's own work took 1/kFaster of its time?
inline constexpr Ticks kFaster = 2;

/// What one site has to do with one path.
struct Share {
  Ticks on_path;       // the site's own work on the path
  Ticks saved_faster;  // kFaster * (the path's length, less the longest if the site were faster)
  Ticks saved_free;    // the same if its work took no time, not multiplied
};

/// What a site did altogether.
struct SiteTotals {
  std::uint64_t count = 0;  // children, or leaves of a loop
  Ticks own = 0;            // in strands whose innermost child or leaf is the site's
  Ticks inclusive = 0;      // in its children and all that they spawn; of a recursion the outermost
  std::uint32_t active = 0;
};

struct WorkSpan {
  Ticks work, span, burdened_span;
};

class Meter {
 public:
  struct Costs {
    Ticks hook;    // what a hook itself adds to a strand
    Ticks burden;  // of a steal, on both edges of a spawn
    Ticks divide;  // of one level of a loop's division
  };

  /// Asked after strands of at least `shortest`: how much of it the system took away.
  class Losses {
   public:
    explicit Losses(Ticks shortest) : shortest_(shortest) {}
    virtual ~Losses() = default;
    virtual Ticks lost() = 0;
    /// The clock, after the question.
    virtual Ticks now() = 0;
    Ticks shortest() const { return shortest_; }

   private:
    Ticks shortest_;
  };

  Meter(Ticks now, const Costs &costs);

  // The hooks of nopal_hooks.h. A site's number is below that of the table's size.
  void enter();
  void leave();
  void spawn(SiteIndex site, Ticks now);
  void child_return(Ticks now);
  bool has_children() const { return entries_.top().span != kNone; }
  /// To be called if has_children().
  void sync(Ticks now);
  void loop(SiteIndex site, Ticks now);
  void leaf(Ticks now);
  void leaf_end(Ticks now);
  void loop_end(Ticks now);

  /// Ends a strand, so that the figures below are those of now.
  void strand(Ticks now);
  /// From the next strand on. `losses` may be null.
  void set_costs(const Costs &costs, Losses *losses) {
    costs_ = costs;
    losses_ = losses;
    longest_sure_ = losses == nullptr ? INT64_MAX : losses->shortest();
  }
  /// The time up to `now` is nobody's.
  void skip(Ticks now) { last_ = now; }

  WorkSpan total() const { return {work_, span_, burdened_span_}; }
  const SiteTotals *totals(SiteIndex site) const {
    return site < totals_.size() ? &totals_[site] : nullptr;
  }
  /// The share of a site in the path to this point; all 0 if it was never on one.
  Share share(SiteIndex site) const { return site < used_ ? path_[site] : Share{}; }

 private:
  // No path has this length.
  static constexpr Ticks kNone = INT64_MIN / 4;

  struct Entry {
    // Of a function or a loop: the longest of its children's paths. Of a child or a leaf: the path
    // that its continuation goes on with.
    Ticks span, burdened_span;
    Ticks work;          // when a child or a loop began
    std::size_t shares;  // where its shares begin
    SiteIndex share_count;
    SiteIndex site;  // that goes on after a child or a loop
    // Of a loop:
    SiteIndex own_site;
    std::uint64_t leaves;
  };

  /// A vector that never shrinks, whose growth is out of line.
  template <class T>
  class Stack {
   public:
    Stack() : data_(256) {}
    /// One more, with what was there before in it.
    T &push() {
      if (__builtin_expect(size_ == data_.size(), false)) grow(size_ + 1);
      return data_[size_++];
    }
    void pop() { --size_; }
    T &top() { return data_[size_ - 1]; }
    const T &top() const { return data_[size_ - 1]; }
    T *at(std::size_t i) { return data_.data() + i; }
    std::size_t size() const { return size_; }
    void resize(std::size_t size) {
      if (__builtin_expect(size > data_.size(), false)) grow(size);
      size_ = size;
    }

   private:
    [[gnu::noinline, gnu::cold]] void grow(std::size_t least) {
      data_.resize(2 * std::max(least, data_.size()));
    }
    std::vector<T> data_;
    std::size_t size_ = 0;
  };

  void use(SiteIndex site);
  Entry &push_parent();
  void begin_child(SiteIndex site, Ticks burden);
  void end_child(Ticks burden);
  void join(Entry &parent);
  void extend(Entry &parent);
  void add_to_path(Ticks duration, Ticks burdened, SiteIndex site);

  Costs costs_;
  Losses *losses_ = nullptr;
  Ticks longest_sure_ = INT64_MAX;  // a strand that is longer may have been interrupted
  Ticks last_;
  Ticks work_ = 0, span_ = 0, burdened_span_ = 0;
  SiteIndex site_ = 0;  // of the innermost child or leaf
  SiteIndex used_ = 1;  // path_ has shares for lower numbers; the others are 0
  Share path_[kTrackedSites] = {};
  Stack<Entry> entries_;
  // Of a function: the longest of its children's, in the scenario itself, as lengths. Of a child:
  // a copy of path_.
  Stack<Share> shares_;
  std::vector<SiteTotals> totals_;
};

}  // namespace nopal::span

#include "recurrences.h"

#endif
