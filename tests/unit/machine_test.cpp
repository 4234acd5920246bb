// The machine's topology by hwloc, from descriptions of other machines; the order in which
// `nearest` tries victims there; and the placement of workers.
#include "worker/machine.h"

#include <gtest/gtest.h>

#include <sched.h>

#include <set>
#include <vector>

#include "machine_file.h"
#include "policy/nearest.h"
#include "policy_environment.h"

namespace {

using namespace nopal;
using policy::Topology;
using policy::WorkerId;
using Parts = std::vector<std::uint32_t>;

#define SKIP_WITHOUT_HWLOC(machine) \
  if ((machine).parts.empty()) GTEST_SKIP() << "hwloc is not installed: " << (machine).description

TEST(MachineTest, FourPackagesOfTwoNodesOfSixteenCores) {
  const Machine machine = read_machine("pack:4 numa:2 core:16 pu:1");
  SKIP_WITHOUT_HWLOC(machine);
  EXPECT_EQ(machine.parts, (Parts{4, 2, 16}));
  EXPECT_EQ(machine.description,
            "4 packages x 2 NUMA nodes x 16 cores; not this machine, so no worker is bound");
  EXPECT_TRUE(machine.processors.empty());
}

TEST(MachineTest, CachesAndThreadsOfACore) {
  const Machine machine = read_machine("pack:2 l3:2 l2:4 core:1 pu:2");
  SKIP_WITHOUT_HWLOC(machine);
  EXPECT_EQ(machine.parts, (Parts{2, 2, 4, 2}));
  EXPECT_EQ(read_machine("pu:1").parts, Parts{});
}

TEST(MachineTest, ThisOne) {
  const Machine machine = read_machine("");
  if (machine.description.starts_with("flat: cannot load") ||
      machine.description.starts_with("flat: built without"))
    GTEST_SKIP() << "hwloc is not installed: " << machine.description;
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  EXPECT_EQ(machine.processors.size(), static_cast<std::size_t>(CPU_COUNT(&allowed)));
  for (const int processor : machine.processors)
    EXPECT_TRUE(CPU_ISSET(processor, &allowed)) << processor;
}

TEST(MachineDeathTest, ARefusedDescriptionIsNamed) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  EXPECT_EXIT(read_machine("four sockets"), testing::ExitedWithCode(2),
              "HWLOC_SYNTHETIC: \"four sockets\" is not a topology that hwloc can read");
}

constexpr const char *kRing =
    "10 16 22 16 "
    "16 10 16 22 "
    "22 16 10 16 "
    "16 22 16 10 ";

TEST(MachineTest, ARingOfNodes) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const Machine machine = MachineFile({{2}, {2}, {2}, {2}}, kRing).read();
  EXPECT_EQ(machine.parts, (Parts{4, 2}));
  EXPECT_EQ(machine.distances, (std::vector<std::uint64_t>{10, 16, 22, 16, 16, 10, 16, 22, 22, 16,
                                                           10, 16, 16, 22, 16, 10}));
  EXPECT_EQ(machine.description,
            "4 NUMA nodes x 2 processors; NUMA nodes at 2 distances, 16 to 22; not this machine, "
            "so no worker is bound");
}

TEST(MachineTest, DistancesThatSayNothing) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  EXPECT_TRUE(MachineFile({{2}, {2}, {2}}).read().distances.empty());
  EXPECT_TRUE(MachineFile({{2}, {2}, {2}}, "10 20 20 20 10 20 20 20 10 ").read().distances.empty());
  EXPECT_TRUE(MachineFile({{1}, {1}, {1}}, "10 12 20 12 10 20 20 20 10 ").read().distances.empty());
  EXPECT_TRUE(MachineFile({{2}, {4}, {2}}, "10 12 20 12 10 20 20 20 10 ").read().distances.empty());
}

TEST(MachineTest, MemoryOfTwoKindsAndMemoryWithoutProcessors) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const Machine two = MachineFile({{2, 2}, {2, 2}, {2, 2}},
                                  "10 1 12 1 20 1 1 1 1 1 1 1 12 1 10 1 20 1 1 1 1 1 1 1 20 1 20 1 "
                                  "10 1 1 1 1 1 1 1 ")
                          .read();
  EXPECT_EQ(two.parts, (Parts{3, 2}));
  EXPECT_EQ(two.distances, (std::vector<std::uint64_t>{10, 12, 20, 12, 10, 20, 20, 20, 10}));
  EXPECT_EQ(two.description.find("without"), std::string::npos) << two.description;
  const Machine none = MachineFile({{2}, {2}, {0}}).read();
  EXPECT_EQ(none.parts, (Parts{2, 2}));
  EXPECT_EQ(none.description.find("without"), std::string::npos) << none.description;
}

