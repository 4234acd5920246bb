// Affinity mask and control groups. Specified in cpus.h; file formats: proc_pid_mountinfo(5),
// cgroups(7) and the kernel's cgroup-v2 document.
//
// No streams of the standard library: their first use, with their locale, would be most of the
// runtime's start, and a static program would have to contain them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpus.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <vector>

namespace nopal {

namespace {

struct Mount {
  std::string group;  // which group of the hierarchy stands at the mount point
  std::string point;
};

/// What the file holds; nothing if it cannot be read.
std::string read_file(const std::string &path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char buffer[4096];
  for (ssize_t count; (count = read(file, buffer, sizeof buffer)) != 0;) {
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(file);
  return text;
}

/// The parts between separators; what follows the last one only if there is anything.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool lists(std::string_view comma_separated, std::string_view word) {
  const std::vector<std::string_view> words = split(comma_separated, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The number that the text begins with, 0 if none.
double number(std::string_view text) {
  long long value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return static_cast<double>(value);
}

/// mountinfo writes blanks and backslashes of a path as \ooo.
std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                                  (text[i + 3] - '0'));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// Where the hierarchy with the CPU controller is mounted: the unified one (version 2), or that of
/// version 1.
std::optional<Mount> find_mount(std::string_view mountinfo, bool unified) {
  for (const std::string_view line : split(mountinfo, '\n')) {
    // id parent device GROUP POINT options [optional fields] - TYPE source SUPER_OPTIONS
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const std::vector<std::string_view> before = split(line.substr(0, dash), ' ');
    const std::vector<std::string_view> after = split(line.substr(dash + 3), ' ');
    if (before.size() < 5 || after.size() < 3) continue;
    const bool matches =
        unified ? after[0] == "cgroup2" : after[0] == "cgroup" && lists(after[2], "cpu");
    if (matches) return Mount{unescape(before[3]), unescape(before[4])};
  }
  return std::nullopt;
}

/// The process's group in that hierarchy.
std::optional<std::string> find_group(std::string_view groups, bool unified) {
  for (const std::string_view line : split(groups, '\n')) {
    // ID:CONTROLLERS:GROUP, and 0::GROUP for version 2
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool matches =
        unified ? line.substr(0, first) == "0" && controllers.empty() : lists(controllers, "cpu");
    if (matches) return std::string(line.substr(second + 1));
  }
  return std::nullopt;
}

/// The group's path below the mount point: "" or "/a/b". A group outside what is mounted counts as
/// the mounted one.
std::string below_mount(const std::string &group, const std::string &mounted) {
  std::string path = group;
  if (mounted != "/") {
    const bool is_inside = path.compare(0, mounted.size(), mounted) == 0 &&
                           (path.size() == mounted.size() || path[mounted.size()] == '/');
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
  const std::string text =
      read_file(directory + "/cpu.max");  // "QUOTA PERIOD" or "max PERIOD", in microseconds
  const std::vector<std::string_view> words = split(text, ' ');
  return words.size() == 2 ? share(number(words[0]), number(words[1])) : std::nullopt;
}

std::optional<double> quota_of_v1(const std::string &directory) {
  return share(number(read_file(directory + "/cpu.cfs_quota_us")),  // -1: none
               number(read_file(directory + "/cpu.cfs_period_us")));
}

std::optional<double> lower(std::optional<double> a, std::optional<double> b) {
  if (!a) return b;
  if (!b) return a;
  return std::min(*a, *b);
}

}  // namespace

std::optional<double> cgroup_cpus(const std::string &root) {
  const std::string mountinfo = read_file(root + "/proc/self/mountinfo"),
                    groups = read_file(root + "/proc/self/cgroup");
  std::optional<double> lowest;
  for (const bool unified : {true, false}) {
    const std::optional<Mount> mount = find_mount(mountinfo, unified);
    const std::optional<std::string> group = find_group(groups, unified);
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
  const auto whole =
      static_cast<unsigned>(*granted);  // not std::ceil: C programs need no other function of libm
  return *granted > whole ? whole + 1 : std::max(1u, whole);
}

}  // namespace nopal
