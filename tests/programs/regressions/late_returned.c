/* A function that is cut behind its tests, and returns its argument, wherever it does: link-time
 * optimization knew so of the function, left nobody in what was cut off to return it, and the
 * program ran into a trap. */
// matrix: flags -flto

#include <cilk/cilk.h>

#include <stdio.h>

struct node {
  struct node *next;
  long value;
};

struct node *walk(struct node *from, long n) {
  struct node *next = from->next;
  long hash = next->value * 31 + n;
  hash ^= hash >> 3;
  hash *= 5;
  if (n < 2 || hash % 37 == 4) return from;
  struct node *a = cilk_spawn walk(next, n - 1);  // matrix: some (copies at -O3)
  const long here = hash % 5;
  cilk_sync;
  struct node *b = walk(from, n - 2);
  next->value = a->value + b->value + here;
  return from;
}

int main(void) {
  struct node ring[4];
  for (int i = 0; i < 4; ++i) ring[i] = (struct node){&ring[(i + 1) & 3], i * 17L};
  printf("%ld\n", walk(ring, 8)->value);
  return 0;
}
