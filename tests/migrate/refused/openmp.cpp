// What has no counterpart, or would change its meaning: every construct stays.
#include <omp.h>

#include <vector>

int once();
#pragma omp declare reduction( \
        join : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

void loops(int n, double *a) {
  int last = 0, own = 1;
  std::vector<int> all;
  // stays: the clause 'lastprivate' has no counterpart
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < n; ++i) last = i;
  // stays: each thread changes its own copy of 'own'
#pragma omp parallel for firstprivate(own)
  for (int i = 0; i < n; ++i) own += i;
  // stays: the reduction 'join' is the program's own
#pragma omp parallel for reduction(join : all)
  for (int i = 0; i < n; ++i) all.push_back(i);
  // stays: a clause names 'a[ : 8]', which is not a variable
#pragma omp parallel for reduction(+ : a[ : 8])
  for (int i = 0; i < n; ++i) a[i % 8] += i;
  // stays: the clause 'ordered' has no counterpart
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
#pragma omp ordered
    a[0] += i;
  }
}

void regions(int n, double *a) {
#pragma omp parallel
  {
    // stays: each thread has its own 'sum'
    double sum = 0;
#pragma omp for
    for (int i = 0; i < n; ++i) sum += a[i];
#pragma omp critical
    a[0] += sum;
  }
#pragma omp parallel
  {
    // stays: each thread of the region runs this
    a[omp_get_thread_num()] = once();
  }
  // stays: 'omp target' has no counterpart
#pragma omp target map(tofrom : a[0 : n])
  a[0] = 1;
}

void elsewhere(int n, double *a) {
  // stays: 'omp for' belongs to a parallel region that is elsewhere
#pragma omp for
  for (int i = 0; i < n; ++i) a[i] = i;
}

void depend(double *a) {
  // stays: the clause 'depend' has no counterpart
#pragma omp task depend(out : a[0])
  a[0] = 1;
#pragma omp task depend(in : a[0])
  a[1] = a[0];
#pragma omp taskwait
}

void waits(double *a) {
#pragma omp task
  a[0] = once();
#pragma omp taskgroup
  {
#pragma omp task
    a[1] = once();
    // stays: this waits for tasks that were made outside of the block
#pragma omp taskwait
    a[2] = a[0] + a[1];
  }
}

// A copy of a task's text would have the pragma in it.
void conditions(double *a, int n) {
  // stays: the task has a condition, and more of OpenMP in it
#pragma omp task if (n > 8)
  {
#pragma omp critical
    a[0] += n;
  }
#pragma omp taskwait
}

void numbers(double *a) {
#pragma omp task
  {
    // stays: another worker may go on after a spawn
    a[omp_get_thread_num()] += 1;
  }
#pragma omp taskwait
}

void conversions(int *count, float *sum, double x) {
  // stays: this atomic operation has no short form
#pragma omp atomic
  *count += x;
  // stays: this atomic operation has no short form
#pragma omp atomic
  *sum += x;
}

template <class T>
void never_used(T *a) {
  // stays: it is in a template that nothing here instantiates
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) a[i] = i;
}

void locks(omp_lock_t *lock) {
  // stays: 'omp_set_lock' has no counterpart
  omp_set_lock(lock);
  // stays: 'omp_unset_lock' has no counterpart
  omp_unset_lock(lock);
}

int scratch[64];
#pragma omp threadprivate(scratch)

void each_its_own(long &sum, int n) {
  int t = 0;
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    // stays: each thread has its own 'scratch'
    scratch[i % 64] = i;

#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    // stays: the loop has private variables
#pragma omp simd private(t)
    for (int k = 0; k < 64; ++k) t = k;
  }

#pragma omp parallel private(t)
  {
    // stays: one thread uses its own 't'
#pragma omp sections
    {
#pragma omp section
      t = 1;
#pragma omp section
      t = 2;
    }
  }

#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    // stays: 'sum' is reduced by the loop around it, too
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < n; ++k) sum += i * k;
  }
}
