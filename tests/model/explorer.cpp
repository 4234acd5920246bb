// The explorer: threads as fibers, and a depth-first search over schedules. See explorer.h,
// README.md; memory.cpp has the memories.
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace nopal::model {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;

namespace {

// A set of hashes, open addressing.
class HashSet {
 public:
  HashSet() : cells_(1 << 12) {}
  bool insert(uint64_t hash) {
    if (hash == 0) hash = 1;
    if ((size_ + 1) * 2 > cells_.size()) rehash();
    const bool is_new = place(hash);
    if (is_new) ++size_;
    return is_new;
  }
  uint64_t size() const { return size_; }

 private:
  bool place(uint64_t hash) {
    for (size_t i = hash & (cells_.size() - 1);; i = (i + 1) & (cells_.size() - 1)) {
      if (cells_[i] == hash) return false;
      if (cells_[i] == 0) {
        cells_[i] = hash;
        return true;
      }
    }
  }
  void rehash() {
    std::vector<uint64_t> old(cells_.size() * 2);
    old.swap(cells_);
    for (uint64_t hash : old)
      if (hash != 0) place(hash);
  }
  std::vector<uint64_t> cells_;
  uint64_t size_ = 0;
};

}  // namespace

Machine machine;

void Machine::yield(Step step, const WordBase *word, Orders orders) {
  self().step = step;
  self().word = word;
  self().orders = orders;
  explorer_context = jump_fcontext(explorer_context, nullptr).fctx;
}

void Machine::leave_run() {
  self().step = Step::kDone;
  jump_fcontext(explorer_context, nullptr);
  std::abort();  // a thread that has ended is never resumed
}

std::string Machine::name_of(const WordBase *word) const {
  return "word+" + std::to_string(reinterpret_cast<const char *>(word) - arena);
}

void Machine::note(int thread, const char *what, const WordBase *word, int64_t value) {
  char line[128];
  const auto offset =
      word == nullptr ? -1 : static_cast<long>(reinterpret_cast<const char *>(word) - arena);
  std::snprintf(line, sizeof line, "  thread %d  %-8s word+%-5ld %lld", thread, what, offset,
                static_cast<long long>(value));
  trace->push_back(line);
}

void Machine::enter_thread(transfer_t from) {
  machine.explorer_context = from.fctx;
  machine.scenario->threads[static_cast<size_t>(machine.running)]();
  machine.leave_run();
}

void Machine::begin_run() {
  words.clear();
  std::memset(arena, 0, arena_used);
  arena_used = 0;
  violation = {};
  stored_now.clear();
  running = kDirect;
  thread_count = static_cast<int>(scenario->threads.size());
  scenario->set_up();
  for (int i = 0; i < thread_count; ++i) {
    threads[i] = Thread();
    threads[i].context = make_fcontext(stacks.get() + kStackBytes * static_cast<size_t>(i + 1),
                                       kStackBytes, enter_thread);
  }
}

Actions Machine::actions() {
  Actions found;
  // What a thread chooses commutes with all that others do, so nothing else is tried in between.
  for (int i = 0; i < thread_count; ++i)
    if (threads[i].step == Step::kChoose) {
      found.add(i, kNoEvent, false);
      found.add(i, kNoEvent, true);
      return found;
    }
  for (int i = 0; i < thread_count; ++i) add_actions(found, i);
  return found;
}

void Machine::perform(Action action) {
  Thread &t = threads[action.thread];
  if (action.event != kNoEvent) return perform_event(t, static_cast<size_t>(action.event));
  running = action.thread;
  t.choice = action.choice;
  t.context = jump_fcontext(t.context, nullptr).fctx;
  running = kDirect;
}

bool Machine::all_done() const {
  for (int i = 0; i < thread_count; ++i)
    if (threads[i].step != Step::kDone || !threads[i].window.empty()) return false;
  return true;
}

// A sum of what each part says, each mixed with its place: so no part waits for the one before.
uint64_t Machine::hash() const {
  uint64_t h = violation.what == nullptr ? 1 : 2;
  for (size_t i = 0; i < words.size(); ++i)
    h += mix(words[i]->buried_ ? ~i : i, static_cast<uint64_t>(words[i]->memory_));
  for (int i = 0; i < thread_count; ++i) {
    const Thread &t = threads[i];
    uint64_t of_thread = mix(static_cast<uint64_t>(i), t.history);
    of_thread =
        mix(of_thread, static_cast<uint64_t>(t.step) << 8 | static_cast<uint64_t>(t.fence_at) << 1 |
                           (t.step == Step::kSpin && t.memory_changed));
    for (size_t k = 0; k < t.window.size(); ++k) {
      const Event &e = t.window[k];
      const unsigned kind = e.is_settled | e.is_store << 1 | e.releases << 2 | e.is_exclusive << 3 |
                            e.is_forwarded << 4;
      of_thread = mix(mix(of_thread, reinterpret_cast<uintptr_t>(e.word) << 16 | kind << 8 |
                                         static_cast<uint8_t>(t.era - e.era)),
                      static_cast<uint64_t>(e.value));
      // Not the bits, which say how many events there have been.
      if (const uint64_t waits = e.after | t.value_after | t.store_after | t.all_after)
        for (const Event &before : t.window)
          if (waits & before.bit())
            of_thread = mix(of_thread, static_cast<uint64_t>(&before - t.window.begin()) << 4 |
                                           ((e.after & before.bit()) != 0) |
                                           ((t.value_after & before.bit()) != 0) << 1 |
                                           ((t.store_after & before.bit()) != 0) << 2 |
                                           ((t.all_after & before.bit()) != 0) << 3);
    }
    h += of_thread;
  }
  return mix(0, h);
}

void Machine::save(Stacked &to) const {
  to.save(&arena_used, sizeof arena_used);
  to.save(arena, arena_used);
  to.save(&violation, sizeof violation);
  const size_t stores = stored_now.size();
  to.save(&stores, sizeof stores);
  const size_t word_count = words.size();
  to.save(&word_count, sizeof word_count);
  to.save(scenario->state, scenario->state_bytes);
  for (int i = 0; i < thread_count; ++i) {
    const Thread &t = threads[i];
    to.save(static_cast<const ThreadCore *>(&t), sizeof(ThreadCore));
    const size_t events = t.window.size();
    to.save(&events, sizeof events);
    to.save(t.window.begin(), events * sizeof(Event));
    if (t.step != Step::kDone) to.save(t.context, used_stack_bytes(i));
  }
}

void Machine::restore(const Stacked &from, size_t at) {
  const size_t touched = arena_used;
  from.load(at, &arena_used, sizeof arena_used);
  from.load(at, arena, arena_used);
  if (touched > arena_used)
    std::memset(arena + arena_used, 0, touched - arena_used);  // what is given out again is zero
  from.load(at, &violation, sizeof violation);
  size_t stores = 0;
  from.load(at, &stores, sizeof stores);
  stored_now.resize(stores);  // a run goes back on its own path
  size_t word_count = 0;
  from.load(at, &word_count, sizeof word_count);
  words.resize(word_count);  // those made later are gone
  from.load(at, scenario->state, scenario->state_bytes);
  for (int i = 0; i < thread_count; ++i) {
    Thread &t = threads[i];
    from.load(at, static_cast<ThreadCore *>(&t), sizeof(ThreadCore));
    size_t events = 0;
    from.load(at, &events, sizeof events);
    t.window.clear();
    for (size_t k = 0; k < events; ++k) {
      Event event;
      from.load(at, &event, sizeof event);
      t.window.push(event);
    }
    if (t.step != Step::kDone) from.load(at, t.context, used_stack_bytes(i));
  }
}

// Depth first: `path` holds the choice made at each step of the current run. The next run goes back
// to the last of them that has an alternative: to what was saved there, or by a replay of the path.
// It goes on from there until it meets a state that was seen before.
Outcome Machine::search() {
  struct Choice {
    size_t chosen, of;
    size_t saved;  // where, if there is more than one
  };
  const bool restores = scenario->can_be_restored;
  Outcome outcome;
  HashSet seen;
  std::vector<Choice> path;
  Stacked saved;
  std::vector<std::string> lines;
  const auto is_violated = [this] { return violation.what != nullptr && is_certain(); };
  for (bool is_last_run = false;;) {
    size_t depth = 0;
    if (restores && !path.empty() && !is_last_run) {
      depth = path.size() - 1;
      restore(saved, path.back().saved);
      if (path.back().chosen + 1 == path.back().of) saved.cut(path.back().saved);
    } else {
      begin_run();
    }
    ++outcome.runs;
    while (!is_violated() && !all_done()) {
      const Actions possible = actions();
      if (possible.count == 0) {
        if (is_certain()) violate("deadlock: no thread can go on");
        break;
      }
      if (depth == path.size()) {
        if (!seen.insert(hash())) break;
        path.push_back({0, possible.count, saved.size()});
        if (restores && possible.count > 1) save(saved);
      }
      perform(possible.list[path[depth++].chosen]);
    }
    if (violation.what == nullptr && all_done()) {
      for (const Stored &store : stored_now) stored.learn(store.word, store.value, store.writer);
      scenario->check();
    }
    if (is_last_run) break;
    if (is_violated()) {  // once more, taking notes
      is_last_run = true;
      trace = &lines;
      continue;
    }
    while (!path.empty() && path.back().chosen + 1 == path.back().of) path.pop_back();
    if (path.empty()) break;
    ++path.back().chosen;
  }
  trace = nullptr;
  outcome.states = seen.size();
  outcome.violated = is_violated();
  if (outcome.violated) {
    outcome.what = violation.what;
    if (violation.word != nullptr) outcome.what += ": " + name_of(violation.word);
    outcome.what += "\n";
    for (const std::string &line : lines) outcome.what += line + "\n";
  }
  return outcome;
}

// ARMv8: the first search finds no value late, and learns which there are.
Outcome Machine::explore(const Scenario &s) {
  scenario = &s;
  stored.clear();
  for (;;) {
    const Outcome outcome = search();
    if (outcome.violated || !is_arm() || !stored.use()) return outcome;
  }
}

Outcome explore(const Scenario &scenario) { return machine.explore(scenario); }

ArmMemory::ArmMemory() { machine.memory = Memory::kArm; }
ArmMemory::~ArmMemory() { machine.memory = Memory::kTso; }

std::vector<OrderedSite> ordered_sites_of(const std::function<Outcome()> &exploration) {
  machine.sites.clear();
  machine.notes_sites = true;
  exploration();
  machine.notes_sites = false;
  return machine.sites;
}

Outcome explore_without(const OrderedSite &site, const std::function<Outcome()> &exploration) {
  machine.weakened = site;
  const Outcome outcome = exploration();
  machine.weakened = {};
  return outcome;
}

void require(bool condition, const char *what) {
  if (condition) return;
  machine.violate(what);
  if (machine.is_in_thread()) machine.leave_run();
}

void await(WordBase &word, int64_t value) {
  machine.self().wanted = value;
  machine.yield(Step::kAwait, &word);
  machine.observe(value);
}

bool choose(int free) {
  if (!machine.is_in_thread()) return false;
  Thread &thread = machine.self();
  if (++thread.choices > free) return thread.choices % 2 != 0;
  machine.yield(Step::kChoose, nullptr);
  machine.observe(thread.choice);
  machine.note_own("choose", nullptr, thread.choice);
  return thread.choice;
}

void *allocate(size_t bytes) {
  const size_t start = machine.arena_used;
  machine.arena_used = (start + bytes + 63) & ~size_t{63};
  if (machine.arena_used > kArenaBytes) std::abort();
  return machine.arena + start;
}

WordBase::WordBase(int64_t initial) : memory_(initial) { machine.words.push_back(this); }

}  // namespace nopal::model
