// Functions of the C library that instrumented code calls: the memory that each touches is checked,
// then the function itself does its work. The list: runtime/abi/nopal_race.def. More functions on
// text are in libc_text.cpp.
//
// A string is checked as far as the function must read it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc.h"

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cxxabi.h>
#include <pthread.h>
#include <strings.h>
#include <threads.h>
#include <unistd.h>

using namespace nopal::race;

namespace {

int compare_cases(const char *a, const char *b, std::size_t most, Here here) {
  std::size_t size = 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  while (size < most && lower(a[size]) == lower(b[size]) && a[size] != '\0') ++size;
  size = size < most ? size + 1 : most;
  read_by(a, size, here);
  read_by(b, size, here);
  return strncasecmp(a, b, most);
}

char *first_of(const char *text, int byte, Here here) {
  const char *const found = std::strchr(text, byte);
  read_by(text, (found ? static_cast<std::size_t>(found - text) : std::strlen(text)) + 1, here);
  return const_cast<char *>(found);
}

constexpr std::size_t kAnySize = ~std::size_t{0};

int print(char *to, std::size_t size, const char *format, va_list values, Here here) {
  read_string(format, here);
  const int got = size == kAnySize ? std::vsprintf(to, format, values)
                                   : std::vsnprintf(to, size, format, values);
  if (got >= 0 && size != 0) write_by(to, std::min(size, static_cast<std::size_t>(got) + 1), here);
  return got;
}

Address address_of(const volatile void *lock) { return reinterpret_cast<Address>(lock); }

/// After a function that returns 0 if it took the lock.
int taken(int error, const volatile void *lock, bool is_shared = false) {
  if (error == 0 && Detector::is_checked_thread())
    Detector::get().lock(address_of(lock), is_shared);
  return error;
}

/// While a routine of pthread_once runs.
class Initialisation {
 public:
  explicit Initialisation(const void *control) : control_(address_of(control)) {
    if (Detector::is_checked_thread()) Detector::get().begin_initialisation(control_);
  }
  ~Initialisation() {
    if (Detector::is_checked_thread()) Detector::get().end_initialisation(control_);
  }
  Initialisation(const Initialisation &) = delete;
  Initialisation &operator=(const Initialisation &) = delete;

 private:
  const Address control_;
};

struct Once {
  const void *control;
  void (*routine)();
};
thread_local Once once_to_run;
/// An exception may pass.
void run_once() {
  const Once own = once_to_run;
  const Initialisation here(own.control);
  own.routine();
}

/// Whoever comes here finds it initialised.
void passed(const void *guard) {
  if (Detector::is_checked_thread()) Detector::get().pass(address_of(guard));
}

void released(const volatile void *lock) {
  if (Detector::is_checked_thread()) Detector::get().unlock(address_of(lock));
}

/// Before another lock is made in its memory, and after it was one.
void ended(const volatile void *lock) {
  if (Detector::is_checked_thread()) forget_locks(address_of(lock), 1);
}

}  // namespace

