"""The cases of report_test.py: the code before them, and a body each with or without a race."""
import libc_cases

START = """#include <cilk/algorithm.h>
#include <cilk/cilk.h>
#include <cilk/cilksan.h>
#include <cilk/opadd_reducer.h>
#include <cilk/race.h>
#include <cilk/reducer.h>
#include <cilk/reducer_opadd.h>
#include <atomic>
#include <cinttypes>
#include <chrono>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <threads.h>
#include <vector>
static long shared, word; static char text[64];
static std::mutex lock; static std::atomic<long> counter;
[[gnu::noinline]] void add(long n) { shared += n; }
[[gnu::noinline]] void put(char *at, char c) { *at = c; }
static char other[64] = "x", *rest = other; static tm time_of_day; static wchar_t wide[64] = L"x";
static volatile int n = 2; static volatile char seen;
extern "C" long strtol_of_c23(const char *, char **, int) asm("__isoc23_strtol");
[[gnu::noinline]] void look_at(const char *at) { seen = *at; }
template <class T> [[gnu::noinline]] void use(T value) { [[maybe_unused]] volatile T kept = value; }
static int compare(const void *a, const void *b) { return *(char *)a - *(char *)b; }
static std::timed_mutex timed;
[[gnu::noinline]] void timed_locked() {
  if (timed.try_lock_for(std::chrono::seconds(9))) { shared += 1; timed.unlock(); }
}
static std::shared_timed_mutex timed_sides;
[[gnu::noinline]] void timed_write() {
  if (timed_sides.try_lock_for(std::chrono::seconds(9))) { shared += 1; timed_sides.unlock(); }
}
static mtx_t of_c;
[[gnu::noinline]] void c_locked() { mtx_lock(&of_c); shared += 1; mtx_unlock(&of_c); }
[[gnu::noinline]] void jump_to(jmp_buf *start, int n) {
  volatile int own[9] = {n};
  if (n) jump_to(start, n - 1);
  longjmp(*start, 1 + own[0]);
}
[[gnu::noinline]] void jump() { jmp_buf start; if (setjmp(start) == 0) jump_to(&start, 3); }
static int many_ints[64];
[[gnu::noinline]] int find(int x) {
#pragma clang loop vectorize_width(8) vectorize(enable)
  for (int i = 0; i < 64; ++i)
    if (many_ints[i] == x) return i;
  return -1;
}
using sum_of_all = cilk::reducer<long, std::plus<>>;
[[gnu::noinline]] void grow(sum_of_all &plus) { *plus += 1; }
[[gnu::noinline]] void set(long *at) { *at = 1; }
[[gnu::noinline]] void look(const long *at) { printf("%ld", *at); }
[[gnu::noinline]] void fill(void *at, int size) { memset(at, 1, size); }
[[gnu::noinline]] void locked() { std::lock_guard guard(lock); shared += 1; }
[[gnu::noinline]] void locked_alone() { std::mutex own; std::lock_guard guard(own); shared += 1; }
[[gnu::noinline]] void locked_on_the_heap() {
  auto own = std::make_unique<std::mutex>(); std::lock_guard guard(*own); shared += 1;
}
static pthread_mutex_t renewed;
[[gnu::noinline]] void locked_anew() {
  pthread_mutex_init(&renewed, nullptr); pthread_mutex_lock(&renewed);
  shared += 1;
  pthread_mutex_unlock(&renewed);
}
static std::mutex many[70000]; static long counts[70000];
[[gnu::noinline]] void locked_one(int i) { std::lock_guard guard(many[i]); ++counts[i]; }
[[gnu::noinline]] void counted() { counter.fetch_add(1); }
[[gnu::noinline]] long once() { static std::vector<long> table(5, 7); return table[2]; }
[[gnu::noinline]] long called_once() {
  static std::once_flag flag; static long made;
  std::call_once(flag, [] { made = 7; });
  return made;
}
[[gnu::noinline]] long from_word() { static long made = word + 1; return made; }
[[gnu::noinline]] void write_in_once() {
  static std::once_flag flag; std::call_once(flag, [] { word = 7; });
}
[[gnu::noinline]] long made_in_parallel() {
  static long made = [] { cilk_spawn add(1); add(2); cilk_sync; return shared; }();
  return made;
}
[[gnu::noinline]] long to_change() {
  static std::vector<long> table(5, 7); std::lock_guard guard(lock); return ++table[2];
}
[[gnu::noinline]] long on_stack(int i) { volatile long a[4] = {i, i}; return a[1]; }
[[gnu::noinline]] void fails() { throw 1; }
[[gnu::noinline]] void add_by_a_child() { cilk_spawn add(1); cilk_sync; }
static thread_local long own;
[[gnu::noinline]] void use_own() { own += 1; }
struct letters { long length; char text[50]; };
static void no_letters(void *view) { static_cast<letters *>(view)->length = 0; }
static void append(void *left, void *right) {
  auto *into = static_cast<letters *>(left), *from = static_cast<letters *>(right);
  cilk_spawn memcpy(into->text + into->length, from->text, from->length);
  into->length += from->length;
}
static letters cilk_reducer(no_letters, append) written;
[[gnu::noinline]] void write(char c) { written.text[written.length++] = c; }
struct inside { sum_of_all sum; std::unique_ptr<sum_of_all> kept; };
struct of_inside {
  static inside identity() { return {}; }
  static void reduce(inside &left, inside &right) {
    *left.sum += *right.sum;
    if (left.kept && right.kept) **left.kept += **right.kept;
    else if (right.kept) left.kept = std::move(right.kept);
  }
};
static cilk::reducer<inside, of_inside> outside;
[[gnu::noinline]] void add_inside(int i) {
  *outside->sum += i;
  if (!outside->kept) outside->kept = std::make_unique<sum_of_all>();
  **outside->kept += i;
}
static sum_of_all told;
struct teller { ~teller() { *told += 1; } };
struct of_teller {
  static teller identity() { return {}; }
  static void reduce(teller &, teller &) {}
};
using tellers = cilk::reducer<teller, of_teller>;
[[gnu::noinline]] void ask(tellers &one) { use(&*one); }
[[gnu::noinline]] void jumped_over(int n) {
  cilk::opadd_reducer<long> own = 5;
  switch (n) { case 4: own += 1; }
}
static cilk::opadd_reducer<long> summed = 0;
[[gnu::noinline]] void add_summed(int n) { summed += n; }
static std::vector<long> ones(50000, 1), others(50000);
struct failure { long value; explicit failure(long v) : value(v) {} ~failure() { value = 0; } };
template <class Algorithm> [[gnu::noinline]] void expect_failure(Algorithm run) {
  try { run(); } catch (const failure &one) { if (one.value == 7) return; }
  abort();
}
[[gnu::noinline]] long sum(long a, long b) { return a + b; }
[[gnu::noinline]] long sum_and_count(long a, long b) { ++shared; return a + b; }
[[gnu::noinline]] bool fails_often(long a, long b) {
  if (a < 40000 && a % 50 == 7) throw failure(7);
  return a < b;
}
static cilk::race::fake_mutex order;
[[gnu::noinline]] void ordered() { std::lock_guard hold(order); shared += 1; }
static std::shared_mutex sides;
[[gnu::noinline]] void read_locked() { std::shared_lock hold(sides); shared += 1; }
[[gnu::noinline]] void write_locked() { std::lock_guard hold(sides); shared += 1; }
static Cilksan_fake_mutex of_cilksan;
[[gnu::noinline]] void guarded() { Cilksan_fake_lock_guard hold(&of_cilksan); shared += 1; }
[[gnu::noinline]] void unchecked() {
  __cilksan_disable_checking();
  if (!__cilksan_is_checking_enabled()) shared += 1;
  __cilksan_enable_checking();
}
[[gnu::noinline]] void in_atomic() {
  __cilksan_begin_atomic();
  shared += 1;
  __cilksan_end_atomic();
}
[[gnu::noinline]] void ignored() { cilk::race::ignore here; shared += 1; }
"""
# The case's body -> whether there is a race.
CASES = {
    "cilk_spawn add(1); add(2); cilk_sync;": True,
    "cilk_spawn counted(); counted(); cilk_sync;": False,
    "cilk_spawn add(1); cilk_sync; add(2);": False,
    "cilk_for (int i = 0; i < 4; ++i) add(i);": True,
    "cilk_spawn add_by_a_child(); cilk_spawn add(1); cilk_sync;": True,
    "cilk_for (int i = 0; i < 9; ++i) { cilk_spawn write('a'); write('b'); }": False,
    "cilk_spawn put(text + 8, 2); cilk_for (int i = 0; i < 64; ++i) ++text[i];": True,
    "cilk_for (int i = 0; i < 64; ++i) put(text + i, 1);": False,
    "cilk_for (int i = 0; i < 63; ++i) put(text + i + (i == 8), 1);": True,
    "cilk_spawn fill(text, 9); put(text + 8, 2); cilk_sync;": True,
    "cilk_spawn fill(text, 8); put(text + 8, 2); cilk_sync;": False,
    "cilk_spawn fill(text + 3, 30); fill(text, 3); cilk_sync;": False,
    "cilk_spawn locked(); locked(); cilk_sync;": False,
    "cilk_spawn locked(); add(1); cilk_sync;": True,
    # A lock ends with its memory: the next one there is another.
    "cilk_spawn locked_alone(); cilk_spawn locked_alone(); cilk_sync;": True,
    "cilk_spawn locked_on_the_heap(); locked_on_the_heap(); cilk_sync;": True,
    "cilk_spawn locked_anew(); locked_anew(); cilk_sync;": True,
    "cilk_for (int i = 0; i < 9; ++i) { std::mutex own; std::lock_guard guard(own); add(i); }":
        True,
    "cilk_for (int i = 0; i < 9; ++i) { std::mutex own; std::lock_guard guard(own); locked(); }":
        False,
    # As many locks as there are.
    "cilk_for (int i = 0; i < 140000; ++i) locked_one(i % 70000);": False,
    "cilk_spawn use_own(); use_own(); cilk_sync;": False,
    "long a = cilk_spawn once(); long b = once(); cilk_sync; printf(\"%ld\", a + b);": False,
    "long a = cilk_spawn on_stack(1); long b = on_stack(2); cilk_sync; printf(\"%ld\", a + b);":
        False,
    "long a = cilk_spawn called_once(); long b = called_once(); cilk_sync; printf(\"%ld\", a + b);":
        False,
    "cilk_for (int i = 0; i < 9; ++i) to_change();": False,
    # Only what passes the guard comes after what the initializer does.
    "cilk_spawn from_word(); set(&word); cilk_sync;": True,
    "cilk_spawn from_word(); from_word(); set(&word); cilk_sync;": False,
    "cilk_spawn from_word(); cilk_spawn from_word(); set(&word); cilk_sync;": True,
    "cilk_spawn from_word(); cilk_scope { cilk_spawn from_word(); } set(&word); cilk_sync;": False,
    "cilk_spawn write_in_once(); look(&word); cilk_sync;": True,
    "cilk_spawn write_in_once(); write_in_once(); look(&word); cilk_sync;": False,
    "cilk_spawn counted(); cilk_sync; made_in_parallel();": True,
    # Reference counts are atomic, though the process has one thread.
    "auto p = std::make_shared<long>(5);"
    " cilk_for (int i = 0; i < 9; ++i) { auto q = p; look(&*q); }": False,
    "auto p = std::make_shared<long>(5);"
    " cilk_for (int i = 0; i < 9; ++i) { auto q = p; set(&*q); }": True,
    "char *p = (char *)malloc(8); cilk_spawn put(p, 1); free(p); cilk_sync;": True,
    "cilk_for (int i = 0; i < 9; ++i) { char *p = new char[8]; put(p, 1); delete[] p; }": False,
    "int x = 0; cilk_spawn [&] { x = 1; }(); x = 2; cilk_sync; printf(\"%d\", x);": True,
    "int x = 0; cilk_spawn { counted(); x = 1; } x = 2; cilk_sync; printf(\"%d\", x);": True,
    "int x; cilk_spawn { x = 1; put(text + x, 1); } cilk_sync; x = 2; put(text + x, 1);": False,
    "cilk_spawn add(1); cilk_scope { cilk_spawn counted(); } add(2); cilk_sync;": True,
    "cilk_scope { cilk_spawn add(1); } add(2);": False,
    "try { cilk_spawn fails(); cilk_sync; } catch (int) { add(1); }": False,
    "cilk::reducer<long, std::plus<>> sum;"
    " cilk_for (int i = 0; i < 50; ++i) *sum += i; printf(\"%ld\", *sum);": False,
    # The value of a hyperobject depends on the schedule beside whatever is spawned.
    "sum_of_all plus; cilk_spawn grow(plus); word = plus.get_value(); cilk_sync;": True,
    "sum_of_all plus; cilk_spawn grow(plus); word = plus.take(); cilk_sync;": True,
    "sum_of_all plus; *plus += 5; cilk_spawn add(1); word = plus.get_value(); cilk_sync;": True,
    "sum_of_all plus; cilk_for (int i = 0; i < 9; ++i) plus.set_value(i);": True,
    "sum_of_all plus; cilk_spawn grow(plus); *plus += 5; cilk_sync; word = plus.get_value();":
        False,
    "sum_of_all plus; cilk_scope { cilk_spawn grow(plus); } word = plus.get_value();": False,
    "cilk_spawn add(1); sum_of_all plus; *plus += 5; word = plus.get_value(); cilk_sync;": False,
    "cilk_for (int i = 0; i < 9; ++i) { sum_of_all plus; cilk_for (int j = 0; j < 9; ++j)"
    " *plus += j; if (plus.get_value() != 36) abort(); }": False,
    "cilk::scratch<long> own; cilk_for (int i = 0; i < 9; ++i) { own.set_value(i);"
    " if (own.get_value() != i) abort(); }": False,
    "cilk::reducer<cilk::op_add<long>> plus; cilk_spawn add(1); plus.set_value(3); cilk_sync;":
        True,
    # Where a view is looked up, not where it is used.
    "long &view = *told; cilk_spawn grow(told); view += 2; cilk_sync;": True,
    "long *view = &summed; cilk_spawn add_summed(1); *view += 2; cilk_sync;": True,
    "cilk_spawn grow(told); long &view = *told; view += 2; cilk_sync;": False,
    "cilk_spawn add_summed(1); long *view = &summed; *view += 2; cilk_sync;": False,
    # Views hold hyperobjects, and what ends them uses others.
    "cilk_for (int i = 0; i < 9; ++i) { cilk_spawn add_inside(i); add_inside(1); }"
    " if (*outside->sum != 45 || **outside->kept != 45) abort();": False,
    "cilk_for (int i = 0; i < 9; ++i) { cilk_scope { cilk_spawn add_inside(i); add_inside(1); }"
    " add_inside(1); } if (*outside->sum != 54 || **outside->kept != 54) abort();": False,
    "{ tellers one; cilk_for (int i = 0; i < 9; ++i) ask(one); } if (*told != 9) abort();": False,
    "auto *one = new tellers; cilk_spawn ask(*one); ask(*one);"
    " cilk_scope { cilk_spawn counted(); delete one; }"
    " cilk_sync; if (*told != 2) abort();": True,
    # The end of the hyperobject is not told, and the next one lies where it was.
    "cilk_spawn counted(); cilk_scope { cilk_spawn counted(); jumped_over(0); }"
    " cilk_scope { cilk_spawn counted(); jumped_over(0); } cilk_sync;": False,
    "strcpy(text, \"ax b\"); cilk_spawn look_at(text + 1); use(strtok(text, other)); cilk_sync;":
        True,
    "strcpy(text, \"ax b\"); cilk_spawn look_at(text + 2); use(strtok(text, other)); cilk_sync;":
        False,
    "cilk_spawn put(text, 1); printf(\"%zu\", strlen(text)); cilk_sync;": True,
    # A zero stands in the line.
    "FILE *in = fmemopen((void *)\"a\\0bcdefgh\", 9, \"r\"); cilk_spawn look_at(text + 4);"
    " fgets(text, 9, in); cilk_sync;": True,
    "FILE *in = fmemopen((void *)\"ab\\n\", 3, \"r\"); cilk_spawn look_at(text + 4);"
    " fgets(text, 9, in); cilk_sync;": False,
    # A child reads between two writes of its parent, which have one time.
    "cilk_spawn add(1); set(&word); cilk_spawn look(&word); set(&word);": True,
    "cilk_spawn add(1); set(&word); cilk_spawn look(&word); cilk_sync; set(&word);": False,
    # What a called function has waited for lies between two children of one region.
    "cilk_spawn put(text, 1); cilk_scope { cilk_spawn put(text + 1, 1); }"
    " cilk_spawn put(text + 2, 1); put(text + 1, 1); cilk_sync;": False,
    "cilk_spawn put(text, 1); cilk_scope { cilk_spawn put(text + 1, 1); }"
    " cilk_spawn put(text + 2, 1); put(text, 1); cilk_sync;": True,
    # What a jump leaves has no frame any more.
    "jump(); cilk_spawn add(1); cilk_sync; jump(); add(1);": False,
    "cilk_for (int i = 0; i < 9; ++i) jump();": False,
    "jump(); cilk_spawn add(1); jump(); add(1); cilk_sync;": True,
    # A lock that is held where strands part does not order them.
    "{ std::lock_guard all(order); cilk_for (int i = 0; i < 4; ++i) add(i); }": True,
    "cilk_spawn ordered(); { std::lock_guard all(order); cilk_for (int i = 0; i < 4; ++i)"
    " if (i == 2) add(i); } cilk_sync;": False,
    # Nor do two holders of the read side.
    "cilk_spawn read_locked(); read_locked(); cilk_sync;": True,
    "cilk_spawn read_locked(); write_locked(); cilk_sync;": False,
    "cilk_spawn timed_locked(); timed_locked(); cilk_sync;": False,
    "cilk_spawn timed_write(); timed_write(); cilk_sync;": False,
    "mtx_init(&of_c, mtx_plain); cilk_spawn c_locked(); c_locked(); cilk_sync;": False,
    "mtx_init(&of_c, mtx_plain); cilk_spawn c_locked(); add(1); cilk_sync;": True,
    # A loop that ends early reads no more, though a pragma asks for vectors.
    "int at = cilk_spawn find(0); cilk_spawn [] { many_ints[1] = 5; }(); cilk_sync; use(at);":
        False,
    # <cilk/algorithm.h>: order that is made by atomics, and mistakes of the program.
    "cilk::inclusive_scan(ones, others.begin()); if (others.back() != 50000) abort();": False,
    "cilk::inclusive_scan(ones, ones.begin(), sum); if (ones.back() != 50000) abort();": False,
    "cilk::exclusive_scan(ones, others.begin(), 5L, sum); if (others.back() != 50004) abort();":
        False,
    "cilk::inclusive_scan(ones, others.begin(), sum_and_count);": True,
    "std::vector<std::string> texts(999, \"x\"); cilk::inclusive_scan(texts, texts.begin());"
    " if (texts.back().size() != 999) abort();": False,
    "for (long i = 0; i < 50000; ++i) others[i] = 50000 - i;"
    " expect_failure([] { cilk::sort(others, fails_often); });": False,
    "for (long i = 0; i < 50000; ++i) others[i] = 50000 - i;"
    " expect_failure([] { cilk::stable_sort(others, fails_often); });": False,
    "for (long i = 0; i < 50000; ++i) others[i] = 50000 - i; expect_failure([] {"
    " (void)cilk::find_if(others, [](long x) { return fails_often(x, 0); }); });": False,
    # <cilk/race.h>
    "cilk_spawn ordered(); ordered(); cilk_sync;": False,
    "cilk_spawn ordered(); add(1); cilk_sync;": True,
    "cilk_spawn ignored(); add(1); cilk_sync;": False,
    "{ cilk::race::ignore all; cilk_spawn add(1); add(1); cilk_sync; }": False,
    "cilk_spawn ignored(); add(1); add(1); cilk_spawn add(1); cilk_sync;": False,
    "cilk_spawn ignored(); cilk_spawn add(1); add(1); cilk_sync;": True,
    "cilk_for (int i = 0; i < 4; ++i) { nopal_race_forget(text, 8); fill(text, 8); }": False,
    "cilk_for (int i = 0; i < 4; ++i) { nopal_race_forget(text, 8); fill(text, 9); }": True,
    # <cilk/cilksan.h>
    "cilk_spawn guarded(); guarded(); cilk_sync;": False,
    "cilk_spawn guarded(); add(1); cilk_sync;": True,
    "cilk_spawn unchecked(); if (__cilksan_is_checking_enabled()) add(1); cilk_sync;": False,
    "cilk_spawn unchecked(); cilk_spawn add(1); add(1); cilk_sync;": True,
    "cilk_spawn in_atomic(); in_atomic(); cilk_sync;": False,
    "cilk_spawn in_atomic(); __atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED); cilk_sync;": False,
    "cilk_spawn in_atomic(); add(1); cilk_sync;": True,
}
CASES |= libc_cases.cases()
# Atomic operations beside a plain access race, beside each other they do not.
for call in ("max(&word, 7L", "min(&word, -7L", "nand(&word, 7L", "max((unsigned long *)&word, 7UL",
             "add((double *)&word, 1.0", "sub((double *)&word, 1.0"):
    call = f"use(__atomic_fetch_{call}, __ATOMIC_RELAXED))"
    CASES[f"cilk_spawn [] {{ {call}; }}(); set(&word); cilk_sync;"] = True
    CASES[f"cilk_spawn [] {{ {call}; }}(); {call}; cilk_sync;"] = False
UPDATES, ATOMICS, LOOP, NESTED, TOGETHER = 0, 1, 3, 4, 6  # the numbers of these cases
