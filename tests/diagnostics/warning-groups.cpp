// Every warning heeds -W options, -Werror and #pragma clang diagnostic, and nothing else of its group.
// RUN: %cilk_cxx_verify=on -std=c++20 %s
// RUN: %cilk_cxx_verify=none -std=c++20 -Wno-unsequenced -Wno-dangling -Wno-pass-failed %s
// RUN: %cilk_cxx_verify=none -std=c++20 -w %s
// RUN: %cilk_cxx_verify=none -std=c++20 -Wno-everything %s
// RUN: %cilk_cxx_verify=on -std=c++20 -Wno-everything -Wunsequenced -Wdangling -Wpass-failed %s
// RUN: %cilk_cxx_verify=error -std=c++20 -Werror %s
// RUN: %cilk_cxx_verify=error -std=c++20 -Werror=unsequenced -Werror=dangling -Werror=pass-failed %s
// none-no-diagnostics
#include <cilk/cilk.h>
int f(int);
void g(int &);

int race() {
  int x = cilk_spawn f(1);  // on-note {{spawned here}} error-note {{spawned here}}
  int y = x + f(2);  // on-warning {{'x' is read before a sync}} error-error {{'x' is read before a sync}}
  cilk_sync;
  return y;
}
void dangling(int n) {
  while (n--) {
    int x = n;  // on-note {{declared here}} error-note {{declared here}}
    cilk_spawn g(x);  // on-warning {{whose block ends}} error-error {{whose block ends}}
  }
}
void vain() {
  cilk_spawn f(1);  // on-warning {{gives no parallelism}} error-error {{gives no parallelism}}
  cilk_sync;  // on-note {{the sync is here}} error-note {{the sync is here}}
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunsequenced"
#pragma clang diagnostic ignored "-Wdangling"
#pragma clang diagnostic ignored "-Wpass-failed"
int race_off() {
  int x = cilk_spawn f(1);
  int y = x + f(2);
  cilk_sync;
  return y;
}
void dangling_off(int n) {
  while (n--) {
    int x = n;
    cilk_spawn g(x);
  }
}
void vain_off() {
  cilk_spawn f(1);
  cilk_sync;
}
#pragma clang diagnostic pop

int race_again() {
  int x = cilk_spawn f(1);  // on-note {{spawned here}} error-note {{spawned here}}
  int y = x + f(2);  // on-warning {{'x' is read before a sync}} error-error {{'x' is read before a sync}}
  cilk_sync;
  return y;
}
