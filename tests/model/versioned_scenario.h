// An owner that changes two versioned words together, and a reader, on the shipped sequence lock,
// as a scenario for the explorer. Used by arm_model.cpp and arm_orders_model.cpp.
#pragma once

#include "../../runtime/src/frame/versioned.h"
#include "explorer.h"

namespace nopal::model {

template <class Atoms>
class VersionedScenario {
 public:
  // How often the owner sets both words to a new value, and how often the reader reads them.
  VersionedScenario(int sets, int gets) : sets_(sets), gets_(gets) {}

  Outcome explore() {
    Scenario scenario;
    scenario.set_up = [this] { words_ = make<Words>(typename Words::Values{0, 0}); };
    scenario.threads.push_back([this] {
      for (int64_t i = 1; i <= sets_; ++i) words_->set({i, i});
    });
    scenario.threads.push_back([this] {
      for (int i = 0; i < gets_; ++i) {
        typename Words::Values values;
        if (words_->get(values)) require(values[0] == values[1], "values of two sets");
      }
    });
    scenario.check = [this] {
      typename Words::Values values;
      require(words_->get(values) && values[0] == sets_ && values[1] == sets_, "not the last set");
    };
    scenario.can_be_restored = true;
    return model::explore(scenario);
  }

 private:
  using Words = VersionedWords<Atoms, 2>;
  const int sets_, gets_;
  Words *words_ = nullptr;
};

}  // namespace nopal::model