extern "C" {

int __nopal_race_memcmp(const void *a, const void *b, std::size_t size) {
  HERE;
  read_by(a, size, here);
  read_by(b, size, here);
  return std::memcmp(a, b, size);
}

int __nopal_race_bcmp(const void *a, const void *b, std::size_t size) {
  HERE;
  read_by(a, size, here);
  read_by(b, size, here);
  return std::memcmp(a, b, size);
}

void *__nopal_race_memchr(const void *memory, int byte, std::size_t size) {
  HERE;
  const void *const found = std::memchr(memory, byte, size);
  read_by(memory,
          found ? static_cast<std::size_t>(static_cast<const char *>(found) -
                                           static_cast<const char *>(memory)) +
                      1
                : size,
          here);
  return const_cast<void *>(found);
}

std::size_t __nopal_race_strlen(const char *text) {
  read_string(text, NOPAL_RACE_HERE);
  return std::strlen(text);
}

std::size_t __nopal_race_strnlen(const char *text, std::size_t most) {
  const std::size_t size = strnlen(text, most);
  read_by(text, size < most ? size + 1 : most, NOPAL_RACE_HERE);
  return size;
}

char *__nopal_race_strcpy(char *to, const char *from) {
  HERE;
  read_string(from, here);
  write_by(to, std::strlen(from) + 1, here);
  return std::strcpy(to, from);
}

char *__nopal_race_stpcpy(char *to, const char *from) {
  HERE;
  read_string(from, here);
  write_by(to, std::strlen(from) + 1, here);
  return stpcpy(to, from);
}

char *__nopal_race_strncpy(char *to, const char *from, std::size_t size) {
  HERE;
  const std::size_t length = strnlen(from, size);
  read_by(from, length < size ? length + 1 : size, here);
  write_by(to, size, here);
  return std::strncpy(to, from, size);
}

char *__nopal_race_strcat(char *to, const char *from) {
  HERE;
  read_string(to, here);
  read_string(from, here);
  write_by(to + std::strlen(to), std::strlen(from) + 1, here);
  return std::strcat(to, from);
}

int __nopal_race_strcmp(const char *a, const char *b) {
  HERE;
  const std::size_t size = compared(a, b, ~std::size_t{0});
  read_by(a, size, here);
  read_by(b, size, here);
  return std::strcmp(a, b);
}

int __nopal_race_strncmp(const char *a, const char *b, std::size_t most) {
  HERE;
  const std::size_t size = compared(a, b, most);
  read_by(a, size, here);
  read_by(b, size, here);
  return std::strncmp(a, b, most);
}

char *__nopal_race_strchr(const char *text, int byte) {
  return first_of(text, byte, NOPAL_RACE_HERE);
}

char *__nopal_race_index(const char *text, int byte) {
  return first_of(text, byte, NOPAL_RACE_HERE);
}

char *__nopal_race_rindex(const char *text, int byte) {
  read_string(text, NOPAL_RACE_HERE);
  return const_cast<char *>(std::strrchr(text, byte));
}

char *__nopal_race_strrchr(const char *text, int byte) {
  read_string(text, NOPAL_RACE_HERE);
  return const_cast<char *>(std::strrchr(text, byte));
}

char *__nopal_race_strdup(const char *text) {
  read_string(text, NOPAL_RACE_HERE);
  return strdup(text);
}

void *__nopal_race_memcpy(void *to, const void *from, std::size_t size) {
  HERE;
  read_by(from, size, here);
  write_by(to, size, here);
  return std::memcpy(to, from, size);
}

void *__nopal_race_memmove(void *to, const void *from, std::size_t size) {
  HERE;
  read_by(from, size, here);
  write_by(to, size, here);
  return std::memmove(to, from, size);
}

void *__nopal_race_memset(void *to, int byte, std::size_t size) {
  write_by(to, size, NOPAL_RACE_HERE);
  return std::memset(to, byte, size);
}

void __nopal_race_bzero(void *to, std::size_t size) {
  write_by(to, size, NOPAL_RACE_HERE);
  std::memset(to, 0, size);
}

void __nopal_race_explicit_bzero(void *to, std::size_t size) {
  write_by(to, size, NOPAL_RACE_HERE);
  explicit_bzero(to, size);
}

void __nopal_race_bcopy(const void *from, void *to, std::size_t size) {
  HERE;
  read_by(from, size, here);
  write_by(to, size, here);
  std::memmove(to, from, size);
}

void *__nopal_race_memccpy(void *to, const void *from, int byte, std::size_t most) {
  HERE;
  void *const after = memccpy(to, from, byte, most);
  const std::size_t size = after ? static_cast<std::size_t>(static_cast<const char *>(after) -
                                                            static_cast<const char *>(to))
                                 : most;
  read_by(from, size, here);
  write_by(to, size, here);
  return after;
}

void *__nopal_race_rawmemchr(const void *memory, int byte) {
  HERE;
  void *const found = rawmemchr(const_cast<void *>(memory), byte);
  read_by(memory,
          static_cast<std::size_t>(static_cast<const char *>(found) -
                                   static_cast<const char *>(memory)) +
              1,
          here);
  return found;
}

void *__nopal_race_mempcpy(void *to, const void *from, std::size_t size) {
  HERE;
  read_by(from, size, here);
  write_by(to, size, here);
  return mempcpy(to, from, size);
}

void *__nopal_race_memrchr(const void *memory, int byte, std::size_t size) {
  HERE;
  void *const found = const_cast<void *>(memrchr(memory, byte, size));
  const std::size_t passed = found ? static_cast<std::size_t>(static_cast<const char *>(found) -
                                                              static_cast<const char *>(memory))
                                   : 0;
  read_by(static_cast<const char *>(memory) + passed, size - passed, here);
  return found;
}

void *__nopal_race_memmem(const void *memory, std::size_t size, const void *part,
                          std::size_t part_size) {
  HERE;
  void *const found = memmem(memory, size, part, part_size);
  read_by(part, part_size, here);
  read_by(memory,
          found ? static_cast<std::size_t>(static_cast<const char *>(found) -
                                           static_cast<const char *>(memory)) +
                      part_size
                : size,
          here);
  return found;
}

char *__nopal_race_stpncpy(char *to, const char *from, std::size_t size) {
  HERE;
  const std::size_t length = strnlen(from, size);
  read_by(from, length < size ? length + 1 : size, here);
  write_by(to, size, here);
  return stpncpy(to, from, size);
}

char *__nopal_race_strncat(char *to, const char *from, std::size_t most) {
  HERE;
  const std::size_t length = strnlen(from, most);
  read_string(to, here);
  read_by(from, length < most ? length + 1 : most, here);
  write_by(to + std::strlen(to), length + 1, here);
  return std::strncat(to, from, most);
}

int __nopal_race_strcasecmp(const char *a, const char *b) {
  return compare_cases(a, b, ~std::size_t{0}, NOPAL_RACE_HERE);
}

int __nopal_race_strncasecmp(const char *a, const char *b, std::size_t most) {
  return compare_cases(a, b, most, NOPAL_RACE_HERE);
}

std::size_t __nopal_race_strspn(const char *text, const char *set) {
  HERE;
  const std::size_t size = std::strspn(text, set);
  read_by(text, size + 1, here);
  read_string(set, here);
  return size;
}

std::size_t __nopal_race_strcspn(const char *text, const char *set) {
  HERE;
  const std::size_t size = std::strcspn(text, set);
  read_by(text, size + 1, here);
  read_string(set, here);
  return size;
}

char *__nopal_race_strpbrk(const char *text, const char *set) {
  HERE;
  read_by(text, std::strcspn(text, set) + 1, here);
  read_string(set, here);
  return const_cast<char *>(std::strpbrk(text, set));
}

char *__nopal_race_strchrnul(const char *text, int byte) {
  HERE;
  const char *const found = strchrnul(text, byte);
  read_by(text, static_cast<std::size_t>(found - text) + 1, here);
  return const_cast<char *>(found);
}

char *__nopal_race_strndup(const char *text, std::size_t most) {
  const std::size_t length = strnlen(text, most);
  read_by(text, length < most ? length + 1 : most, NOPAL_RACE_HERE);
  return strndup(text, most);
}

// What the arguments of a format point to is not checked.
int __nopal_race_vsnprintf(char *to, std::size_t size, const char *format, va_list values) {
  return print(to, size, format, values, NOPAL_RACE_HERE);
}
int __nopal_race_vsprintf(char *to, const char *format, va_list values) {
  return print(to, kAnySize, format, values, NOPAL_RACE_HERE);
}
int __nopal_race_snprintf(char *to, std::size_t size, const char *format, ...) {
  HERE;
  va_list values;
  va_start(values, format);
  const int got = print(to, size, format, values, here);
  va_end(values);
  return got;
}
int __nopal_race_sprintf(char *to, const char *format, ...) {
  HERE;
  va_list values;
  va_start(values, format);
  const int got = print(to, kAnySize, format, values, here);
  va_end(values);
  return got;
}

void __nopal_race_qsort(void *first, std::size_t count, std::size_t size,
                        int (*compare)(const void *, const void *)) {
  write_by(first, count * size, NOPAL_RACE_HERE);
  qsort(first, count, size, compare);
}

ssize_t __nopal_race_read(int file, void *memory, std::size_t size) {
  HERE;
  const ssize_t got = read(file, memory, size);
  if (got > 0) write_by(memory, static_cast<std::size_t>(got), here);
  return got;
}

ssize_t __nopal_race_write(int file, const void *memory, std::size_t size) {
  read_by(memory, size, NOPAL_RACE_HERE);
  return write(file, memory, size);
}

std::size_t __nopal_race_fread(void *memory, std::size_t size, std::size_t count, FILE *file) {
  HERE;
  const std::size_t got = std::fread(memory, size, count, file);
  write_by(memory, got * size, here);
  return got;
}

std::size_t __nopal_race_fwrite(const void *memory, std::size_t size, std::size_t count,
                                FILE *file) {
  read_by(memory, size * count, NOPAL_RACE_HERE);
  return std::fwrite(memory, size, count, file);
}

char *__nopal_race_fgets(char *text, int size, FILE *file) {
  HERE;
  char *const got = std::fgets(text, size, file);
  if (!got) return got;
  const std::size_t length = std::strlen(text), room = static_cast<std::size_t>(size);
  const bool is_whole =
      length + 1 == room || std::feof(file) || (length > 0 && text[length - 1] == '\n');
  write_by(text, is_whole ? length + 1 : room, here);  // else a zero stands in the line
  return got;
}

int __nopal_race_fputs(const char *text, FILE *file) {
  read_string(text, NOPAL_RACE_HERE);
  return std::fputs(text, file);
}

int __nopal_race_puts(const char *text) {
  read_string(text, NOPAL_RACE_HERE);
  return std::puts(text);
}

#define ENDS(TYPE, NAME)                \
  int __nopal_race_##NAME(TYPE *lock) { \
    ended(lock);                        \
    return NAME(lock);                  \
  }
