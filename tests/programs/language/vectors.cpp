// Vector types of 16 and 32 bytes: live across spawns, as arguments, as results, in frames whose
// stack is realigned for them.
//
// matrix: flags -mavx2
// matrix: needs avx2

#include <cilk/cilk.h>
#include <immintrin.h>

#include "../support/check.h"

namespace {

using Ints = int __attribute__((vector_size(32)));
using Longs = long __attribute__((vector_size(16)));

NOINLINE __m256d multiply(__m256d a, __m256d b) {
  linger();
  return _mm256_mul_pd(a, b);
}
NOINLINE Ints plus(Ints a, int b) { return a + b; }
NOINLINE __m128i pack(long a, long b) { return _mm_set_epi64x(b, a); }
NOINLINE double sum(const __m256d *vector) {
  double parts[4];
  _mm256_storeu_pd(
      parts,
      _mm256_load_pd(reinterpret_cast<const double *>(vector)));  // faults if it is not aligned
  return parts[0] + parts[1] + parts[2] + parts[3];
}

double doubles(double n) {
  __m256d a = _mm256_set_pd(n, n + 1, n + 2, n + 3), kept = _mm256_set1_pd(n * 0.5);
  __m256d b = cilk_spawn multiply(a, kept);
  __m256d c;
  c = cilk_spawn multiply(a, a);
  double below = 0;
  if (n >= 1) below = cilk_spawn doubles(n - 1);
  kept = _mm256_add_pd(kept, a);
  double in_memory = cilk_spawn sum(&a);
  cilk_sync;
  const __m256d all = _mm256_add_pd(_mm256_add_pd(b, c), kept);
  return sum(&all) + below + in_memory;
}

long integers(int n) {
  Ints counter = {n, 1, 2, 3, 4, 5, 6, 7}, results[4];
  for (int i = 0; i < 4; ++i) {
    results[i] = cilk_spawn plus(counter, i);
    counter = counter * 3 - n;
  }
  Longs pair = {n, -n};
  __m128i packed = cilk_spawn pack(n, 100);
  pair += 1;
  cilk_sync;
  Ints all = results[0] ^ results[1] ^ results[2] ^ results[3] ^ counter;
  long sum = pair[0] * 7 + pair[1] + _mm_extract_epi64(packed, 0) + _mm_extract_epi64(packed, 1);
  for (int i = 0; i < 8; ++i) sum += all[i] * (i + 1L);
  return sum;
}

// A loop of 32-byte stores into an array of the frame that a child then reads.
float vectorized(int n) {
  alignas(32) float data[256];
  for (int i = 0; i < 256; ++i) data[i] = static_cast<float>(i * n % 17);
  float halves[2];
  auto add = [&data](int begin, int end) {
    float sum = 0;
    for (int i = begin; i < end; ++i) sum += data[i];
    return sum;
  };
  halves[0] = cilk_spawn add(0, 128);
  halves[1] = add(128, 256);
  cilk_sync;
  return halves[0] + halves[1];
}

}  // namespace

int main() {
  for (int n = 0; n < 20; ++n) {
    printf("%d: %.3f %ld %.1f\n", n, doubles(n), integers(n), static_cast<double>(vectorized(n)));
  }
  return 0;
}
