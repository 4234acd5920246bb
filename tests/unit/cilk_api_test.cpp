// <cilk/cilk_api.h> and runtime/src/scheduler: workers are counted, parameters set, the runtime
// started and ended, callbacks run.
//
// Each test that starts the runtime is a death test, in a process of its own. A push and a pop
// replace a spawn. CILK_NWORKERS=1 excludes thieves, which would need a slow clone. The header
// itself, in C and in serial programs: tests/programs.
#include "config/config.h"
#include "deque/deque.h"
#include "leave.h"
#include "process/callbacks.h"

#include "../../runtime/fastpath/fastpath.h"

#include <cilk/cilk_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>

namespace {

std::string order;  // of what was called

class CilkApiDeathTest : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void spawn_nothing() {
  nopal_site site{};
  nopal_frame frame{};
  frame.site = reinterpret_cast<std::uintptr_t>(&site);
  const auto deque = [] {
    return nopal::ContinuationDeque::Local(
        *reinterpret_cast<nopal::ContinuationDeque *>(nopal::current_worker()));
  };
  deque().push_fast(&frame, nopal_push_slow);
  if (!deque().pop_fast(&frame, [](nopal_frame *f) { return nopal_pop_slow(f) != 0; }))
    std::abort();
}

TEST_F(CilkApiDeathTest, BeforeTheStart) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "3", 1);
        leave_with(__cilkrts_get_nworkers() == 3 && __cilkrts_get_total_workers() == 3 &&
                   __cilkrts_get_worker_number() == 0 && __cilkrts_is_initialized() == 0 &&
                   __cilkrts_running_on_workers() == 0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(CilkApiDeathTest, InitStartsAndEndEnds) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "3", 1);
        __cilkrts_init();
        bool is_right = __cilkrts_is_initialized() != 0 && __cilkrts_running_on_workers() == 0;
        __cilkrts_init();
        __cilkrts_end_cilk();
        is_right = is_right && __cilkrts_is_initialized() == 0;
        __cilkrts_end_cilk();
        leave_with(is_right);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(CilkApiDeathTest, ThreadThatHasSpawnedRunsOnAWorker) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "1", 1);
        spawn_nothing();
        bool is_right = __cilkrts_running_on_workers() != 0 && __cilkrts_is_initialized() != 0 &&
                        __cilkrts_get_worker_number() == 0;
        std::thread([&is_right] {
          is_right =
              is_right && __cilkrts_running_on_workers() == 0 && __cilkrts_get_worker_number() == 0;
          spawn_nothing();
          is_right = is_right && __cilkrts_get_worker_number() == 1 &&
                     __cilkrts_get_total_workers() == 2 && __cilkrts_get_nworkers() == 1;
        }).join();
        leave_with(is_right);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(CilkApiDeathTest, EndIsRefusedWhileAnotherThreadIsAttached) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "1", 1);
        spawn_nothing();
        std::thread([] { __cilkrts_end_cilk(); }).join();
        leave_with(__cilkrts_is_initialized() != 0);
      },
      testing::ExitedWithCode(0), "^nopal: warning: __cilkrts_end_cilk: nothing was ended: ");
}

