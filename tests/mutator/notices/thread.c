/* Asks which thread it is, which a mutant may answer otherwise: what the mutator must report. Not
 * one of its sources. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int first = gettid(), same = 1;
  for (int i = 0; i < 20; ++i) {
    int now = gettid();
    same &= now == first;
  }
  printf("%s\n", same ? "one thread" : "several threads");
  return 0;
}
