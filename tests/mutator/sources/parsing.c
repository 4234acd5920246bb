/* A recursive descent parser to a tree, its evaluation, printing and folding; JSON; string
 * building; an arena. */
#include <ctype.h>
#include "common.h"

static char arena[16384];
static size_t arena_used;
static void *allocate(size_t n) {
  n = (n + 15) & ~(size_t)15;
  expect(arena_used + n <= sizeof arena, "arena");
  void *p = arena + arena_used;
  arena_used += n;
  return p;
}

enum kind { NUMBER, NAME, BINARY, UNARY };
struct tree {
  enum kind kind;
  union {
    long number;
    char name;
    struct {
      char op;
      struct tree *left, *right;
    } of;
  } u;
};
static const char *at;

static struct tree *make(enum kind kind) {
  struct tree *t = allocate(sizeof *t);
  memset(t, 0, sizeof *t);
  t->kind = kind;
  return t;
}
static struct tree *operation(char op, struct tree *left, struct tree *right) {
  struct tree *t = make(right ? BINARY : UNARY);
  t->u.of.op = op;
  t->u.of.left = left;
  t->u.of.right = right;
  return t;
}
static void blanks(void) {
  while (*at == ' ') ++at;
}
static struct tree *expression(int level);
static struct tree *primary(void) {
  blanks();
  if (isdigit((unsigned char)*at)) {
    struct tree *t = make(NUMBER);
    while (isdigit((unsigned char)*at)) t->u.number = t->u.number * 10 + (*at++ - '0');
    return t;
  }
  if (isalpha((unsigned char)*at)) {
    struct tree *t = make(NAME);
    t->u.name = *at++;
    return t;
  }
  if (*at == '(') {
    ++at;
    struct tree *t = expression(0);
    blanks();
    expect(*at == ')', "closing");
    ++at;
    return t;
  }
  expect(*at == '-', "primary");
  ++at;
  struct tree *operand = primary();
  return operation('-', operand, NULL);
}
static int level_of(char op) {
  return op == '+' || op == '-' ? 1 : op == '*' || op == '/' || op == '%' ? 2 : 0;
}
static struct tree *expression(int level) {
  struct tree *left = primary();
  for (;;) {
    blanks();
    int found = level_of(*at);
    if (found == 0 || found <= level) return left;
    char op = *at++;
    struct tree *right = expression(found);
    left = operation(op, left, right);
  }
}
static long value(const struct tree *t, const long *names) {
  switch (t->kind) {
    case NUMBER:
      return t->u.number;
    case NAME:
      return names[t->u.name - 'a'];
    case UNARY: {
      long v = value(t->u.of.left, names);
      return -v;
    }
    case BINARY:
      break;
  }
  long a = value(t->u.of.left, names);
  long b = value(t->u.of.right, names);
  switch (t->u.of.op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b ? a / b : 0;
    default:
      return b ? a % b : 0;
  }
}
static char *print(const struct tree *t, char *out) {
  if (t->kind == NUMBER) return out + sprintf(out, "%ld", t->u.number);
  if (t->kind == NAME) {
    *out++ = t->u.name;
    *out = 0;
    return out;
  }
  *out++ = '(';
  if (t->kind == BINARY) out = print(t->u.of.left, out);
  *out++ = t->u.of.op;
  out = print(t->kind == BINARY ? t->u.of.right : t->u.of.left, out);
  *out++ = ')';
  *out = 0;
  return out;
}
static struct tree *fold(struct tree *t) {
  if (t->kind == NUMBER || t->kind == NAME) return t;
  t->u.of.left = fold(t->u.of.left);
  if (t->kind == BINARY) t->u.of.right = fold(t->u.of.right);
  if (t->u.of.left->kind != NUMBER || (t->kind == BINARY && t->u.of.right->kind != NUMBER))
    return t;
  long v = value(t, NULL);
  struct tree *n = make(NUMBER);
  n->u.number = v;
  return n;
}
/* Depth and number of items of a JSON text; -1 if it is none. */
static int json(const char **p, int depth, int *items) {
  ++*items;
  int deepest = depth;
  char c = **p;
  if (c == '[' || c == '{') {
    char close = c == '[' ? ']' : '}';
    ++*p;
    while (**p != close) {
      if (close == '}') {
        int key = json(p, depth + 1, items);
        if (key < 0 || **p != ':') return -1;
        ++*p;
      }
      int below = json(p, depth + 1, items);
      if (below < 0) return -1;
      if (below > deepest) deepest = below;
      if (**p == ',') ++*p;
    }
    ++*p;
    return deepest;
  }
  if (c == '"') {
    for (++*p; **p && **p != '"'; ++*p)
      if (**p == '\\') ++*p;
    if (!**p) return -1;
    ++*p;
    return depth;
  }
  if (!isalnum((unsigned char)c)) return -1;
  while (isalnum((unsigned char)**p)) ++*p;
  return depth;
}

int main(void) {
  static const char *const texts[] = {"1+2*3", "(1+2)*3-4/2", "a*(b-3)+-c%7", "-(2*3)+a*(4-1*2)",
                                      "((((b))))"};
  long names[26] = {5, 11, 100};
  char out[256];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    at = texts[i];
    struct tree *t = expression(0);
    long v = value(t, names);
    print(t, out);
    printf("%s = %ld, ", out, v);
    t = fold(t);
    print(t, out);
    printf("%s\n", t->kind == NUMBER || t->kind == NAME ? "folded" : out);
    expect(value(t, names) == v, "folded value");
  }
  static const char *const values[] = {"[1,2,[3,{\"a\":[4]}]]", "{\"k\":\"v\\\"\",\"n\":[]}", "[1,",
                                       "{1:2}", "\"open"};
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
    const char *p = values[i];
    int items = 0;
    int depth = i == 2 ? -1 : json(&p, 0, &items);
    add((uint64_t)(depth * 100 + items));
  }
  add(arena_used);
  show("parsing");
  return 0;
}
