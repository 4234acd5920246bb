// The explorer's memory of ARMv8 against the classic litmus tests: what the architecture allows is
// found, and what it forbids is not. Outcomes: Alglave, Deacon, Grisenthwaite, Hacquard and
// Maranget, "Armed Cats" (TOPLAS 2021); Pulte and others, "Simplifying ARM Concurrency" (POPL
// 2018).
//
// A test is named as there: a shape, and what stands between each thread's two accesses. po:
// nothing. acq: the first is ldapr; acqsc: ldar. rel: the second is stlr.
#include "explorer.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace nopal::model {

// Accesses with any order, which the runtime's words do not offer.
struct Litmus {
  using Word64 = Word<int64_t>;
  static constexpr auto kLdar = static_cast<Orders>(kAcquires | kAfterReleases);

  static int64_t load(Word64 &word, Orders orders = kRelaxed) {
    return word.load(orders, Site::current());
  }
  static void store(Word64 &word, int64_t value, Orders orders = kRelaxed) {
    word.store(value, orders, Site::current());
  }
  static int64_t swap(Word64 &word, int64_t value, Orders orders = kRelaxed) {
    return word.read_modify_write([=](int64_t) { return value; }, orders, Site::current());
  }
  static int64_t add(Word64 &word, int64_t value, Orders orders = kRelaxed) {
    return word.read_modify_write([=](int64_t v) { return v + value; }, orders, Site::current());
  }
};

