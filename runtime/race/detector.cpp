// See detector.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "detector.h"

#include "options.h"
#include "process.h"
#include "races.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include <pthread.h>
#include <sys/single_threaded.h>

namespace nopal::race {

thread_local constinit ThreadState own_state;
thread_local constinit bool Detector::is_checked_ = false;
constinit DetectorMemory the_detector;
bool Detector::is_started_ = false;
bool Detector::is_thread_chosen_ = false;

namespace {

/// Of initialisations.
struct Guards {
  std::unordered_map<Address, Lock> locks;
  std::unordered_map<Lock, Time> passed;  // by a strand of that time
};

/// Never destroyed.
Guards &guards() {
  static auto *const own = new Guards;
  return *own;
}

/// Of a hyperobject: a strand that has looked up its view, and where.
struct Use {
  Time time;
  Place place;
};

/// By the hyperobject's address. Never destroyed.
std::map<Address, Use> &uses() {
  static auto *const own = new std::map<Address, Use>;
  return *own;
}

constexpr unsigned kAllBytes = (1u << kHalf) - 1;

/// The times of a granule, or what is known of a chunk. Not <immintrin.h>: any processor has such.
using Wide = std::uint32_t __attribute__((vector_size(16), may_alias));

/// How many of the first `most` are equal to the first one.
template <class History>
std::size_t count_equal(const History *histories, std::size_t most) {
  static_assert(sizeof(History) == sizeof(Wide));
  const auto *const wide = reinterpret_cast<const Wide *>(histories);
  const auto differs = [](Wide bits) { return __builtin_reduce_or(bits) != 0; };
  const Wide first = wide[0];
  std::size_t same = 1;
  while (same + 4 <= most && !differs((wide[same] ^ first) | (wide[same + 1] ^ first) |
                                      (wide[same + 2] ^ first) | (wide[same + 3] ^ first)))
    same += 4;
  while (same != most && !differs(wide[same] ^ first)) ++same;
  return same;
}

template <class History>
void fill(History *histories, std::size_t count, const History &value) {
  Wide all;
  __builtin_memcpy(&all, &value, sizeof(all));
  for (Wide *one = reinterpret_cast<Wide *>(histories); count != 0; --count) *one++ = all;
}

void fill(Place *places, std::size_t granules, Place place) {
  const std::uint64_t both = place * std::uint64_t{0x100000001};
  for (; granules != 0; --granules, places += 2) __builtin_memcpy(places, &both, sizeof(both));
}

}  // namespace

void Detector::start() {
  if (is_started_) return;
  is_started_ = true;
  map_shadow();
  get().strands.start();
  get().find_stack();
  get().reports_atomics_ = options().reports_atomics;
  // The program's reference counts are atomic, as beside the workers of a parallel run.
  __libc_single_threaded = 0;
}

void Detector::find_stack() {
  pthread_attr_t attributes;
  void *begin = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &begin, &stack_size_);
    pthread_attr_destroy(&attributes);
  }
  stack_begin_ = reinterpret_cast<Address>(begin);
}

bool Detector::first_hook() {
  if (is_thread_chosen_) {
    note_spawning_thread();
    return false;
  }
  is_thread_chosen_ = is_checked_ = true;
  // Whatever is made or asked for a view comes to this library.
  static nopal_strand of_checked_thread{reinterpret_cast<const nopal_is_stolen *>(this)};
  nopal_tls_strand = &of_checked_thread;
  find_stack();
  watch_stack(stack_begin_, stack_size_);
  update_usual();
  return true;
}

/// The plain form of a half.
void Detector::check_plain(Times *times, Places places, unsigned half, Address address,
                           const Request &request) {
  const Time write = times->write[half], read = times->read[half];
  if (write != kNever && strands.is_parallel(write))
    report(write, places.write[half], true, address, request);
  if (is_write(request.kind)) {
    if (read != kNever && strands.is_parallel(read))
      report(read, places.read[half], false, address, request);
    times->write[half] = strands.now();
    places.write[half] = place_of(request.here);
    times->read[half] = kNever;
  } else if (read == kNever || !strands.is_parallel(read)) {
    times->read[half] = strands.now();
    places.read[half] = place_of(request.here);
  }
}

