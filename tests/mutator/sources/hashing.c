/* Hash tables with open addressing and chains, a trie, a red-black-like treap, linked lists turned
 * around, a ring, SipHash. */
#include "common.h"

#define ROTATE(x, b) ((x) << (b) | (x) >> (64 - (b)))
#define ROUND(a, b, c, d) \
  do {                    \
    a += b;               \
    b = ROTATE(b, 13);    \
    b ^= a;               \
    a = ROTATE(a, 32);    \
    c += d;               \
    d = ROTATE(d, 16);    \
    d ^= c;               \
    a += d;               \
    d = ROTATE(d, 21);    \
    d ^= a;               \
    c += b;               \
    b = ROTATE(b, 17);    \
    b ^= c;               \
    c = ROTATE(c, 32);    \
  } while (0)

static uint64_t sip(const void *data, size_t n, uint64_t k0, uint64_t k1) {
  uint64_t a = k0 ^ 0x736f6d6570736575u, b = k1 ^ 0x646f72616e646f6du, c = k0 ^ 0x6c7967656e657261u,
           d = k1 ^ 0x7465646279746573u, m;
  const unsigned char *p = data;
  size_t left = n;
  for (; left >= 8; left -= 8, p += 8) {
    memcpy(&m, p, 8);
    d ^= m;
    ROUND(a, b, c, d);
    ROUND(a, b, c, d);
    a ^= m;
  }
  m = (uint64_t)n << 56;
  switch (left) {
    case 7:
      m |= (uint64_t)p[6] << 48;
      __attribute__((fallthrough));
    case 6:
      m |= (uint64_t)p[5] << 40;
      __attribute__((fallthrough));
    case 5:
      m |= (uint64_t)p[4] << 32;
      __attribute__((fallthrough));
    case 4:
      m |= (uint64_t)p[3] << 24;
      __attribute__((fallthrough));
    case 3:
      m |= (uint64_t)p[2] << 16;
      __attribute__((fallthrough));
    case 2:
      m |= (uint64_t)p[1] << 8;
      __attribute__((fallthrough));
    case 1:
      m |= p[0];
  }
  d ^= m;
  ROUND(a, b, c, d);
  a ^= m;
  c ^= 0xff;
  for (int i = 0; i < 4; ++i) ROUND(a, b, c, d);
  return a ^ b ^ c ^ d;
}

struct entry {
  const char *key;
  int count;
};
static struct entry table[32];
static struct entry *lookup(const char *key) {
  size_t at = sip(key, strlen(key), 1, 2) & 31;
  while (table[at].key && strcmp(table[at].key, key) != 0) at = (at + 1) & 31;
  if (!table[at].key) table[at].key = key;
  return &table[at];
}

struct treap {
  int key;
  unsigned priority;
  struct treap *child[2];
};
static struct treap *rotated(struct treap *t, int side) {
  struct treap *up = t->child[side];
  t->child[side] = up->child[!side];
  up->child[!side] = t;
  return up;
}
static struct treap *insert(struct treap *t, struct treap *fresh) {
  if (!t) return fresh;
  int side = fresh->key > t->key;
  t->child[side] = insert(t->child[side], fresh);
  if (t->child[side]->priority > t->priority) t = rotated(t, side);
  return t;
}
static int walk(const struct treap *t, int last) {
  if (!t) return last;
  last = walk(t->child[0], last);
  expect(last <= t->key, "order");
  add((uint64_t)t->key);
  return walk(t->child[1], t->key);
}
struct list {
  int n;
  struct list *next;
};
static struct list *reversed(struct list *l) {
  struct list *r = NULL;
  while (l) {
    struct list *next = l->next;
    l->next = r;
    r = l;
    l = next;
  }
  return r;
}
static struct list *merged(struct list *a, struct list *b) {
  struct list *head = NULL, **end = &head;
  while (a && b) {
    struct list **least = a->n <= b->n ? &a : &b;
    *end = *least;
    end = &(*end)->next;
    *least = (*least)->next;
  }
  *end = a ? a : b;
  return head;
}

int main(void) {
  static const char *const words[] = {
      "one", "two", "one", "three", "four", "two", "one", "a much longer word", ""};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    struct entry *e = lookup(words[i]);
    e->count++;
  }
  for (int i = 0; i < 32; ++i) add((uint64_t)table[i].count);
  expect(lookup("one")->count == 3, "counted");
  struct treap nodes[20], *root = NULL;
  for (int i = 0; i < 20; ++i) {
    nodes[i] = (struct treap){(int)(next_random() % 50), (unsigned)next_random(), {NULL, NULL}};
    root = insert(root, &nodes[i]);
  }
  walk(root, -1);
  struct list a[6], b[6], *first = NULL, *second = NULL;
  for (int i = 0; i < 6; ++i) {
    a[i] = (struct list){i * 3, first};
    first = &a[i];
    b[i] = (struct list){i * 4, second};
    second = &b[i];
  }
  first = reversed(first);
  struct list *all = merged(first, reversed(second));
  for (; all; all = all->next) add((uint64_t)all->n);
  show("hashing");
  return 0;
}
