// Accounts, adopted stacks, and the walk that fills them. Specified in cactus/measure.h and
// meter.h. Why the peaks are exact: cactus-stack/README.md.
//
// Edges: none. Every atomic here is a number of its own, relaxed. What hands a stack over orders
// the thread that suspends it and the thread that runs it next.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "meter.h"

#include <cactus/own_stack.h>

#include "registry.h"

#include <sys/mman.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>

namespace cactus {

namespace {

constexpr std::size_t kPagesAtOnce = 1024;
constexpr std::uint64_t kTimePerMeasurement = 100;  // sampled: at most 1 % of the time

constinit std::mutex mutex;  // guards the lists and a measurement
Account *accounts = nullptr;
AdoptedStack *adopted_stacks = nullptr;

constinit std::atomic<Measuring> mode{Measuring::kOff};
constinit std::atomic<std::size_t> deepest{0};
constinit std::atomic<std::uint64_t> measured{0};
constinit std::atomic<std::uint64_t> next_sample_ns{0};

Account &total_account() noexcept {
  alignas(Account) static char storage[sizeof(Account)];
  static Account *const total = new (storage) Account;  // never destroyed: read at exit
  return *total;
}

std::uint64_t now_ns() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

void raise(std::atomic<std::size_t> &peak, std::size_t value) noexcept {
  if (value > peak.load(std::memory_order_relaxed))
    peak.store(value, std::memory_order_relaxed);  // under the mutex
}

/// Asks page by page from the top, until a page is not mapped: a stack that grows by faults ends
/// there.
void add_while_mapped(const char *low, const char *high, const char *top, Touched &sum) noexcept {
  const std::size_t page = page_bytes();
  for (const char *at = high - page; at >= low; at -= page) {
    unsigned char is_resident = 0;
    if (mincore(const_cast<char *>(at), page, &is_resident) != 0) return;
    if ((is_resident & 1u) == 0) continue;
    sum.resident_bytes += page;
    sum.depth_bytes = static_cast<std::size_t>(top - at);
  }
}

}  // namespace

Touched touched(const char *low, std::size_t size_bytes) noexcept {
  const std::size_t page = page_bytes();
  const std::size_t most = kPagesAtOnce * page;
  const char *top = low + size_bytes;
  unsigned char pages[kPagesAtOnce];
  Touched sum;
  for (const char *high = top; high > low;) {
    const std::size_t length = std::min(most, static_cast<std::size_t>(high - low));
    const char *at = high - length;
    if (mincore(const_cast<char *>(at), length, pages) != 0) {
      add_while_mapped(at, high, top, sum);
      break;
    }
    for (std::size_t i = length / page; i-- > 0;) {
      if ((pages[i] & 1u) == 0) continue;
      sum.resident_bytes += page;
      sum.depth_bytes = static_cast<std::size_t>(top - (at + i * page));
    }
    high = at;
  }
  return sum;
}

// ---- Account ----

Account::Account() noexcept { Meter::add(*this); }
Account::~Account() { Meter::remove(*this); }

void Account::publish() noexcept {
  const std::size_t found[3] = {counting_.live, counting_.resident, counting_.reserved};
  for (std::size_t i = 0; i < 3; ++i) {
    now_[i].store(found[i], std::memory_order_relaxed);
    raise(peak_[i], found[i]);
  }
}

StackUsage Account::usage() const noexcept {
  const auto read = [](const std::array<std::atomic<std::size_t>, 3> &from) {
    return StackBytes{from[0].load(std::memory_order_relaxed),
                      from[1].load(std::memory_order_relaxed),
                      from[2].load(std::memory_order_relaxed)};
  };
  return {read(now_), read(peak_)};
}

// ---- AdoptedStack ----

AdoptedStack::AdoptedStack(Account *account) noexcept : account_(account) {
  if (const OwnStack own = own_stack(); own.low != nullptr) {
    const std::size_t page = page_bytes();
    const auto rounded = [page](const void *address) {
      return (reinterpret_cast<std::uintptr_t>(address) + page - 1) / page * page;
    };
    end_ = own.low + own.size_bytes;
    low_ = reinterpret_cast<char *>(rounded(own.low));
    top_ = std::min(reinterpret_cast<char *>(rounded(__builtin_frame_address(0))), end_);
    if (top_ < low_) top_ = low_;
    mapped_low_ = top_;
  }
  Meter::add(*this);
}

AdoptedStack::~AdoptedStack() {
  if (is_measuring()) Meter::measure_before_decommit();  // the pages end with the thread
  Meter::remove(*this);
}

void AdoptedStack::suspend(const void *stack_pointer, std::size_t kept_bytes) noexcept {
  const auto *pointer = static_cast<const char *>(stack_pointer);
  if (pointer < low_ || pointer >= end_) return;
  suspended_live_.store(static_cast<std::size_t>(std::max(top_ - pointer, std::ptrdiff_t{1})),
                        std::memory_order_relaxed);
  const std::size_t page = page_bytes();
  const auto unused = static_cast<std::size_t>(pointer - low_);
  if (unused > kept_bytes + page)
    decommit_up_to(low_ + (unused - kept_bytes) / page * page, low_ + unused / page * page);
}

/// A first thread's stack is mapped as it grows, and the thread library takes all that the limit
/// allows for it, perhaps the whole way down to the heap. So we must not reach beyond what is
/// mapped: whatever is mapped later, for others, keeps a distance from the stack.
void AdoptedStack::decommit_up_to(char *end, char *pointer_page) noexcept {
  constexpr std::ptrdiff_t kStackGuardGap = std::ptrdiff_t{1} << 20;  // Linux: stack_guard_gap
  mapped_low_ = std::min(mapped_low_, pointer_page);
  for (bool is_mapped = true; is_mapped;) {
    char *const below = low_ + std::max(mapped_low_ - low_ - kStackGuardGap, std::ptrdiff_t{0});
    if (below >= end) return;
    is_mapped =
        Meter::decommit(below, static_cast<std::size_t>(end - below)) && below < mapped_low_;
    if (is_mapped) mapped_low_ = below;
  }
}

void AdoptedStack::run(Account *account) noexcept {
  suspended_live_.store(0, std::memory_order_relaxed);
  account_.store(account, std::memory_order_relaxed);
}

// ---- Meter ----

void Meter::add(Account &account) noexcept {
  const std::lock_guard lock(mutex);
  account.next_ = accounts;
  accounts = &account;
}

void Meter::remove(Account &account) noexcept {
  const std::lock_guard lock(mutex);
  Account **link = &accounts;
  while (*link != &account) link = &(*link)->next_;
  *link = account.next_;
}

void Meter::add(AdoptedStack &stack) noexcept {
  const std::lock_guard lock(mutex);
  stack.next_ = adopted_stacks;
  adopted_stacks = &stack;
}

void Meter::remove(AdoptedStack &stack) noexcept {
  const std::lock_guard lock(mutex);
  AdoptedStack **link = &adopted_stacks;
  while (*link != &stack) link = &(*link)->next_;
  *link = stack.next_;
}

bool Meter::decommit(char *low, std::size_t size_bytes) noexcept {
  const int error = errno;
  if (is_measuring()) measure_before_decommit();
  const bool is_mapped = madvise(low, size_bytes, MADV_DONTNEED) == 0;
  errno = error;
  totals.decommits.fetch_add(1, std::memory_order_relaxed);
  return is_mapped;
}

void Meter::note_suspended(Segment &segment) noexcept {
  segment.suspended_resident_.store(touched(segment).resident_bytes, std::memory_order_relaxed);
}

void Meter::count_segment(Segment &segment, Account &total) noexcept {
  const Segment::State state = segment.state_.load(std::memory_order_relaxed);
  std::size_t resident = segment.suspended_resident_.load(std::memory_order_relaxed);
  if (state == Segment::State::kRunning || resident == Segment::kUnknown) {
    const Touched found = touched(segment);
    resident = found.resident_bytes;
    if (state == Segment::State::kRunning) {
      const std::ptrdiff_t depth = segment.depth_above_.load(std::memory_order_relaxed) +
                                   static_cast<std::ptrdiff_t>(found.depth_bytes);
      if (depth > 0) raise(deepest, static_cast<std::size_t>(depth));
    }
  }
  const std::size_t suspended_live = segment.suspended_live_.load(std::memory_order_relaxed);
  std::size_t live = 0;
  if (state == Segment::State::kRunning) live = resident;
  if (state == Segment::State::kSuspended)
    live = suspended_live == Segment::kUnknown ? resident : suspended_live;
  const StackBytes bytes{live, resident, segment.size_bytes()};
  for (Account *account : {&total, segment.account_.load(std::memory_order_relaxed)}) {
    if (account == nullptr) continue;
    account->counting_.live += bytes.live;
    account->counting_.resident += bytes.resident;
    account->counting_.reserved += bytes.reserved;
  }
}

void Meter::count_resident(const Segment &segment, Resident &sum) noexcept {
  const Segment::State state = segment.state_.load(std::memory_order_relaxed);
  const bool in_use = state == Segment::State::kRunning || state == Segment::State::kSuspended;
  (in_use ? sum.in_use_bytes : sum.idle_bytes) += touched(segment).resident_bytes;
}

void Meter::count_adopted(AdoptedStack &stack, Account &total) noexcept {
  const Touched found = touched(stack.low_, static_cast<std::size_t>(stack.top_ - stack.low_));
  raise(deepest, found.depth_bytes);
  const std::size_t suspended_live = stack.suspended_live_.load(std::memory_order_relaxed);
  for (Account *account : {&total, stack.account_.load(std::memory_order_relaxed)}) {
    if (account == nullptr) continue;
    account->counting_.live += suspended_live != 0 ? suspended_live : found.resident_bytes;
    account->counting_.resident += found.resident_bytes;
  }
}

void Meter::measure_locked() noexcept {
  Account &total = total_account();
  for (Account *account = accounts; account != nullptr; account = account->next_) account->begin();
  Registry::visit_mapped([&total](Segment &segment) { count_segment(segment, total); });
  for (AdoptedStack *stack = adopted_stacks; stack != nullptr; stack = stack->next_)
    count_adopted(*stack, total);
  for (Account *account = accounts; account != nullptr; account = account->next_)
    account->publish();
  measured.fetch_add(1, std::memory_order_relaxed);
}

void Meter::measure() noexcept {
  const int error = errno;
  total_account();  // makes it before the mutex is taken
  const std::lock_guard lock(mutex);
  measure_locked();
  errno = error;
}

void Meter::measure_before_decommit() noexcept {
  if (mode.load(std::memory_order_relaxed) == Measuring::kExact) return measure();
  const std::uint64_t begin = now_ns();
  if (begin < next_sample_ns.load(std::memory_order_relaxed)) return;
  total_account();
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  measure_locked();
  const std::uint64_t end = now_ns();
  next_sample_ns.store(end + kTimePerMeasurement * (end - begin), std::memory_order_relaxed);
}

void lock_for_fork() noexcept {
  total_account();  // so that no other thread is in the middle of making it
  mutex.lock();
  Registry::lock();
}

void unlock_after_fork() noexcept {
  Registry::unlock();
  mutex.unlock();
}

std::ptrdiff_t Meter::depth_of(const void *address) noexcept {
  const auto *at = static_cast<const char *>(address);
  const std::lock_guard lock(mutex);
  std::ptrdiff_t depth = 0;
  Registry::visit_mapped([at, &depth](Segment &segment) {
    if (segment.contains(at))
      depth = segment.depth_above_.load(std::memory_order_relaxed) +
              (static_cast<const char *>(segment.top()) - at);
  });
  for (AdoptedStack *stack = adopted_stacks; stack != nullptr; stack = stack->next_)
    if (at >= stack->low_ && at < stack->top_) depth = stack->top_ - at;
  return depth;
}

StackLists Meter::lists() noexcept {
  return {.segments = Registry::first_address(),
          .segment_next = offsetof(Segment, next_registered_),
          .segment_low = offsetof(Segment, low_),
          .segment_size = offsetof(Segment, size_bytes_),
          .adopted = &adopted_stacks,
          .adopted_next = offsetof(AdoptedStack, next_),
          .adopted_low = offsetof(AdoptedStack, low_),
          .adopted_top = offsetof(AdoptedStack, top_)};
}

// ---- queries ----

void set_measuring(Measuring how) noexcept { mode.store(how, std::memory_order_relaxed); }
bool is_measuring() noexcept { return mode.load(std::memory_order_relaxed) != Measuring::kOff; }
void measure() noexcept { Meter::measure(); }
StackUsage usage() noexcept { return total_account().usage(); }
std::size_t deepest_path() noexcept { return deepest.load(std::memory_order_relaxed); }
StackLists stack_lists() noexcept { return Meter::lists(); }
std::uint64_t measurements() noexcept { return measured.load(std::memory_order_relaxed); }

Resident resident() noexcept {
  Resident sum{0, 0};
  Registry::visit_mapped([&sum](Segment &segment) { Meter::count_resident(segment, sum); });
  return sum;
}

}  // namespace cactus
