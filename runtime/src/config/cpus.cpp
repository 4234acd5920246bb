// Affinity mask and control groups. Specified in cpus.h; file formats: proc_pid_mountinfo(5), cgroups(7) and the kernel's
// cgroup-v2 document.
#include "cpus.h"

#include <sched.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace nopal {

namespace {

struct Mount {
  std::string group;  // which group of the hierarchy stands at the mount point
  std::string point;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

bool lists(const std::string &comma_separated, const std::string &word) {
  const std::vector<std::string> words = split(comma_separated, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// mountinfo writes blanks and backslashes of a path as \ooo.
std::string unescape(const std::string &text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// Where the hierarchy with the CPU controller is mounted: the unified one (version 2), or that of version 1.
std::optional<Mount> find_mount(const std::string &root, bool unified) {
  std::ifstream in(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    // id parent device GROUP POINT options [optional fields] - TYPE source SUPER_OPTIONS
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string> before = split(line.substr(0, dash), ' ');
    const std::vector<std::string> after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const bool matches = unified ? after[0] == "cgroup2" : after[0] == "cgroup" && lists(after[2], "cpu");
    if (matches) return Mount{unescape(before[3]), unescape(before[4])};
  }
  return std::nullopt;
}

/// The process's group in that hierarchy.
std::optional<std::string> find_group(const std::string &root, bool unified) {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    // ID:CONTROLLERS:GROUP, and 0::GROUP for version 2
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool matches = unified ? line.substr(0, first) == "0" && controllers.empty() : lists(controllers, "cpu");
    if (matches) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// The group's path below the mount point: "" or "/a/b". A group outside what is mounted counts as the mounted one.
std::string below_mount(const std::string &group, const std::string &mounted) {
  std::string path = group;
  if (mounted != "/") {
    const bool is_inside =
        path.compare(0, mounted.size(), mounted) == 0 && (path.size() == mounted.size() || path[mounted.size()] == '/');
    path = is_inside ? path.substr(mounted.size()) : "";
  }
  if (path.find("/..") != std::string::npos) return "";
  while (!path.empty() && path.back() == '/') path.pop_back();
  return path;
}

std::optional<double> share(double quota, double period) {
  if (!(quota > 0) || !(period > 0)) return std::nullopt;
  return quota / period;
}

std::optional<double> quota_of_v2(const std::string &directory) {
  std::ifstream in(directory + "/cpu.max");  // "QUOTA PERIOD" or "max PERIOD", in microseconds
  double quota = 0;
  double period = 0;
  if (!(in >> quota >> period)) return std::nullopt;
  return share(quota, period);
}

std::optional<double> quota_of_v1(const std::string &directory) {
  std::ifstream quota_file(directory + "/cpu.cfs_quota_us");  // -1: none
  std::ifstream period_file(directory + "/cpu.cfs_period_us");
  double quota = 0;
  double period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
  return share(quota, period);
}

std::optional<double> lower(std::optional<double> a, std::optional<double> b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

}  // namespace

std::optional<double> cgroup_cpus(const std::string &root) {
  std::optional<double> lowest;
  for (const bool unified : {true, false}) {
    const std::optional<Mount> mount = find_mount(root, unified);
    const std::optional<std::string> group = find_group(root, unified);
    if (!mount || !group) continue;
    for (std::string path = below_mount(*group, mount->group);; path.resize(path.rfind('/'))) {
      const std::string directory = root + mount->point + path;
      lowest = lower(lowest, unified ? quota_of_v2(directory) : quota_of_v1(directory));
      if (path.empty()) break;
    }
  }
  return lowest;
}

unsigned affinity_cpus() {
  constexpr int kMostCpus = 1 << 16;
  for (int cpus = CPU_SETSIZE; cpus <= kMostCpus; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (set == nullptr) break;
    const bool known = sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), set) == 0;
    const int error = errno;
    const int count = known ? CPU_COUNT_S(CPU_ALLOC_SIZE(cpus), set) : 0;
    CPU_FREE(set);
    if (known) return static_cast<unsigned>(std::max(count, 1));
    if (error != EINVAL) break;  // EINVAL: the kernel's mask is larger
  }
  return 1;
}

unsigned usable_cpus(const std::string &root) {
  const unsigned affinity = affinity_cpus();
  const std::optional<double> granted = cgroup_cpus(root);
  if (!granted || *granted >= affinity) return affinity;
  return std::max(1u, static_cast<unsigned>(std::ceil(*granted)));
}

}  // namespace nopal
