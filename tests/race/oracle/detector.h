// Stands in for runtime/race/detector.h, so that what instrumented code calls (libc.cpp,
// atomics.cpp) can be compiled for the oracle: README.md.
//
// The names are the detector's; what they do is in oracle.cpp.
#ifndef NOPAL_RACE_DETECTOR_H
#define NOPAL_RACE_DETECTOR_H

#include <cstddef>
#include <cstdint>

namespace nopal::race {

using Address = std::uintptr_t;

enum class AccessKind : std::uint8_t { kRead, kWrite, kReadWrite, kFree };

struct ThreadState {
  std::uint64_t now = 0;  // 0: accesses are not recorded
};
extern thread_local constinit ThreadState own_state;

struct Here {
  const void *code;
  const void *frame;
};

#define NOPAL_RACE_HERE                             \
  (::nopal::race::Here{__builtin_return_address(0), \
                       *static_cast<void *const *>(__builtin_frame_address(0))})

class Detector {
 public:
  static Detector &get();
  static bool is_checked_thread() { return is_checked_; }
  static bool begin_hook();
  void atomic(Address address, std::size_t size, AccessKind kind, Here here);
  void lock(Address lock, bool is_shared = false);
  void unlock(Address lock);
  void ignore(bool begins);
  void begin_initialisation(Address guard) { lock(guard); }
  void end_initialisation(Address guard) { unlock(guard); }
  void pass(Address guard);

 private:
  static thread_local constinit bool is_checked_;
};

void check_range(Address address, std::size_t size, AccessKind kind, Here here);
/// Earlier accesses of that memory are of another variable.
void forget(Address begin, Address end);
/// What was a lock in that memory is none any more.
void forget_locks(Address begin, std::size_t size);
/// All below that address of the stack.
void forget_frames(Address end);

}  // namespace nopal::race

#endif
