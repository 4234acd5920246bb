// The SIGSEGV handler and its alternate stacks. Specified in overflow.h.
//
// Everything that the handler calls is async-signal-safe: find_segment, worker_index, write,
// sigaction, pthread_sigmask, raise. It reads its thread's own_stack, which the thread has touched
// or the loader laid out. It formats its own numbers, since printf is not async-signal-safe.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "overflow.h"

#include "../platform/fatal.h"

#include <cactus/segment.h>

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace nopal {

namespace {

constexpr std::size_t kAlternateStackBytes = std::size_t{64}
                                             << 10;  // room for the earlier handler, too

struct sigaction previous_action;  // written before our handler is installed
int (*index_of_worker)() noexcept = nullptr;
constinit std::atomic<bool> previous_is_spent{false};  // it was SA_RESETHAND, and was called

/// How far below a stack's end, or a guard zone, the stack pointer or the address of one
/// overflowing frame may lie: the gap that Linux keeps below a main stack.
constexpr std::uintptr_t kReach = std::uintptr_t{1} << 20;

/// The calling thread's own stack, if it is one on which children run.
struct OwnStack {
  std::uintptr_t low = 0;  // no page below it belongs to the stack
  std::uintptr_t guard_bytes =
      0;  // the lowest pages that may be inaccessible although they count as the stack's
  std::size_t size_bytes = 0;
  bool is_main = false;
};
constinit thread_local OwnStack own_stack;

/// One line of text in the handler's own frame.
class Line {
 public:
  Line &text(const char *text) noexcept {
    while (*text != '\0' && length_ < sizeof text_) text_[length_++] = *text++;
    return *this;
  }
  Line &number(std::uint64_t value) noexcept {
    char digits[21];
    char *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
      *--first = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    return text(first);
  }
  void print() const noexcept {
    const ssize_t written = write(STDERR_FILENO, text_, length_);
    (void)written;  // nobody is left to be told
  }

 private:
  char text_[400];
  std::size_t length_ = 0;
};

void *stack_pointer(const void *context) noexcept {
  const auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<void *>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void *>(machine.sp);
#else
#error "where does the machine context hold the stack pointer?"
#endif
}

/// The segment that is full, or null if this is another fault: its address lies in a guard zone,
/// and the thread stands on that segment.
const cactus::Segment *full_segment(const siginfo_t *info, const void *context) noexcept {
  if (info->si_code <= 0) return nullptr;  // sent by a process, not by a fault
  const cactus::Found found = cactus::find_segment(info->si_addr);
  if (!found.in_guard) return nullptr;
  const void *at = stack_pointer(context);
  const auto lowest = reinterpret_cast<std::uintptr_t>(found.segment->guard()) -
                      kReach;  // a frame larger than the guard zone
  return reinterpret_cast<std::uintptr_t>(at) >= lowest && at <= found.segment->top()
             ? found.segment
             : nullptr;
}

/// Whether the thread's own stack is full: address and stack pointer both lie at its end.
bool is_own_stack_full(const siginfo_t *info, const void *context) noexcept {
  if (info->si_code <= 0 || own_stack.size_bytes == 0) return false;
  const std::uintptr_t begin = own_stack.low > kReach ? own_stack.low - kReach : 0;
  const std::uintptr_t end = own_stack.low + own_stack.guard_bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto at = reinterpret_cast<std::uintptr_t>(stack_pointer(context));
  const std::uintptr_t page = cactus::page_bytes();
  // The touched address is in the frame that begins at the stack pointer, or right below it (a
  // call, or the red zone).
  return address >= begin && address < end && at >= begin && at < end + kReach &&
         address + page >= at;
}

/// Whether the program's earlier handler would have been called on a full stack.
bool program_handles_overflows() noexcept {
  const bool is_function =
      (previous_action.sa_flags & SA_SIGINFO) != 0 ||
      (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN);
  return is_function && (previous_action.sa_flags & SA_ONSTACK) != 0 &&
         !previous_is_spent.load(std::memory_order_relaxed);
}

Line &say_who(Line &line) noexcept {
  line.text("nopal: fatal: stack overflow on ");
  const int worker = index_of_worker != nullptr ? index_of_worker() : -1;
  if (worker >= 0) return line.text("worker ").number(static_cast<std::uint64_t>(worker));
  return line.text("a thread that is no worker");
}

void report_own_stack() noexcept {
  Line line;
  say_who(line)
      .text(": its thread's own stack of ")
      .number(own_stack.size_bytes)
      .text(" bytes is full; ");
  if (own_stack.is_main)
    line.text("raise the limit, for instance by ulimit -s ").number(2 * own_stack.size_bytes >> 10);
  else
    line.text("create the thread with a larger one (pthread_attr_setstacksize)");
  line.text("\n").print();
}

void report(const cactus::Segment *segment) noexcept {
  Line line;
  say_who(line)
      .text(": its stack segment of ")
      .number(segment->size_bytes())
      .text(" bytes is full; raise CILK_SEGMENT_SIZE, for instance to ");
  line.number(std::min(2 * segment->size_bytes(), cactus::kMaxSegmentBytes) >> 10)
      .text("K\n")
      .print();
}

/// Hands a fault that is not ours to the earlier action. If that is no function, it becomes the
/// process's action again.
void pass_on(int signal, siginfo_t *info, void *context) noexcept {
  const bool is_default =
      (previous_action.sa_flags & SA_SIGINFO) == 0 && previous_action.sa_handler == SIG_DFL;
  const bool is_ignored =
      (previous_action.sa_flags & SA_SIGINFO) == 0 && previous_action.sa_handler == SIG_IGN;
  if (is_default || is_ignored) {
    const bool was_sent = info->si_code <= 0;
    if (is_ignored && was_sent) return;
    sigaction(signal, &previous_action, nullptr);
    if (was_sent)
      raise(signal);  // delivered when the handler returns; a fault happens again by itself
    return;
  }
  if ((previous_action.sa_flags & SA_RESETHAND) != 0 &&
      previous_is_spent.exchange(true, std::memory_order_relaxed)) {
    struct sigaction fall = {};
    fall.sa_handler = SIG_DFL;
    sigaction(signal, &fall, nullptr);
    if (info->si_code <= 0) raise(signal);
    return;
  }
  pthread_sigmask(SIG_BLOCK, &previous_action.sa_mask,
                  nullptr);  // undone by the return from the handler
  if ((previous_action.sa_flags & SA_NODEFER) != 0) {
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, signal);
    pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0)
    previous_action.sa_sigaction(signal, info, context);
  else
    previous_action.sa_handler(signal);
}

void handle_fault(int signal, siginfo_t *info, void *context) noexcept {
  const int error = errno;
  const cactus::Segment *segment = full_segment(info, context);
  const bool is_own =
      segment == nullptr && is_own_stack_full(info, context) && !program_handles_overflows();
  if (segment != nullptr || is_own) {
    if (is_own)
      report_own_stack();
    else
      report(segment);
    struct sigaction fall = {};
    fall.sa_handler = SIG_DFL;
    sigaction(signal, &fall, nullptr);  // the same instruction faults again and ends the process
  } else {
    pass_on(signal, info, context);
  }
  errno = error;
}

bool install_handler() noexcept {
  struct sigaction action = {};
  action.sa_sigaction = handle_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, nullptr, &previous_action) == 0 &&
         sigaction(SIGSEGV, &action, nullptr) == 0;
}

