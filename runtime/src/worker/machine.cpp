// See machine.h. The API is that of hwloc 2 (https://www.open-mpi.org/projects/hwloc/doc/).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

#include "../config/config.h"
#include "../platform/fatal.h"
#include "registry.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <set>

#if __has_include(<hwloc.h>) && __has_include(<hwloc/autogen/config.h>)
#include <hwloc.h>
#define NOPAL_HAS_HWLOC 1
#endif

// A static program may not contain them: a reference that is not weak would take them in, with a
// warning of the linker. Nor may it call them: hwloc would bring a second C library.
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

namespace nopal {
namespace {

Machine flat(const std::string &why) {
  return {.parts = {},
          .distances = {},
          .processors = {},
          .description = "flat: " + why,
          .is_asked_for = true};
}

#ifdef NOPAL_HAS_HWLOC

constexpr const char *kLibrary = "libhwloc.so.15";  // hwloc 2

/// hwloc's functions, by their own types.
struct Hwloc {
#define NOPAL_HWLOC_FUNCTIONS(ROW) \
  ROW(topology_init)               \
  ROW(topology_set_synthetic)      \
  ROW(topology_set_xml)            \
  ROW(topology_set_flags)          \
  ROW(topology_load)               \
  ROW(topology_destroy)            \
  ROW(topology_is_thissystem)      \
  ROW(get_type_depth)              \
  ROW(get_nbobjs_by_depth)         \
  ROW(get_obj_by_depth)            \
  ROW(bitmap_weight)               \
  ROW(bitmap_isset)                \
  ROW(bitmap_isequal)              \
  ROW(distances_get_by_type)       \
  ROW(distances_release)
#define NOPAL_MEMBER(name) decltype(&::hwloc_##name) name = nullptr;
  NOPAL_HWLOC_FUNCTIONS(NOPAL_MEMBER)
#undef NOPAL_MEMBER

  /// Returns why it is not there, or "".
  std::string open() {
    if (&dlopen == nullptr || &dlsym == nullptr || getauxval(AT_BASE) == 0)  // no dynamic linker
      return "a static program does not load hwloc";
    void *const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);  // stays
    if (library == nullptr) return std::string("cannot load hwloc: ") + dlerror();
#define NOPAL_LOAD(name)                                                                \
  name = reinterpret_cast<decltype(name)>(dlsym(library, "hwloc_" #name)); /* NOLINT */ \
  if (name == nullptr) return std::string(kLibrary) + " has no hwloc_" #name;
    NOPAL_HWLOC_FUNCTIONS(NOPAL_LOAD)
#undef NOPAL_LOAD
    return "";
  }
};

/// A level of the machine, whose objects are equal parts of it.
struct Level {
  const char *name;
  std::uint32_t objects;
};

/// Levels from the outermost to the innermost, and why one was left out.
class Reader {
 public:
  Reader(const Hwloc &hwloc, hwloc_topology_t topology) : hwloc_(hwloc), topology_(topology) {}

  Machine read() {
    const int depth = hwloc_.get_type_depth(topology_, HWLOC_OBJ_PU);
    const unsigned units = hwloc_.get_nbobjs_by_depth(topology_, depth);
    if (units == 0) return flat("hwloc finds no processor");
    Machine machine;
    machine.is_asked_for = true;
    std::uint32_t before = 1;
    std::string text;
    for (const Level &level : levels(units)) {
      if (level.objects <= before) continue;  // the same as the level before
      machine.parts.push_back(level.objects / before);
      text +=
          (text.empty() ? "" : " x ") + std::to_string(level.objects / before) + " " + level.name;
      before = level.objects;
    }
    machine.distances = distances(units);
    machine.description = (text.empty() ? "1 processor" : text) + left_out_ + distances_;
    if (!hwloc_.topology_is_thissystem(topology_)) {
      machine.description += "; not this machine, so no worker is bound";
      return machine;
    }
    for (unsigned i = 0; i < units; ++i)
      machine.processors.push_back(
          static_cast<int>(hwloc_.get_obj_by_depth(topology_, depth, i)->os_index));
    return machine;
  }

