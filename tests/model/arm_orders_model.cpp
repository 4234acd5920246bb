// Each memory order of the lock-free code, dropped alone: the table says which schedule of ARMv8
// shows that it is needed, or that none of the cases does. An order that the table does not know
// fails, and so does a row without an order. Names of cases: below.
#include "alarm_scenario.h"
#include "deque_scenario.h"
#include "descending.h"
#include "grant_scenario.h"
#include "join_scenario.h"
#include "sleep_scenario.h"
#include "versioned_scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace nopal::model {
namespace {

using Exploration = std::function<Outcome()>;

std::vector<std::string> words_of(const std::string &text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// A case of the deque: script, fence mode (a, f, d for adaptive) and the thieves' tries; then cap
// and a capacity, x and how many elements each thief wants, down for descending arrays.
Exploration deque_case(const std::string &name) {
  const std::vector<std::string> words = words_of(name);
  const FenceMode mode = words[1] == "a"   ? FenceMode::kAsymmetric
                         : words[1] == "f" ? FenceMode::kFull
                                           : FenceMode::kAdaptive;
  std::vector<int> steals;
  for (const char c : words[2]) steals.push_back(c - '0');
  int64_t capacity = 2;
  std::vector<int64_t> wanted;
  bool descends = false;
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i].starts_with("cap")) capacity = words[i].back() - '0';
    if (words[i].starts_with("x")) wanted.push_back(words[i].back() - '0');
    descends |= words[i] == "down";
  }
  return [=, script = words[0]] {
    if (descends)
      return DequeScenario<DescendingArrays>(mode, script, steals, true, capacity).explore();
    DequeScenario<ModelAtoms> scenario(mode, script, steals, true, capacity);
    if (!wanted.empty()) scenario.take_several(wanted);
    return scenario.explore();
  };
}
// Of the join: the letters of its scenario.
Exploration join_case(const std::string &name) {
  return
      [=] { return JoinScenario<ModelAtoms>(static_cast<int>(name.size()) - 1, name).explore(); };
}
// Of the grant: how often the receiver looks.
Exploration grant_case(const std::string &name) {
  return [=] { return GrantScenario<ModelAtoms>(name[0] - '0').explore(); };
}
// Of the sleep word: parked and attached, and the scripts.
Exploration sleep_case(const std::string &name) {
  return [=, scripts = words_of(name.substr(3))] {
    return SleepScenario<ModelAtoms>(scripts, name[0] - '0', name[1] - '0').explore();
  };
}
// Of the alarm: the poller's rounds, and the owner's script.
Exploration alarm_case(const std::string &name) {
  return [=] { return AlarmScenario<ModelAtoms>({name.substr(2)}, name[0] - '0').explore(); };
}

// Of the versioned words: how often they are set and read.
Exploration versioned_case(const std::string &name) {
  return [=] { return VersionedScenario<ModelAtoms>(name[0] - '0', name[1] - '0').explore(); };
}

// A case that fails without the order, or null: none of the protocol's does.
struct Row {
  const char *code;  // a piece of its line, which no other line with an order has
  int parts;
  const char *caught_by = nullptr;
};
struct Protocol {
  const char *file;  // in runtime/src
  Exploration (*exploration)(const std::string &name);
  std::vector<const char *> cases;  // which execute all orders, and those of the rows
  std::vector<Row> rows;
};

constexpr int kBoth = kAcquires | kReleases;

const Protocol kDeque{
    "deque/deque.h",
    deque_case,
    {"PO f 1", "POPO f 1", "POPO a 1", "PPNN a 1", "PPDO a 1", "PPOO f 1 cap1", "QPPOO d 1"},
    {
        {"bottom.store_release(address_of(slots", kReleases, "PO a 1"},
        {"d_.bottom.store_release(Atoms::predict(", kReleases, "POPO a 1"},
        {"d_.bottom.store_release(place)", kReleases},
        {"d_.bottom.store_release(address_of(&slot", kReleases, "POPO f 1"},
        {"for (int64_t found = slot.load_acquire();;)", kAcquires},
        {"      found = slot.load_acquire();", kAcquires},
        {"slot.compare_exchange_seq_cst(found, to)", kBoth},
        {"d_.array.store_release(to)", kReleases, "PPOPO f 2 cap1 down"},
        {"d_.top.compare_exchange_seq_cst(top, next_epoch(top))", kBoth},
        {"Atoms::epoch_fence()", kFences},
        {"d_.limit.compare_exchange_seq_cst(limit", kBoth},
        {"position_of(d_.top.load_acquire());  // [top]: if stale", kAcquires},
        {"Atoms::full_fence();  // [fence]; else", kFences, "PO f 1"},
        {"  int64_t found = slot.load_acquire();  // [slot], [fence]", kAcquires},
        {"slot.compare_exchange_seq_cst(found, ours)", kBoth},
        {"const int64_t top = d_.top.load_acquire()", kAcquires},
        {"d_.full_pops.store_release(1)", kReleases, "POE d 1"},
        {"d_.full_pops.store_release(0)", kReleases},
        {"Atoms::switch_fence()", kFences, "QPPOO d 1"},
        {"d_.slots[position].load_acquire()", kAcquires},
        {"int64_t oldest = d_.top.load_acquire();  // [top]", kAcquires},
        {"d_.top.compare_exchange_seq_cst(oldest, oldest + 1)) ++oldest", kBoth},
    }};