#define BEGINS(TYPE, NAME, OPTIONS)                      \
  int __nopal_race_##NAME(TYPE *lock, OPTIONS options) { \
    ended(lock);                                         \
    return NAME(lock, options);                          \
  }
BEGINS(pthread_mutex_t, pthread_mutex_init, const pthread_mutexattr_t *)
BEGINS(pthread_spinlock_t, pthread_spin_init, int)
BEGINS(pthread_rwlock_t, pthread_rwlock_init, const pthread_rwlockattr_t *)
BEGINS(mtx_t, mtx_init, int)
ENDS(pthread_mutex_t, pthread_mutex_destroy)
ENDS(pthread_spinlock_t, pthread_spin_destroy)
ENDS(pthread_rwlock_t, pthread_rwlock_destroy)
#undef BEGINS
#undef ENDS
void __nopal_race_mtx_destroy(mtx_t *lock) {
  ended(lock);
  mtx_destroy(lock);
}

int __nopal_race_pthread_mutex_lock(pthread_mutex_t *lock) {
  return taken(pthread_mutex_lock(lock), lock);
}
int __nopal_race_pthread_mutex_trylock(pthread_mutex_t *lock) {
  return taken(pthread_mutex_trylock(lock), lock);
}
int __nopal_race_pthread_mutex_timedlock(pthread_mutex_t *lock, const timespec *until) {
  return taken(pthread_mutex_timedlock(lock, until), lock);
}
int __nopal_race_pthread_mutex_clocklock(pthread_mutex_t *lock, clockid_t clock,
                                         const timespec *until) {
  return taken(pthread_mutex_clocklock(lock, clock, until), lock);
}
int __nopal_race_pthread_mutex_unlock(pthread_mutex_t *lock) {
  released(lock);
  return pthread_mutex_unlock(lock);
}
int __nopal_race_pthread_spin_lock(pthread_spinlock_t *lock) {
  return taken(pthread_spin_lock(lock), lock);
}
int __nopal_race_pthread_spin_trylock(pthread_spinlock_t *lock) {
  return taken(pthread_spin_trylock(lock), lock);
}
int __nopal_race_pthread_spin_unlock(pthread_spinlock_t *lock) {
  released(lock);
  return pthread_spin_unlock(lock);
}
int __nopal_race_pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return taken(pthread_rwlock_rdlock(lock), lock, true);
}
int __nopal_race_pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  return taken(pthread_rwlock_tryrdlock(lock), lock, true);
}
int __nopal_race_pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return taken(pthread_rwlock_wrlock(lock), lock);
}
int __nopal_race_pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return taken(pthread_rwlock_trywrlock(lock), lock);
}
int __nopal_race_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const timespec *until) {
  return taken(pthread_rwlock_timedrdlock(lock, until), lock, true);
}
int __nopal_race_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const timespec *until) {
  return taken(pthread_rwlock_clockrdlock(lock, clock, until), lock, true);
}
int __nopal_race_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const timespec *until) {
  return taken(pthread_rwlock_timedwrlock(lock, until), lock);
}
int __nopal_race_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                            const timespec *until) {
  return taken(pthread_rwlock_clockwrlock(lock, clock, until), lock);
}
int __nopal_race_pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  released(lock);
  return pthread_rwlock_unlock(lock);
}

