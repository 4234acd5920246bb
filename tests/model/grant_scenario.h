// A thread that is given two workers, one after the other, on the shipped grant, as a scenario for
// the explorer. Used by arm_model.cpp and arm_orders_model.cpp.
//
// Thread 0 gives the first worker, thread 1 is the receiver, and thread 2 gives the second one when
// it finds the receiver spare again, for which the registry's mutex stands. A word stands for all
// that a worker's owner has written. At the end the receiver's thread ends, and the grant is gone:
// any later access is a violation.
#pragma once

#include "../../runtime/src/worker/grant.h"
#include "explorer.h"

namespace nopal::model {

// A futex whose wake-ups are never lost, and may come for no reason: the kernel's lock over the
// comparison sees to the first, and the caller to the second. The kernel has a full barrier before
// it looks for waiters (futex_hb_waiters_pending()).
template <class Atoms>
struct SleepingAtoms : Atoms {
  static inline Word<int64_t> *woken = nullptr;
  static void sleep_while(const Word<uint32_t> &word, uint32_t value) {
    if (word.load_relaxed() != value) return;
    await(*woken, 1);
    int64_t one = 1;
    woken->compare_exchange_seq_cst(one, 0);
  }
  static void wake_one(Word<uint32_t> &) {
    Atoms::full_fence();
    woken->exchange_release(1);
  }
  static void spin_pause() {}
  static void yield() {}
};

template <class Atoms>
class GrantScenario {
 public:
  using ModelAtomsOf = SleepingAtoms<Atoms>;
  using ModelGrant = Grant<ModelAtomsOf>;

  // `spins`: how often the receiver looks before it sleeps.
  explicit GrantScenario(int spins) : spins_(spins) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { set_up(); };
    scenario.threads.push_back([this] { give(0); });
    scenario.threads.push_back([this] { receive(); });
    scenario.threads.push_back([this] {
      await(*spare_, 1);
      give(1);
    });
    scenario.check = [] {};
    scenario.can_be_restored = true;
    return model::explore(scenario);
  }

 private:
  void set_up() {
    grant_ = make<ModelGrant>();
    ModelAtomsOf::woken = make<Word<int64_t>>();
    spare_ = make<Word<int64_t>>();
    for (Word<int64_t> *&worker : workers_) worker = make<Word<int64_t>>();
  }
  void give(uint32_t index) {
    *workers_[index] = 1;
    grant_->give(ModelGrant::kFirst + index);
  }
  void receive() {
    for (uint32_t index : {0, 1}) {
      const uint32_t given = grant_->wait(spins_, 0);
      require(given == ModelGrant::kFirst + index, "not what was given");
      require(*workers_[index] == 1, "the receiver does not see what the last owner wrote");
      grant_->reset();
      if (index == 0) spare_->store_release(1);
    }
    Atoms::full_fence();
    static_cast<WordBase *>(static_cast<Word<uint32_t> *>(const_cast<void *>(grant_->address())))
        ->bury();
  }

  const int spins_;
  ModelGrant *grant_ = nullptr;
  Word<int64_t> *spare_ = nullptr;
  Word<int64_t> *workers_[2] = {};
};

}  // namespace nopal::model
