/* What each rank did, as numbers, as a table on standard error, and as a file for nopal-view.
 *
 * Used by <cilk/cluster.h>. Checked by tests/cluster/cluster_test.py.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_CLUSTER_REPORT_H
#define CILK_CLUSTER_REPORT_H

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace cilk {

/// One rank's counts, in all its runs.
struct cluster_statistics {
  std::int32_t rank = 0;
  std::uint32_t workers = 0;
  std::uint64_t steps = 0;          ///< of bags
  std::uint64_t steals = 0;         ///< asked of ranks at random
  std::uint64_t failed_steals = 0;  ///< that were answered with nothing
  std::uint64_t lifelines = 0;      ///< asked of buddies
  std::uint64_t bags_taken = 0;     ///< that came from other ranks
  std::uint64_t bags_given = 0;     ///< that went to other ranks
  std::uint64_t messages = 0;       ///< sent
  std::uint64_t sent_bytes = 0;     ///< of bags and results
  double busy_seconds = 0;          ///< in process(), summed over workers
  double run_seconds = 0;           ///< from the beginning to the end of run()
};

namespace detail {

inline const char *statistics_destination() {
  const char *text = std::getenv("CILK_STATS");
  return text == nullptr || std::string(text) == "0" ? "" : text;
}

inline bool is_json(const std::string &destination) {
  return destination.size() > 5 && destination.compare(destination.size() - 5, 5, ".json") == 0;
}

/// Where rank 0 writes; empty if it prints.
inline std::string &ranks_file() {
  static std::string path;
  return path;
}

/// The ranks of one machine would write one file: x.json becomes x.rank3.json, and so does that of
/// CILK_TRACE. It must happen before the runtime reads its configuration, so before MPI is
/// initialized: asks the variables that Open MPI, MPICH and Slurm set for each process.
inline void name_files_by_rank() {
  static bool is_done = false;
  if (std::exchange(is_done, true)) return;
  const char *rank = nullptr;
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (rank == nullptr) rank = std::getenv(name);
  if (rank == nullptr) return;
  const auto rename = [rank](const char *variable, const std::string &path) {
    const std::size_t slash = path.rfind('/'), dot = path.rfind('.');
    const bool has_ending = dot != path.npos && (slash == path.npos || dot > slash);
    const std::size_t stem = has_ending ? dot : path.size();
    setenv(variable, (path.substr(0, stem) + ".rank" + rank + path.substr(stem)).c_str(), 1);
  };
  if (const std::string destination = statistics_destination(); is_json(destination)) {
    ranks_file() = destination.substr(0, destination.size() - 5) + ".ranks.json";
    rename("CILK_STATS", destination);
  }
  if (const char *trace = std::getenv("CILK_TRACE"); trace != nullptr && *trace != '\0')
    rename("CILK_TRACE", trace);
}

/// With a point in any locale.
inline std::string in_seconds(double seconds) {
  const auto ns = static_cast<std::uint64_t>(seconds * 1e9 + 0.5);
  const std::string fraction = std::to_string(ns % 1000000000);
  return std::to_string(ns / 1000000000) + "." + std::string(9 - fraction.size(), '0') + fraction;
}

inline void write_ranks(const std::string &path, const std::vector<cluster_statistics> &ranks) {
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    std::perror(("nopal: cannot write the statistics of the ranks to " + path).c_str());
    return;
  }
  std::fputs("{\"ranks\": [", file);
  const char *separator = "\n";
  for (const cluster_statistics &each : ranks) {
    std::fprintf(file,
                 "%s  {\"rank\": %" PRId32 ", \"workers\": %" PRIu32 ", \"steps\": %" PRIu64
                 ", \"steals\": %" PRIu64 ", \"failed_steals\": %" PRIu64
                 ", \"lifelines\": %" PRIu64 ", \"bags_taken\": %" PRIu64
                 ", \"bags_given\": %" PRIu64 ", \"messages\": %" PRIu64
                 ", \"sent_bytes\": %" PRIu64 ", \"busy_seconds\": %s, \"run_seconds\": %s}",
                 separator, each.rank, each.workers, each.steps, each.steals, each.failed_steals,
                 each.lifelines, each.bags_taken, each.bags_given, each.messages, each.sent_bytes,
                 in_seconds(each.busy_seconds).c_str(), in_seconds(each.run_seconds).c_str());
    separator = ",\n";
  }
  std::fputs("\n]}\n", file);
  if (std::fclose(file) != 0)
    std::perror(("nopal: cannot write the statistics of the ranks to " + path).c_str());
}

inline void print_ranks(const std::vector<cluster_statistics> &ranks) {
  std::fputs(
      "nopal: ranks\n"
      "  rank workers  busy        steps   steals  failed lifelines  taken  given messages  "
      "bytes\n",
      stderr);
  for (const cluster_statistics &each : ranks)
    std::fprintf(
        stderr,
        "  %4" PRId32 " %7" PRIu32 " %4.0f%% %12" PRIu64 " %8" PRIu64 " %7" PRIu64 " %9" PRIu64
        " %6" PRIu64 " %6" PRIu64 " %8" PRIu64 " %6" PRIu64 "\n",
        each.rank, each.workers,
        each.run_seconds > 0 ? 100 * each.busy_seconds / (each.run_seconds * each.workers) : 0.0,
        each.steps, each.steals, each.failed_steals, each.lifelines, each.bags_taken,
        each.bags_given, each.messages, each.sent_bytes);
}

/// On rank 0, whose vector holds all ranks.
inline void report_ranks(const std::vector<cluster_statistics> &ranks) {
  if (ranks.empty()) return;
  if (!ranks_file().empty())
    write_ranks(ranks_file(), ranks);
  else if (const std::string destination = statistics_destination();
           !destination.empty() && !is_json(destination))
    print_ranks(ranks);
}

}  // namespace detail
}  // namespace cilk

#endif
