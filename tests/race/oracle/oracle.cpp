// Records each access of each byte, and compares each pair of them: README.md.
#include "detector.h"
#include "graph.h"
#include "views.h"

#include <algorithm>
#include <compare>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <link.h>
#include <pthread.h>

#include "nopal_race.h"

namespace nopal::race {

thread_local constinit ThreadState own_state;
thread_local constinit bool Detector::is_checked_ = false;

namespace {

using Strand = Graph::Strand;
using Code = const void *;
using Lock = unsigned long;          // another one at the same address has another number
using Pair = std::pair<Code, Code>;  // the earlier access, the later
/// An acquisition that is not over. Children that are spawned in it have it too.
struct Held {
  Lock lock;
  unsigned long acquisition;
  bool is_shared;
  auto operator<=>(const Held &) const = default;
};
using Locks = std::set<Held>;
constexpr Lock kAtomic = 1;
constexpr std::size_t kGranule = 8;

struct Record {
  Strand strand;
  Code code;
  bool is_write;
  Locks locks;
  unsigned mask;  // of the bytes of its granule
};

struct Granule {
  std::vector<Record> records;
  std::set<Pair> pairs[kGranule];  // the races of each byte
};

/// A function, a child, a loop or an iteration that has begun.
struct Active {
  Strand spawner;             // of a child or a loop: the strand before it
  std::vector<Strand> ended;  // of a function or a loop: its children since the last sync
};

/// The oracle's own allocations are not the program's.
thread_local constinit bool is_inside = false;
class Inside {
 public:
  Inside() : was_(std::exchange(is_inside, true)) {}
  ~Inside() { is_inside = was_; }

 private:
  bool was_;
};

struct Oracle {
  Graph graph;
  Strand now = graph.add({});
  std::vector<Active> active{1};
  std::map<Address, Granule> memory;  // by the address of 8 bytes
  std::set<std::set<Pair>> found;     // of a byte, while it is one variable
  std::map<Address, Lock> locks;
  Lock last_lock = kAtomic;
  std::multiset<Held> held;
  unsigned long acquisitions = 0;
  Views views;
  std::map<Lock, std::set<Strand>> passed;  // an initialisation: the strands that saw it done
  unsigned ignored = 0;
  unsigned long accesses = 0;
  Address stack_begin = 0, stack_end = 0;

  void access(Address begin, std::size_t size, AccessKind kind, Code code, bool is_atomic);
  void compare(Address at, Granule &granule, const Record &record);
  bool is_after_initialisation(const Locks &held_before) const;
  void forget(Address begin, Address end);
  Continuation continuation(std::size_t count) const;
};

Oracle &oracle() {
  static auto *const own = new Oracle;
  return *own;
}

bool have_common(const Locks &a, const Locks &b) {
  for (const Held &one : a)
    for (const Held &other : b)
      if (one.lock == other.lock && one.acquisition != other.acquisition &&
          !(one.is_shared && other.is_shared))
        return true;
  return false;
}

bool is_thread_local(Address address) {
  bool result = false;
  auto visit = [&](const dl_phdr_info &info) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_TLS && info.dlpi_tls_data)
        result |=
            address - reinterpret_cast<Address>(info.dlpi_tls_data) < info.dlpi_phdr[i].p_memsz;
  };
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *data) {
        (*static_cast<decltype(visit) *>(data))(*info);
        return 0;
      },
      &visit);
  return result;
}

/// Whether one of these locks was held for an initialisation that this strand comes after.
bool Oracle::is_after_initialisation(const Locks &held_before) const {
  for (const Held &held : held_before)
    if (const auto one = passed.find(held.lock); one != passed.end())
      for (const Strand strand : one->second)
        if (!graph.are_parallel(strand, now)) return true;
  return false;
}

void Oracle::compare(Address at, Granule &granule, const Record &record) {
  for (const Record &former : granule.records) {
    const unsigned common = former.mask & record.mask;
    if (common == 0 || (!former.is_write && !record.is_write)) continue;
    if (!graph.are_parallel(former.strand, record.strand)) continue;
    if (have_common(former.locks, record.locks) || is_after_initialisation(former.locks)) continue;
    if (is_thread_local(at)) return;
    for (unsigned byte = 0; byte != kGranule; ++byte)
      if (common >> byte & 1) granule.pairs[byte].emplace(former.code, record.code);
  }
}

