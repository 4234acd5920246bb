// The statistics as a table for people. Specified in print.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "print.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace nopal::stats {

namespace {

using Cells = std::vector<std::string>;

/// 1234567 ns are "1.235" ms.
std::string milliseconds(std::uint64_t ns) {
  const std::uint64_t us = (ns + 500) / 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(us / 1000),
                static_cast<unsigned long long>(us % 1000));
  return text;
}

Cells cells(const std::string &name, const cilk::worker_statistics &counts, CountTable table) {
  Cells row{name};
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
  for (const CountField &field : kCountFields)
    if (field.table == table) rows.front().push_back(field.heading);
  for (const cilk::worker_row &worker : snapshot.workers) {
    rows.push_back(cells(std::to_string(worker.index) + (worker.is_attached ? "*" : " "),
                         worker.counts, table));
  }
  rows.push_back(cells("total ", snapshot.total, table));
  return aligned(rows);
}

/// Without debug information there is no line; the index still tells the spawns of a function
/// apart.
std::string location(const cilk::site_row &site) {
  if (site.line == 0) return site.file + "#" + std::to_string(site.index);
  return site.file + ":" + std::to_string(site.line) + ":" + std::to_string(site.column);
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

}  // namespace

std::string print_table(const Snapshot &snapshot) {
  std::string result = "nopal: statistics: " + std::to_string(snapshot.nworkers) +
                       (snapshot.nworkers == 1 ? " worker, " : " workers, ") +
                       milliseconds(snapshot.elapsed_ns) + " ms\n";

  result += counts_table(snapshot, "worker", CountTable::kWorkers);
  if (has_policys(snapshot.total)) result += counts_table(snapshot, "steals", CountTable::kPolicy);
  if (snapshot.total.views_created != 0)
    result += counts_table(snapshot, "hyperobjects", CountTable::kViews);

  const cilk::segment_statistics &segments = snapshot.segments;
  result += "  stack segments of " + kibibytes(segments.size_bytes) + ": " +
            std::to_string(segments.in_use) + " in use, at most " +
            std::to_string(segments.peak_in_use) + "; " + std::to_string(segments.reserved) +
            " reserved, at most " + std::to_string(segments.peak_reserved) + "; " +
            kibibytes(segments.resident_bytes) + " resident\n";
  std::vector<Cells> stack_rows{{"stacks/KiB"}};
  for (const StackField &field : kStackFields) stack_rows.front().push_back(field.heading);
  for (const cilk::worker_row &worker : snapshot.workers) {
    stack_rows.push_back(stack_cells(
        std::to_string(worker.index) + (worker.is_attached ? "*" : " "), worker.stacks));
  }
  stack_rows.push_back(stack_cells("total ", snapshot.stacks));
  result += aligned(stack_rows);
  result += "  deepest path " + kibibytes(segments.deepest_path_bytes) + ", times workers " +
            kibibytes(segments.space_bound_bytes) + "; " + std::to_string(segments.measurements) +
            " measurements, " + std::to_string(segments.decommits) + " decommits\n";

  std::vector<std::string> steals{"steals"};
  for (const cilk::site_row &site : snapshot.sites) steals.push_back(std::to_string(site.steals));
  std::size_t width = 0;
  for (const std::string &cell : steals) width = std::max(width, cell.size());
  for (std::size_t i = 0; i < steals.size(); ++i) {
    result += std::string(2 + width - steals[i].size(), ' ') + steals[i] + "  ";
    result += i == 0
                  ? "spawn site\n"
                  : snapshot.sites[i - 1].function + "  " + location(snapshot.sites[i - 1]) + "\n";
  }
  return result;
}

}  // namespace nopal::stats
