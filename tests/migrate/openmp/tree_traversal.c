// Exercises: tasks without taskwait, a tree traversal that writes a value into each node.
#include <stdio.h>

#define NODES 2047

struct node {
  struct node *left, *right;
  int key;
  long value;
};

static struct node pool[NODES];

static void visit(struct node *n, int depth) {
  if (n->left) {
#pragma omp task
    visit(n->left, depth + 1);
  }
  if (n->right) {
#pragma omp task firstprivate(n, depth)
    visit(n->right, depth + 1);
  }
  n->value = (long)n->key * n->key + depth;
}

int main(void) {
  for (int i = 0; i < NODES; i++) {
    pool[i].key = i * 37 % 1001;
    pool[i].left = 2 * i + 1 < NODES ? &pool[2 * i + 1] : NULL;
    pool[i].right = 2 * i + 2 < NODES ? &pool[2 * i + 2] : NULL;
  }
#pragma omp parallel
  {
#pragma omp single nowait
    visit(&pool[0], 0);
  }
  long sum = 0, hash = 1;
  for (int i = 0; i < NODES; i++) {
    sum += pool[i].value;
    hash = (hash * 131 + pool[i].value) % 998244353;
  }
  printf("sum %ld hash %ld\n", sum, hash);
  return 0;
}