static_assert(thrd_success == 0);
int __nopal_race_mtx_lock(mtx_t *lock) { return taken(mtx_lock(lock), lock); }
int __nopal_race_mtx_trylock(mtx_t *lock) { return taken(mtx_trylock(lock), lock); }
int __nopal_race_mtx_timedlock(mtx_t *lock, const timespec *until) {
  return taken(mtx_timedlock(lock, until), lock);
}
int __nopal_race_mtx_unlock(mtx_t *lock) {
  released(lock);
  return mtx_unlock(lock);
}

int __nopal_race___cxa_guard_acquire(__cxxabiv1::__guard *guard) {
  const int is_first = abi::__cxa_guard_acquire(guard);
  if (is_first == 0)
    passed(guard);
  else if (Detector::is_checked_thread())
    Detector::get().begin_initialisation(address_of(guard));
  return is_first;
}
void __nopal_race___cxa_guard_release(__cxxabiv1::__guard *guard) {
  if (Detector::is_checked_thread()) Detector::get().end_initialisation(address_of(guard));
  passed(guard);
  abi::__cxa_guard_release(guard);
}
void __nopal_race___cxa_guard_abort(__cxxabiv1::__guard *guard) {
  if (Detector::is_checked_thread()) Detector::get().end_initialisation(address_of(guard));
  abi::__cxa_guard_abort(guard);
}

int __nopal_race_pthread_once(pthread_once_t *control, void (*routine)()) {
  once_to_run = {control, routine};
  const int error = pthread_once(control, run_once);
  passed(control);
  return error;
}
void __nopal_race_call_once(once_flag *control, void (*routine)()) {
  once_to_run = {control, routine};
  call_once(control, run_once);
  passed(control);
}
}
