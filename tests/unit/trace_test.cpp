// runtime/src/trace: the ring, the timeline from made-up records, and protobuf's encoding.
#include "trace/perfetto.h"
#include "trace/ring.h"
#include "trace/timeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace nopal::trace;

std::unique_ptr<Ring> ring_of(std::size_t capacity) {
  return std::make_unique<Ring>(std::make_unique<Record[]>(capacity), capacity);
}

std::vector<std::uint64_t> drained(Ring &ring) {
  std::vector<std::uint64_t> times;
  ring.drain([&times](const Record &record) { times.push_back(record.time_ns); });
  return times;
}

TEST(TraceRingTest, Smoke) {
  const auto ring = ring_of(4);
  EXPECT_TRUE(drained(*ring).empty());
  ring->put({1, nullptr, 0, Kind::kSearches});
  ring->put({2, nullptr, 0, Kind::kParked});
  EXPECT_EQ(drained(*ring), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_TRUE(drained(*ring).empty());
  EXPECT_EQ(ring->dropped(), 0u);
}

TEST(TraceRingTest, FullRingDropsTheNewAndCounts) {
  const auto ring = ring_of(4);
  for (std::uint64_t time = 1; time <= 6; ++time) ring->put({time, nullptr, 0, Kind::kParked});
  EXPECT_EQ(ring->dropped(), 2u);
  EXPECT_EQ(drained(*ring), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  ring->put({7, nullptr, 0, Kind::kParked});
  EXPECT_EQ(drained(*ring), (std::vector<std::uint64_t>{7}));
  EXPECT_EQ(ring->dropped(), 2u);
}

TEST(TraceRingTest, StressKeepsTheOrderAndLosesOnlyWhatItCounts) {
  constexpr std::uint64_t kRecords = 200'000;
  const auto ring = ring_of(64);
  std::thread writer([&ring] {
    for (std::uint64_t i = 1; i <= kRecords; ++i)
      ring->put({i, nullptr, static_cast<std::uint32_t>(~i), Kind::kSpawn});
  });
  std::uint64_t last = 0;
  std::uint64_t seen = 0;
  const auto look = [&](const Record &record) {
    EXPECT_GT(record.time_ns, last);
    EXPECT_EQ(record.other, static_cast<std::uint32_t>(~record.time_ns)) << "whole";
    last = record.time_ns;
    ++seen;
  };
  while (last < kRecords / 2 && seen + ring->dropped() < kRecords) ring->drain(look);
  writer.join();
  ring->drain(look);
  EXPECT_EQ(seen + ring->dropped(), kRecords);
}

/// Records the calls, an entry for each: a word and its values.
class Told final : public Output {
 public:
  std::vector<std::string> entries;
  void process(int, const std::string &) override {}
  void worker(std::uint32_t worker) override { put("worker", worker); }
  void begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
             std::uint64_t arriving) override {
    put("begin", worker, ns, name.text, note_of(note), arriving);
  }
  void end(std::uint32_t worker, std::uint64_t ns) override { put("end", worker, ns); }
  void instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
               std::uint64_t leaving, std::uint64_t arriving) override {
    put("instant", worker, ns, name.text, note_of(note), leaving, arriving);
  }
  void gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) override {
    put("gauge", static_cast<unsigned>(gauge), worker, ns, value);
  }
  void finish() override { put("finish"); }

 private:
  static std::string note_of(Note note) {
    return note.key == nullptr ? "-" : std::string(note.key) + "=" + std::to_string(note.value);
  }
  template <class... Values>
  void put(const char *word, const Values &...values) {
    std::ostringstream entry;
    entry << word;
    ((entry << ' ' << values), ...);
    entries.push_back(entry.str());
  }
};

constexpr nopal_site site_at(const char *function, std::uint32_t line) {
  nopal_site site{};
  site.function = function;
  site.file = "/a/b.cpp";
  site.line = line;
  site.column = 3;
  return site;
}
const nopal_site kSite = site_at("_Z1fi", 7);

TEST(TimelineTest, StatesFollowOneAnother) {
  Told told;
  Timeline timeline(told, 100);
  timeline.show_workers(1);
  timeline.take(0, {110, nullptr, 0, Kind::kProgram});
  timeline.take(0, {120, &kSite, 0, Kind::kWaits});
  timeline.take(0, {120, &kSite, 0, Kind::kWaits});
  timeline.take(0, {119, &kSite, 0, Kind::kResumed});
  timeline.finish(150);
  EXPECT_EQ(told.entries,
            (std::vector<std::string>{
                "worker 0", "begin 0 100 no thread - 0", "end 0 110", "begin 0 110 program - 0",
                "end 0 120", "begin 0 120 waiting at a sync - 0", "end 0 120",
                "begin 0 120 after the sync of f(int) - 0", "end 0 150", "finish"}))
      << "the same state is one slice, and time does not go back";
}

