// Ranges of spawn sites: each is kept once, however many constructors register it.
#include "frame/sites.h"

#include <gtest/gtest.h>

namespace {

class Count final : public nopal::stats::SiteVisitor {
public:
  explicit Count(const nopal_site *wanted) : wanted_(wanted) {}
  void sites(const nopal_site *begin, const nopal_site *end) override {
    if (begin == wanted_) ++ranges, sites_ += end - begin;
  }
  int ranges = 0;
  long sites_ = 0;

private:
  const nopal_site *wanted_;
};

TEST(SitesTest, ARangeIsKeptOnce) {
  static nopal_site sites[3] = {};
  for (int i = 0; i < 3; ++i) nopal_register_sites(sites, sites + 3);
  Count count(sites);
  nopal::visit_site_ranges(count);
  EXPECT_EQ(count.ranges, 1);
  EXPECT_EQ(count.sites_, 3);
}

TEST(SitesTest, Empty) {
  static nopal_site sites[1] = {};
  nopal_register_sites(sites, sites);
  Count count(sites);
  nopal::visit_site_ranges(count);
  EXPECT_EQ(count.ranges, 0);
}

TEST(SitesTest, TheFlagIsNoPartOfTheAddress) {
  static nopal_site site = {};
  nopal_frame frame{};
  frame.site = reinterpret_cast<std::uintptr_t>(&site) | NOPAL_SITE_SLOW;
  nopal::count_steal_at(nopal::site_of(&frame));
  EXPECT_EQ(site.steals, 1u);
}

}  // namespace