namespace {

using Word64 = Litmus::Word64;

// What the threads share, and what each has read.
struct Run {
  Word64 *x, *y, *z;
  int64_t a, b, c, d;  // registers, as the tests call them
};
Run run;

using Body = std::function<void()>;

// What stands between a thread's first access and its second.
enum class Between : uint8_t {
  kPo,
  kDmb,
  kDmbLd,
  kDmbSt,
  kAcq,    // the first access is ldapr
  kAcqSc,  // ldar
  kRel,    // the second is stlr
  kData,
  kAddr,
  kCtrl,
  kCtrlIsb,
  kRelAcqSc,  // stlr, then ldar
  kRelAcq     // stlr, then ldapr
};
using enum Between;

void between(Between what) {
  switch (what) {
    case kDmb:
      return ModelAtoms::full_fence();
    case kDmbLd:
      return fence_loads();
    case kDmbSt:
      return fence_stores();
    case kData:
      return next_value_from(last_load());
    case kAddr:
      return next_address_from(last_load());
    case kCtrl:
      return branch_on(last_load());
    case kCtrlIsb:
      branch_on(last_load());
      return isb_after(last_load());
    default:
      return;
  }
}
Orders of_first(Between what) {
  return what == kAcq                           ? kAcquires
         : what == kAcqSc                       ? Litmus::kLdar
         : what == kRelAcqSc || what == kRelAcq ? kReleases
                                                : kRelaxed;
}
Orders of_second(Between what) {
  return what == kRel        ? kReleases
         : what == kRelAcqSc ? Litmus::kLdar
         : what == kRelAcq   ? kAcquires
                             : kRelaxed;
}

// The three kinds of threads.
Body writes(Word64 *Run::*first, int64_t one, Between what, Word64 *Run::*second, int64_t other) {
  return [=] {
    Litmus::store(*(run.*first), one, of_first(what));
    between(what);
    Litmus::store(*(run.*second), other, of_second(what));
  };
}
Body reads(Word64 *Run::*first, int64_t Run::*one, Between what, Word64 *Run::*second,
           int64_t Run::*other) {
  return [=] {
    const int64_t found = Litmus::load(*(run.*first), of_first(what));
    between(what);
    run.*other = Litmus::load(*(run.*second), of_second(what));
    run.*one = found;
  };
}
Body reads_writes(Word64 *Run::*first, int64_t Run::*one, Between what, Word64 *Run::*second,
                  int64_t value) {
  return [=] {
    const int64_t found = Litmus::load(*(run.*first), of_first(what));
    between(what);
    Litmus::store(*(run.*second), value, of_second(what));
    run.*one = found;
  };
}
Body writes_reads(Word64 *Run::*first, int64_t value, Between what, Word64 *Run::*second,
                  int64_t Run::*one) {
  return [=] {
    Litmus::store(*(run.*first), value, of_first(what));
    between(what);
    run.*one = Litmus::load(*(run.*second), of_second(what));
  };
}

// Whether some schedule ends with `wanted`.
bool is_found(std::vector<Body> threads, std::function<bool()> wanted) {
  const ArmMemory arm;
  Scenario scenario;
  scenario.set_up = [] {
    run = {};
    for (Word64 **word : {&run.x, &run.y, &run.z}) *word = make<Word64>();
  };
  scenario.threads = std::move(threads);
  scenario.check = [&] { require(!wanted(), "found"); };
  scenario.state = &run;
  scenario.state_bytes = sizeof run;
  scenario.can_be_restored = true;
  return explore(scenario).violated;
}

constexpr auto x = &Run::x, y = &Run::y, z = &Run::z;
constexpr auto a = &Run::a, b = &Run::b, c = &Run::c, d = &Run::d;

bool mp(Between writer, Between reader) {
  return is_found({writes(x, 1, writer, y, 1), reads(y, a, reader, x, b)},
                  [] { return run.a == 1 && run.b == 0; });
}
TEST(Litmus, MessagePassing) {
  for (const Between writer : {kPo, kDmbLd, kCtrl})
    for (const Between reader : {kPo, kDmb, kAcq, kAddr, kCtrl}) EXPECT_TRUE(mp(writer, reader));
  for (const Between writer : {kDmb, kDmbSt, kRel}) {
    for (const Between reader : {kPo, kDmbSt, kCtrl, kRel}) EXPECT_TRUE(mp(writer, reader));
    for (const Between reader : {kDmb, kDmbLd, kAcq, kAcqSc, kAddr, kCtrlIsb})
      EXPECT_FALSE(mp(writer, reader)) << int(writer) << ' ' << int(reader);
  }
}

bool sb(Between one, Between other) {
  return is_found({writes_reads(x, 1, one, y, a), writes_reads(y, 1, other, x, b)},
                  [] { return run.a == 0 && run.b == 0; });
}
TEST(Litmus, StoreBuffering) {
  for (const Between weak : {kPo, kDmbLd, kDmbSt, kRelAcq}) {
    EXPECT_TRUE(sb(weak, weak));
    EXPECT_TRUE(sb(weak, kDmb));
  }
  EXPECT_FALSE(sb(kDmb, kDmb));
  EXPECT_FALSE(sb(kRelAcqSc, kRelAcqSc));
  EXPECT_FALSE(sb(kRelAcqSc, kDmb));
}

bool lb(Between one, Between other) {
  return is_found({reads_writes(x, a, one, y, 1), reads_writes(y, b, other, x, 1)},
                  [] { return run.a == 1 && run.b == 1; });
}
TEST(Litmus, LoadBuffering) {
  for (const Between weak : {kPo, kDmbSt})
    for (const Between any : {kPo, kDmb, kDmbLd, kAcq, kRel, kData, kAddr, kCtrl})
      EXPECT_TRUE(lb(weak, any)) << int(weak) << ' ' << int(any);
  for (const Between one : {kDmb, kDmbLd, kAcq, kAcqSc, kRel, kData, kAddr, kCtrl})
    for (const Between other : {kDmb, kDmbLd, kAcq, kRel, kData, kAddr, kCtrl})
      EXPECT_FALSE(lb(one, other)) << int(one) << ' ' << int(other);
}
// The address of an access between must be known before any later store.
TEST(Litmus, LoadBufferingWithAddressesAndOtherStores) {
  const auto thread = [](Word64 *Run::*from, int64_t Run::*into, Word64 *Run::*to) {
    return [=] {
      const int64_t found = Litmus::load(*(run.*from));
      next_address_from(last_load());
      Litmus::store(*run.z, found);
      Litmus::store(*(run.*to), 1);
      run.*into = found;
    };
  };
  EXPECT_FALSE(
      is_found({thread(x, a, y), thread(y, b, x)}, [] { return run.a == 1 && run.b == 1; }));
}

bool s(Between writer, Between reader) {
  return is_found({writes(x, 2, writer, y, 1), reads_writes(y, a, reader, x, 1)},
                  [] { return run.a == 1 && run.x->load_relaxed() == 2; });
}
TEST(Litmus, S) {
  for (const Between any : {kPo, kDmb, kAcq, kData, kCtrl}) EXPECT_TRUE(s(kPo, any));
  for (const Between writer : {kDmb, kDmbSt, kRel}) {
    EXPECT_TRUE(s(writer, kPo));
    EXPECT_TRUE(s(writer, kDmbSt));
    for (const Between reader : {kDmb, kDmbLd, kAcq, kRel, kData, kCtrl})
      EXPECT_FALSE(s(writer, reader)) << int(writer) << ' ' << int(reader);
  }
}

bool r(Between writer, Between reader) {
  return is_found({writes(x, 1, writer, y, 1), writes_reads(y, 2, reader, x, a)},
                  [] { return run.y->load_relaxed() == 2 && run.a == 0; });
}
TEST(Litmus, R) {
  for (const Between weak : {kPo, kDmbSt, kDmbLd, kRelAcq}) {
    EXPECT_TRUE(r(kDmb, weak));
    EXPECT_TRUE(r(kRel, weak));
  }
  EXPECT_TRUE(r(kPo, kDmb));
  for (const Between writer : {kDmb, kDmbSt, kRel}) {
    EXPECT_FALSE(r(writer, kDmb));
    EXPECT_FALSE(r(writer, kRelAcqSc));
  }
}

bool two_writes(Between one, Between other) {
  return is_found({writes(x, 1, one, y, 2), writes(y, 1, other, x, 2)},
                  [] { return run.x->load_relaxed() == 1 && run.y->load_relaxed() == 1; });
}
TEST(Litmus, TwoAndTwoWrites) {
  for (const Between any : {kPo, kDmb, kDmbLd, kDmbSt, kRel}) {
    EXPECT_TRUE(two_writes(kPo, any));
    EXPECT_TRUE(two_writes(kDmbLd, any));
  }
  for (const Between one : {kDmb, kDmbSt, kRel})
    for (const Between other : {kDmb, kDmbSt, kRel}) EXPECT_FALSE(two_writes(one, other));
}

Body stores(Word64 *Run::*word) {
  return [=] { Litmus::store(*(run.*word), 1); };
}

bool wrc(Between second, Between third) {
  return is_found({stores(x), reads_writes(x, a, second, y, 1), reads(y, b, third, x, c)},
                  [] { return run.a == 1 && run.b == 1 && run.c == 0; });
}
TEST(Litmus, WriteToReadCausality) {
  for (const Between any : {kPo, kAcq, kAddr}) EXPECT_TRUE(wrc(kPo, any));
  EXPECT_TRUE(wrc(kDmb, kPo));
  EXPECT_TRUE(wrc(kAcq, kCtrl));
  for (const Between second : {kDmb, kAcq, kRel, kData, kCtrl})
    for (const Between third : {kDmb, kAcq, kAddr}) EXPECT_FALSE(wrc(second, third));
}

// Two threads see two stores in different orders: not if they look in order, since each store
// reaches all other threads at once.
bool iriw(Between one, Between other) {
  return is_found({stores(x), stores(y), reads(x, a, one, y, b), reads(y, c, other, x, d)},
                  [] { return run.a == 1 && run.b == 0 && run.c == 1 && run.d == 0; });
}
TEST(Litmus, IndependentReadsOfIndependentWrites) {
  EXPECT_TRUE(iriw(kPo, kPo));
  EXPECT_TRUE(iriw(kPo, kDmb));
  for (const Between one : {kDmb, kDmbLd, kAcq, kAddr}) EXPECT_FALSE(iriw(one, one));
}

TEST(Litmus, Isa2) {
  const auto isa2 = [](Between one, Between two, Between three) {
    return is_found(
        {writes(x, 1, one, y, 1), reads_writes(y, a, two, z, 1), reads(z, b, three, x, c)},
        [] { return run.a == 1 && run.b == 1 && run.c == 0; });
  };
  EXPECT_FALSE(isa2(kDmb, kData, kAddr));
  EXPECT_FALSE(isa2(kRel, kAcq, kAcq));
  EXPECT_TRUE(isa2(kRel, kPo, kAcq));
  EXPECT_TRUE(isa2(kPo, kDmb, kDmb));
}

// A load takes the value of a store of its own thread that stands in a branch not yet decided; not
// of one whose value is not known.
TEST(Litmus, StoresInUndecidedBranchesAreForwarded) {
  const auto reader = [](bool is_branch) {
    return [=] {
      run.a = Litmus::load(*run.y);
      if (is_branch)
        branch_on(last_load());
      else
        next_value_from(last_load());
      Litmus::store(*run.z, 1);
      run.b = Litmus::load(*run.z);
      next_address_from(last_load());
      run.c = Litmus::load(*run.x);
    };
  };
  const auto wanted = [] { return run.a == 1 && run.b == 1 && run.c == 0; };
  EXPECT_TRUE(is_found({writes(x, 1, kDmb, y, 1), reader(true)}, wanted));    // PPOCA
  EXPECT_FALSE(is_found({writes(x, 1, kDmb, y, 1), reader(false)}, wanted));  // PPODA
}
TEST(Litmus, AThreadReadsItsOwnStoresEarly) {
  const auto thread = [](Word64 *Run::*own, Word64 *Run::*other, int64_t Run::*into, Orders load,
                         bool swaps) {
    return [=] {
      if (swaps)
        Litmus::swap(*(run.*own), 1);
      else
        Litmus::store(*(run.*own), 1);
      require(Litmus::load(*(run.*own), load) == 1, "its own store is not there");
      run.*into = Litmus::load(*(run.*other));
    };
  };
  const auto both = [&](Orders load, bool swaps) {
    return is_found({thread(x, y, a, load, swaps), thread(y, x, b, load, swaps)},
                    [] { return run.a == 0 && run.b == 0; });
  };
  EXPECT_TRUE(both(kRelaxed, false));
  EXPECT_TRUE(both(kAcquires, false));
  EXPECT_TRUE(both(Litmus::kLdar, false));
  EXPECT_TRUE(both(kRelaxed, true));
  EXPECT_FALSE(both(kAcquires, true));  // not that of a read-modify-write
}

TEST(Litmus, Coherence) {
  EXPECT_FALSE(is_found({stores(x), reads(x, a, kPo, x, b)},
                        [] { return run.a == 1 && run.b == 0; }));  // CoRR
  EXPECT_FALSE(
      is_found({writes(x, 1, kPo, x, 2)}, [] { return run.x->load_relaxed() == 1; }));  // CoWW
  EXPECT_FALSE(is_found({reads_writes(x, a, kPo, x, 1)}, [] { return run.a == 1; }));   // CoRW1
  EXPECT_FALSE(is_found({reads_writes(x, a, kPo, x, 1), [] { Litmus::store(*run.x, 2); }},
                        [] { return run.a == 2 && run.x->load_relaxed() == 2; }));  // CoRW2
  EXPECT_FALSE(is_found({writes_reads(x, 1, kPo, x, a), [] { Litmus::store(*run.x, 2); }},
                        [] { return run.a == 2 && run.x->load_relaxed() == 1; }));  // CoWR
  EXPECT_FALSE(is_found({writes_reads(x, 1, kPo, x, a)}, [] { return run.a == 0; }));
}

constexpr auto kAcqRel = static_cast<Orders>(Litmus::kLdar | kReleases);

TEST(Litmus, ReadModifyWrites) {
  const auto adds = [] { Litmus::add(*run.x, 1); };
  EXPECT_FALSE(is_found({adds, adds, adds}, [] { return run.x->load_relaxed() != 3; }));
  // No store comes between.
  EXPECT_FALSE(is_found({adds, [] { Litmus::store(*run.x, 5); }},
                        [] { return run.x->load_relaxed() == 1; }));
  // ldaxr and stlxr are no fence: the later load may be before the store.
  const auto swaps_reads = [](Word64 *Run::*own, Word64 *Run::*other, int64_t Run::*into,
                              Between what) {
    return [=] {
      Litmus::swap(*(run.*own), 1, kAcqRel);
      between(what);
      run.*into = Litmus::load(*(run.*other));
    };
  };
  for (const Between what : {kPo, kDmb})
    EXPECT_EQ(is_found({swaps_reads(x, y, a, what), swaps_reads(y, x, b, what)},
                       [] { return run.a == 0 && run.b == 0; }),
              what == kPo);
  // But what was before one is visible after the other.
  const auto mp_by_swaps = [](Orders writer, Orders reader) {
    return is_found({[=] {
                       Litmus::store(*run.x, 1);
                       Litmus::add(*run.y, 1, writer);
                     },
                     [=] {
                       run.a = Litmus::add(*run.y, 1, reader);
                       run.b = Litmus::load(*run.x);
                     }},
                    [] { return run.a == 1 && run.b == 0; });
  };
  EXPECT_FALSE(mp_by_swaps(kReleases, Litmus::kLdar));
  EXPECT_TRUE(mp_by_swaps(kReleases, kReleases));
  EXPECT_TRUE(mp_by_swaps(Litmus::kLdar, Litmus::kLdar));
  // A relaxed one continues the release before it.
  EXPECT_FALSE(is_found({[] {
                           Litmus::store(*run.x, 1);
                           Litmus::store(*run.y, 1, kReleases);
                         },
                         [] { Litmus::add(*run.y, 1); },
                         [] {
                           run.a = Litmus::load(*run.y, kAcquires);
                           run.b = Litmus::load(*run.x);
                         }},
                        [] { return run.a == 2 && run.b == 0; }));
}

TEST(Litmus, HeavyFences) {
  const auto owner = [] {
    Litmus::store(*run.x, 1);
    ModelAtoms::light_fence();
    run.a = Litmus::load(*run.y);
  };
  const auto thief = [](bool is_heavy) {
    return [=] {
      Litmus::store(*run.y, 1);
      if (is_heavy)
        ModelAtoms::heavy_fence();
      else
        ModelAtoms::full_fence();
      run.b = Litmus::load(*run.x);
    };
  };
  for (const bool is_heavy : {false, true})
    EXPECT_EQ(is_found({owner, thief(is_heavy)}, [] { return run.a == 0 && run.b == 0; }),
              !is_heavy);
}

// A violation that rests on a load whose value never comes is none.
TEST(Litmus, NothingComesOutOfThinAir) {
  const auto thread = [](Word64 *Run::*from, Word64 *Run::*to, int64_t Run::*into) {
    return [=] {
      run.*into = Litmus::load(*(run.*from));
      next_value_from(last_load());
      Litmus::store(*(run.*to), run.*into);
    };
  };
  EXPECT_FALSE(
      is_found({thread(x, y, a), thread(y, x, b)}, [] { return run.a != 0 || run.b != 0; }));
}

// Memory that is gone: a load that is late, and one that is not.
TEST(Litmus, LoadsComeTooLate) {
  for (const Between what : {kPo, kRel, kDmb}) {
    const bool found = is_found({reads_writes(x, a, what, y, 1),
                                 [] {
                                   await(*run.y, 1);
                                   run.x->bury();
                                 }},
                                [] { return false; });
    EXPECT_EQ(found, what == kPo);
  }
}

}  // namespace
}  // namespace nopal::model
