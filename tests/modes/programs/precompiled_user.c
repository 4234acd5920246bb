/* Uses a function that spawns of keywords.h, which was precompiled: for builds.refused_by_stock. */
long used(long n);
long used(long n) { return inline_fib(n); }
