// The explorer: threads as fibers, memory with store buffers, and a depth-first search over
// schedules. See explorer.h, README.md.
#include "explorer.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace nopal::model {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

constexpr size_t kMaxThreads = 4;
constexpr size_t kStackBytes = 64 << 10;
constexpr size_t kArenaBytes = 64 << 10;
constexpr int kDirect = -1;  // no thread: set-up and check

struct BufferedStore {
  WordBase *word;
  int64_t value;
  bool settled;  // after it the thread has had a compiler barrier, so a heavy fence finds it
                 // executed
};

// The addition makes a mixed zero count.
uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash + 0x9e3779b97f4a7c15u) ^ value;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

// A set of hashes, open addressing.
class HashSet {
 public:
  HashSet() : cells_(1 << 12) {}
  bool insert(uint64_t hash) {
    if (hash == 0) hash = 1;
    if (++size_ * 2 > cells_.size()) rehash();
    return place(hash) || (--size_, false);
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

// What can happen next: a thread goes on to its next step, or its oldest buffered store reaches
// memory.
struct Action {
  int thread;
  bool is_flush;
  bool choice = false;  // kChoose: the answer
};

struct Actions {
  size_t count = 0;
  Action list[2 * kMaxThreads];
  void add(Action action) { list[count++] = action; }
};

// A thread's stores on their way to memory, oldest first.
class StoreBuffer {
 public:
  bool empty() const { return first_ == last_; }
  void push(BufferedStore store) {
    if (last_ == kCapacity) std::abort();
    stores_[last_++] = store;
  }
  void clear() { first_ = last_ = 0; }
  BufferedStore pop() {
    const BufferedStore oldest = stores_[first_++];
    if (empty()) first_ = last_ = 0;
    return oldest;
  }
  BufferedStore *begin() { return stores_ + first_; }
  BufferedStore *end() { return stores_ + last_; }
  const BufferedStore *begin() const { return stores_ + first_; }
  const BufferedStore *end() const { return stores_ + last_; }

 private:
  static constexpr size_t kCapacity = 64;  // between two moments when it is empty
  size_t first_ = 0, last_ = 0;
  BufferedStore stores_[kCapacity];
};

struct ThreadCore {
  fcontext_t context = nullptr;  // its lowest used byte, while it does not run
  Step step = Step::kStart;      // what it does when it is chosen next
  const WordBase *word = nullptr;
  int64_t wanted = 0;           // kAwait
  int fence_at = 0;             // kHeavyFence: the thread to be fenced next
  bool memory_changed = false;  // kSpin: since it began to wait
  int choices = 0;              // kChoose: asked for so far
  bool choice = false;          // kChoose: the answer
  uint64_t history = 0;         // hash of all it has observed: stands for its local state
};
struct Thread : ThreadCore {
  StoreBuffer buffer;
};

// Bytes, last in first out.
class Stacked {
 public:
  size_t size() const { return bytes_.size(); }
  void cut(size_t size) { bytes_.resize(size); }
  void save(const void *from, size_t length) {
    const auto *at = static_cast<const char *>(from);
    bytes_.insert(bytes_.end(), at, at + length);
  }
  // The same lengths in the same order, from `at` on, which moves.
  void load(size_t &at, void *to, size_t length) const {
    std::memcpy(to, bytes_.data() + at, length);
    at += length;
  }

 private:
  std::vector<char> bytes_;
};

}  // namespace

struct Machine {
  const Scenario *scenario = nullptr;
  Thread threads[kMaxThreads];
  int thread_count = 0;
  int running = kDirect;
  fcontext_t explorer_context = nullptr;
  std::vector<WordBase *> words;
  alignas(64) char arena[kArenaBytes];
  size_t arena_used = 0;
  std::unique_ptr<char[]> stacks{new char[kMaxThreads * kStackBytes]};
  std::string violation;
  std::vector<std::string> *trace = nullptr;

  Thread &self() { return threads[running]; }
  size_t used_stack_bytes(int thread) const {
    return static_cast<size_t>(stacks.get() + kStackBytes * static_cast<size_t>(thread + 1) -
                               static_cast<const char *>(threads[thread].context));
  }

  // In a thread: lets the explorer choose; comes back when this thread's step is chosen.
  void yield(Step step, const WordBase *word) {
    self().step = step;
    self().word = word;
    explorer_context = jump_fcontext(explorer_context, nullptr).fctx;
  }
  void observe(int64_t value) {
    self().history = mix(self().history, static_cast<uint64_t>(value));
  }

  [[noreturn]] void leave_run() {
    self().step = Step::kDone;
    jump_fcontext(explorer_context, nullptr);
    std::abort();  // a run that was violated is never resumed
  }
  void violate(const std::string &what) {
    if (violation.empty()) violation = what;
  }
  void touch(const WordBase &word) {
    if (!word.buried_) return;
    violate("access to memory that is gone: " + name_of(&word));
    if (running != kDirect) leave_run();
  }
  void write_memory(WordBase &word, int64_t value) {
    if (word.memory_ != value)
      for (Thread &t : threads) t.memory_changed = true;
    word.memory_ = value;
  }
  void flush_one(Thread &t) {
    const BufferedStore store = t.buffer.pop();
    if (trace != nullptr) note(static_cast<int>(&t - threads), "flush", store.word, store.value);
    touch(*store.word);
    write_memory(*store.word, store.value);
  }