TEST(MachineTest, ALevelOfUnequalPartsIsNamed) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  EXPECT_NE(MachineFile({{2}, {4}})
                .read()
                .description.find("; without NUMA nodes, which are unequal; not this machine"),
            std::string::npos);
  // Two nodes of two processors, and two processors without a node.
  const Machine part = MachineFile({{2}, {2}, {2, 0}}).read();
  EXPECT_EQ(part.parts, Parts{6});
  EXPECT_NE(part.description.find("; without NUMA nodes, which are unequal"), std::string::npos)
      << part.description;
  // Four nodes of two processors each, but two are the same processors, and two have none.
  const Machine twice = MachineFile({{2, 2}, {2}, {2}, {2, 0}}).read();
  EXPECT_EQ(twice.parts, Parts{8});
  EXPECT_NE(twice.description.find("; without NUMA nodes, which are unequal"), std::string::npos)
      << twice.description;
}

TEST(MachineDeathTest, ARefusedFileIsNamed) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  EXPECT_EXIT(read_machine("", "/nowhere.xml"), testing::ExitedWithCode(2),
              "HWLOC_XMLFILE: \"/nowhere.xml\" is not a file in hwloc's XML");
  EXPECT_EXIT(read_machine("", NOPAL_SOURCE_FOLDER "/README.md"), testing::ExitedWithCode(2),
              "HWLOC_XMLFILE: \".*/README.md\" is not a file in hwloc's XML");
  EXPECT_EQ(read_machine("pack:2 pu:2", "/nowhere.xml").parts, (Parts{2, 2}));
}

Topology topology(Topology::Order order) {
  const Parts parts = read_machine("pack:4 numa:2 core:16 pu:1").parts;
  return Topology::of_parts(parts, 128, order);
}

/// The order in which `nearest` lets worker `self` look at all others.
std::vector<WorkerId> looks(const Topology &topology, WorkerId self) {
  const policy::TestEnvironment environment(topology);
  policy::NearestPolicy<policy::TestEnvironment>::Shared shared(environment);
  policy::NearestPolicy<policy::TestEnvironment> nearest(shared, environment, self, 1);
  std::vector<WorkerId> order;
  for (std::uint32_t k = 0; k + 1 < topology.workers(); ++k) order.push_back(nearest.victim_at(k));
  return order;
}

TEST(MachineTest, VictimsInCompactOrder) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const std::vector<WorkerId> order = looks(topology(Topology::Order::kCompact), 37);
  // The node of 32 to 47 from the next one on, then the package of 32 to 63, then the machine.
  EXPECT_EQ(order[0], 38u);
  EXPECT_EQ(order[9], 47u);
  EXPECT_EQ(order[10], 32u);
  EXPECT_EQ(order[14], 36u);
  EXPECT_EQ(order[15], 48u);
  EXPECT_EQ(order[30], 63u);
  EXPECT_EQ(order[31], 64u);
  EXPECT_EQ(order[95], 0u);
  EXPECT_EQ(order[126], 31u);
}

TEST(MachineTest, VictimsOnARing) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const Machine machine = MachineFile({{2}, {2}, {2}, {2}}, kRing).read();
  const auto order = [&machine](Topology::Order how) {
    return looks(Topology::of_parts(machine.parts, 8, how, machine.distances), 3);
  };
  // Worker 3 is on node 1: the other one there, then nodes 2 and 0, and node 3 last.
  EXPECT_EQ(order(Topology::Order::kCompact), (std::vector<WorkerId>{2, 4, 5, 0, 1, 6, 7}));
  // Or on node 3, with 7: nodes 0 and 2, and node 1 last.
  EXPECT_EQ(order(Topology::Order::kSpread), (std::vector<WorkerId>{7, 0, 4, 2, 6, 1, 5}));
}

TEST(MachineTest, VictimsInSpreadOrder) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const Topology spread = topology(Topology::Order::kSpread);
  const std::vector<WorkerId> order = looks(spread, 37);
  // 37 is on package 1 and there on node 1: its node has those that leave 5 after division by 8.
  for (int i = 0; i < 15; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)] % 8, 5u);
  for (int i = 15; i < 31; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)] % 8, 1u);
  for (int i = 31; i < 127; ++i) EXPECT_NE(order[static_cast<std::size_t>(i)] % 4, 1u);
  EXPECT_EQ(order[0], 45u);
  EXPECT_EQ(std::set<WorkerId>(order.begin(), order.end()).size(), 127u);
}

TEST(MachineTest, Placement) {
  SKIP_WITHOUT_HWLOC(read_machine("pack:2 pu:2"));
  const Topology compact = topology(Topology::Order::kCompact);
  EXPECT_EQ(compact.unit_of(1), 1u);
  EXPECT_EQ(compact.unit_of(127), 127u);
  EXPECT_EQ(compact.unit_of(128), 0u);
  const Topology spread = topology(Topology::Order::kSpread);
  std::set<std::uint32_t> units;
  for (WorkerId worker = 0; worker < 128; ++worker) units.insert(spread.unit_of(worker));
  EXPECT_EQ(units.size(), 128u);
  EXPECT_EQ(spread.unit_of(0), 0u);
  EXPECT_EQ(spread.unit_of(1), 32u);  // the next package
  EXPECT_EQ(spread.unit_of(4), 16u);  // the other node
  EXPECT_EQ(spread.unit_of(8), 1u);   // the next core
  EXPECT_EQ(spread.distance(0, 8), 0u);
  EXPECT_EQ(spread.distance(0, 4), 1u);
  EXPECT_EQ(spread.distance(0, 1), 2u);
}

}  // namespace