 private:
  std::vector<Level> levels(unsigned units) {
    std::vector<Level> found;
    for (const auto &[type, name] : kTypes) {
      const int depth = hwloc_.get_type_depth(topology_, type);
      if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE) continue;
      const std::vector<hwloc_obj_t> objects = objects_at(depth);
      if (objects.empty()) continue;
      if (!are_equal_parts(objects, units)) {
        left_out_ += std::string("; without ") + name + ", which are unequal";
        continue;
      }
      if (type == HWLOC_OBJ_NUMANODE) nodes_ = objects;
      const auto is_coarser = [](const Level &a, const Level &b) { return a.objects < b.objects; };
      const Level level{name, static_cast<std::uint32_t>(objects.size())};
      found.insert(std::upper_bound(found.begin(), found.end(), level, is_coarser), level);
    }
    return found;
  }

  /// Those of a depth that have processors. Of NUMA nodes with the same ones, which are memory of
  /// several kinds, the first.
  std::vector<hwloc_obj_t> objects_at(int depth) const {
    std::vector<hwloc_obj_t> found;
    for (unsigned i = 0, objects = hwloc_.get_nbobjs_by_depth(topology_, depth); i < objects; ++i) {
      const hwloc_obj_t object = hwloc_.get_obj_by_depth(topology_, depth, i);
      if (hwloc_.bitmap_weight(object->cpuset) == 0) continue;
      if (!found.empty() && hwloc_.bitmap_isequal(found.back()->cpuset, object->cpuset)) continue;
      found.push_back(object);
    }
    return found;
  }

  /// Whether each processor is in one of the objects, all have as many, and both are in the same
  /// order. hwloc's objects lie within each other, so if this holds at two levels, the number of
  /// objects at one divides that at the other.
  bool are_equal_parts(const std::vector<hwloc_obj_t> &objects, unsigned units) const {
    const auto count = static_cast<unsigned>(objects.size());
    if (units % count != 0) return false;
    const unsigned size = units / count;
    const int depth = hwloc_.get_type_depth(topology_, HWLOC_OBJ_PU);
    for (unsigned i = 0; i < count; ++i) {
      const unsigned first = hwloc_.get_obj_by_depth(topology_, depth, i * size)->os_index;
      if (hwloc_.bitmap_weight(objects[i]->cpuset) != static_cast<int>(size) ||
          !hwloc_.bitmap_isset(objects[i]->cpuset, first))
        return false;
    }
    return true;
  }

