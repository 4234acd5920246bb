// The statistics as a table for people. Specified in print.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.h"
#include "verdict.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nopal::stats {

namespace {

using Cells = std::vector<std::string>;

/// "50 %", or "-" if nothing was.
std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : std::to_string((100 * part + whole / 2) / whole);
}

/// `whole_ns`: what the worker might have worked.
Cells cells(const std::string &name, const cilk::worker_statistics &counts, CountTable table,
            std::uint64_t whole_ns) {
  Cells row{name};
  if (table == CountTable::kWorkers) row.push_back(percent(counts.working_ns, whole_ns));
  for (const CountField &field : kCountFields) {
    if (field.table != table) continue;
    const std::uint64_t value = counts.*field.value;
    row.push_back(field.is_time ? milliseconds(value) : std::to_string(value));
  }
  return row;
}

/// Right-aligned columns, two blanks between them, each as wide as its widest cell.
std::string aligned(const std::vector<Cells> &rows) {
  std::vector<std::size_t> widths;
  for (const Cells &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string result;
  for (const Cells &row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      result += std::string(2 + widths[i] - row[i].size(), ' ') + row[i];
    result += '\n';
  }
  return result;
}

/// Whether a victim policy has done anything that `random` on a flat machine does not.
bool has_policys(const cilk::worker_statistics &total) {
  return std::any_of(kCountFields.begin(), kCountFields.end(), [&total](const CountField &field) {
    return field.table == CountTable::kPolicy &&
           field.value != &cilk::worker_statistics::steals_nearest && total.*field.value != 0;
  });
}

std::string counts_table(const Snapshot &snapshot, const char *heading, CountTable table) {
  std::vector<Cells> rows{{heading}};
  if (table == CountTable::kWorkers) rows.front().push_back("busy/%");
  for (const CountField &field : kCountFields)
    if (field.table == table) rows.front().push_back(field.heading);
  for (const cilk::worker_row &worker : snapshot.workers) {
    rows.push_back(cells(std::to_string(worker.index) + (worker.is_attached ? "*" : " "),
                         worker.counts, table, snapshot.elapsed_ns));
  }
  rows.push_back(cells("total ", snapshot.total, table,
                       snapshot.elapsed_ns * std::max<std::uint64_t>(snapshot.nworkers, 1)));
  return aligned(rows);
}

std::string kibibytes(std::uint64_t bytes) {
  return std::to_string((bytes + 1023) / 1024) + " KiB";
}

Cells stack_cells(const std::string &name, const cilk::stack_statistics &stacks) {
  Cells row{name};
  for (const StackField &field : kStackFields)
    row.push_back(std::to_string((stacks.*field.value + 1023) / 1024));
  return row;
}

std::string stacks_table(const Snapshot &snapshot) {
  const cilk::segment_statistics &segments = snapshot.segments;
  std::string result = "  stack segments of " + kibibytes(segments.size_bytes) + ": " +
                       std::to_string(segments.in_use) + " in use, at most " +
                       std::to_string(segments.peak_in_use) + "; " +
                       std::to_string(segments.reserved) + " reserved, at most " +
                       std::to_string(segments.peak_reserved) + "; " +
                       kibibytes(segments.resident_bytes) + " resident\n";
  std::vector<Cells> stack_rows{{"stacks/KiB"}};
  for (const StackField &field : kStackFields) stack_rows.front().push_back(field.heading);
  for (const cilk::worker_row &worker : snapshot.workers) {
    stack_rows.push_back(stack_cells(
        std::to_string(worker.index) + (worker.is_attached ? "*" : " "), worker.stacks));
  }
  stack_rows.push_back(stack_cells("total ", snapshot.stacks));
  result += aligned(stack_rows);
  return result + "  deepest path " + kibibytes(segments.deepest_path_bytes) + ", times workers " +
         kibibytes(segments.space_bound_bytes) + "; " + std::to_string(segments.measurements) +
         " measurements, " + std::to_string(segments.decommits) + " decommits\n";
}

/// Numbers to the right, names to the left.
std::string sites_table(const Snapshot &snapshot) {
  std::vector<Cells> rows{{"steals"}};
  for (const SiteField &field : kSiteFields)
    if (field.heading != nullptr) rows.front().push_back(field.heading);
  for (std::size_t i = 0; i < snapshot.sites.size(); ++i) {
    Cells &row = rows.emplace_back(Cells{std::to_string(snapshot.sites[i].steals)});
    for (const SiteField &field : kSiteFields)
      if (field.heading != nullptr) row.push_back(milliseconds(snapshot.time(i, field.time)));
  }
  std::string result;
  const std::string numbers = aligned(rows);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t end = numbers.find('\n', begin);
    result += numbers.substr(begin, end - begin) + "  ";
    result += i == 0 ? "spawn site\n"
                     : short_name(snapshot.sites[i - 1].function) + "  " +
                           location(snapshot.sites[i - 1]) + "\n";
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::string print_table(const Snapshot &snapshot, Detail detail) {
  const Verdict verdict = judge(snapshot);
  std::string result = "nopal: statistics: " + verdict.sentence + "\n";
  if (!verdict.advice.empty()) result += "  " + verdict.advice + "\n";
  result += counts_table(snapshot, "worker", CountTable::kWorkers);
  if (has_policys(snapshot.total)) result += counts_table(snapshot, "steals", CountTable::kPolicy);
  if (snapshot.total.views_created != 0)
    result += counts_table(snapshot, "hyperobjects", CountTable::kViews);
  if (detail == Detail::kFull) result += stacks_table(snapshot);
  return result + sites_table(snapshot);
}

}  // namespace nopal::stats
