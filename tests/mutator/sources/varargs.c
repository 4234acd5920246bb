/* Variable arguments of many types; a small printf; va_copy; va_list handed on. */
#include <stdarg.h>
#include "common.h"

struct Pair {
  double d;
  int n;
};
struct Big {
  long w[5];
};

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; ++i) {
    int n = va_arg(list, int);
    total += n;
  }
  va_end(list);
  return total;
}

static int format_into(char *out, const char *format, va_list list) {
  char *start = out;
  for (; *format; ++format) {
    if (*format != '%') {
      *out++ = *format;
      continue;
    }
    switch (*++format) {
      case 'd': {
        long n = va_arg(list, int);
        char digits[24];
        int used = 0;
        if (n < 0) {
          *out++ = '-';
          n = -n;
        }
        do digits[used++] = (char)('0' + n % 10);
        while ((n /= 10) != 0);
        while (used) *out++ = digits[--used];
        break;
      }
      case 's':
        for (const char *s = va_arg(list, const char *); *s; ++s) *out++ = *s;
        break;
      case 'c':
        *out++ = (char)va_arg(list, int);
        break;
      case 'f':
        out += sprintf(out, "%.3f", va_arg(list, double));
        break;
      case 'p': {
        struct Pair p = va_arg(list, struct Pair);
        out += sprintf(out, "<%g,%d>", p.d, p.n);
        break;
      }
      case 'b': {
        struct Big b = va_arg(list, struct Big);
        for (int i = 0; i < 5; ++i) out += sprintf(out, "%ld.", b.w[i]);
        break;
      }
      case 'L':
        out += sprintf(out, "%.2Lf", va_arg(list, long double));
        break;
      default:
        *out++ = '?';
    }
  }
  *out = 0;
  return (int)(out - start);
}

static int format_to(char *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int length = format_into(out, format, list);
  va_end(list);
  return length;
}

static long twice(int count, ...) {
  va_list one, two;
  va_start(one, count);
  va_copy(two, one);
  long total = 0;
  for (int i = 0; i < count; ++i) total += va_arg(one, long);
  for (int i = 0; i < count; ++i) total -= va_arg(two, long) * i;
  va_end(two);
  va_end(one);
  return total;
}

int main(void) {
  char text[256];
  struct Pair pair = {2.5, -3};
  struct Big big = {{1, -2, 3, -4, 5}};
  int (*indirect)(char *, const char *, ...) = format_to;
  int n = format_to(text, "%d %s %c", -120, "text", 'x');
  printf("%d %s\n", n, text);
  n = indirect(text, "%p %b %f %L%%", pair, big, 0.125, 7.25L);
  printf("%d %s\n", n, text);
  n = format_to(text, "%d%d%d%d%d%d%d%f%f%f%f%f%f%f%f%f%f", 1, 2, 3, 4, 5, 6, 7, .1, .2, .3, .4, .5,
                .6, .7, .8, .9, 1.);
  printf("%d %s\n", n, text);
  add((uint64_t)sum(3, 1, 2, 3));
  add((uint64_t)sum(9, 1, -2, 3, -4, 5, -6, 7, -8, opaque(9)));
  add((uint64_t)twice(4, 10L, 20L, 30L, 40L));
  show("varargs");
  return 0;
}