void Oracle::access(Address begin, std::size_t size, AccessKind kind, Code code, bool is_atomic) {
  const Inside inside;
  ++accesses;
  Record record{now, code, kind != AccessKind::kRead, {held.begin(), held.end()}, 0};
  if (is_atomic) record.locks.insert({kAtomic, accesses, false});
  for (Address at = begin; at != begin + size;) {
    const Address granule = at / kGranule * kGranule;
    record.mask = 0;
    for (; at != begin + size && at - granule < kGranule; ++at) record.mask |= 1u << (at - granule);
    const auto known = memory.find(granule);
    if (known != memory.end()) compare(granule, known->second, record);
    if (kind == AccessKind::kFree) continue;
    std::vector<Record> &records = memory[granule].records;
    bool is_new = true;
    for (Record &former : records)
      if (is_new && former.strand == now && former.code == code &&
          former.is_write == record.is_write && former.locks == record.locks) {
        former.mask |= record.mask;
        is_new = false;
      }
    if (is_new) records.push_back(record);
  }
}

void Oracle::forget(Address begin, Address end) {
  const Inside inside;
  locks.erase(locks.lower_bound(begin), locks.lower_bound(end));
  auto one = memory.lower_bound(begin / kGranule * kGranule);
  while (one != memory.end() && one->first < end) {
    unsigned mask = 0;
    for (unsigned byte = 0; byte != kGranule; ++byte) {
      if (one->first + byte < begin || one->first + byte >= end) continue;
      mask |= 1u << byte;
      std::set<Pair> &pairs = one->second.pairs[byte];
      if (!pairs.empty()) found.insert(std::exchange(pairs, {}));
    }
    for (Record &record : one->second.records) record.mask &= ~mask;
    std::erase_if(one->second.records, [](const Record &record) { return record.mask == 0; });
    one = one->second.records.empty() && mask == 0xff ? memory.erase(one) : std::next(one);
  }
}

/// The innermost of the first `count` that has children to wait for.
Continuation Oracle::continuation(std::size_t count) const {
  while (count != 0 && active[count - 1].ended.empty()) --count;
  return count - 1;
}

void end_continuation() {
  Oracle &own = oracle();
  own.views.reduce(own.active.size() - 1, own.continuation(own.active.size() - 1));
}

/// The innermost waits for its children.
void wait() {
  Oracle &own = oracle();
  std::vector<Strand> former = std::exchange(own.active.back().ended, {});
  if (former.empty()) return;
  former.push_back(own.now);
  own.now = own.graph.add(former);
}

void set_recording() { own_state.now = oracle().ignored == 0 ? 1 : 0; }

std::string place_of(Code code) {
  Dl_info info;
  if (!dladdr(static_cast<const char *>(code) - 1, &info)) return "?";
  char offset[32];
  const std::string path = info.dli_fname;
  std::snprintf(offset, sizeof(offset), "+0x%lx",
                reinterpret_cast<Address>(code) - reinterpret_cast<Address>(info.dli_fbase));
  return path.substr(path.rfind('/') + 1) + offset;
}

/// {"strands": N, "accesses": N, "bytes": [[[EARLIER, LATER], ...] ...]}: each set of races that a
/// byte has.
[[gnu::destructor(101)]] void write_answer() {
  const char *path = std::getenv("ORACLE_OUT");
  if (!path || own_state.now == 0) return;
  Oracle &own = oracle();
  own.forget(0, ~Address{0});
  FILE *const file = std::fopen(path, "w");
  std::fprintf(file, "{\"strands\": %zu, \"accesses\": %lu, \"bytes\": [", own.graph.size(),
               own.accesses);
  const char *comma = "";
  for (const std::set<Pair> &pairs : own.found) {
    std::fprintf(file, "%s[", comma);
    comma = "";
    for (const auto &[former, later] : pairs) {
      std::fprintf(file, "%s[\"%s\", \"%s\"]", comma, place_of(former).c_str(),
                   place_of(later).c_str());
      comma = ", ";
    }
    std::fprintf(file, "]");
    comma = ",\n ";
  }
  std::fprintf(file, "]}\n");
  std::fclose(file);
}