void Detector::check_list(Times *times, unsigned half, Address address, unsigned mask,
                          const Request &request) {
  const bool writes = is_write(request.kind);
  const Time now = strands.now();
  unsigned unknown = mask;  // bytes of which this access says something new
  for (Index i = times->read[half]; i != 0; i = entry(i).next) {
    const Access former = entry(i).access;
    if ((former.mask & mask) == 0) continue;
    const bool is_parallel = former.time != now && strands.is_parallel(former.time);
    if (is_parallel && (writes || former.is_write) && !have_common(former.locks, locks_) &&
        !is_after_initialisation(former.locks)) {
      const auto first = static_cast<unsigned>(__builtin_ctz(former.mask & mask));
      report(former.time, former.place, former.is_write, address / kHalf * kHalf + first, request);
    }
    if ((is_parallel || former.time == now) && is_subset(former.locks, locks_) &&
        (former.is_write || !writes))
      unknown &= ~static_cast<unsigned>(former.mask);
  }
  if (unknown == 0 || is_freeing_) return;
  Access own{now, place_of(request.here), locks_, static_cast<std::uint8_t>(unknown), writes};
  for (Index *link = &times->read[half]; *link != 0;) {
    Access &former = entry(*link).access;
    if ((writes || !former.is_write) && is_subset(locks_, former.locks) &&
        (former.mask & unknown) != 0 && (former.time == now || !strands.is_parallel(former.time)))
      former.mask = static_cast<std::uint8_t>(former.mask & ~unknown);
    else if (former.time == now && former.place == own.place && former.locks == own.locks &&
             former.is_write == writes)
      own.mask |= std::exchange(former.mask, std::uint8_t{0});
    if (former.mask == 0)
      *link = remove(*link);
    else
      link = &entry(*link).next;
  }
  times->read[half] = add(own, times->read[half]);
}

void Detector::check_half(Address address, unsigned mask, const Request &request) {
  take_apart(address);
  Times *const times = times_of(address);
  const Places places = places_of(address);
  const unsigned half = address / kHalf % 2;
  if (mask == kAllBytes && is_plain_ && !is_mark(times->write[half])) {
    check_plain(times, places, half, address, request);
    return;
  }
  if (times->write[half] == kBlock) return;  // the heap's own memory
  split(times, places, half);
  check_list(times, half, address, mask, request);
  join(times, places, half);
}

/// What a plain access without a race does to memory of this history.
inline Detector::Outcome Detector::outcome_of(Time write, Time read, AccessKind kind) {
  if (!is_plain_ || is_mark(write)) return Outcome::kOther;
  const Time now = strands.now();
  if (is_known(write, read, kind, now)) return Outcome::kKnown;
  const bool is_read_parallel = read != kNever && strands.is_parallel(read);
  if (is_write_parallel(write, read, is_read_parallel)) return Outcome::kOther;
  if (is_write(kind)) return is_read_parallel ? Outcome::kOther : Outcome::kWrite;
  return is_read_parallel ? Outcome::kKnown : Outcome::kRead;
}

/// In granules that were all written at `write`.
inline void Detector::record(Outcome outcome, Times *times, Places places, std::size_t granules,
                             Time write, Place place) {
  const Time now = strands.now();
  if (outcome == Outcome::kWrite) {
    fill(times, granules, Times{{now, now}, {kNever, kNever}});
    fill(places.write, granules, place);
  } else if (outcome == Outcome::kRead) {
    fill(times, granules, Times{{write, write}, {now, now}});
    fill(places.read, granules, place);
  }
}

