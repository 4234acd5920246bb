// A tool whose hooks only check the order of their calls. It ends the program at the first call
// that the grammar in clang-plugin/serial/README.md does not allow.
//
// CHECKER_LEAF=N: leaves of N iterations where the program gives no grain; 1 if it is not set.
// CHECKER_COUNTS=1: how often each hook was called, on stderr at the end.
//
// Used by tests/span (lit.cfg.py, hooks_test.py).
#include "nopal_hooks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

enum class Kind { function, child, loop, leaf };

struct Open {
  Kind kind;
  nopal_hook_site *site;
  bool has_children = false;               // of a function: since its last sync
  uint64_t next = 0, count = 0, most = 0;  // of a loop
};

/// Each thread of the program has a sequence. It is never destroyed, since destructors of the
/// program's own objects may spawn later.
std::vector<Open> &of_this_thread() {
  thread_local auto *const own = new std::vector<Open>;
  return *own;
}

struct Counts {
#define COUNT(NAME) unsigned long NAME##_calls = 0;
  NOPAL_HOOKS(COUNT)
#undef COUNT
  ~Counts() {
    if (!std::getenv("CHECKER_COUNTS")) return;
#define PRINT(NAME) std::fprintf(stderr, "checker: %s %lu\n", #NAME, NAME##_calls);
    NOPAL_HOOKS(PRINT)
#undef PRINT
  }
} counts;

const char *name_of(Kind kind) {
  constexpr const char *names[] = {"a function", "a child", "a loop", "a leaf"};
  return names[static_cast<int>(kind)];
}

void require(bool holds, const char *hook, const nopal_hook_site *site, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "checker: %s at %s:%u:%u (%s): %s; open, innermost last:\n", hook,
               site->file, site->line, site->column, site->function, what);
  for (const Open &one : of_this_thread())
    std::fprintf(stderr, "checker:   %s at %s:%u:%u (%s)\n", name_of(one.kind), one.site->file,
                 one.site->line, one.site->column, one.site->function);
  std::abort();
}

Open &innermost(Kind kind, const nopal_hook_site *site, const char *hook) {
  require(!of_this_thread().empty() && of_this_thread().back().kind == kind, hook, site,
          "the innermost is another kind of thing");
  return of_this_thread().back();
}

/// The same, and it was opened with this record.
Open &innermost_of(Kind kind, const nopal_hook_site *site, const char *hook) {
  Open &one = innermost(kind, site, hook);
  require(one.site == site, hook, site, "the innermost has another record");
  return one;
}

}  // namespace

extern "C" {

void nopal_hook_enter(nopal_hook_site *function) {
  ++counts.nopal_hook_enter_calls;
  require(function->kind == NOPAL_HOOK_FUNCTION, __func__, function, "no record of a function");
  of_this_thread().push_back({Kind::function, function});
}

void nopal_hook_leave(nopal_hook_site *function) {
  ++counts.nopal_hook_leave_calls;
  Open &one = innermost_of(Kind::function, function, __func__);
  require(!one.has_children, __func__, function, "it has not waited for a child");
  of_this_thread().pop_back();
}

void nopal_hook_spawn(nopal_hook_site *site) {
  ++counts.nopal_hook_spawn_calls;
  require(site->kind == NOPAL_HOOK_SPAWN, __func__, site, "no record of a spawn");
  innermost(Kind::function, site, __func__).has_children = true;
  of_this_thread().push_back({Kind::child, site});
}

void nopal_hook_return(nopal_hook_site *site) {
  ++counts.nopal_hook_return_calls;
  innermost_of(Kind::child, site, __func__);
  of_this_thread().pop_back();
}

void nopal_hook_sync(nopal_hook_site *function) {
  ++counts.nopal_hook_sync_calls;
  innermost_of(Kind::function, function, __func__).has_children = false;
}

uint64_t nopal_hook_loop(nopal_hook_site *site, uint64_t count, uint64_t grain, uint64_t least) {
  ++counts.nopal_hook_loop_calls;
  require(site->kind == NOPAL_HOOK_LOOP, __func__, site, "no record of a loop");
  require(least >= 1, __func__, site, "the least number of iterations is 0");
  static const char *wanted = std::getenv("CHECKER_LEAF");
  const uint64_t given = wanted ? std::strtoull(wanted, nullptr, 10) : 1;
  const uint64_t most = std::max<uint64_t>(grain ? grain : given, 1);
  Open one{Kind::loop, site};
  one.count = count;
  one.most = most;
  of_this_thread().push_back(one);
  return most;
}

void nopal_hook_leaf(nopal_hook_site *site, uint64_t low, uint64_t high) {
  ++counts.nopal_hook_leaf_calls;
  Open &loop = innermost_of(Kind::loop, site, __func__);
  require(low == loop.next && low < high && high <= loop.count, __func__, site,
          "the leaves do not follow each other");
  require(high - low <= loop.most, __func__, site, "the leaf is too large");
  loop.next = high;
  of_this_thread().push_back({Kind::leaf, site});
}

void nopal_hook_leaf_end(nopal_hook_site *site) {
  ++counts.nopal_hook_leaf_end_calls;
  innermost_of(Kind::leaf, site, __func__);
  of_this_thread().pop_back();
}

void nopal_hook_loop_end(nopal_hook_site *site) {
  ++counts.nopal_hook_loop_end_calls;
  innermost_of(Kind::loop, site, __func__);
  of_this_thread().pop_back();
}

void nopal_hook_fresh(void *memory, uint64_t bytes) {
  ++counts.nopal_hook_fresh_calls;
  if (memory && bytes) return;
  std::fprintf(stderr, "checker: fresh memory is none\n");
  std::abort();
}
}