/// And its frame, which was below that of the hook's caller.
void end_child(const void *frame_of_hook) {
  if (!Detector::begin_hook()) return;
  forget_frames(reinterpret_cast<Address>(frame_of_hook) + 2 * sizeof(void *));
  Oracle &own = oracle();
  const Strand end = own.now;
  own.now = own.graph.add({own.active.back().spawner});
  own.active.pop_back();
  own.active.back().ended.push_back(end);
  end_continuation();
}

}  // namespace

Detector &Detector::get() {
  static Detector own;
  return own;
}

bool Detector::begin_hook() {
  static bool is_chosen = false;
  if (is_checked_ || is_chosen) return is_checked_;
  const Inside inside;
  is_chosen = is_checked_ = true;
  static nopal_strand strand{reinterpret_cast<const nopal_is_stolen *>(&strand)};
  nopal_tls_strand = &strand;
  pthread_attr_t attributes;
  void *begin = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  oracle().stack_begin = reinterpret_cast<Address>(begin);
  oracle().stack_end = oracle().stack_begin + size;
  set_recording();
  return true;
}

void Detector::atomic(Address address, std::size_t size, AccessKind kind, Here here) {
  if (own_state.now != 0) oracle().access(address, size, kind, here.code, true);
}
static Lock lock_at(Address address) {
  const auto [known, is_new] = oracle().locks.try_emplace(address, oracle().last_lock + 1);
  oracle().last_lock += is_new;
  return known->second;
}
void Detector::lock(Address address, bool is_shared) {
  const Inside inside;
  const Lock lock = lock_at(address);
  Held held{lock, ++oracle().acquisitions, is_shared};
  for (const Held &same : oracle().held)
    if (same.lock == lock) held = same;
  oracle().held.insert(held);
}
void Detector::unlock(Address address) {
  const Inside inside;
  const Lock lock = lock_at(address);
  auto &held = oracle().held;
  const auto one =
      std::find_if(held.begin(), held.end(), [&](const Held &same) { return same.lock == lock; });
  if (one != held.end()) held.erase(one);
}
void Detector::ignore(bool begins) {
  oracle().ignored += begins ? 1 : -1u;
  set_recording();
}
void Detector::pass(Address guard) {
  const Inside inside;
  const auto known = oracle().locks.find(guard);
  if (known != oracle().locks.end()) oracle().passed[known->second].insert(oracle().now);
}

void check_range(Address address, std::size_t size, AccessKind kind, Here here) {
  if (own_state.now != 0 && size != 0) oracle().access(address, size, kind, here.code, false);
}

void forget(Address begin, Address end) {
  if (!is_inside && Detector::is_checked_thread()) oracle().forget(begin, end);
}

void forget_locks(Address begin, std::size_t size) {
  const Inside inside;
  auto &locks = oracle().locks;
  locks.erase(locks.lower_bound(begin), locks.lower_bound(begin + size));
}

void forget_frames(Address end) {
  if (Detector::is_checked_thread()) oracle().forget(oracle().stack_begin, end);
}

}  // namespace nopal::race

using namespace nopal::race;

