// See timeline.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "timeline.h"

#include "../platform/demangled.h"
#include "../stats/print.h"

#include <algorithm>
#include <string>

namespace nopal::trace {

namespace {

std::string function_of(const nopal_site &site) {
  return stats::short_name(demangled(site.function != nullptr ? site.function : "?"));
}

/// The function, and where it spawns: without the folders of the file.
std::string place_of(const nopal_site &site) {
  std::string file = site.file != nullptr ? site.file : "?";
  file.erase(0, file.rfind('/') + 1);
  return function_of(site) + " " +
         stats::location({"", file, site.line, site.column, site.index, 0});
}

std::string text_of(Kind kind, const nopal_site *site) {
  switch (kind) {
    case Kind::kNoThread:
      return "no thread";
    case Kind::kProgram:
      return "program";
    case Kind::kContinues:
      return place_of(*site);
    case Kind::kResumed:
      return "after the sync of " + function_of(*site);
    case Kind::kWaits:
      return "waiting at a sync";
    case Kind::kWaitsForTurn:
      return "waiting for its turn";
    case Kind::kSearches:
      return "search";
    case Kind::kParked:
      return "parked";
    case Kind::kSteal:
      return "stolen: " + place_of(*site);
    case Kind::kSpawn:
      return "spawn: " + place_of(*site);
    case Kind::kTurnComes:
      break;
  }
  __builtin_unreachable();
}

}  // namespace

const Name &Timeline::name_of(Kind kind, const nopal_site *site) {
  if (kind == Kind::kWaits || kind == Kind::kWaitsForTurn) site = nullptr;  // one name for all
  const auto [place, is_new] = names_.try_emplace({kind, site});
  if (is_new) place->second = {static_cast<std::uint32_t>(names_.size()), text_of(kind, site)};
  return place->second;
}

void Timeline::show_workers(std::uint32_t count) {
  while (rows_.size() < count) {
    const auto worker = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({.since_ns = begun_ns_, .stolen = {}});
    output_.worker(worker);
    output_.begin(worker, begun_ns_, name_of(Kind::kNoThread, nullptr), {}, 0);
  }
}

void Timeline::take(std::uint32_t worker, const Record &record) {
  show_workers(worker + 1);
  if (record.kind == Kind::kSteal) show_workers(record.other + 1);
  Row &row = rows_[worker];
  switch (record.kind) {
    case Kind::kSteal:
      write_lone_steal(worker, row);
      row.stolen = {std::max(record.time_ns, row.since_ns), ++flows_, record.other, record.site};
      break;
    case Kind::kSpawn:
      output_.instant(worker, std::max(record.time_ns, row.since_ns),
                      name_of(record.kind, record.site), {"stealable", record.other}, 0, 0);
      break;
    case Kind::kWaitsForTurn: {
      if (row.kind == Kind::kWaitsForTurn) break;  // the end of the last wait was dropped
      const Kind before = row.kind;
      change(worker, row, {record.time_ns, row.site, 0, record.kind});
      row.before_turn = before;
      break;
    }
    case Kind::kTurnComes:
      if (row.kind == Kind::kWaitsForTurn)  // else its begin was dropped
        change(worker, row, {record.time_ns, row.site, 0, row.before_turn});
      break;
    default:
      change(worker, row, record);
  }
}

void Timeline::change(std::uint32_t worker, Row &row, const Record &record) {
  const bool is_stolen = record.kind == Kind::kContinues && row.stolen.flow != 0;
  if (!is_stolen) write_lone_steal(worker, row);
  if (!is_stolen && row.kind == record.kind && row.site == record.site) return;
  const std::uint64_t ns = std::max(record.time_ns, row.since_ns);
  output_.end(worker, ns);
  Note note;
  if (is_stolen) {
    write_victim(worker, row.stolen);
    note = {"victim", row.stolen.victim};
  }
  output_.begin(worker, ns, name_of(record.kind, record.site), note, row.stolen.flow);
  row = {.kind = record.kind, .site = record.site, .since_ns = ns, .stolen = {}};
}

void Timeline::write_victim(std::uint32_t thief, const Steal &steal) {
  output_.instant(steal.victim, steal.ns, name_of(Kind::kSteal, steal.site), {"thief", thief},
                  steal.flow, 0);
}

/// The slice that a steal leads to did not come: its record was dropped, or the trace ends.
void Timeline::write_lone_steal(std::uint32_t thief, Row &row) {
  if (row.stolen.flow == 0) return;
  write_victim(thief, row.stolen);
  output_.instant(thief, row.stolen.ns, name_of(Kind::kContinues, row.stolen.site),
                  {"victim", row.stolen.victim}, 0, row.stolen.flow);
  row.stolen = {};
}

void Timeline::gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) {
  const auto [place, is_new] = gauges_.try_emplace({gauge, worker}, value);
  if (!is_new && place->second == value) return;
  place->second = value;
  output_.gauge(gauge, worker, ns, value);
}

void Timeline::finish(std::uint64_t ns) {
  for (std::uint32_t worker = 0; worker < rows_.size(); ++worker) {
    Row &row = rows_[worker];
    write_lone_steal(worker, row);
    output_.end(worker, std::max(ns, row.since_ns));
  }
  output_.finish();
}

}  // namespace nopal::trace
