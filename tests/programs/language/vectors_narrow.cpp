// Vectors of 64 bytes where the compiler prefers narrower registers. Only functions that pass such
// a vector may use the wide ones, and which do is known only after inlining. A child, a leaf and
// their parents must agree on that, however they pass their values.
//
// matrix: flags -mavx512f -mavx512vl -mprefer-vector-width=256
// matrix: needs avx512vl

#include <cilk/cilk.h>
#include <immintrin.h>

#include "../support/check.h"

namespace {

using Floats = float __attribute__((vector_size(64)));

NOINLINE float element(__m512 vector, long index) { return vector[index & 15]; }

// Inlining these into a child or a leaf adds the call.
inline float of(const Floats &vector, long index) { return element(__m512(vector), index); }
inline void store(long index, float *to) { *to = of(Floats{} + static_cast<float>(index), index); }

// The loop's bounds are known too late to run it whole; the vector is an operand of its leaf.
NOINLINE void one_operand(float *to, long count, const float *from) {
  Floats vector = *reinterpret_cast<const Floats *>(from);
  vector += vector;
  cilk_for (long i = 0; i < count; ++i) to[i] = of(vector, i);
}

NOINLINE void copied(float *to, long count, const float *from) {
  Floats vector = *reinterpret_cast<const Floats *>(from);
  vector *= 3.0F;
  cilk_for (long i = 0; i < count; ++i) {
    for (long j = 0; j < 50; ++j) {
      const Floats copy = vector;
      to[i] += of(copy, i + j);
    }
  }
}

NOINLINE void narrow_child(float *to, long count) {
  for (long i = 0; i < count; ++i) cilk_spawn store(i, to + i);
  cilk_sync;
}

NOINLINE float nested(const float *from, long depth) {
  Floats vector = *reinterpret_cast<const Floats *>(from);
  if (depth == 0) return vector[3];
  vector += 1.0F;
  const float left = cilk_spawn nested(reinterpret_cast<const float *>(&vector), depth - 1);
  const float right = of(vector, depth);
  cilk_sync;
  return left + right;
}

double sum(const float *values, long count) {
  double result = 0;
  for (long i = 0; i < count; ++i) result += values[i];
  return result;
}

}  // namespace

int main() {
  constexpr long kCount = 2000;
  alignas(64) float from[16];
  for (int i = 0; i < 16; ++i) from[i] = static_cast<float>(i) * 0.25F;
  static float to[kCount];
  one_operand(to, kCount, from);
  printf("%.2f\n", sum(to, kCount));
  copied(to, kCount, from);
  printf("%.2f\n", sum(to, kCount));
  narrow_child(to, kCount);
  printf("%.2f\n", sum(to, kCount));
  printf("%.2f\n", static_cast<double>(nested(from, 12)));
}
