/* Inline assembly: tied operands, early clobbers, memory, clobbered registers, flags, volatile
 * order. mutator: no -fno-builtin */
#include "common.h"

static uint64_t rotate(uint64_t n, unsigned char by) {
  __asm__("rolq %%cl, %0" : "+r"(n) : "c"(by) : "cc");
  return n;
}
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high) {
  uint64_t low;
  __asm__("mulq %3" : "=a"(low), "=d"(*high) : "0"(a), "rm"(b) : "cc");
  return low;
}
static int carries(uint64_t a, uint64_t b) {
  unsigned char carry;
  __asm__("addq %2, %1" : "=@ccc"(carry), "+r"(a) : "r"(b));
  return carry;
}
static void increment(int *p) { __asm__ volatile("incl %0" : "+m"(*p) : : "cc", "memory"); }
static uint64_t clobbers(uint64_t n) {
  uint64_t r;
  __asm__ volatile("movq %1, %%rbx\n\tleaq (%%rbx,%%rbx,4), %%r12\n\tmovq %%r12, %0"
                   : "=&r"(r)
                   : "r"(n)
                   : "rbx", "r12", "r13", "r14", "r15");
  return r;
}
static double root(double x) {
  double y;
  __asm__("sqrtsd %1, %0" : "=x"(y) : "x"(x));
  return y;
}

int main(void) {
  uint64_t n = 0x0123456789abcdefu, high = 0;
  for (unsigned char i = 1; i < 20; i = (unsigned char)(i + 3)) {
    n = rotate(n, i);
    add(n);
    uint64_t low = multiply(n, 0x9e3779b97f4a7c15u, &high);
    add(low ^ high);
    add((uint64_t)carries(low, high));
  }
  int counter = 5;
  increment(&counter);
  increment(&counter);
  add((uint64_t)counter);
  n = clobbers(11);
  add(n + clobbers(n));
  register uint64_t fixed __asm__("r13") = n;
  __asm__ volatile("addq $3, %0" : "+r"(fixed));
  add(fixed);
  add_double(root(2.0));
  show("assembly");
  return 0;
}
