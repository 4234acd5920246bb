// Work and span of one thread, from the order of its hooks and the times between them. The bodies
// that spawns run are in recurrences.h.
//
// Called by hooks.cpp; tests/span/report_test.py checks it with a counted clock. The recurrences,
// which strands are timed, and the argument for both: README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_SPAN_METER_H
#define NOPAL_SPAN_METER_H

#include "clock.h"
#pragma GCC visibility push(default)
#include "nopal_span.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nopal::span {

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
  Ticks began = 0;          // the work when the outermost of its children that run began
  std::uint32_t active = 0;
};

struct WorkSpan {
  Ticks work, span, burdened_span;
};

class Meter {
 public:
  struct Costs {
    Ticks hook;        // what a hook that reads the clock itself adds to a strand
    Ticks quick_hook;  // and one that does not
    Ticks burden;      // of a steal, on both edges of a spawn
    Ticks divide;      // of one level of a loop's division
  };

  /// Asked after a strand longer than `shortest`, which ended at `end`: how much of it the system
  /// took away.
  class Losses {
   public:
    explicit Losses(Ticks shortest) : shortest_(shortest) {}
    virtual ~Losses() = default;
    virtual Ticks lost(Ticks strand, Ticks end) = 0;
    Ticks shortest() const { return shortest_; }

   private:
    Ticks shortest_;
  };

  Meter(const Clock &clock, const Costs &costs);
  ~Meter();
  Meter(const Meter &) = delete;
  Meter &operator=(const Meter &) = delete;

  /// True if there is room for what the site does.
  bool knows(SiteIndex site) const { return site < known_; }
  /// Makes room. Only for a site that the meter does not know.
  void use(SiteIndex site);

  // The hooks of nopal_hooks.h and nopal_span.h. The meter knows the site.
  void enter();
  void leave();
  void spawn(SiteIndex site, std::uint32_t code);
  void child_return(std::uint32_t code);
  void sync(std::uint32_t code);
  void loop(SiteIndex site);
  void leaf();
  void leaf_end();
  void loop_end();

  /// Ends a strand, so that the figures below are those of now. No time passes until `go_on`.
  void stop();
  void go_on();
  /// From the next strand on. `losses` may be null.
  void set_costs(const Costs &costs, Losses *losses);

  WorkSpan total() const { return {work_, path_->span, path_->burdened_span}; }
  const SiteTotals *totals(SiteIndex site) const {
    return site < totals_.size() ? &totals_[site] : nullptr;
  }
  /// The share of a site in the path to this point; all 0 if it was never on one.
  Share share(SiteIndex site) const;
  /// Of the work: strands that share a reading of the clock with others.
  Ticks sharing() const { return sharing_; }

 private:
  /// A way through the program, and after it in memory a Share for each of `used_` sites.
  struct Path {
    Ticks span, burdened_span;
    // Of a child or a leaf: the path and the site that its continuation goes on with.
    Path *before;
    SiteIndex site_before;
  };
  static Share *shares_of(Path *path) { return reinterpret_cast<Share *>(path + 1); }
  static const Share *shares_of(const Path *path) {
    return reinterpret_cast<const Share *>(path + 1);
  }

  /// A function or a loop that waits for children.
  struct Frame {
    Path *longest;           // of its children's; null before the first
    std::uint32_t readings;  // the caller's readings_
    SiteIndex own_site;      // of a loop
    std::uint64_t leaves;
    Ticks began;
  };

  // Strands since the last reading, and their units: one number, which is compared once.
  static constexpr std::uint32_t kOneStrand = 1u << 16, kMostStrands = 250 * kOneStrand;
  static constexpr std::uint32_t kLongStrand = 1u << 30;  // the strand that runs is timed
  static_assert(kMostStrands / kOneStrand * NOPAL_SPAN_UNITS < kOneStrand &&
                NOPAL_SPAN_LONG > kLongStrand);
  // The rate is that of about so many units.
  static constexpr Ticks kWindowUnits = 16384;
  static constexpr int kRateBits = 12;

  /// Within a child no path has another share of site 0 than the child began with: nobody asks.
  SiteIndex first_share() const { return site_ != 0; }

  Path *path_at(std::size_t index) const {
    return reinterpret_cast<Path *>(paths_ + index * stride_);
  }
  Path *after(Path *path) const {
    return reinterpret_cast<Path *>(reinterpret_cast<char *>(path) + stride_);
  }

  // Out of the way: a hook that calls none of these saves no register for them.
#define NOPAL_RARE [[clang::preserve_most, gnu::noinline]]
  NOPAL_RARE void make_room(std::size_t shares, std::size_t paths);
  NOPAL_RARE void push_first_frames();
  Frame &push_frame();
  void begin_child(SiteIndex site, Ticks duration, Ticks burden);
  void end_child(Ticks duration, Ticks burden);
  void copy_shares(Path *to, const Path *from, SiteIndex first);
  void merge(Path *into, Ticks length, const Path *other, SiteIndex first);

  void add_to_share(Path *path, SiteIndex site, Ticks duration);
  void charge(Ticks duration);
  void end_site(SiteTotals &its);
  Ticks end_strand(std::uint32_t code);
  NOPAL_RARE void end_strand_by_clock(std::uint32_t code);
  void time_strand(Ticks now);
  void share_time(Ticks now);
  void time_next() { readings_ = kLongStrand; }
  NOPAL_RARE void resume_caller();
#undef NOPAL_RARE

  // What most hooks touch first.
  std::uint32_t readings_ = kLongStrand;  // units and strands since the last reading
  SiteIndex site_ = 0;                    // of the innermost child or leaf
  Ticks rate_ = 0;                        // of a unit, in 2^-kRateBits
  Ticks work_ = 0;
  Ticks work_at_site_ = 0;                 // when it became site_
  Path *path_ = nullptr, *end_ = nullptr;  // the path to this point, and where the next one begins
  char *paths_ = nullptr, *limit_ = nullptr;
  std::size_t stride_ = 0;       // of paths, bytes
  Frame *frame_ = nullptr;       // the innermost
  Frame *last_frame_ = nullptr;  // there is room for this one
  SiteIndex used_ = 1;           // paths have shares for lower numbers; the others are 0
  SiteIndex known_ = 1;          // of lower numbers there are totals and shares
  std::vector<SiteTotals> totals_;
  Costs costs_;

  const Clock &clock_;
  Losses *losses_ = nullptr;
  Ticks longest_sure_ = INT64_MAX;  // a strand that is longer may have been interrupted
  Ticks last_;                      // reading
  Ticks work_at_last_ = 0;
  // Of strands that share readings: their time less what they were charged with, and the recent
  // ones' time and units.
  Ticks uncharged_ = 0, recent_ = 0, recent_units_ = 1;
  Ticks sharing_ = 0;
  std::vector<Frame> frames_;
};

}  // namespace nopal::span

#include "recurrences.h"

#endif
