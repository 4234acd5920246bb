// An object without a name has no place where its hyperobjects end. In C++ its destructor does it.
// RUN: %cilk_c_verify %s
#include <cilk/cilk.h>
void zero(void *view);
void add(void *left, void *right);
typedef long cilk_reducer(zero, add) Sum; // expected-note 4 {{the type of the hyperobject is written here; give the object a name}}
struct Count {
  Sum sum;
  char tail;
};
struct Counts {
  struct Count all[3];
  Sum sums[2];
};
struct Count make(void);
struct Counts make_several(void);
void take(struct Count *count);
long value(struct Count count);

struct Count *in_file = &(struct Count){3, 0};

long f(int i) {
  take(&(struct Count){3, 0}); // expected-error {{a hyperobject in an object of 'struct Count' that has no name}}
  Sum *sum = &(Sum){4}; // expected-error {{a hyperobject in an object of 'Sum' that has no name}}
  make_several().sums[1] += 1; // expected-error {{a hyperobject in an object of 'struct Counts' that has no name}}
  *sum += (make_several().all)[i].sum; // expected-error {{in an object of 'struct Counts' that has no name}}
  struct Count copy = (struct Count){3, 0};
  copy = ((struct Count){3, 0});
  copy = make();
  Sum **pointers = (Sum *[]){sum, sum};
  *pointers[0] += (int[]){3, 4}[1];
  return make().sum + copy.sum + value(make());
}