  /// Between the NUMA nodes, row by row. Empty if not known, all alike, or a node has one
  /// processor.
  std::vector<std::uint64_t> distances(unsigned units) {
    hwloc_distances_s *found = nullptr;
    unsigned count = 1;
    if (nodes_.size() == units ||
        hwloc_.distances_get_by_type(topology_, HWLOC_OBJ_NUMANODE, &count, &found,
                                     HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
        found == nullptr)
      return {};
    std::vector<std::size_t> rows;
    for (const hwloc_obj_t node : nodes_) {
      const hwloc_obj_t *const end = found->objs + found->nbobjs;
      const hwloc_obj_t *const row = std::find<const hwloc_obj_t *>(found->objs, end, node);
      if (row != end) rows.push_back(static_cast<std::size_t>(row - found->objs));
    }
    std::vector<std::uint64_t> matrix;
    std::set<std::uint64_t> different;
    for (const std::size_t from : rows)
      for (const std::size_t to : rows) {
        matrix.push_back(found->values[from * found->nbobjs + to]);
        if (from != to) different.insert(matrix.back());
      }
    hwloc_.distances_release(topology_, found);
    if (rows.size() < nodes_.size() || different.size() < 2) return {};
    distances_ = "; NUMA nodes at " + std::to_string(different.size()) + " distances, " +
                 std::to_string(*different.begin()) + " to " + std::to_string(*different.rbegin());
    return matrix;
  }

  static constexpr std::pair<hwloc_obj_type_t, const char *> kTypes[] = {
      {HWLOC_OBJ_PACKAGE, "packages"},  {HWLOC_OBJ_NUMANODE, "NUMA nodes"},
      {HWLOC_OBJ_L3CACHE, "L3 caches"}, {HWLOC_OBJ_L2CACHE, "L2 caches"},
      {HWLOC_OBJ_CORE, "cores"},        {HWLOC_OBJ_PU, "processors"}};

  const Hwloc &hwloc_;
  const hwloc_topology_t topology_;
  std::vector<hwloc_obj_t> nodes_;  // if they are equal parts
  std::string left_out_, distances_;
};

#endif  // NOPAL_HAS_HWLOC

}  // namespace

#ifdef NOPAL_HAS_HWLOC

Machine read_machine(const std::string &synthetic, const std::string &file) {
  cpu_set_t allowed;  // hwloc would ask for a larger one for ever
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 && errno != EINVAL)
    return flat("the system refuses sched_getaffinity");
  Hwloc hwloc;
  if (const std::string why = hwloc.open(); !why.empty()) return flat(why);
  hwloc_topology_t topology;
  if (hwloc.topology_init(&topology) != 0) return flat("hwloc cannot begin");
  const bool is_of_file = synthetic.empty() && !file.empty();
  const auto refuse_file = [&file] {
    refuse("HWLOC_XMLFILE: \"%s\" is not a file in hwloc's XML, such as lstopo writes",
           file.c_str());
  };
  if (is_of_file) {
    if (hwloc.topology_set_xml(topology, file.c_str()) != 0) refuse_file();
  } else if (synthetic.empty()) {
    hwloc.topology_set_flags(
        topology, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING | HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM);
  } else if (hwloc.topology_set_synthetic(topology, synthetic.c_str()) != 0) {
    refuse(
        "HWLOC_SYNTHETIC: \"%s\" is not a topology that hwloc can read, such as \"pack:4 numa:2 "
        "core:16 pu:1\"",
        synthetic.c_str());
  }
  const bool is_loaded = hwloc.topology_load(topology) == 0;
  if (is_of_file && !is_loaded) refuse_file();
  const Machine machine =
      is_loaded ? Reader(hwloc, topology).read() : flat("hwloc cannot read the machine");
  hwloc.topology_destroy(topology);
  return machine;
}

#else

Machine read_machine(const std::string &, const std::string &) {
  return flat("built without hwloc's headers");
}

#endif

const Machine &machine(bool is_needed) {
  static const Machine &the_machine = *new Machine([is_needed] {
    const bool binds = config().bind != Config::Bind::kNone;
    if (!is_needed && !binds) return Machine{};
    Machine found = read_machine(config().synthetic_machine, config().machine_file);
    if (!binds && !found.parts.empty() && !found.processors.empty())
      found.description += "; no worker is bound (CILK_BIND), so where each is, is a guess";
    return found;
  }());
  return the_machine;
}

policy::Topology topology_of(const Machine &machine, std::uint32_t workers) {
  if (machine.parts.empty()) return policy::Topology::flat(workers);
  using Order = policy::Topology::Order;
  const Order order = config().bind == Config::Bind::kSpread ? Order::kSpread : Order::kCompact;
  return policy::Topology::of_parts(machine.parts, workers, order, machine.distances);
}

void bind_helper(std::uint32_t index) noexcept {
  if (config().bind == Config::Bind::kNone) return;
  const std::vector<int> &processors = machine(true).processors;
  if (processors.empty()) return;
  const int processor =
      processors[registry().worker(index).victims.topology().unit_of(index) % processors.size()];
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor < 0 || processor >= CPU_SETSIZE) return;
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);  // refused: it runs anywhere
}

}  // namespace nopal
