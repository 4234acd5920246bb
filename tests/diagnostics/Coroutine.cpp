// The frame of a coroutine is not on the stack.
// RUN: %cilk_cxx_verify -std=c++20 %s
#include <cilk/cilk.h>
#include <coroutine>

struct Task {
  struct promise_type {
    Task get_return_object();
    std::suspend_never initial_suspend();
    std::suspend_never final_suspend() noexcept;
    void return_void();
    void unhandled_exception();
  };
};
int f(int);

Task task() {
  cilk_spawn f(1);  // expected-error {{'cilk_spawn' inside coroutine 'task' is not supported}} expected-note {{move the statements into a function that is not a coroutine}}
  co_return;
}
Task loop() {
  cilk_for (int i = 0; i < 9; ++i)  // expected-error {{'cilk_for' inside coroutine 'loop' is not supported}} expected-note {{not a coroutine}}
    f(i);
  co_return;
}