[[gnu::noinline]] void Detector::access8_in_steps(Address address, AccessKind kind, Here here) {
  note_stack(address);
  const Chunk &chunk = chunk_of(address);
  if (chunk.write != kApart) {
    if (outcome_of(chunk.write, chunk.read, kind) == Outcome::kKnown) return;
    spread(address);
  }
  Times *const times = times_of(address);
  const std::uint64_t writes = both_halves(times->write), reads = both_halves(times->read);
  const auto write = static_cast<Time>(writes), read = static_cast<Time>(reads);
  if (writes >> 32 == write && reads >> 32 == read) {
    const Outcome outcome = outcome_of(write, read, kind);
    if (outcome != Outcome::kOther)
      return record(outcome, times, places_of(address), 1, write, place_of(here));
  }
  const Request request{kind, here, address, kGranule};
  check_half(address, kAllBytes, request);
  check_half(address + kHalf, kAllBytes, request);
}

[[gnu::noinline]] void Detector::access4_in_steps(Address address, AccessKind kind, Here here) {
  note_stack(address);
  const Chunk &chunk = chunk_of(address);
  if (chunk.write != kApart) {
    if (outcome_of(chunk.write, chunk.read, kind) == Outcome::kKnown) return;
    spread(address);
  }
  Times *const times = times_of(address);
  const unsigned half = address / kHalf % 2;
  const Time now = strands.now();
  const Outcome outcome = outcome_of(times->write[half], times->read[half], kind);
  if (outcome == Outcome::kKnown) return;
  if (outcome == Outcome::kRead) {
    times->read[half] = now;
    places_of(address).read[half] = place_of(here);
  } else if (outcome == Outcome::kWrite) {
    times->write[half] = now;
    times->read[half] = kNever;
    places_of(address).write[half] = place_of(here);
  } else {
    check_half(address, kAllBytes, {kind, here, address, kHalf});
  }
}

inline bool Detector::access_granules(Address address, std::size_t granules, AccessKind kind,
                                      Here here) {
  const Place place = place_of(here);
  bool is_uniform = true;
  for (std::size_t same; granules != 0; granules -= same, address += same * kGranule) {
    Times *const times = times_of(address);
    const std::uint64_t writes = both_halves(times->write), reads = both_halves(times->read);
    const auto write = static_cast<Time>(writes), read = static_cast<Time>(reads);
    same = 1;
    // What many strands read has many histories: each granule that of the strand which was first.
    if (!is_write(kind) && writes == kNever && reads >> 32 == read &&
        strands.is_known_parallel(read))
      continue;
    const Outcome outcome = writes >> 32 == write && reads >> 32 == read
                                ? outcome_of(write, read, kind)
                                : Outcome::kOther;
    if (outcome == Outcome::kOther) {
      is_uniform = false;
      const Request request{kind, here, address, kGranule};
      check_half(address, kAllBytes, request);
      check_half(address + kHalf, kAllBytes, request);
      continue;
    }
    same = count_equal(times, granules);
    record(outcome, times, places_of(address), same, write, place);
  }
  return is_uniform;
}

void Detector::access_run(Address address, std::size_t granules, AccessKind kind, Here here) {
  constexpr std::size_t kOfChunk = kChunk / kGranule;
  for (std::size_t some; granules != 0; granules -= some, address += some * kGranule) {
    some = std::min(granules, kOfChunk - address % kChunk / kGranule);
    Chunk &chunk = chunk_of(address);
    if (chunk.write != kApart) {
      const Outcome outcome = outcome_of(chunk.write, chunk.read, kind);
      if (some == kOfChunk && outcome != Outcome::kOther) {
        const std::size_t same = count_equal(&chunk, granules / kOfChunk);
        some = same * kOfChunk;
        if (outcome == Outcome::kRead)
          fill(&chunk, same, {chunk.write, strands.now(), chunk.write_place, place_of(here)});
        else if (outcome == Outcome::kWrite)
          fill(&chunk, same, {strands.now(), kNever, place_of(here), 0});
        continue;
      }
      if (outcome == Outcome::kKnown) continue;
      spread(address);
    }
    if (access_granules(address, some, kind, here) && some == kOfChunk && is_write(kind))
      chunk = {strands.now(), kNever, place_of(here), 0};
  }
}

