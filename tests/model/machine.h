// The explorer's state: threads as fibers, each with its window of accesses that are not performed
// yet, and memory. Included by explorer.cpp (the search) and memory.cpp (the two memories).
#pragma once

#include "explorer.h"

#include <boost/context/detail/fcontext.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace nopal::model {

using boost::context::detail::fcontext_t;
using boost::context::detail::transfer_t;

inline constexpr size_t kMaxThreads = 4;
inline constexpr size_t kStackBytes = 64 << 10;
inline constexpr size_t kArenaBytes = 64 << 10;
inline constexpr int kDirect = -1;   // no thread: set-up and check
inline constexpr int kNow = -1;      // as an action's choice: no late load
inline constexpr int kNoEvent = -1;  // as an action's event: the thread's next step

// The addition makes a mixed zero count.
inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash + 0x9e3779b97f4a7c15u) ^ value;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

// An access that a thread has issued and memory does not know yet: a store, or (ARMv8) a load that
// is late. The thread has gone on with the value that such a load must find.
struct Event {
  WordBase *word = nullptr;
  int64_t value = 0;
  uint64_t after = 0;        // the events, by their bits, that must be performed before
  uint64_t value_after = 0;  // and of these, those that its value or address is from
  uint8_t id = 0;            // its bit
  uint8_t era = 0;           // of stores: how many fences between stores were before
  bool is_store = false;
  bool releases = false;
  bool is_exclusive = false;  // of a read-modify-write
  bool is_forwarded = false;  // a load that has its value from the thread's own store
  bool is_settled = false;    // after it the thread has had a compiler barrier, so a heavy fence
                              // finds it executed

  uint64_t bit() const { return uint64_t{1} << id; }
  bool is_load() const { return !is_store; }
};

// A thread's events, oldest first.
class Window {
 public:
  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  Event &operator[](size_t i) { return events_[i]; }
  const Event &operator[](size_t i) const { return events_[i]; }
  Event *begin() { return events_; }
  Event *end() { return events_ + count_; }
  const Event *begin() const { return events_; }
  const Event *end() const { return events_ + count_; }
  bool has_room(size_t events) const { return count_ + events <= kCapacity; }
  void push(const Event &event) {
    if (!has_room(1)) std::abort();
    events_[count_++] = event;
  }
  void clear() { count_ = 0; }
  Event remove(size_t i) {
    const Event removed = events_[i];
    std::move(events_ + i + 1, events_ + count_, events_ + i);
    --count_;
    return removed;
  }
  uint64_t bits() const {
    uint64_t all = 0;
    for (const Event &event : *this) all |= event.bit();
    return all;
  }
  size_t loads() const {
    size_t count = 0;
    for (const Event &event : *this) count += event.is_load();
    return count;
  }
  const Event *newest_store(const WordBase *word) const {
    for (size_t i = count_; i-- > 0;)
      if (events_[i].is_store && events_[i].word == word) return &events_[i];
    return nullptr;
  }

 private:
  static constexpr size_t kCapacity = 64;  // between two moments when it is empty
  size_t count_ = 0;
  Event events_[kCapacity];
};

// What can happen next: a thread goes on to its next step, or an event of its window is performed.
struct Action {
  int8_t thread;
  int8_t event;
  int8_t choice;  // kChoose: the answer; a load: which value it will find late
};

struct Actions {
  size_t count = 0;
  Action list[256];
  void add(int thread, int event, int choice = kNow) {
    if (count == sizeof list / sizeof *list) std::abort();
    list[count++] = {static_cast<int8_t>(thread), static_cast<int8_t>(event),
                     static_cast<int8_t>(choice)};
  }
};

struct ThreadCore {
  fcontext_t context = nullptr;  // its lowest used byte, while it does not run
  Step step = Step::kStart;      // what it does when it is chosen next
  Orders orders = kRelaxed;      // kLoad, kReadModifyWrite
  const WordBase *word = nullptr;
  int64_t wanted = 0;           // kAwait
  int fence_at = 0;             // kHeavyFence: the thread to be fenced next
  bool memory_changed = false;  // kSpin: since it began to wait
  int choices = 0;              // kChoose: asked for so far
  int choice = 0;               // kChoose, kLoad, kReadModifyWrite: of the action
  uint64_t history = 0;         // hash of all it has observed: stands for its local state
  // ARMv8: the next event's bit, the last load's, if it is late, and what coming accesses wait for.
  uint8_t next_id = 0, era = 0;
  uint64_t last_load = 0;
  uint64_t value_after = 0;  // the next access
  uint64_t store_after = 0;  // all stores
  uint64_t all_after = 0;    // all
};
struct Thread : ThreadCore {
  Window window;
};