TEST_F(CilkApiDeathTest, SetParam) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "2", 1);
        bool is_right = __cilkrts_set_param("nworkers", "5") == __CILKRTS_SET_PARAM_SUCCESS &&
                        __cilkrts_get_nworkers() == 5;
        is_right =
            is_right && __cilkrts_set_param("nworkers", "4097") == __CILKRTS_SET_PARAM_XRANGE;
        is_right = is_right && __cilkrts_set_param("nworkers", "99999999999999999999") ==
                                   __CILKRTS_SET_PARAM_XRANGE;
        for (const char *text : {"", "x", "-1", "3 ", "0x3"}) {
          is_right =
              is_right && __cilkrts_set_param("nworkers", text) == __CILKRTS_SET_PARAM_INVALID;
        }
        is_right = is_right &&
                   __cilkrts_set_param("nworkers", "0") == __CILKRTS_SET_PARAM_SUCCESS &&
                   __cilkrts_get_nworkers() == 2 &&
                   __cilkrts_set_param("nworkers", "5") == __CILKRTS_SET_PARAM_SUCCESS;
        is_right = is_right && __cilkrts_set_param(nullptr, "1") == __CILKRTS_SET_PARAM_INVALID;
        is_right = is_right && __cilkrts_set_param("adapt", "1") == __CILKRTS_SET_PARAM_SUCCESS;
        is_right = is_right && __cilkrts_set_param("adapt", "2") == __CILKRTS_SET_PARAM_INVALID;
        is_right = is_right &&
                   __cilkrts_set_param("stack size", "1") == __CILKRTS_SET_PARAM_UNIMP &&
                   __cilkrts_get_nworkers() == 5;
        is_right =
            is_right && __cilkrts_set_param("nworkers", "4096") == __CILKRTS_SET_PARAM_SUCCESS;
        is_right = is_right &&
                   __cilkrts_set_param("adapt", "turns") == __CILKRTS_SET_PARAM_SUCCESS &&
                   __cilkrts_get_nworkers() == nopal::config().processors;
        leave_with(is_right);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(CilkApiDeathTest, NworkersMayChangeBetweenTwoRuns) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "2", 1);
        bool is_right = true;
        for (const char *text : {"1", "3", "2"}) {
          is_right =
              is_right && __cilkrts_set_param("nworkers", text) == __CILKRTS_SET_PARAM_SUCCESS;
          __cilkrts_init();
          is_right = is_right && __cilkrts_get_nworkers() == static_cast<unsigned>(std::atoi(text));
          is_right = is_right && __cilkrts_set_param("nworkers", "4") == __CILKRTS_SET_PARAM_LATE;
          __cilkrts_end_cilk();
        }
        leave_with(is_right);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(CilkApiDeathTest, CallbacksRunAtStartAndEndInOrder) {
  EXPECT_EXIT(
      {
        bool is_right = __cilkrts_atinit(nullptr) == -1 && __cilkrts_atexit(nullptr) == -1;
        is_right = is_right && __cilkrts_atinit([] { order += "a"; }) == 0 &&
                   __cilkrts_atinit([] { order += "b"; }) == 0;
        is_right = is_right && __cilkrts_atexit([] { order += "y"; }) == 0 &&
                   __cilkrts_atexit([] { order += "x"; }) == 0;
        __cilkrts_end_cilk();  // nothing was started
        is_right = is_right && order.empty();
        __cilkrts_init();
        is_right = is_right && order == "ab" && __cilkrts_atinit([] { order += "c"; }) == -1;
        __cilkrts_end_cilk();
        is_right = is_right && order == "abxy";
        __cilkrts_init();
        __cilkrts_end_cilk();
        leave_with(is_right && order == "abxy");
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(CilkApiDeathTest, FirstSpawnRunsInitCallbacks) {
  EXPECT_EXIT(
      {
        setenv("CILK_NWORKERS", "1", 1);
        __cilkrts_atinit([] {
          order += __cilkrts_running_on_workers() != 0 ? "on a worker" : "not on a worker";
          spawn_nothing();
        });
        spawn_nothing();
        leave_with(order == "on a worker");
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(CilkApiDeathTest, ExitRunsTheCallbacksOfAStartedRuntime) {
  EXPECT_EXIT(
      {
        __cilkrts_atexit([] { leave_with(order == "x"); });
        __cilkrts_atexit([] { order += "x"; });
        __cilkrts_init();
        std::exit(1);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(CallbacksTest, CallbackMayRegisterMore) {
  static nopal::Callbacks *under_test;
  nopal::Callbacks callbacks;
  under_test = &callbacks;
  order.clear();
  ASSERT_TRUE(callbacks.add_init(
      [] { order += under_test->add_init([] { order += "late"; }) ? "wrong" : "i"; }));
  ASSERT_TRUE(callbacks.add_exit([] {
    order += "1";
    under_test->add_exit([] { order += "2"; });
  }));
  callbacks.run_exit();
  EXPECT_EQ(order, "") << "no exit before the start";
  callbacks.run_init();
  callbacks.run_init();
  callbacks.run_exit();
  callbacks.run_exit();
  EXPECT_EQ(order, "i12");
}

}  // namespace
