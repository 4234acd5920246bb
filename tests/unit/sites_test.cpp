// Spawn sites are found through the entries of a module, each once, however many constructors
// register them.
#include "frame/sites.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace {

template <std::size_t N>
struct Module {
  Module() {
    for (std::size_t i = 0; i < N; ++i)
      entries[i] = static_cast<nopal_site_entry>(reinterpret_cast<const char *>(&sites[i]) -
                                                 reinterpret_cast<const char *>(&entries[i]));
  }
  nopal_site sites[N] = {};
  nopal_site_entry entries[N];
};

template <std::size_t N>
class Count final : public nopal::stats::SiteVisitor {
 public:
  explicit Count(const Module<N> &wanted) : wanted_(wanted) {}
  void site(const nopal_site &site) override {
    for (std::size_t i = 0; i < N; ++i)
      if (&site == &wanted_.sites[i]) ++found[i];
  }
  int found[N] = {};

 private:
  const Module<N> &wanted_;
};

TEST(SitesTest, ASiteIsVisitedOnce) {
  static Module<3> module;  // registered until the process ends
  for (int i = 0; i < 3; ++i) nopal_register_sites(module.entries, module.entries + 3);
  Count count(module);
  nopal::visit_sites(count);
  for (const int found : count.found) EXPECT_EQ(found, 1);
}

TEST(SitesTest, Empty) {
  static Module<1> module;
  nopal_register_sites(module.entries, module.entries);
  nopal_register_sites(nullptr, nullptr);  // the linker has dropped all sites
  Count count(module);
  nopal::visit_sites(count);
  EXPECT_EQ(count.found[0], 0);
}

TEST(SitesTest, TheFlagIsNoPartOfTheAddress) {
  static std::uint64_t steals = 0;
  static nopal_site site = {};
  site.steals = &steals;
  nopal_frame frame{};
  frame.site = reinterpret_cast<std::uintptr_t>(&site) | NOPAL_SITE_SLOW;
  nopal::count_steal_at(nopal::site_of(&frame));
  EXPECT_EQ(steals, 1u);
}

}  // namespace
