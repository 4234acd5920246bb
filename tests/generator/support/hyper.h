/* Hyperobjects of generated programs, in C and C++: any strand may record a number at any time, and
 * main prints what the serial program would have recorded, in its order.
 */
#ifdef __cplusplus
#include <cilk/reducer_vector.h>
#else
#include <cilk/views.h>
#endif

/* The function x -> factor * x + term. One after the other is associative, and does not commute. */
typedef struct Affine {
  u64 factor, term;
} Affine;

UNUSED static inline Affine affine_after(Affine first, Affine second) {
  const Affine both = {first.factor * second.factor, first.term * second.factor + second.term};
  return both;
}
UNUSED static inline Affine affine_of(u64 n) {
  const Affine one = {n | 1u, n * 7u + 3u};
  return one;
}

/* A hyperobject of OpenCilk's language. */
UNUSED static void spoken_identity(void *view) {
  const Affine one = {1, 0};
  *(Affine *)view = one;
}
UNUSED static void spoken_reduce(void *left, void *right) {
  *(Affine *)left = affine_after(*(Affine *)left, *(Affine *)right);
}
typedef Affine cilk_reducer(spoken_identity, spoken_reduce) Spoken;
static Spoken spoken = {1, 0};

/* In a local one and in an element, which the calling strand makes. */
UNUSED static inline u64 record_here(u64 n) {
  Spoken here = {n, 1}, several[2] = {{1, n}, {n, n}};
  Spoken *element = __builtin_addressof(several[n % 2]);
  here = affine_after(here, affine_of(n));
  *element = affine_after(*element, here);
  return element->term + several[n % 2].factor;
}

#ifdef __cplusplus

struct InTurn {
  static Affine identity() { return {1, 0}; }
  Affine operator()(Affine left, Affine right) const { return affine_after(left, right); }
};
using Trail = cilk::reducer<Affine, InTurn>;

static Trail trail;
static cilk::reducer<std::string, cilk::append> letters;
static cilk::reducer<cilk::op_vector<u64>> numbers;

NOINLINE UNUSED static void record_in(Trail &place, u64 n) {
  linger(n);
  *place = affine_after(*place, affine_of(n));
}
UNUSED static inline void record(u64 n) {
  *trail = affine_after(*trail, affine_of(n));
  spoken = affine_after(spoken, affine_of(n ^ record_here(n)));
  if (n % 3 == 0) letters->push_back(static_cast<char>('a' + n % 26));
  if (n % 7 == 0) numbers->push_back(n);
}
UNUSED static u64 recorded() {
  u64 all = mix(trail->term, spoken.term);
  for (char letter : *letters) all = mix(all, static_cast<u64>(letter));
  for (u64 number : numbers.get_value()) all = mix(all, number);
  letters->clear();
  numbers.set_value({});
  return all;
}

#else

static Affine trail = {1, 0};

static void trail_identity(void *view) {
  const Affine one = {1, 0};
  *(Affine *)view = one;
}
static void trail_reduce(void *left, void *right) {
  *(Affine *)left = affine_after(*(Affine *)left, *(Affine *)right);
}
UNUSED static inline void record(u64 n) {
  Affine *view = (Affine *)__cilkrts_reducer_lookup(
      &trail, sizeof trail, (void *)(uintptr_t)trail_identity, (void *)(uintptr_t)trail_reduce);
  *view = affine_after(*view, affine_of(n));
  spoken = affine_after(spoken, affine_of(n ^ record_here(n)));
}
UNUSED static u64 recorded(void) { return mix(trail.term, spoken.term); }

#endif