  std::string name_of(const WordBase *word) const {
    const auto offset = reinterpret_cast<const char *>(word) - arena;
    return "word+" + std::to_string(offset);
  }
  void note(int thread, const char *what, const WordBase *word, int64_t value) {
    char line[128];
    const auto offset =
        word == nullptr ? -1 : static_cast<long>(reinterpret_cast<const char *>(word) - arena);
    std::snprintf(line, sizeof line, "  thread %d  %-8s word+%-5ld %lld", thread, what, offset,
                  static_cast<long long>(value));
    trace->push_back(line);
  }
  void note_own(const char *what, const WordBase *word, int64_t value) {
    if (trace != nullptr && running != kDirect) note(running, what, word, value);
  }

  // ---- One run ----

  static void enter_thread(transfer_t from);
  void begin_run();
  bool is_enabled(const Thread &t) const;
  void perform(Action action);
  Actions actions() const;
  uint64_t hash() const;
  bool all_done() const;

  // What a run was between two steps: each thread's stack and buffer, memory, and what the scenario
  // says of itself. The stacks lie where they lay, so pointers into them are right again.
  void save(Stacked &to) const;
  void restore(const Stacked &from, size_t at);

  Outcome explore(const Scenario &s);
};

namespace {
Machine machine;
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
  violation.clear();
  running = kDirect;
  thread_count = static_cast<int>(scenario->threads.size());
  scenario->set_up();
  for (int i = 0; i < thread_count; ++i) {
    threads[i] = Thread();
    threads[i].context = make_fcontext(stacks.get() + kStackBytes * static_cast<size_t>(i + 1),
                                       kStackBytes, enter_thread);
  }
}

bool Machine::is_enabled(const Thread &t) const {
  switch (t.step) {
    case Step::kDone:
      return false;
    case Step::kReadModifyWrite:
    case Step::kDrain:
      return t.buffer.empty();
    case Step::kAwait:
      return t.word->memory_ == t.wanted;
    case Step::kSpin:
      return t.memory_changed;
    default:
      return true;
  }
}

Actions Machine::actions() const {
  Actions found;
  // What a thread chooses commutes with all that others do, so nothing else is tried in between.
  for (int i = 0; i < thread_count; ++i)
    if (threads[i].step == Step::kChoose) {
      found.add({i, false, false});
      found.add({i, false, true});
      return found;
    }
  for (int i = 0; i < thread_count; ++i) {
    if (is_enabled(threads[i])) found.add({i, false});
    if (!threads[i].buffer.empty()) found.add({i, true});
  }
  return found;
}

void Machine::perform(Action action) {
  Thread &t = threads[action.thread];
  if (action.is_flush) return flush_one(t);
  running = action.thread;
  t.choice = action.choice;
  t.context = jump_fcontext(t.context, nullptr).fctx;
  running = kDirect;
}

bool Machine::all_done() const {
  for (int i = 0; i < thread_count; ++i)
    if (threads[i].step != Step::kDone || !threads[i].buffer.empty()) return false;
  return true;
}

uint64_t Machine::hash() const {
  uint64_t h = 1;
  for (const WordBase *word : words)
    h = mix(mix(h, static_cast<uint64_t>(word->memory_)), word->buried_);
  for (int i = 0; i < thread_count; ++i) {
    const Thread &t = threads[i];
    h = mix(h, t.history);
    h = mix(h, static_cast<uint64_t>(t.step) << 8 | static_cast<uint64_t>(t.fence_at) << 1 |
                   (t.step == Step::kSpin && t.memory_changed));
    for (const BufferedStore &s : t.buffer)
      h = mix(mix(mix(h, reinterpret_cast<uintptr_t>(s.word)), static_cast<uint64_t>(s.value)),
              s.settled);
  }
  return h;
}

void Machine::save(Stacked &to) const {
  to.save(&arena_used, sizeof arena_used);
  to.save(arena, arena_used);
  const size_t word_count = words.size();
  to.save(&word_count, sizeof word_count);
  to.save(scenario->state, scenario->state_bytes);
  for (int i = 0; i < thread_count; ++i) {
    const Thread &t = threads[i];
    to.save(static_cast<const ThreadCore *>(&t), sizeof(ThreadCore));
    const auto stores = static_cast<size_t>(t.buffer.end() - t.buffer.begin());
    to.save(&stores, sizeof stores);
    to.save(t.buffer.begin(), stores * sizeof(BufferedStore));
    if (t.step != Step::kDone) to.save(t.context, used_stack_bytes(i));
  }
}

void Machine::restore(const Stacked &from, size_t at) {
  const size_t dirty = arena_used;
  from.load(at, &arena_used, sizeof arena_used);
  from.load(at, arena, arena_used);
  if (dirty > arena_used)
    std::memset(arena + arena_used, 0, dirty - arena_used);  // what is given out again is zero
  size_t word_count = 0;
  from.load(at, &word_count, sizeof word_count);
  words.resize(word_count);  // those made later are gone
  from.load(at, scenario->state, scenario->state_bytes);
  for (int i = 0; i < thread_count; ++i) {
    Thread &t = threads[i];
    from.load(at, static_cast<ThreadCore *>(&t), sizeof(ThreadCore));
    size_t stores = 0;
    from.load(at, &stores, sizeof stores);
    t.buffer.clear();
    for (size_t k = 0; k < stores; ++k) {
      BufferedStore store;
      from.load(at, &store, sizeof store);
      t.buffer.push(store);
    }
    if (t.step != Step::kDone) from.load(at, t.context, used_stack_bytes(i));
  }
}

// Depth first: `path` holds the choice made at each step of the current run. The next run goes back
// to the last of them that has an alternative: to what was saved there, or by a replay of the path.
// It goes on from there until it meets a state that was seen before.
Outcome Machine::explore(const Scenario &s) {
  struct Choice {
    size_t chosen, of;
    size_t saved;  // where, if there is more than one
  };
  scenario = &s;
  const bool restores = s.can_be_restored;
  Outcome outcome;
  HashSet seen;
  std::vector<Choice> path;
  Stacked saved;
  std::vector<std::string> lines;
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
    while (violation.empty() && !all_done()) {
      const Actions possible = actions();
      if (possible.count == 0) {
        violate("deadlock: no thread can go on");
        break;
      }
      if (depth == path.size()) {
        if (!seen.insert(hash())) break;
        path.push_back({0, possible.count, saved.size()});
        if (restores && possible.count > 1) save(saved);
      }
      perform(possible.list[path[depth++].chosen]);
    }
    if (violation.empty() && all_done()) scenario->check();
    if (is_last_run) break;
    if (!violation.empty()) {  // once more, taking notes
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
  outcome.violated = !violation.empty();
  if (outcome.violated) {
    outcome.what = violation + "\n";
    for (const std::string &line : lines) outcome.what += line + "\n";
  }
  return outcome;
}

Outcome explore(const Scenario &scenario) { return machine.explore(scenario); }

void require(bool condition, const char *what) {
  if (condition) return;
  machine.violate(what);
  if (machine.running != kDirect) machine.leave_run();
}

void await(WordBase &word, int64_t value) {
  machine.self().wanted = value;
  machine.yield(Step::kAwait, &word);
  machine.observe(value);
}

bool choose(int free) {
  if (machine.running == kDirect) return false;
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

int64_t WordBase::load() const {
  if (machine.running == kDirect) return memory_;
  machine.yield(Step::kLoad, this);
  machine.touch(*this);
  int64_t value = memory_;
  for (const BufferedStore &s : machine.self().buffer)
    if (s.word == this) value = s.value;
  machine.observe(value);
  machine.note_own("load", this, value);
  return value;
}

// Not a switch point: until it is flushed or settled no other thread can tell whether it has
// happened.
void WordBase::store(int64_t value) {
  if (machine.running == kDirect) {
    memory_ = value;
    return;
  }
  machine.touch(*this);
  machine.note_own("store", this, value);
  machine.self().buffer.push({this, value, false});
}

void WordBase::begin_read_modify_write() {
  if (machine.running != kDirect) machine.yield(Step::kReadModifyWrite, this);
  machine.touch(*this);
}

void WordBase::end_read_modify_write(int64_t value) {
  if (machine.running != kDirect) machine.observe(memory_);
  machine.note_own("rmw", this, value);
  machine.write_memory(*this, value);
}

void ModelAtoms::light_fence() {
  if (machine.running == kDirect) return;
  machine.yield(Step::kLightFence, nullptr);
  machine.observe(1);
  for (BufferedStore &s : machine.self().buffer) s.settled = true;
  machine.note_own("light", nullptr, 0);
}

void ModelAtoms::full_fence() {
  if (machine.running == kDirect) return;
  machine.yield(Step::kDrain, nullptr);
  machine.observe(2);
  machine.note_own("full", nullptr, 0);
}

// A full fence of our own, and one in each other thread, each at some moment of this call, not all
// at the same one.
void ModelAtoms::heavy_fence() {
  if (machine.running == kDirect) return;
  full_fence();
  for (int i = 0; i < machine.thread_count; ++i) {
    if (i == machine.running) continue;
    machine.self().fence_at = i;
    machine.yield(Step::kHeavyFence, nullptr);
    machine.observe(3);
    Thread &other = machine.threads[i];
    while (!other.buffer.empty() && other.buffer.begin()->settled) machine.flush_one(other);
    machine.note_own("heavy", nullptr, i);
  }
  machine.self().fence_at = 0;
}

void ModelAtoms::spin_pause() {
  machine.self().memory_changed = false;
  machine.yield(Step::kSpin, nullptr);
  machine.observe(4);
}

}  // namespace nopal::model
