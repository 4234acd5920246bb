/* CILK_C_REDUCER_OPADD as a local and a global, by pointer to functions: a tree walk. */
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *left, *right;
};

CILK_C_REDUCER_OPADD(leaves, int, 0);

static struct node *build(int low, int high) {
  struct node *root;
  if (low >= high) return NULL;
  root = malloc(sizeof *root);
  root->key = (low + high) / 2;
  root->left = build(low, root->key);
  root->right = build(root->key + 1, high);
  return root;
}

static void walk(struct node *root, CILK_C_REDUCER_OPADD_TYPE(long) * sum) {
  if (root == NULL) return;
  REDUCER_VIEW(*sum) += root->key;
  if (!root->left && !root->right) REDUCER_VIEW(leaves)++;
  cilk_spawn walk(root->left, sum);
  walk(root->right, sum);
  cilk_sync;
  free(root);
}

int main(void) {
  CILK_C_REDUCER_OPADD(sum, long, 1000);
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(leaves);
  walk(build(0, 200), &sum);
  CILK_C_UNREGISTER_REDUCER(leaves);
  CILK_C_UNREGISTER_REDUCER(sum);
  printf("%ld %d\n", sum.value, REDUCER_VIEW(leaves));
  return 0;
}
