/* Switches: Duff's device, labels inside loops, fallthrough, ranges, jumps backwards; state
 * machines. */
#include "common.h"

static void copy(char *to, const char *from, int count) {
  int n = (count + 7) / 8;
  switch (count % 8) {
    case 0:
      do {
        *to++ = *from++;
        case 7:
          *to++ = *from++;
        case 6:
          *to++ = *from++;
        case 5:
          *to++ = *from++;
        case 4:
          *to++ = *from++;
        case 3:
          *to++ = *from++;
        case 2:
          *to++ = *from++;
        case 1:
          *to++ = *from++;
      } while (--n > 0);
  }
}

static int classify(int n) {
  int result = 0;
  switch (n) {
    case 1:
      result += 1;
    case 2:
      result += 10;
      break;
    case 3 ... 9:
      result = 100;
      if (n > 5) break;
      result += 7;
    default:
      result += 1000;
      switch (n & 3) {
        case 0:
          result *= 2;
          break;
        case 1:
          return -result;
      }
  }
  return result;
}

static int words(const char *text) {
  enum { OUT, IN, QUOTED } state = OUT;
  int count = 0;
again:
  for (; *text; ++text) {
    switch (state) {
      case OUT:
        if (*text == '"') {
          state = QUOTED;
          ++count;
        } else if (*text != ' ') {
          state = IN;
          ++count;
          goto again;
        }
        break;
      case IN:
        if (*text == ' ') state = OUT;
        break;
      case QUOTED:
        if (*text == '"') state = OUT;
        break;
    }
  }
  return count;
}

static unsigned collatz(unsigned n) {
  unsigned steps = 0;
loop:
  if (n == 1) goto done;
  ++steps;
  if (n % 2) goto odd;
  n /= 2;
  goto loop;
odd:
  n = 3 * n + 1;
  goto loop;
done:
  return steps;
}

int main(void) {
  char from[64], to[64];
  for (int i = 0; i < 64; ++i) from[i] = (char)(i * 7);
  for (int n = 1; n < 40; n += 5) {
    memset(to, 0, sizeof to);
    copy(to, from, n);
    expect(memcmp(to, from, (size_t)n) == 0 && (n == 64 || to[n] == 0), "copied");
    add_bytes(to, 40);
  }
  for (int i = -3; i < 14; ++i) add((uint64_t)classify(i));
  add((uint64_t)words("one two  \"three four\" five \"\" "));
  for (unsigned i = 1; i < 12; ++i) add(collatz(i));
  show("duff");
  return 0;
}
