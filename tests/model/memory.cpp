// The two memories of the explorer, x86-TSO and ARMv8: when a thread's access is performed, and
// what it finds. Rules: README.md. See machine.h.
#include "machine.h"

namespace nopal::model {

namespace {

// ARMv8: how many loads of a thread may be late at once.
constexpr size_t kMostLateLoads = 2;

constexpr Orders without(Orders orders, int bits) { return static_cast<Orders>(orders & ~bits); }

}  // namespace

Orders Machine::orders_at(Orders wanted, const Site &site) {
  if (!is_arm() || wanted == kRelaxed) return wanted;
  if (weakened.line == site.line() && weakened.column == site.column() &&
      (wanted & weakened.part) && std::strcmp(weakened.file, site.file_name()) == 0)
    return without(wanted, weakened.part == kAcquires ? kAcquires | kAfterReleases
                                                      : static_cast<int>(weakened.part));
  for (int part = kAcquires; notes_sites && part <= kFencesOthers; part <<= 1)
    if ((wanted & part) != 0 && part != kAfterReleases) note_site(site, static_cast<Orders>(part));
  return wanted;
}

void Machine::note_site(const Site &site, Orders part) {
  for (const OrderedSite &known : sites)
    if (known.line == site.line() && known.column == site.column() && known.part == part &&
        std::strcmp(known.file, site.file_name()) == 0)
      return;
  sites.push_back({site.file_name(), site.line(), site.column(), part});
}

void Machine::touch(const WordBase &word) {
  if (!word.buried_) return;
  violate("access to memory that is gone", &word);
  if (is_in_thread()) leave_run();
}

void Machine::write_memory(WordBase &word, int64_t value) {
  if (word.memory_ != value)
    for (Thread &t : threads) t.memory_changed = true;
  word.memory_ = value;
}

// ---- What may happen ----

// ARMv8, for a thread's next load or read-modify-write.
bool Machine::can_access_now(const Thread &t) const {
  const bool is_load = t.step == Step::kLoad;
  const uint64_t pending = t.window.bits();
  if (((t.value_after | t.all_after) & pending) != 0) return false;
  for (const Event &event : t.window) {
    if ((t.orders & kAfterReleases) && event.is_store && event.releases) return false;
    if (event.word != t.word) continue;
    if (!is_load || (event.is_load() && !event.is_forwarded)) return false;
  }
  if (!is_load) return t.word->reserved_by_ < 0;
  // An acquire load takes no value from a store of its thread that may yet change its mind.
  const Event *const own = t.window.newest_store(t.word);
  return own == nullptr || (t.orders & kAcquires) == 0 ||
         (!own->is_exclusive && (own->value_after & pending) == 0);
}

template <class Found>
void Machine::for_each_late_value(const Thread &t, Found found) {
  if ((t.orders & kAcquires) != 0 || t.window.loads() >= kMostLateLoads) return;
  StoredValues::OfWord &of = stored.of(index_of(t.word));
  const int self_bit = 1 << (&t - threads);
  of.askers |= static_cast<uint8_t>(self_bit);
  const bool can_now = can_access_now(t);
  const bool finds_memory = can_now && t.window.newest_store(t.word) == nullptr;
  bool has_memory = false;
  for (const StoredValues::Known &known : of.used) {
    // Now is better than late, if it is the same value.
    if (finds_memory && known.value == t.word->memory_) continue;
    if (can_now && (known.writers & ~self_bit) == 0) continue;
    has_memory |= known.value == t.word->memory_;
    found(known.value);
  }
  // But an access that is late may come too late.
  if (!has_memory && (!can_now || (finds_memory && of.is_mortal))) found(t.word->memory_);
}

int64_t Machine::late_value(const Thread &t) {
  int64_t value = 0;
  int index = 0;
  for_each_late_value(t, [&](int64_t v) {
    if (index++ == t.choice) value = v;
  });
  return value;
}

bool Machine::is_ready(const Thread &t, size_t index) const {
  if (!is_arm()) return index == 0;
  const Event &event = t.window[index];
  const auto thread = static_cast<int8_t>(&t - threads);
  if ((event.after & t.window.bits()) != 0) return false;
  if (event.is_forwarded) return true;
  for (size_t i = 0; i < index; ++i) {
    const Event &before = t.window[i];
    if (event.releases || (before.word == event.word && !before.is_forwarded)) return false;
    if (event.is_store && before.is_store && before.era != event.era) return false;
  }
  const int8_t reserved_by = event.word->reserved_by_;
  if (event.is_store) return reserved_by < 0 || reserved_by == thread;
  // A value that is not there keeps the load waiting.
  return event.word->memory_ == event.value && (!event.is_exclusive || reserved_by < 0);
}

void Machine::perform_event(Thread &t, size_t index) {
  const auto thread = static_cast<int8_t>(&t - threads);
  const Event event = t.window.remove(index);
  if (trace != nullptr) note(thread, event.is_store ? "flush" : "late", event.word, event.value);
  if (event.is_forwarded) return;
  touch(*event.word);
  if (event.is_exclusive) event.word->reserved_by_ = event.is_store ? int8_t{-1} : thread;
  if (event.is_store) write_memory(*event.word, event.value);
}

bool Machine::is_enabled(const Thread &t) const {
  switch (t.step) {
    case Step::kDone:
      return false;
    case Step::kDrain:
      return t.window.empty();
    case Step::kLoad:
      return !is_arm() || can_access_now(t);
    case Step::kReadModifyWrite:
      return is_arm() ? t.window.has_room(2) && can_access_now(t) : t.window.empty();
    case Step::kLoadFence:
      return t.window.loads() == 0;
    case Step::kHeavyFence:
      if (is_arm())
        for (const Event &event : threads[t.fence_at].window)
          if (event.is_settled) return false;
      return true;
    case Step::kRoom:
      return t.window.has_room(1);
    case Step::kAwait:
      return t.word->memory_ == t.wanted;
    case Step::kSpin:
      return t.memory_changed;
    default:
      return true;
  }
}

void Machine::add_actions(Actions &found, int thread) {
  const Thread &t = threads[thread];
  if (is_enabled(t)) found.add(thread, kNoEvent);
  for (size_t i = 0; i < t.window.size(); ++i) {
    if (is_ready(t, i)) found.add(thread, static_cast<int>(i));
    if (!is_arm()) break;
  }
  if (!is_arm() || (t.step != Step::kLoad && t.step != Step::kReadModifyWrite)) return;
  if (!t.window.has_room(2)) return;
  int choice = 0;
  for_each_late_value(t, [&](int64_t) { found.add(thread, kNoEvent, choice++); });
}

bool Machine::is_certain() const {
  if (!is_arm()) return true;
  for (int i = 0; i < thread_count; ++i)
    for (const Event &event : threads[i].window)
      if (event.is_load() || event.is_exclusive) return false;
  return true;
}

// ---- What a thread does ----

uint64_t Machine::take_after(bool is_store) {
  Thread &t = self();
  const uint64_t after = t.value_after | t.all_after | (is_store ? t.store_after : 0);
  t.value_after = 0;
  return after & t.window.bits();
}

void Machine::push_load(const WordBase *word, int64_t value, bool is_exclusive, bool is_forwarded,
                        uint64_t after) {
  Thread &t = self();
  Event event;
  event.word = const_cast<WordBase *>(word);
  event.value = value;
  event.after = after;
  event.id = t.next_id;
  event.is_exclusive = is_exclusive;
  event.is_forwarded = is_forwarded;
  t.next_id = (t.next_id + 1) % 64;
  t.last_load = event.bit();
  t.window.push(event);
}

void Machine::push_store(WordBase *word, int64_t value, Orders orders, bool is_exclusive) {
  Thread &t = self();
  Event event;
  event.word = word;
  event.value = value;
  event.is_store = true;
  if (is_arm()) {
    event.value_after = t.value_after & t.window.bits();
    event.after = take_after(true);
    event.releases = (orders & kReleases) != 0;
    event.is_exclusive = is_exclusive;
    event.era = t.era;
    event.id = t.next_id;
    t.next_id = (t.next_id + 1) % 64;
    stored_now.push_back({index_of(word), value, running});
  }
  t.window.push(event);
}

int64_t WordBase::load(Orders wanted, const Site &site) const {
  Machine &m = machine;
  if (!m.is_in_thread()) return memory_;
  m.yield(Step::kLoad, this, m.orders_at(wanted, site));
  Thread &t = m.self();
  const Event *const own = t.window.newest_store(this);
  const uint64_t after = m.take_after(false);
  int64_t value = own != nullptr ? own->value : memory_;
  t.last_load = 0;
  if (t.choice != kNow) {
    t.value_after = after;  // as when it was chosen
    value = m.late_value(t);
    t.value_after = 0;
    m.push_load(this, value, false, false, after);
  } else if (m.is_arm() && own != nullptr) {
    const uint64_t own_after = own->value_after & t.window.bits();
    if (own_after != 0) m.push_load(this, value, false, true, own_after);
  } else {
    m.touch(*this);
  }
  m.observe(value);
  m.note_own(t.choice == kNow ? "load" : "load...", this, value);
  return value;
}

// Not a switch point: until it is performed or settled no other thread can tell whether it has
// happened.
void WordBase::store(int64_t value, Orders wanted, const Site &site) {
  Machine &m = machine;
  if (!m.is_in_thread()) {
    memory_ = value;
    return;
  }
  m.touch(*this);
  if (!m.self().window.has_room(1)) m.yield(Step::kRoom, nullptr);
  m.note_own("store", this, value);
  m.push_store(this, value, m.orders_at(wanted, site), false);
}

int64_t WordBase::begin_read_modify_write(Orders wanted, const Site &site) {
  Machine &m = machine;
  if (!m.is_in_thread()) return memory_;
  m.yield(Step::kReadModifyWrite, this, m.orders_at(wanted, site));
  const int64_t old = m.self().choice == kNow ? memory_ : m.late_value(m.self());
  if (m.self().choice == kNow) m.touch(*this);
  m.observe(old);
  return old;
}

void WordBase::end_read_modify_write(int64_t old, std::optional<int64_t> value) {
  Machine &m = machine;
  m.note_own("rmw", this, value.value_or(old));
  if (!m.is_in_thread() || !m.is_arm()) return m.write_memory(*this, value.value_or(old));
  Thread &t = m.self();
  const bool is_late = t.choice != kNow;
  t.last_load = 0;
  if (is_late) m.push_load(this, old, value.has_value(), false, m.take_after(false));
  if (!value.has_value()) return;
  if (!is_late) reserved_by_ = static_cast<int8_t>(m.running);
  m.push_store(this, *value, t.orders, true);
}

void WordBase::bury() {
  buried_ = true;
  machine.stored.of(machine.index_of(this)).is_found_mortal = true;
}

void ModelAtoms::light_fence() {
  if (!machine.is_in_thread()) return;
  machine.yield(Step::kLightFence, nullptr);
  machine.observe(1);
  for (Event &event : machine.self().window) event.is_settled = true;
  machine.note_own("light", nullptr, 0);
}

void ModelAtoms::full_fence(Site site) {
  if (!machine.is_in_thread() || machine.orders_at(kFences, site) == kRelaxed) return;
  machine.yield(Step::kDrain, nullptr);
  machine.observe(2);
  machine.note_own("full", nullptr, 0);
}

void ModelAtoms::epoch_fence(Site site) {
  if (machine.is_arm()) full_fence(site);
}

void ModelAtoms::acquire_fence(Site site) {
  if (!machine.is_in_thread() || !machine.is_arm()) return;
  if (machine.orders_at(kFences, site) != kRelaxed) fence_loads();
}

// A full fence of our own, and one in each other thread, each at some moment of this call, not all
// at the same one.
void ModelAtoms::heavy_fence(Site site) {
  if (!machine.is_in_thread()) return;
  constexpr auto kBoth = static_cast<Orders>(kFences | kFencesOthers);
  const Orders orders = machine.orders_at(kBoth, site);
  if ((orders & kFences) != 0) {
    machine.yield(Step::kDrain, nullptr);
    machine.observe(2);
    machine.note_own("full", nullptr, 0);
  }
  for (int i = 0; i < machine.thread_count; ++i) {
    if (i == machine.running || (orders & kFencesOthers) == 0) continue;
    machine.self().fence_at = i;
    machine.yield(Step::kHeavyFence, nullptr);
    machine.observe(3);
    // With ARMv8 these have been performed, in whichever order: see is_enabled().
    Thread &other = machine.threads[i];
    while (!machine.is_arm() && !other.window.empty() && other.window[0].is_settled)
      machine.perform_event(other, 0);
    machine.note_own("heavy", nullptr, i);
  }
  machine.self().fence_at = 0;
}

void ModelAtoms::spin_pause() {
  machine.self().memory_changed = false;
  machine.yield(Step::kSpin, nullptr);
  machine.observe(4);
}

// ---- For litmus tests ----

uint64_t last_load() { return machine.self().last_load; }
void next_value_from(uint64_t loads) { machine.self().value_after |= loads; }
void next_address_from(uint64_t loads) {
  machine.self().value_after |= loads;
  machine.self().store_after |= loads;
}
void branch_on(uint64_t loads) { machine.self().store_after |= loads; }
void isb_after(uint64_t loads) { machine.self().all_after |= loads; }
void fence_loads() {
  machine.yield(Step::kLoadFence, nullptr);
  machine.observe(5);
}
void fence_stores() { ++machine.self().era; }

}  // namespace nopal::model
