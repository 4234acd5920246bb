// Code that spawns runs on the target that the runtime was built for, and on no other.
// RUN: %cilk_cxx_verify --target=x86_64-pc-windows-gnu %s
// RUN: %cilk_cxx_verify --target=x86_64-pc-windows-msvc %s
// RUN: %cilk_cxx_verify --target=x86_64-unknown-freebsd %s
// RUN: %cilk_cxx_verify --target=x86_64-apple-macos %s
// RUN: %cilk_cxx_verify --target=x86_64-linux-gnux32 %s
// RUN: %cilk_cxx_verify --target=x86_64-linux-musl %s
// RUN: %cilk_cxx_verify --target=x86_64-linux-android %s
// RUN: %cilk_cxx_verify --target=x86_64-unknown-none-elf %s
// RUN: %cilk_cxx_verify --target=x86_64-linux-gnu-macho %s
// RUN: %cilk_cxx_verify --target=x86_64-fuchsia %s
// RUN: %cilk_cxx_verify --target=i686-linux-gnu %s
// RUN: %cilk_cxx_verify --target=aarch64_be-linux-gnu %s
// RUN: %cilk_cxx_verify --target=aarch64-linux-musl %s
// RUN: %cilk_cxx_verify --target=aarch64-linux-gnu_ilp32 %s
// RUN: %cilk_cxx_verify --target=arm64-apple-macos %s
// RUN: %cilk_cxx_verify --target=riscv64-linux-gnu %s
// RUN: %cilk_cxx_verify --target=wasm32-wasi %s
// RUN: %cilk_cxx_verify -m32 %s
// RUN: %cilk_cxx_verify -mx32 %s
// RUN: %cilk_cxx_verify -DSUPPORTED %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=x86_64-linux-gnu %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=x86_64-pc-linux-gnu %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=x86_64-redhat-linux %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=aarch64-linux-gnu %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=arm64-linux %s
// RUN: %cilk_cxx_verify -DSUPPORTED --target=x86_64-pc-windows-gnu -DCILK_SERIAL %s
#include <cilk/cilk.h>
#ifdef SUPPORTED
// expected-no-diagnostics
#endif
int f(int);

int g(int n) {
#ifdef SUPPORTED
  int x = cilk_spawn f(n);
#else
  int x = cilk_spawn f(n); // expected-error {{'cilk_spawn' cannot be compiled for target '}} expected-note {{Linux with the GNU C library on x86-64 or AArch64 is supported}}
#endif
  int y = f(n);
  cilk_sync; // no second message
  return x + y;
}
