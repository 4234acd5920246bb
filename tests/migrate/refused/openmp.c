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