void Detector::access(Address address, std::size_t size, AccessKind kind, Here here) {
  if (!has_shadow(address, size)) return;
  const Request request{kind, here, address, size};
  const Address end = address + size;
  note_stack(address);
  while (address != end) {
    if (address % 8 == 0 && end - address >= 8) {
      const std::size_t granules = (end - address) / kGranule;
      access_run(address, granules, kind, here);
      address += granules * kGranule;
      continue;
    }
    const Address stop = std::min(end, (address / kHalf + 1) * kHalf);
    const unsigned mask = ((1u << (stop - address)) - 1) << (address % kHalf);
    check_half(address, mask, request);
    address = stop;
  }
}

void Detector::access_rows(Address start, std::size_t bytes, std::ptrdiff_t stride,
                           std::size_t count, AccessKind kind, const Here &here) {
  const auto step = static_cast<Address>(stride);
  const Address last = start + (count - 1) * step;
  const Address lowest = stride < 0 ? last : start, highest = stride < 0 ? start : last;
  constexpr Address kAhead = 8;  // rows far apart: their shadow is in no cache
  if ((start | bytes | step) % kGranule == 0 && has_shadow(lowest, highest - lowest + bytes)) {
    note_stack(lowest);
    for (Address row = start; count != 0; --count, row += step) {
      __builtin_prefetch(times_of(row + kAhead * step));
      access_run(row, bytes / kGranule, kind, here);
    }
    return;
  }
  for (Address row = start; count != 0; --count, row += step) access(row, bytes, kind, here);
}

void Detector::atomic(Address address, std::size_t size, AccessKind kind, Here here) {
  if (reports_atomics_) {
    access(address, size, kind, here);
    return;
  }
  const LockSet before = locks_;
  if (before != not_atomic_ || atomic_ == kNoLocks) {
    not_atomic_ = before;
    atomic_ = with(before, {kAtomic});
  }
  locks_ = atomic_;
  update_plain();
  access(address, size, kind, here);
  locks_ = before;
  update_plain();
}

void Detector::free_memory(Address begin, std::size_t size, Here here) {
  const Request request{AccessKind::kFree, here, begin, size};
  is_freeing_ = true;
  update_plain();
  for (Address half = begin; half < begin + size; half += kHalf) {
    const Chunk &chunk = chunk_of(half);
    if (chunk.write == kNever && chunk.read == kNever) {
      half = (half / kChunk + 1) * kChunk - kHalf;
      continue;
    }
    take_apart(half);
    const Times *const times = times_of(half);
    const unsigned which = half / kHalf % 2;
    if (times->write[which] != kNever || times->read[which] != kNever)
      check_half(half, kAllBytes, request);
  }
  is_freeing_ = false;
  update_plain();
}

void Detector::leave_frames(Address end) {
  const Address begin = own_state.lowest / kGranule * kGranule;
  own_state.lowest = end;
  forget_locks(begin, end - begin);
  // Most have a few locals that children know of, in one chunk or two.
  if (end - begin <= kChunk && end % kGranule == 0 && !has_lists() &&
      chunk_of(begin).write == kApart && chunk_of(end - 1).write == kApart)
    return fill(times_of(begin), (end - begin) / kGranule, {});
  constexpr std::size_t kSmall = 4096;
  if (end - begin <= kSmall && end % kGranule == 0)
    clear_granules(begin, end);
  else
    clear(begin, end - begin);
}

void Detector::lock(Address address, bool is_shared) {
  note_stack(address);
  hold(lock_at(address), is_shared);
}

