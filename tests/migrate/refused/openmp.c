// C has no lambdas and no std::mutex.
void use(int value);

void copies(int n) {
  for (int i = 0; i < n; ++i) {
    int twice = 2 * i;
    // stays: the task has its own copy of 'twice'
#pragma omp task
    {
      use(twice);
      use(twice + 1);
    }
  }
}

void critical(int *sum, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // stays: a critical construct: use a reducer, or a mutex of your own
#pragma omp critical
    *sum += i;
  }
}

// The tasks have no other region.
int tree(int n) {
  if (n == 0) return 1;
  int left = 0, right = 0;
  // stays: the task has a condition, and more of OpenMP in it
#pragma omp task shared(left) if (n > 2)
  {
#pragma omp atomic
    left += tree(n - 1);
  }
  right = tree(n - 1);
#pragma omp taskwait
  return left + right;
}

int whole_tree(void) {
  int leaves;
  // stays: OpenMP's code stays in other functions, which may need this region's threads
#pragma omp parallel
#pragma omp single
  leaves = tree(10);
  return leaves;
}
