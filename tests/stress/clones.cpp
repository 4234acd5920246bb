// See clones.h. Shape of each pair (runtime/README.md, "The life of a frame"):
//
//   fast:  enter; push; child; pop succeeds ? continue
//                                           : suspend, raise kept exceptions, continue after the
//                                             sync that frame.resume names
//   slow:  load; continue after the spawn;
//          each spawn: push with NOPAL_SITE_SLOW; child; pop succeeds ? continue : leave;
//          sync at the end
//
// If a child throws, the landing pad pops. If the frame was stolen, the exception goes into the
// frame; else it continues.
#include "clones.h"

#include "../../runtime/abi/nopal_abi.h"
#include "../../runtime/src/worker/thread.h"

#include <cilk/cilk_api.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <utility>

extern "C" void *invoke_raw(void (*function)(void *), void *argument);

namespace stress {
namespace {

/// Calls `body`. Returns the exception in flight that ended it, or null.
template <class Body>
void *exception_of(const Body &body) {
  return invoke_raw([](void *argument) { (*static_cast<const Body *>(argument))(); },
                    const_cast<Body *>(&body));
}

/// The end of a landing pad: continues the exception, which is not caught yet.
[[noreturn]] void go_on_throwing(void *exception) {
  _Unwind_RaiseException(static_cast<_Unwind_Exception *>(exception));
  std::terminate();
}

constexpr nopal_site site(nopal_slow_clone slow, const char *function, std::uint32_t line,
                          std::uint64_t &steals) {
  return {slow, function, __FILE__, line, 0, 0, 0, &steals, 0, 0, 0};
}

std::uintptr_t address(const nopal_site &site) { return reinterpret_cast<std::uintptr_t>(&site); }

void suspend(nopal_frame &frame, void *exception) {
  if (exception != nullptr)
    nopal_suspend_thrown(&frame, exception, NOPAL_ALL_REGIONS);
  else
    nopal_suspend(&frame);
  nopal_raise_pending(&frame, NOPAL_ALL_REGIONS);
}

// ---- fib ----

struct FibFrame {
  nopal_frame header;
  long n, x, y;
};

nopal_frame *fib_slow(nopal_frame *frame) {
  auto *f = reinterpret_cast<FibFrame *>(frame);
  f->y = fib(f->n - 2);
  return nopal_sync(frame, 0);
}

std::uint64_t fib_steals = 0;
constinit const nopal_site fib_site = site(fib_slow, "fib", __LINE__, fib_steals);

// ---- spawn_loop ----

struct LoopFrame {
  nopal_frame header;
  long i, end;
  const std::function<void(long)> *body;
};

nopal_frame *loop_slow(nopal_frame *frame);
std::uint64_t loop_steals = 0;
constinit const nopal_site loop_site = site(loop_slow, "spawn_loop", __LINE__, loop_steals);

nopal_frame *loop_slow(nopal_frame *frame) {
  auto *f = reinterpret_cast<LoopFrame *>(frame);
  const std::int64_t order = frame->steals;
  for (long i = f->i + 1; i < f->end; ++i) {
    f->i = i;
    nopal_fast_site(frame, address(loop_site) | NOPAL_SITE_SLOW);
    const std::uintptr_t pushed = nopal_fast_push(frame);
    const auto &body = *f->body;
    void *exception = exception_of([&body, i] { body(i); });
    if (!nopal_fast_pop(frame, pushed))
      return exception != nullptr ? nopal_leave_thrown(frame, exception, order, NOPAL_ALL_REGIONS)
                                  : nopal_leave(frame);
    if (exception != nullptr) return nopal_throw(frame, exception, 0, NOPAL_ALL_REGIONS);
  }
  return nopal_sync(frame, 0);
}

// ---- spawn_rounds ----

struct RoundsFrame {
  nopal_frame header;
  long round, i, rounds, width;
  const std::function<void(long, long)> *body;
  const std::function<void(long)> *between;
};

nopal_frame *rounds_slow(nopal_frame *frame);
std::uint64_t rounds_steals = 0;
constinit const nopal_site rounds_site = site(rounds_slow, "spawn_rounds", __LINE__, rounds_steals);

nopal_frame *rounds_slow(nopal_frame *frame) {
  auto *f = reinterpret_cast<RoundsFrame *>(frame);
  const long round = f->round, width = f->width;
  for (long i = f->i + 1; i < width; ++i) {
    f->i = i;
    nopal_fast_site(frame, address(rounds_site) | NOPAL_SITE_SLOW);
    const std::uintptr_t pushed = nopal_fast_push(frame);
    (*f->body)(round, i);
    if (!nopal_fast_pop(frame, pushed)) return nopal_leave(frame);
  }
  return nopal_sync(frame, 0);
}

// ---- spawn_and_continue ----

struct ContinueFrame {
  nopal_frame header;
  const std::function<void()> *continuation;
};

/// Nobody's if the victim policy has no owners, or it was stolen from a worker that owns nothing;
/// else a worker's.
bool is_right_owner(std::uint32_t bits) {
  const nopal::policy::WorkerId owner = nopal::policy::Mark::from_bits(bits).owner();
  const nopal::Victims &victims = nopal::this_worker().victims;
  const auto workers = static_cast<unsigned>(__cilkrts_get_total_workers());
  const bool all_own = victims.has_owners() && workers <= victims.environment().most_workers();
  return owner == nopal::policy::kNobody ? !all_own : owner < workers;
}

nopal_frame *continue_slow(nopal_frame *frame) {
  // Check what the steal has written. This clone never pushes, so each of its frames is stolen
  // once.
  if (frame->steals != 1 || frame->views != nullptr || !is_right_owner(frame->owner)) {
    std::fputs("a steal left a frame without its owner or with views\n", stderr);
    std::abort();
  }
  const auto &continuation = *reinterpret_cast<ContinueFrame *>(frame)->continuation;
  if (void *exception = exception_of([&continuation] { continuation(); }))
    return nopal_throw(frame, exception, 0, NOPAL_ALL_REGIONS);
  return nopal_sync(frame, 0);
}

std::uint64_t continue_steals = 0;
constinit const nopal_site continue_site =
    site(continue_slow, "spawn_and_continue", __LINE__, continue_steals);

// ---- spine ----

struct SpineFrame {
  nopal_frame header;
  long below, visits;
};

nopal_frame *spine_slow(nopal_frame *frame) {
  ++reinterpret_cast<SpineFrame *>(frame)->visits;
  return nopal_sync(frame, 0);
}

std::uint64_t spine_steals = 0;
constinit const nopal_site spine_site = site(spine_slow, "spine", __LINE__, spine_steals);

}  // namespace

long fib(long n) {
  if (n < 2) return n;
  FibFrame f;
  nopal_fast_enter(&f.header);
  f.n = n;
  nopal_fast_site(&f.header, address(fib_site));
  const std::uintptr_t pushed = nopal_fast_push(&f.header);
  f.x = fib(n - 1);
  if (nopal_fast_pop(&f.header, pushed))
    f.y = fib(n - 2);
  else
    suspend(f.header, nullptr);
  return f.x + f.y;
}

long serial_fib(long n) {
  long a = 0, b = 1;
  for (; n > 0; --n) a = std::exchange(b, a + b);
  return a;
}

void spawn_loop(long begin, long end, const std::function<void(long)> &body) {
  LoopFrame f;
  nopal_fast_enter(&f.header);
  f.end = end;
  f.body = &body;
  for (long i = begin; i < end; ++i) {
    f.i = i;
    nopal_fast_site(&f.header, address(loop_site));
    const std::uintptr_t pushed = nopal_fast_push(&f.header);
    void *exception = exception_of([&body, i] { body(i); });
    if (!nopal_fast_pop(&f.header, pushed)) {
      suspend(f.header, exception);
      return;
    }
    if (exception != nullptr) go_on_throwing(exception);
  }
}

void spawn_rounds(long rounds, long width, const std::function<void(long, long)> &body,
                  const std::function<void(long)> &between) {
  RoundsFrame f;
  nopal_fast_enter(&f.header);
  f.rounds = rounds;
  f.width = width;
  f.body = &body;
  f.between = &between;
  for (long round = 0; round < rounds; ++round) {
    for (long i = 0; i < width; ++i) {
      f.round = round;
      f.i = i;
      nopal_fast_site(&f.header, address(rounds_site));
      const std::uintptr_t pushed = nopal_fast_push(&f.header);
      body(round, i);
      if (!nopal_fast_pop(&f.header, pushed)) {
        suspend(f.header, nullptr);
        break;  // after the sync: a fast clone again
      }
    }
    between(round);
  }
}

void spawn_and_continue(const std::function<void()> &child,
                        const std::function<void()> &continuation) {
  ContinueFrame f;
  nopal_fast_enter(&f.header);
  f.continuation = &continuation;
  nopal_fast_site(&f.header, address(continue_site));
  const std::uintptr_t pushed = nopal_fast_push(&f.header);
  void *exception = exception_of([&child] { child(); });
  if (!nopal_fast_pop(&f.header, pushed)) {
    suspend(f.header, exception);
    return;
  }
  if (exception != nullptr) go_on_throwing(exception);
  continuation();
}

long spine(long depth) {
  if (depth == 0) return 0;
  SpineFrame f;
  nopal_fast_enter(&f.header);
  f.visits = 0;
  nopal_fast_site(&f.header, address(spine_site));
  const std::uintptr_t pushed = nopal_fast_push(&f.header);
  f.below = spine(depth - 1);
  if (nopal_fast_pop(&f.header, pushed))
    ++f.visits;
  else
    suspend(f.header, nullptr);
  return f.below + f.visits;
}

namespace {
// The splitter emits one such constructor for each module; there the linker computes the entries.
[[gnu::constructor]] void register_sites() {
  constexpr const nopal_site *kSites[] = {&fib_site, &loop_site, &rounds_site, &continue_site,
                                          &spine_site};
  static nopal_site_entry entries[std::size(kSites)];
  for (std::size_t i = 0; i < std::size(kSites); ++i)
    entries[i] = static_cast<nopal_site_entry>(reinterpret_cast<const char *>(kSites[i]) -
                                               reinterpret_cast<const char *>(&entries[i]));
  nopal_register_sites(entries, std::end(entries));
}
}  // namespace

}  // namespace stress