TEST(TimelineTest, AfterAWaitForItsTurnAWorkerGoesOnWithWhatItDid) {
  Told told;
  Timeline timeline(told, 0);
  timeline.take(0, {10, &kSite, 0, Kind::kResumed});
  told.entries.clear();
  timeline.take(0, {20, nullptr, 0, Kind::kTurnComes});
  EXPECT_EQ(told.entries.size(), 0u) << "the record of the wait was dropped";
  timeline.take(0, {30, nullptr, 0, Kind::kWaitsForTurn});
  timeline.take(0, {40, nullptr, 0, Kind::kTurnComes});
  timeline.take(0, {50, nullptr, 0, Kind::kWaitsForTurn});
  timeline.take(0, {52, nullptr, 0, Kind::kWaitsForTurn});  // that it went on was dropped
  timeline.take(0, {54, nullptr, 0, Kind::kTurnComes});
  timeline.take(0, {60, nullptr, 0, Kind::kSearches});
  EXPECT_EQ(told.entries,
            (std::vector<std::string>{"end 0 30", "begin 0 30 waiting for its turn - 0", "end 0 40",
                                      "begin 0 40 after the sync of f(int) - 0", "end 0 50",
                                      "begin 0 50 waiting for its turn - 0", "end 0 54",
                                      "begin 0 54 after the sync of f(int) - 0", "end 0 60",
                                      "begin 0 60 search - 0"}));
}

TEST(TimelineTest, StealIsAFlowFromTheVictimToTheSliceOfTheThief) {
  Told told;
  Timeline timeline(told, 0);
  timeline.show_workers(2);
  told.entries.clear();
  timeline.take(1, {10, &kSite, 0, Kind::kSteal});
  timeline.take(1, {12, &kSite, 0, Kind::kContinues});
  EXPECT_EQ(told.entries, (std::vector<std::string>{
                              "end 1 12", "instant 0 10 stolen: f(int) b.cpp:7:3 thief=1 1 0",
                              "begin 1 12 f(int) b.cpp:7:3 victim=0 1"}));
}

TEST(TimelineTest, StealWhoseSliceWasDroppedHasBothEnds) {
  Told told;
  Timeline timeline(told, 0);
  timeline.take(1, {10, &kSite, 0, Kind::kSteal});
  told.entries.clear();
  timeline.take(1, {12, nullptr, 0, Kind::kSearches});
  EXPECT_EQ(told.entries,
            (std::vector<std::string>{"instant 0 10 stolen: f(int) b.cpp:7:3 thief=1 1 0",
                                      "instant 1 10 f(int) b.cpp:7:3 victim=0 0 1", "end 1 12",
                                      "begin 1 12 search - 0"}));
  timeline.take(0, {20, &kSite, 1, Kind::kSteal});
  told.entries.clear();
  timeline.finish(30);
  EXPECT_EQ(told.entries.front(), "instant 1 20 stolen: f(int) b.cpp:7:3 thief=0 2 0");
}

TEST(TimelineTest, ContinuationStolenTwiceInARowIsTwoSlices) {
  Told told;
  Timeline timeline(told, 0);
  timeline.take(1, {10, &kSite, 0, Kind::kSteal});
  timeline.take(1, {11, &kSite, 0, Kind::kContinues});
  timeline.take(1, {20, &kSite, 0, Kind::kSteal});
  told.entries.clear();
  timeline.take(1, {21, &kSite, 0, Kind::kContinues});
  EXPECT_EQ(told.entries.size(), 3u);
}

TEST(TimelineTest, GaugeIsWrittenWhenItHasChanged) {
  Told told;
  Timeline timeline(told, 0);
  timeline.gauge(Gauge::kSegments, 0, 1, 5);
  timeline.gauge(Gauge::kSegments, 0, 2, 5);
  timeline.gauge(Gauge::kSegments, 0, 3, 6);
  EXPECT_EQ(told.entries, (std::vector<std::string>{"gauge 1 0 1 5", "gauge 1 0 3 6"}));
}

TEST(ProtobufTest, EncodesAsTheFormatSays) {
  Message inner;
  inner.number(1, 150);
  EXPECT_EQ(inner.bytes(), "\x08\x96\x01");
  Message outer;
  outer.message(3, inner);
  outer.text(16, "ab");
  outer.fixed64(47, 1);
  EXPECT_EQ(outer.bytes(), std::string("\x1a\x03\x08\x96\x01"
                                       "\x82\x01\x02"
                                       "ab"
                                       "\xf9\x02\x01\0\0\0\0\0\0\0",
                                       20));
}

}  // namespace
