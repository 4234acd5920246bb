// A function of so many spawns that its fast path is a call, under one destructor: all landing pads
// are one, and any of the children throws.
#include <cilk/cilk.h>

#include <cstdio>
#include <stdexcept>

struct Value {
  long v;
  explicit Value(long x) : v(x) {}
  ~Value() { v = 0; }
};

__attribute__((noinline)) static long child(const Value &a, bool throws) {
  if (throws) throw std::runtime_error("a child threw");
  return a.v * 31 + 1;
}

__attribute__((noinline)) static long more(long s) { return s % 1000 * 3 + 1; }

__attribute__((noinline)) static long spawn_many(long k, int throwing, long *results) {
  long s = k;
  Value outer(k);
  results[0] = cilk_spawn child(Value(k + 0), throwing == 0);
  s += more(s);
  results[1] = cilk_spawn child(Value(k + 1), throwing == 1);
  s += more(s);
  results[2] = cilk_spawn child(Value(k + 2), throwing == 2);
  s += more(s);
  results[3] = cilk_spawn child(Value(k + 3), throwing == 3);
  s += more(s);
  results[4] = cilk_spawn child(Value(k + 4), throwing == 4);
  s += more(s);
  results[5] = cilk_spawn child(Value(k + 5), throwing == 5);
  s += more(s);
  results[6] = cilk_spawn child(Value(k + 6), throwing == 6);
  s += more(s);
  results[7] = cilk_spawn child(Value(k + 7), throwing == 7);
  s += more(s);
  results[8] = cilk_spawn child(Value(k + 8), throwing == 8);
  s += more(s);
  results[9] = cilk_spawn child(Value(k + 9), throwing == 9);
  s += more(s);
  results[10] = cilk_spawn child(Value(k + 10), throwing == 10);
  s += more(s);
  results[11] = cilk_spawn child(Value(k + 11), throwing == 11);
  s += more(s);
  results[12] = cilk_spawn child(Value(k + 12), throwing == 12);
  s += more(s);
  results[13] = cilk_spawn child(Value(k + 13), throwing == 13);
  s += more(s);
  results[14] = cilk_spawn child(Value(k + 14), throwing == 14);
  s += more(s);
  results[15] = cilk_spawn child(Value(k + 15), throwing == 15);
  s += more(s);
  results[16] = cilk_spawn child(Value(k + 16), throwing == 16);
  s += more(s);
  results[17] = cilk_spawn child(Value(k + 17), throwing == 17);
  s += more(s);
  results[18] = cilk_spawn child(Value(k + 18), throwing == 18);
  s += more(s);
  results[19] = cilk_spawn child(Value(k + 19), throwing == 19);
  s += more(s);
  results[20] = cilk_spawn child(Value(k + 20), throwing == 20);
  s += more(s);
  results[21] = cilk_spawn child(Value(k + 21), throwing == 21);
  s += more(s);
  results[22] = cilk_spawn child(Value(k + 22), throwing == 22);
  s += more(s);
  results[23] = cilk_spawn child(Value(k + 23), throwing == 23);
  s += more(s);
  results[24] = cilk_spawn child(Value(k + 24), throwing == 24);
  s += more(s);
  results[25] = cilk_spawn child(Value(k + 25), throwing == 25);
  s += more(s);
  results[26] = cilk_spawn child(Value(k + 26), throwing == 26);
  s += more(s);
  results[27] = cilk_spawn child(Value(k + 27), throwing == 27);
  s += more(s);
  results[28] = cilk_spawn child(Value(k + 28), throwing == 28);
  s += more(s);
  results[29] = cilk_spawn child(Value(k + 29), throwing == 29);
  s += more(s);
  results[30] = cilk_spawn child(Value(k + 30), throwing == 30);
  s += more(s);
  results[31] = cilk_spawn child(Value(k + 31), throwing == 31);
  s += more(s);
  results[32] = cilk_spawn child(Value(k + 32), throwing == 32);
  s += more(s);
  results[33] = cilk_spawn child(Value(k + 33), throwing == 33);
  s += more(s);
  results[34] = cilk_spawn child(Value(k + 34), throwing == 34);
  s += more(s);
  results[35] = cilk_spawn child(Value(k + 35), throwing == 35);
  s += more(s);
  results[36] = cilk_spawn child(Value(k + 36), throwing == 36);
  s += more(s);
  results[37] = cilk_spawn child(Value(k + 37), throwing == 37);
  s += more(s);
  results[38] = cilk_spawn child(Value(k + 38), throwing == 38);
  s += more(s);
  results[39] = cilk_spawn child(Value(k + 39), throwing == 39);
  s += more(s);
  results[40] = cilk_spawn child(Value(k + 40), throwing == 40);
  s += more(s);
  results[41] = cilk_spawn child(Value(k + 41), throwing == 41);
  s += more(s);
  results[42] = cilk_spawn child(Value(k + 42), throwing == 42);
  s += more(s);
  results[43] = cilk_spawn child(Value(k + 43), throwing == 43);
  s += more(s);
  results[44] = cilk_spawn child(Value(k + 44), throwing == 44);
  s += more(s);
  results[45] = cilk_spawn child(Value(k + 45), throwing == 45);
  s += more(s);
  results[46] = cilk_spawn child(Value(k + 46), throwing == 46);
  s += more(s);
  results[47] = cilk_spawn child(Value(k + 47), throwing == 47);
  s += more(s);
  results[48] = cilk_spawn child(Value(k + 48), throwing == 48);
  s += more(s);
  results[49] = cilk_spawn child(Value(k + 49), throwing == 49);
  s += more(s);
  results[50] = cilk_spawn child(Value(k + 50), throwing == 50);
  s += more(s);
  results[51] = cilk_spawn child(Value(k + 51), throwing == 51);
  s += more(s);
  results[52] = cilk_spawn child(Value(k + 52), throwing == 52);
  s += more(s);
  results[53] = cilk_spawn child(Value(k + 53), throwing == 53);
  s += more(s);
  results[54] = cilk_spawn child(Value(k + 54), throwing == 54);
  s += more(s);
  results[55] = cilk_spawn child(Value(k + 55), throwing == 55);
  s += more(s);
  results[56] = cilk_spawn child(Value(k + 56), throwing == 56);
  s += more(s);
  results[57] = cilk_spawn child(Value(k + 57), throwing == 57);
  s += more(s);
  results[58] = cilk_spawn child(Value(k + 58), throwing == 58);
  s += more(s);
  results[59] = cilk_spawn child(Value(k + 59), throwing == 59);
  s += more(s);
  results[60] = cilk_spawn child(Value(k + 60), throwing == 60);
  s += more(s);
  results[61] = cilk_spawn child(Value(k + 61), throwing == 61);
  s += more(s);
  results[62] = cilk_spawn child(Value(k + 62), throwing == 62);
  s += more(s);
  results[63] = cilk_spawn child(Value(k + 63), throwing == 63);
  s += more(s);
  results[64] = cilk_spawn child(Value(k + 64), throwing == 64);
  s += more(s);
  results[65] = cilk_spawn child(Value(k + 65), throwing == 65);
  s += more(s);
  results[66] = cilk_spawn child(Value(k + 66), throwing == 66);
  s += more(s);
  results[67] = cilk_spawn child(Value(k + 67), throwing == 67);
  s += more(s);
  results[68] = cilk_spawn child(Value(k + 68), throwing == 68);
  s += more(s);
  results[69] = cilk_spawn child(Value(k + 69), throwing == 69);
  s += more(s);
  results[70] = cilk_spawn child(Value(k + 70), throwing == 70);
  s += more(s);
  results[71] = cilk_spawn child(Value(k + 71), throwing == 71);
  s += more(s);
  results[72] = cilk_spawn child(Value(k + 72), throwing == 72);
  s += more(s);
  results[73] = cilk_spawn child(Value(k + 73), throwing == 73);
  s += more(s);
  results[74] = cilk_spawn child(Value(k + 74), throwing == 74);
  s += more(s);
  results[75] = cilk_spawn child(Value(k + 75), throwing == 75);
  s += more(s);
  results[76] = cilk_spawn child(Value(k + 76), throwing == 76);
  s += more(s);
  results[77] = cilk_spawn child(Value(k + 77), throwing == 77);
  s += more(s);
  results[78] = cilk_spawn child(Value(k + 78), throwing == 78);
  s += more(s);
  results[79] = cilk_spawn child(Value(k + 79), throwing == 79);
  s += more(s);
  for (int i = 80; i < 100; ++i) results[i] = cilk_spawn child(Value(i), throwing == i);
  cilk_sync;
  return s + outer.v;
}

int main() {
  for (int throwing : {-1, 0, 37, 79, 90}) {
    long results[100] = {};
    try {
      long sum = spawn_many(5, throwing, results);
      for (long r : results) sum = (sum * 7 + r) % 1000003;
      std::printf("%ld\n", sum);
    } catch (const std::exception &e) {
      std::puts(e.what());
    }
  }
}