extern "C" {

void nopal_hook_enter(nopal_hook_site *) {
  if (Detector::begin_hook()) oracle().active.push_back({});
}

void nopal_hook_leave(nopal_hook_site *) {
  if (!Detector::begin_hook()) return;
  wait();
  oracle().active.pop_back();
}

void nopal_hook_spawn(nopal_hook_site *) {
  if (!Detector::begin_hook()) return;
  Oracle &own = oracle();
  own.active.push_back({own.now, {}});
  own.now = own.graph.add({own.now});
}

void nopal_hook_return(nopal_hook_site *) { end_child(__builtin_frame_address(0)); }

void nopal_hook_sync(nopal_hook_site *) {
  if (!Detector::begin_hook()) return;
  wait();
  end_continuation();
}

std::uint64_t nopal_hook_loop(nopal_hook_site *, std::uint64_t, std::uint64_t, std::uint64_t) {
  if (Detector::begin_hook()) oracle().active.push_back({oracle().now, {}});
  return 1;
}

void nopal_hook_leaf(nopal_hook_site *site, std::uint64_t, std::uint64_t) {
  nopal_hook_spawn(site);
  if (!Detector::begin_hook()) return;
  Oracle &own = oracle();
  own.now = own.graph.add({own.active[own.active.size() - 2].spawner});
}

void nopal_hook_leaf_end(nopal_hook_site *) { end_child(__builtin_frame_address(0)); }

void __nopal_race_iteration(std::uint64_t) {
  end_child(__builtin_frame_address(0));
  nopal_hook_leaf(nullptr, 0, 1);
}

void nopal_hook_loop_end(nopal_hook_site *) {
  if (!Detector::begin_hook()) return;
  wait();
  oracle().active.pop_back();
}

void nopal_hook_fresh(void *memory, std::uint64_t bytes) {
  forget(reinterpret_cast<Address>(memory), reinterpret_cast<Address>(memory) + bytes);
}

void *__nopal_race_nopal_view(nopal_strand *strand, void *key, const nopal_view_type *type) {
  if (!Detector::is_checked_thread()) return nopal_view(strand, key, type);
  Oracle &own = oracle();
  return own.views.view(own.continuation(own.active.size()), key, ViewOrigin::of(*type));
}

void *__nopal_race_nopal_view_now(void *key, const nopal_view_type *type) {
  return __nopal_race_nopal_view(nopal_this_strand(), key, type);
}

void __nopal_race_nopal_view_begin(void *key) {
  if (!Detector::is_checked_thread()) return nopal_view_begin(key);
  oracle().views.begin(oracle().continuation(oracle().active.size()), key);
}

void __nopal_race_nopal_view_end(void *key, void **lifetime) {
  if (!Detector::is_checked_thread()) return nopal_view_end(key, lifetime);
  oracle().views.end(key);
}

void __nopal_race_nopal_views_begin(void *first, std::uint64_t count, std::uint64_t stride) {
  if (!Detector::is_checked_thread()) return nopal_views_begin(first, count, stride);
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride)
    __nopal_race_nopal_view_begin(one);
}
void __nopal_race_nopal_views_end(void *first, std::uint64_t count, std::uint64_t stride) {
  if (!Detector::is_checked_thread()) return nopal_views_end(first, count, stride);
  for (auto *one = static_cast<char *>(first); count != 0; --count, one += stride)
    __nopal_race_nopal_view_end(one, nullptr);
}

void *__nopal_race___cilkrts_reducer_lookup(void *key, std::size_t size, void *identity,
                                            void *reduce) {
  if (!Detector::is_checked_thread()) return __cilkrts_reducer_lookup(key, size, identity, reduce);
  Oracle &own = oracle();
  return own.views.view(own.continuation(own.active.size()), key,
                        ViewOrigin::of(size, identity, reduce));
}

void __nopal_race___cilkrts_reducer_register(void *key, std::size_t, void *, void *) {
  __nopal_race_nopal_view_begin(key);
}
void __nopal_race___cilkrts_reducer_unregister(void *key) {
  __nopal_race_nopal_view_end(key, nullptr);
}

void nopal_race_forget(const void *memory, std::size_t bytes) {
  forget(reinterpret_cast<Address>(memory), reinterpret_cast<Address>(memory) + bytes);
}
void nopal_race_ignore_begin(void) {
  if (Detector::begin_hook()) Detector::get().ignore(true);
}
void nopal_race_ignore_end(void) {
  if (Detector::begin_hook()) Detector::get().ignore(false);
}
void nopal_race_lock(const void *lock) {
  if (Detector::begin_hook()) Detector::get().lock(reinterpret_cast<Address>(lock));
}
void nopal_race_unlock(const void *lock) {
  if (Detector::begin_hook()) Detector::get().unlock(reinterpret_cast<Address>(lock));
}
}
