// What the user chose through the environment, read once. The table of variables is in table.cpp.
//
// Called at the start, by the segments, the fence, chaos and the statistics. Malformed text is
// refused with a message that names the variable and its range (exit status 2). Rules: README.md.
// Checked by tests/unit/config_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_CONFIG_CONFIG_H
#define NOPAL_CONFIG_CONFIG_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nopal {

inline constexpr unsigned kMaxWorkers = 4096;

struct Config {
  enum class Fence { kAutomatic, kAsymmetric, kFull };
  enum class Adapt { kNo, kYes, kTurns };
  enum class Bind { kNone, kCompact, kSpread };
  enum class StackPeak { kSampled, kExact };

  struct Stats {
    enum class Kind { kNone, kTable, kFullTable, kJson };
    Kind kind = Kind::kNone;
    std::string path;  // of the JSON file
  };

  struct Trace {
    enum class Format { kNone, kPerfetto, kChrome };
    Format format = Format::kNone;
    std::string path;
  };

  struct Chaos {
    bool enabled = false;
    std::uint64_t seed = 0;
    double probability = 0;  // in [0, 1]
  };

  unsigned processors = 1;             // CPUs that the process may use; no environment variable
  unsigned nworkers = 1;               // in [1, kMaxWorkers]
  unsigned usual_nworkers = 1;         // unless the program says otherwise
  std::size_t segment_size_bytes = 0;  // whole pages
  Stats stats;
  Trace trace;
  Chaos chaos;
  std::uint8_t steal = 0;    // the row of policy/list.h
  Adapt adapt = Adapt::kNo;  // parallelism feedback
  Bind bind = Bind::kNone;
  std::string synthetic_machine;  // in hwloc's language; "": that of the file
  std::string machine_file;       // in hwloc's XML; "": this one
  Fence fence = Fence::kAutomatic;
  StackPeak stack_peak = StackPeak::kSampled;
  bool help = false;
};

/// The process's configuration. Any thread. The first call reads the environment. It prints the
/// table of variables on stderr if CILK_HELP=1, and ends the process with status 2 if a variable is
/// malformed. The reference stays valid during static destruction.
const Config &config();

/// Whether CILK_FENCE is "full", without reading the rest: for what must be settled when the
/// library is loaded. Any thread; allocates nothing, refuses nothing.
bool asks_for_full_fence() noexcept;
/// The same for CILK_TRACE: whether it is set to anything.
bool asks_for_trace() noexcept;

/// Changes the number of workers before the start (for __cilkrts_set_param). Returns false, and
/// changes nothing, if `nworkers` is out of range or freeze_config() was called. 0 stands for the
/// default. Any thread.
bool set_nworkers(unsigned nworkers);

/// config().nworkers, for a thread that goes on while the runtime is stopped, when it may change.
unsigned nworkers_now() noexcept;

/// The setting of that name: 0, 1 or turns.
std::optional<Config::Adapt> adapt_of(std::string_view text) noexcept;
/// As set_nworkers, for `adapt`. kTurns lowers the number of workers to that of processors, if it
/// is larger.
bool set_adapt(Config::Adapt adapt);

/// From now on the configuration does not change; called at the start. Returns it. Any thread.
const Config &freeze_config();
/// Undoes freeze_config(), after the runtime has stopped (__cilkrts_end_cilk): for programs that
/// try several numbers of workers.
void thaw_config();

/// The mutex of the last three, for fork().
void lock_config() noexcept;
void unlock_config() noexcept;

}  // namespace nopal

#endif
