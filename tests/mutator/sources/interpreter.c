/* A stack machine twice: by computed goto, and by a switch. Both must agree. */
#include "common.h"

enum { PUSH, ADD, SUB, MUL, DUP, SWAP, JZ, JMP, LOAD, STORE, PRINT, HALT };

static long by_goto(const int *code, long *memory) {
  static const void *const labels[] = {&&push, &&plus, &&minus, &&times, &&dup,   &&swap,
                                       &&jz,   &&jmp,  &&load,  &&store, &&print, &&halt};
  long stack[32], *top = stack;
  const int *pc = code;
  goto *labels[*pc++];
push:
  *++top = *pc++;
  goto *labels[*pc++];
plus:
  --top;
  top[0] += top[1];
  goto *labels[*pc++];
minus:
  --top;
  top[0] -= top[1];
  goto *labels[*pc++];
times:
  --top;
  top[0] *= top[1];
  goto *labels[*pc++];
dup:
  top[1] = top[0];
  ++top;
  goto *labels[*pc++];
swap: {
  long t = top[0];
  top[0] = top[-1];
  top[-1] = t;
  goto *labels[*pc++];
}
jz:
  if (*top-- == 0)
    pc = code + *pc;
  else
    ++pc;
  goto *labels[*pc++];
jmp:
  pc = code + *pc;
  goto *labels[*pc++];
load:
  *++top = memory[*pc++];
  goto *labels[*pc++];
store:
  memory[*pc++] = *top--;
  goto *labels[*pc++];
print:
  add((uint64_t)*top);
  goto *labels[*pc++];
halt:
  return *top;
}

static long by_switch(const int *code, long *memory) {
  long stack[32];
  int top = 0;
  for (int pc = 0;;) {
    switch (code[pc++]) {
      case PUSH:
        stack[++top] = code[pc++];
        break;
      case ADD:
        --top;
        stack[top] += stack[top + 1];
        break;
      case SUB:
        --top;
        stack[top] -= stack[top + 1];
        break;
      case MUL:
        --top;
        stack[top] *= stack[top + 1];
        break;
      case DUP:
        stack[top + 1] = stack[top];
        ++top;
        break;
      case SWAP: {
        long t = stack[top];
        stack[top] = stack[top - 1];
        stack[top - 1] = t;
        break;
      }
      case JZ:
        if (stack[top--] == 0) {
          pc = code[pc];
          continue;
        }
        ++pc;
        break;
      case JMP:
        pc = code[pc];
        break;
      case LOAD:
        stack[++top] = memory[code[pc++]];
        break;
      case STORE:
        memory[code[pc++]] = stack[top--];
        break;
      case PRINT:
        add((uint64_t)stack[top]);
        break;
      case HALT:
        return stack[top];
      default:
        expect(0, "opcode");
    }
  }
}

int main(void) {
  /* memory[1] = memory[0]!; a factorial, printing each step */
  static const int factorial[] = {PUSH, 1,   STORE, 1,   LOAD,  0,     JZ,   26,   LOAD, 1,
                                  LOAD, 0,   MUL,   DUP, PRINT, STORE, 1,    LOAD, 0,    PUSH,
                                  1,    SUB, STORE, 0,   JMP,   4,     LOAD, 1,    HALT};
  for (int n = 0; n < 9; ++n) {
    long one[2] = {n, 0}, two[2] = {n, 0};
    long a = by_goto(factorial, one);
    long b = by_switch(factorial, two);
    expect(a == b && one[1] == two[1], "both interpreters");
    add((uint64_t)a);
  }
  show("interpreter");
  return 0;
}