const Protocol kSteal{
    "deque/steal.h",
    deque_case,
    {"PO f 11", "POE d 1", "PO a 1", "PO f 11 x2 x2", "POE d 1 x2", "PO a 1 x2"},
    {
        {"Atoms::full_fence();  // [fence], [mode]", kFences, "PO f 1"},
        {"d_.full_pops.load_acquire() == 0)", kAcquires, "POE d 1"},
        {"Atoms::heavy_fence();  ", kFences | kFencesOthers, "PO a 1"},
        {"int64_t oldest = d_.top.load_acquire();        // [top]", kAcquires, "PPOOPP f 2"},
        {"Array *const array = d_.array.load_acquire();  // [array]: top's position is in it\n  "
         "const int64_t position = position_of(oldest);\n  int64_t bottom",
         kAcquires},
        {"int64_t bottom = d_.bottom.load_acquire();  // [hint]", kAcquires, "PPOOPP f 2"},
        {"int64_t found = slot.load_acquire()", kAcquires},
        {"if (found == kTaken) d_.top.compare_exchange_seq_cst", kBoth},
        {"!slot.compare_exchange_seq_cst(found, claim)", kBoth},
        {"  bottom = d_.bottom.load_acquire();", kAcquires},
        {"is_there && d_.top.load_acquire() == oldest", kAcquires},
        {"!slot.compare_exchange_seq_cst(claim, kTaken)", kBoth},
        {"    d_.top.compare_exchange_seq_cst(oldest, oldest + 1); ", kBoth},
        {"  slot.compare_exchange_seq_cst(claim, frame)", kBoth},
        // Several at once.
        {"const int64_t oldest = d_.top.load_acquire();", kAcquires, "PPOOPP f 2 x2"},
        {"Array *const array = d_.array.load_acquire();  // [array]: top's position is in it\n  "
         "const int64_t position = position_of(oldest);\n  int64_t there",
         kAcquires},
        {"int64_t there = array->position_of(d_.bottom", kAcquires, "PPOOPP f 2 x2"},
        {"slots[claimed].load_acquire()", kAcquires},
        {"d_.top.compare_exchange_seq_cst(top, top + 1);  // [top]\n", kBoth},
        {"!slots[claimed].compare_exchange_seq_cst", kBoth},
        {"  there = array->position_of(d_.bottom", kAcquires},
        {"there > 0 && d_.top.load_acquire()", kAcquires},
        {"!slots[confirmed].compare_exchange_seq_cst", kBoth},
        {"d_.top.compare_exchange_seq_cst(top, top + 1);  // [top]: before", kBoth},
        {"slots[i - 1].compare_exchange_seq_cst", kBoth},
    }};
const Protocol kJoin{"frame/join.h",
                     join_case,
                     {"..", "T."},
                     {
                         {"fetch_add_acq_rel(-NOPAL_JOIN_ONE)", kBoth, ".."},
                         {"load_acquire()) == NOPAL_JOIN_ONE", kAcquires, ".."},
                         {"fetch_add_acq_rel(stolen)", kBoth, ".."},
                         {"fetch_or_acquire(NOPAL_JOIN_LOCKED)", kAcquires, "TT"},
                         {"fetch_add_release(flags - NOPAL_JOIN_LOCKED)", kReleases, "TT"},
                     }};
const Protocol kGrant{"worker/grant.h",
                      grant_case,
                      {"0", "1"},
                      {
                          {"value = word_.load_acquire();", kAcquires, "1"},
                          {"word_.compare_exchange_acquire(value", kAcquires, "0"},
                          {"while ((value = word_.load_acquire())", kAcquires, "0"},
                          {"word.exchange_release(value)", kReleases, "0"},
                      }};
const Protocol kSleep{"idle/sleep_word.h",
                      sleep_case,
                      {"00 AR H", "01 E AR", "11 EAR ABAR", "11 G IH"},
                      {
                          {"word_.fetch_add_acq_rel(difference)", kReleases, "00 AR H"},
                          {"word_.fetch_add_acq_rel(difference)", kAcquires},
                          {"word_.compare_exchange_seq_cst(old", kAcquires, "00 AR H"},
                          {"word_.compare_exchange_seq_cst(old", kReleases},
                      }};