void Detector::hold(Lock lock, bool is_shared) {
  const auto same =
      std::find_if(held_.begin(), held_.end(), [&](const Held &held) { return held.lock == lock; });
  held_.push_back(same != held_.end() ? *same : Held{lock, 0, is_shared});
  locks_ = with(locks_, held_.back());
  update_plain();
  update_usual();
}

void Detector::number_acquisitions() {
  for (Held &held : held_) {
    if (held.acquisition != 0) continue;
    const Held before = held;
    ++acquisitions_;
    for (Held &same : held_)
      if (same == before) same.acquisition = acquisitions_;
    locks_ = with(without(locks_, before), held);
  }
}

void Detector::unlock(Address address) { release(lock_at(address)); }

void Detector::release(Lock lock) {
  const auto last = std::find_if(held_.rbegin(), held_.rend(),
                                 [&](const Held &held) { return held.lock == lock; });
  if (last == held_.rend()) return;
  const Held ended = *last;
  held_.erase(std::next(last).base());
  if (std::find(held_.begin(), held_.end(), ended) == held_.end()) locks_ = without(locks_, ended);
  update_plain();
  update_usual();
}

void Detector::ignore(bool begins) {
  ignored_ += begins ? 1 : -1u;
  end_hook();
  update_usual();
}

void Detector::begin_initialisation(Address guard) {
  lock(guard);
  guards().locks[guard] = lock_at(guard);
}

/// One strand that has passed is enough, as one reader of a byte is: whatever comes after an
/// earlier one and later than this one comes after this one, too.
void Detector::pass(Address guard) {
  const auto known = guards().locks.find(guard);
  if (known == guards().locks.end()) return;
  const auto [passed, is_first] = guards().passed.try_emplace(known->second, strands.now());
  if (!is_first && strands.is_parallel(passed->second)) passed->second = strands.now();
}

bool Detector::is_after_initialisation(LockSet locks) {
  if (locks == kNoLocks || guards().passed.empty()) return false;
  const auto &passed = guards().passed;
  return std::ranges::any_of(members_of(locks), [&](const Held &held) {
    const auto one = passed.find(held.lock);
    return one != passed.end() && !strands.is_parallel(one->second);
  });
}

void Detector::value_of(const void *hyperobject, Here here) {
  const std::size_t continuation = strands.continuation();
  if (own_state.now == 0 || views.is_own(continuation, hyperobject)) return;
  const auto key = reinterpret_cast<Address>(hyperobject);
  races().add({false, 0, AccessKind::kValue, here, key, 1, key, is_on_stack(key), 0,
               strands.last_parting(), &strands});
}

void Detector::use_of(const void *hyperobject, Here here) {
  if (own_state.now == 0) return;
  has_uses_ = true;
  const Use now{strands.now(), static_cast<Place>(reinterpret_cast<Address>(here.code))};
  const auto [use, is_first] = uses().try_emplace(reinterpret_cast<Address>(hyperobject), now);
  if (!is_first && !strands.is_parallel(use->second.time)) use->second = now;
}

void Detector::end_of(const void *hyperobject, Here here) {
  const auto key = reinterpret_cast<Address>(hyperobject);
  const auto use = uses().find(key);
  if (use == uses().end()) return;
  if (own_state.now != 0 && strands.is_parallel(use->second.time))
    report(use->second.time, use->second.place, false, key, {AccessKind::kEnd, here, key, 1});
  uses().erase(use);
}

void Detector::forget_uses(Address begin, std::size_t size) {
  uses().erase(uses().lower_bound(begin), uses().lower_bound(begin + size));
}

void Detector::report(Time time, Place place, bool was_write, Address address,
                      const Request &request) {
  has_raced_ = true;
  const Parting parting = strands.parting(time);
  races().add({was_write, place, request.kind, request.here, request.begin, request.size, address,
               is_on_stack(address), time, parting, &strands});
}

}  // namespace nopal::race
