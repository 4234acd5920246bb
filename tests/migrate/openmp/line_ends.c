// layout: a byte order mark, which stays first, and carriage returns, which all lines keep.
static int square(int i) { return i * i; }
int printf(const char *, ...);
int main(void) {
  long s = 0;
#pragma omp parallel for reduction(+ : s) schedule(dynamic, 4)
  for (int i = 0; i < 100; i++) s += square(i);
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task shared(s)
      s += 4;
#pragma omp taskwait
    }
  }
  printf("%ld\n", s);
  return 0;
}