const Protocol kAlarm{"idle/alarm.h",
                      alarm_case,
                      {"1 PO", "2 PO", "1 PDPOQ"},
                      {
                          {"    Atoms::full_fence();          // [set]", kFences, "1 PO"},
                          {"    Atoms::full_fence();  // [set]", kFences},
                          {"word_.compare_exchange_seq_cst(expected, kAsleep)", kBoth},
                          {"Atoms::push_fence()", kFences, "1 P"},
                          {"word_.compare_exchange_seq_cst(found, kNotSet)", kBoth},
                      }};
const Protocol kVersioned{"frame/versioned.h",
                          versioned_case,
                          {"11"},
                          {
                              {"Atoms::release_fence()", kFences, "11"},
                              {"version_.store_release(version + 2)", kReleases, "11"},
                              {"version_.load_acquire()", kAcquires, "11"},
                              {"Atoms::acquire_fence()", kFences, "11"},
                          }};

class ArmOrders : public testing::TestWithParam<const Protocol *> {
 protected:
  // The file from its first line with the site on, without what stands before that on the line.
  std::string code_at(const OrderedSite &site) const {
    std::ifstream in(std::string(NOPAL_RUNTIME_SOURCES) + "/" + GetParam()->file);
    std::string text, line;
    for (uint32_t number = 1; std::getline(in, line); ++number)
      if (number >= site.line) text += line + "\n";
    return text;
  }
  // Whether the site's line has the row's code; if that goes on to further lines, they follow.
  static bool is_of(const Row &row, const OrderedSite &site, const std::string &code) {
    const size_t at = code.find(row.code);
    return (row.parts & site.part) != 0 && at != std::string::npos && at < code.find('\n');
  }
  std::vector<OrderedSite> sites() const {
    std::vector<OrderedSite> found;
    for (const char *name : GetParam()->cases)
      for (const OrderedSite &site : ordered_sites_of(GetParam()->exploration(name))) {
        bool is_known = std::string(site.file).find(GetParam()->file) == std::string::npos;
        for (const OrderedSite &known : found)
          is_known |=
              known.line == site.line && known.column == site.column && known.part == site.part;
        if (!is_known) found.push_back(site);
      }
    return found;
  }
  static const char *name_of(Orders part) {
    return part == kAcquires   ? "acquire"
           : part == kReleases ? "release"
           : part == kFences   ? "fence"
                               : "fence of the others";
  }
  const ArmMemory arm_;
};
INSTANTIATE_TEST_SUITE_P(, ArmOrders,
                         testing::Values(&kDeque, &kSteal, &kJoin, &kGrant, &kSleep, &kAlarm,
                                         &kVersioned),
                         [](const auto &protocol) {
                           std::string name = std::strrchr(protocol.param->file, '/') + 1;
                           return name.substr(0, name.find('.'));
                         });

TEST_P(ArmOrders, AreNeeded) {
  const Protocol &protocol = *GetParam();
  std::vector<int> rest;
  for (const Row &row : protocol.rows) rest.push_back(row.parts);
  for (const OrderedSite &site : sites()) {
    const std::string code = code_at(site), line = code.substr(0, code.find('\n'));
    const std::string title =
        std::string(name_of(site.part)) + ", line " + std::to_string(site.line) + ":" + line;
    size_t index = 0;
    while (index < rest.size() && !is_of(protocol.rows[index], site, code)) ++index;
    if (index == rest.size()) {
      ADD_FAILURE() << "no row: " << title;
      continue;
    }
    rest[index] &= ~site.part;
    const char *const name = protocol.rows[index].caught_by;
    if (name != nullptr) {
      const Outcome outcome = explore_without(site, protocol.exploration(name));
      EXPECT_TRUE(outcome.violated) << "not needed by " << name << ": " << title;
      std::printf("%-10s %s: %s", name, title.c_str(),
                  outcome.what.substr(0, outcome.what.find('\n') + 1).c_str());
    } else if (std::getenv("NOPAL_MODEL_LARGE") != nullptr) {
      for (const char *each : protocol.cases) {
        const Outcome outcome = explore_without(site, protocol.exploration(each));
        EXPECT_FALSE(outcome.violated) << "needed by " << each << ": " << title << outcome.what;
      }
      for (const Row &row : protocol.rows) {
        if (row.caught_by == nullptr) continue;
        const Outcome outcome = explore_without(site, protocol.exploration(row.caught_by));
        EXPECT_FALSE(outcome.violated) << "needed by " << row.caught_by << ": " << title;
      }
    }
  }
  for (size_t i = 0; i < rest.size(); ++i)
    EXPECT_EQ(rest[i], 0) << "no order: " << protocol.rows[i].code;
}
// And with all of them nothing is wrong in these cases.
TEST_P(ArmOrders, Suffice) {
  std::set<std::string> seen;
  for (const Row &row : GetParam()->rows) {
    if (row.caught_by == nullptr || !seen.insert(row.caught_by).second) continue;
    const Outcome outcome = GetParam()->exploration(row.caught_by)();
    EXPECT_FALSE(outcome.violated) << row.caught_by << ": " << outcome.what;
  }
}

}  // namespace
}  // namespace nopal::model
