// A machine that does not exist, in a file that hwloc reads. Unlike HWLOC_SYNTHETIC it may have
// unequal parts, nodes without processors, several nodes of the same, and distances.
#pragma once

#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "worker/machine.h"

namespace nopal {

/// NUMA nodes of a machine that hwloc reads from a file.
struct Nodes {
  unsigned processors;    // of their own
  unsigned memories = 1;  // so many nodes, of the same processors
};

/// In hwloc's XML. `matrix`: numbers with spaces.
class MachineFile {
 public:
  explicit MachineFile(const std::vector<Nodes> &groups, const std::string &matrix = "") {
    unsigned units = 0, memories = 0;
    for (const Nodes &group : groups) {
      units += group.processors;
      memories += group.memories;
    }
    std::ostringstream body;
    body << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
            "<topology version=\"2.0\">\n";
    open(body, "Machine", 0, units, 0, memories) << ">\n";
    unsigned unit = 0, memory = 0;
    for (const Nodes &group : groups) {
      open(body, "Group", unit, group.processors, memory, group.memories) << ">\n";
      for (unsigned i = 0; i < group.memories; ++i)
        open(body, "NUMANode", unit, group.processors, memory + i, 1) << "/>\n";
      for (unsigned i = 0; i < group.processors; ++i)
        open(body, "PU", unit + i, 1, memory, group.memories) << "/>\n";
      body << "</object>\n";
      unit += group.processors;
      memory += group.memories;
    }
    body << "</object>\n";
    if (!matrix.empty()) {
      std::ostringstream indexes;
      for (unsigned i = 0; i < memories; ++i) indexes << i << ' ';
      body << R"(<distances2 type="NUMANode" nbobjs=")" << memories
           << R"(" kind="5" name="NUMALatency" indexing="os"><indexes length=")"
           << indexes.str().size() << "\">" << indexes.str() << "</indexes><u64values length=\""
           << matrix.size() << "\">" << matrix << "</u64values></distances2>\n";
    }
    std::ofstream(path_) << body.str() << "</topology>\n";
  }
  ~MachineFile() { unlink(path_.c_str()); }
  MachineFile(const MachineFile &) = delete;
  MachineFile &operator=(const MachineFile &) = delete;

  Machine read() const { return read_machine("", path_); }

 private:
  static unsigned long bits(unsigned first, unsigned count) {
    return ((1ul << count) - 1) << first;
  }
  std::ostream &open(std::ostream &body, const char *type, unsigned unit, unsigned units,
                     unsigned memory, unsigned memories) {
    body << "<object type=\"" << type << "\" gp_index=\"" << ++objects_ << '"' << std::hex;
    if (std::string(type) != "Group")
      body << " os_index=\"" << std::dec << (std::string(type) == "NUMANode" ? memory : unit) << '"'
           << std::hex;
    std::vector<const char *> prefixes{"", "complete_"};
    if (objects_ == 1) prefixes.push_back("allowed_");
    for (const char *prefix : prefixes)
      body << ' ' << prefix << "cpuset=\"0x" << bits(unit, units) << "\" " << prefix
           << "nodeset=\"0x" << bits(memory, memories) << '"';
    return body << std::dec;
  }

  const std::string path_ = testing::TempDir() + "machine." + std::to_string(getpid()) + ".xml";
  unsigned objects_ = 0;
};

}  // namespace nopal
