// runtime/src/config/cpus: control groups are read from made-up file trees; the affinity mask is
// set for a thread and read back.
#include "config/cpus.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

namespace fs = std::filesystem;

class CgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "nopal-cgroup-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string &path, const std::string &text) {
    const fs::path file = root_ + path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void unified(const std::string &group, const std::string &mounted = "/") {
    write("/proc/self/cgroup", "0::" + group + "\n");
    write("/proc/self/mountinfo",
          "21 1 8:1 / / rw,relatime - ext4 /dev/root rw\n"
          "31 23 0:28 " +
              mounted + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
  }
  std::string root_;
};

TEST_F(CgroupTest, NothingThereSetsNoLimit) {
  EXPECT_FALSE(nopal::cgroup_cpus(root_).has_value());
  EXPECT_EQ(nopal::usable_cpus(root_), nopal::affinity_cpus());
}

TEST_F(CgroupTest, UnifiedQuotaOfTheProcessGroup) {
  unified("/user.slice/app");
  write("/sys/fs/cgroup/user.slice/app/cpu.max", "150000 100000\n");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 1.5);
}

TEST_F(CgroupTest, MaxSetsNoLimit) {
  unified("/app");
  write("/sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_FALSE(nopal::cgroup_cpus(root_).has_value());
}

TEST_F(CgroupTest, LowestQuotaAlongThePathCounts) {
  unified("/a/b/c");
  write("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
  write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/a/cpu.max", "50000 20000\n");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 2.5);
  write("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 1.0);
}

TEST_F(CgroupTest, ContainerWhoseGroupIsMountedAsTheRoot) {
  unified("/docker/1234/inner", "/docker/1234");
  write("/sys/fs/cgroup/inner/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/cpu.max", "300000 100000\n");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 3.0);
}

TEST_F(CgroupTest, GroupOutsideOfTheMountCountsAsTheMountedOne) {
  for (const char *group : {"/../other", "/docker/12345", "/elsewhere"}) {
    unified(group, "/docker/1234");
    write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 2.0) << group;
  }
}

TEST_F(CgroupTest, VersionOneQuota) {
  write("/proc/self/cgroup", "5:memory:/m\n3:cpu,cpuacct:/jobs/one\n1:name=systemd:/\n");
  write("/proc/self/mountinfo",
        "33 31 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        "32 31 0:29 / /sys/fs/cgroup/cpu\\040time rw,relatime - cgroup cgroup rw,cpuacct,cpu\n");
  write("/sys/fs/cgroup/cpu time/jobs/one/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu time/jobs/one/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(nopal::cgroup_cpus(root_).has_value());
  write("/sys/fs/cgroup/cpu time/jobs/cpu.cfs_quota_us", "70000\n");
  write("/sys/fs/cgroup/cpu time/jobs/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 0.7);
}

TEST_F(CgroupTest, MixedSystemAsksBothVersions) {
  write("/proc/self/cgroup", "1:cpu:/\n0::/\n");
  write("/proc/self/mountinfo",
        "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 4.0);
  write("/sys/fs/cgroup/unified/cpu.max", "300000 100000");
  EXPECT_DOUBLE_EQ(nopal::cgroup_cpus(root_).value(), 3.0);
}

TEST_F(CgroupTest, MalformedFilesSetNoLimit) {
  for (const char *text : {"", "nonsense", "100000", "100000 0", "-5 100000", "0 100000"}) {
    unified("/");
    write("/sys/fs/cgroup/cpu.max", text);
    EXPECT_FALSE(nopal::cgroup_cpus(root_).has_value()) << text;
  }
  write("/proc/self/cgroup", "no colons\n0:\n\n");
  write("/proc/self/mountinfo", "short - cgroup2\n - \n1 2\n");
  EXPECT_FALSE(nopal::cgroup_cpus(root_).has_value());
}

TEST_F(CgroupTest, QuotaCutsTheMaskDownRoundedUpAndAtLeastOne) {
  unified("/");
  write("/sys/fs/cgroup/cpu.max", "1000 100000");
  EXPECT_EQ(nopal::usable_cpus(root_), 1u);
  write("/sys/fs/cgroup/cpu.max", "110000 100000");
  EXPECT_EQ(nopal::usable_cpus(root_), std::min(2u, nopal::affinity_cpus()));
  write("/sys/fs/cgroup/cpu.max", "999900000 100000");
  EXPECT_EQ(nopal::usable_cpus(root_), nopal::affinity_cpus());
}

TEST(AffinityTest, MaskOfTheCallingThread) {
  std::thread([] {
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    EXPECT_EQ(nopal::affinity_cpus(), static_cast<unsigned>(CPU_COUNT(&set)));
    int first = 0;
    while (!CPU_ISSET(first, &set)) ++first;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof set, &set), 0);
    EXPECT_EQ(nopal::affinity_cpus(), 1u);
    EXPECT_EQ(nopal::usable_cpus(), 1u);
  }).join();
}

}  // namespace