// ARMv8: what a load may find late. A value that was stored in a run that came to its end, by whom;
// learned in one search, used in the next.
class StoredValues {
 public:
  struct Known {
    int64_t value;
    uint8_t writers;  // threads' bits
    bool operator==(const Known &) const = default;
  };
  struct OfWord {
    std::vector<Known> used, learned;
    uint8_t askers = 0;
    bool is_mortal = false, is_found_mortal = false;  // it is buried in some run
  };
  OfWord &of(size_t word) { return words_[word]; }
  void clear() {
    for (OfWord &word : words_) word = OfWord();
  }
  void learn(size_t word, int64_t value, int writer) {
    const auto bit = static_cast<uint8_t>(1 << writer);
    for (Known &known : words_[word].learned)
      if (known.value == value) {
        known.writers |= bit;
        return;
      }
    words_[word].learned.push_back({value, bit});
  }
  // Uses what was learned. Whether another search may find more with it.
  bool use() {
    bool is_more = false;
    for (OfWord &word : words_) {
      for (const Known &known : word.learned) {
        bool is_known = false;
        for (const Known &used : word.used) is_known |= used == known;
        // A thread's own values are known to it.
        for (int asker = 0; asker < static_cast<int>(kMaxThreads); ++asker)
          is_more |= !is_known && (word.askers & 1 << asker) && (known.writers & ~(1 << asker));
      }
      is_more |= word.askers && word.is_found_mortal && !word.is_mortal;
      word.used = word.learned;
      word.is_mortal = word.is_found_mortal;
    }
    return is_more;
  }

 private:
  std::vector<OfWord> words_{kArenaBytes / sizeof(int64_t)};
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

struct Stored {
  size_t word;
  int64_t value;
  int writer;
};

struct Violation {
  const char *what = nullptr;
  const WordBase *word = nullptr;
};

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
  Violation violation;
  std::vector<std::string> *trace = nullptr;

  Memory memory = Memory::kTso;
  StoredValues stored;
  std::vector<Stored> stored_now;  // in this run
  bool notes_sites = false;
  std::vector<OrderedSite> sites;
  OrderedSite weakened;

  bool is_arm() const { return memory == Memory::kArm; }
  Thread &self() { return threads[running]; }
  bool is_in_thread() const { return running != kDirect; }
  size_t used_stack_bytes(int thread) const {
    return static_cast<size_t>(stacks.get() + kStackBytes * static_cast<size_t>(thread + 1) -
                               static_cast<const char *>(threads[thread].context));
  }
  size_t index_of(const WordBase *word) const {
    return static_cast<size_t>(reinterpret_cast<const char *>(word) - arena) / sizeof(int64_t);
  }

  // In a thread: lets the explorer choose; comes back when this thread's step is chosen.
  void yield(Step step, const WordBase *word, Orders orders = kRelaxed);
  void observe(int64_t value) {
    self().history = mix(self().history, static_cast<uint64_t>(value));
  }
  [[noreturn]] void leave_run();
  void violate(const char *what, const WordBase *word = nullptr) {
    if (violation.what == nullptr) violation = {what, word};
  }
  std::string name_of(const WordBase *word) const;
  void note(int thread, const char *what, const WordBase *word, int64_t value);
  void note_own(const char *what, const WordBase *word, int64_t value) {
    if (trace != nullptr && is_in_thread()) note(running, what, word, value);
  }

  // ---- Memory (memory.cpp) ----

  // What is left of `wanted` at a place, which is noted.
  Orders orders_at(Orders wanted, const Site &site);
  void note_site(const Site &site, Orders part);
  void touch(const WordBase &word);
  void write_memory(WordBase &word, int64_t value);
  bool can_access_now(const Thread &t) const;
  // The values that the load which `t` is about to execute may find late: calls found(value).
  template <class Found>
  void for_each_late_value(const Thread &t, Found found);
  int64_t late_value(const Thread &t);
  bool is_ready(const Thread &t, size_t event) const;
  void perform_event(Thread &t, size_t event);
  bool is_enabled(const Thread &t) const;
  void add_actions(Actions &found, int thread);
  // Whether all that has happened can have: no load waits for its value, and no read-modify-write
  // for its store.
  bool is_certain() const;
  void push_load(const WordBase *word, int64_t value, bool is_exclusive, bool is_forwarded,
                 uint64_t after);
  void push_store(WordBase *word, int64_t value, Orders orders, bool is_exclusive);
  uint64_t take_after(bool is_store);

  // ---- One run (explorer.cpp) ----

  static void enter_thread(transfer_t from);
  void begin_run();
  void perform(Action action);
  Actions actions();
  uint64_t hash() const;
  bool all_done() const;

  // What a run was between two steps: each thread's stack and window, memory, and what the scenario
  // says of itself. The stacks lie where they lay, so pointers into them are right again.
  void save(Stacked &to) const;
  void restore(const Stacked &from, size_t at);

  Outcome search();
  Outcome explore(const Scenario &s);
};

extern Machine machine;

}  // namespace nopal::model