/// The calling thread's alternate stack, unless the program gave the thread one. No destructor: the
/// C library needs memory to register one, and ends the process without it.
class AlternateStack {
 public:
  void remove() noexcept {
    if (memory_ == nullptr) return;
    stack_t now = {};
    if (sigaltstack(nullptr, &now) == 0 &&
        now.ss_sp == memory_) {  // else the program has set up another one meanwhile
      stack_t none = {};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
    }
    munmap(memory_, size_bytes_);
    memory_ = nullptr;
  }

  bool ensure() noexcept {
    stack_t now = {};
    if (sigaltstack(nullptr, &now) != 0) return false;
    if ((now.ss_flags & SS_DISABLE) == 0) return true;
    const long smallest = sysconf(_SC_MINSIGSTKSZ);
    size_bytes_ =
        kAlternateStackBytes + (smallest > 0 ? static_cast<std::size_t>(smallest) /
                                                   cactus::page_bytes() * cactus::page_bytes()
                                             : 0);
    void *memory = mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return false;
    stack_t ours = {};
    ours.ss_sp = memory;
    ours.ss_size = size_bytes_;
    if (sigaltstack(&ours, nullptr) != 0) {
      const int error = errno;
      munmap(memory, size_bytes_);
      errno = error;
      return false;
    }
    memory_ = memory;
    return true;
  }

 private:
  void *memory_ = nullptr;
  std::size_t size_bytes_ = 0;
};

constinit thread_local AlternateStack alternate_stack;

}  // namespace

void install_overflow_handler(int (*worker_index)() noexcept) noexcept {
  static std::once_flag once;
  static bool is_installed = false;
  std::call_once(once, [worker_index] {
    index_of_worker = worker_index;
    is_installed = install_handler();
    if (!is_installed)
      warn("cannot handle SIGSEGV: %s; a stack overflow will give no message",
           std::strerror(errno));
  });
  if (is_installed && !alternate_stack.ensure()) {
    warn("cannot set up an alternate signal stack: %s; a stack overflow will give no message",
         std::strerror(errno));
  }
}

void forget_thread() noexcept {
  own_stack = {};
  alternate_stack.remove();
}

cactus::OwnStack watch_own_stack() noexcept {
  const cactus::OwnStack own = cactus::own_stack();
  const bool is_main = getpid() == gettid();
  // A main stack ends where its limit says, or a gap above the mapping that lies below it.
  own_stack = {reinterpret_cast<std::uintptr_t>(own.low),
               is_main ? kReach + cactus::page_bytes() : own.guard_bytes, own.size_bytes, is_main};
  return own;
}

}  // namespace nopal
