// Records the strands of a serial run as a trace for nopal-sim: programs.cpp with -DRECORDED, which
// any C++ compiler takes. A clock is read at each end of a strand, and its cost taken off.
//
// A spawn is `Spawned() << call`: C++17 evaluates the left side first, so its constructor ends the
// strand before the child, and the operator ends the child. Spawned functions return a value.
#ifndef BENCHMARKS_POLICIES_REALITY_RECORDER_H
#define BENCHMARKS_POLICIES_REALITY_RECORDER_H

#include <chrono>
#include <cstdio>

namespace recorder {

using Clock = std::chrono::steady_clock;

inline Clock::time_point strand_begun;
inline long clock_ns = 0;  // of reading it

inline void end_strand(const char *kind, int line) {
  const auto now = Clock::now();
  const long ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now - strand_begun).count() - clock_ns;
  std::printf("%s,%ld,programs.cpp:%d\n", kind, ns > 0 ? ns : 0, line);
  strand_begun = Clock::now();
}

inline void begin() {
  long least = 1'000'000;
  for (int i = 0; i < 1000; ++i) {
    const auto begun = Clock::now();
    const long ns =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun).count();
    if (ns < least) least = ns;
  }
  clock_ns = least;
  std::puts("kind,ns,site");
  strand_begun = Clock::now();
}
inline void end() { end_strand("return", 0); }

struct Instance {
  Instance(const char *kind, int line_) : line(line_) { end_strand(kind, line); }
  template <class T>
  T operator<<(T value) const {
    end_strand("return", line);
    return value;
  }
  int line;
};

}  // namespace recorder

#define cilk_spawn recorder::Instance("spawn", __LINE__) <<
#define CALLED(expression) (recorder::Instance("call", __LINE__) << (expression))
#define cilk_sync recorder::end_strand("sync", __LINE__)

#endif
