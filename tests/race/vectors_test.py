"""Vectors of which some lanes are accessed: a race with each lane that is, with no other.

    python3 tests/race/vectors_test.py --bin build/bin
"""
import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

START = """#include <cilk/cilk.h>
#include <immintrin.h>
#include <cstdlib>
alignas(64) int a[8], other[8];
[[gnu::noinline]] static void put(int lane) { a[lane] = 5; }
"""
ACCESS = """[[gnu::noinline, gnu::target("TARGET")]] static void access_NUMBER(unsigned char mask) {
  [[maybe_unused]] const __m256i last = _mm256_set1_epi32(1 << 31);
  [[maybe_unused]] const __m256i all = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  // All bits of the lanes in `mask`.
  [[maybe_unused]] const __m256i wide =
      _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(mask), bit), bit);
  BODY
}
"""
END = """
int main(int, char **arguments) {
  cilk_spawn accesses[atoi(arguments[1])](atoi(arguments[2]));
  put(atoi(arguments[3]));
  cilk_sync;
}
"""
KEEP = "_mm256_storeu_si256((__m256i *)other, {});".format
# What is done with the lanes of `a` in `mask`.
SSE3 = {
    "if (mask & 1) _mm_storeu_si128((__m128i *)other, _mm_lddqu_si128((const __m128i *)a));",
}
AVX2 = {
    "_mm256_maskstore_epi32(a, wide, last);",
    "_mm256_maskstore_ps((float *)a, wide, _mm256_castsi256_ps(last));",
    "_mm256_maskstore_epi64((long long *)a, _mm256_cvtepi32_epi64(_mm256_castsi256_si128(wide)),"
    " last);",
    KEEP("_mm256_maskload_epi32(a, wide)"),
    KEEP("_mm256_castps_si256(_mm256_maskload_ps((const float *)a, wide))"),
    KEEP("_mm256_mask_i32gather_epi32(last, a, all, wide, 4)"),
    KEEP("_mm256_castps_si256(_mm256_mask_i32gather_ps(_mm256_castsi256_ps(last), (const float *)a,"
         " all, _mm256_castsi256_ps(wide), 4))"),
    KEEP("_mm256_i32gather_epi32(a, _mm256_set1_epi32(mask & 7), 4)"),
    "if (mask & 1) " + KEEP("_mm256_lddqu_si256((const __m256i *)a)"),
}
AVX512 = {
    "_mm256_mask_storeu_epi32(a, mask, last);",
    KEEP("_mm256_maskz_loadu_epi32(mask, a)"),
    KEEP("_mm256_mmask_i32gather_epi32(last, mask, all, a, 4)"),
    "_mm256_mask_i32scatter_epi32(a, mask, all, last, 4);",
    "_mm256_mask_compressstoreu_epi32(a, mask, last);",
    KEEP("_mm256_maskz_expandloadu_epi32(mask, a)"),
    "_mm512_mask_cvtepi64_storeu_epi32(a, mask, _mm512_set1_epi64(5));",
}
MASKS = (0, 0x0a, 0x81)


def lanes_of(body, mask):
    """Which of the eight lanes of 4 bytes are accessed."""
    bits = {lane for lane in range(8) if mask >> lane & 1}
    if "lddqu" in body:
        return set(range(8 if "256" in body else 4) if mask & 1 else ())
    if "maskstore_epi64" in body:
        return {2 * lane + half for lane in bits if lane < 4 for half in (0, 1)}
    if "compress" in body or "expand" in body:
        return set(range(len(bits)))
    if "mask & 7" in body:
        return {mask & 7}
    return bits


def source(cases):
    """A program of all of them; its argument chooses one."""
    accesses = [ACCESS.replace("NUMBER", str(number)).replace("TARGET", target)
                .replace("BODY", body) for number, (body, target) in enumerate(cases)]
    names = ", ".join(f"access_{number}" for number in range(len(cases)))
    return START + "".join(accesses) + \
        f"static void (*const accesses[])(unsigned char) = {{{names}}};" + END


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=Path, required=True)
    options = parser.parse_args()
    flags = Path("/proc/cpuinfo").read_text()
    cases, wrong, runs = [], 0, 0
    for bodies, target in ((SSE3, "avx2"), (AVX2, "avx2"), (AVX512, "avx512f,avx512vl")):
        if all(f" {word} " in flags for word in target.split(",")):
            cases += [(body, target) for body in sorted(bodies)]
        else:
            print(f"left out: {target}, which this processor does not have")
    # Only the status counts. Without llvm-symbolizer in PATH the report is made at once.
    quick = {**os.environ, "PATH": ""}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program")
        Path(folder, "program.cpp").write_text(source(cases))
        subprocess.run([options.bin / "nopal-clang++", "-fsanitize=cilk", "-O2",
                        f"{folder}/program.cpp", "-o", program], check=True)
        for number, (body, _) in enumerate(cases):
            for mask in MASKS:
                found = {lane for lane in range(8)
                         if subprocess.run([program, str(number), str(mask), str(lane)], env=quick,
                                           stderr=subprocess.DEVNULL).returncode == 66}
                runs += 8
                if found != lanes_of(body, mask):
                    wrong += 1
                    print(f"mask {mask:#x}: races with lanes {found or 'none'} instead of "
                          f"{lanes_of(body, mask) or 'none'}: {body}")
    print(f"{runs} runs, {wrong} masks of an operation wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
