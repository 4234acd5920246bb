// See programs.h.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [entry] compare-exchange by programs that come: each entry has one owner, until it has not
//       written it for kForgottenNs; then another may take it. An owner that finds it taken comes
//       again.
//   [said] relaxed: numbers that a reader may see late, or some of them late. All that depends on
//       them is who waits for the next millisecond.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs.h"

#include "../platform/whole_file.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace nopal {
namespace {

constexpr std::uint32_t pack(const policy::Program &program) noexcept {
  return std::uint32_t{program.level} << 24 | std::uint32_t{program.filled} << 16 | program.wanted;
}
void unpack(std::uint32_t said, policy::Program &program) noexcept {
  program.level = static_cast<std::uint8_t>(said >> 24);
  program.filled = static_cast<std::uint8_t>(said >> 16);
  program.wanted = static_cast<std::uint16_t>(said);
}

/// FNV-1a of the processors that the caller may use.
std::uint32_t hash_of_processors() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::uint32_t hash = 2166136261u;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &allowed))
      hash = (hash ^ static_cast<unsigned>(processor)) * 16777619u;
  return hash;
}

/// Returns 0 or the system's error.
int map(int file, std::size_t size_bytes, void **page) noexcept {
  struct stat found{};
  if (fstat(file, &found) != 0) return errno;
  if (found.st_uid != geteuid()) return EACCES;  // its owner could delay this program
  // Allocate now: a later write without room would raise SIGBUS.
  const FileSizeSignalBlocked blocked;
  const auto size = static_cast<off_t>(size_bytes);
  if (const int refused = posix_fallocate(file, 0, size); refused != 0) return refused;
  void *const mapped = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return errno;
  *page = mapped;
  return 0;
}

/// Whether what was said at `said_at` is `age_ns` old. What was said in the future is older: then
/// the clock has begun anew.
bool is_older(std::uint64_t said_at, std::uint64_t age_ns, std::uint64_t now_ns) noexcept {
  constexpr std::uint64_t kReadEarlier = Programs::kSilentNs;  // than the other wrote
  return said_at > now_ns + kReadEarlier || now_ns - std::min(now_ns, said_at) >= age_ns;
}

}  // namespace

std::string Programs::default_name() {
  return "/nopal-turns-1-" + std::to_string(geteuid()) + "-" + std::to_string(hash_of_processors());
}

Programs::~Programs() {
  leave();
  if (page_ != nullptr) munmap(page_, sizeof(Page));
}

int Programs::open(const std::string &name) noexcept {
  if (page_ != nullptr) return 0;
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  void *page = nullptr;
  const int refused = map(file, sizeof(Page), &page);
  close(file);
  page_ = static_cast<Page *>(page);  // zeros are a list of nobody
  return refused;
}

Programs::Entry *Programs::take_entry(std::int32_t process, std::uint64_t now_ns) noexcept {
  for (Entry &entry : page_->entries) {
    std::int32_t owner = entry.process.load(std::memory_order_relaxed);              // [entry]
    const std::uint64_t said_at = entry.said_at_ns.load(std::memory_order_relaxed);  // [said]
    if (owner != 0 && owner != process && !is_older(said_at, kForgottenNs, now_ns)) continue;
    if (entry.process.compare_exchange_strong(owner, process,
                                              std::memory_order_relaxed))  // [entry]
      return &entry;
  }
  return nullptr;
}

bool Programs::say(policy::Program self, std::uint64_t now_ns) noexcept {
  process_ = self.process;
  if (own_ == nullptr || own_->process.load(std::memory_order_relaxed) != process_)  // [entry]
    own_ = take_entry(process_, now_ns);
  if (own_ == nullptr) return false;
  own_->said.store(pack(self), std::memory_order_relaxed);         // [said]
  own_->begun_ns.store(self.begun_ns, std::memory_order_relaxed);  // [said]
  own_->said_at_ns.store(now_ns, std::memory_order_relaxed);       // [said]
  return true;
}

std::span<const policy::Program> Programs::others(std::uint64_t now_ns) noexcept {
  std::size_t count = 0;
  for (const Entry &entry : page_->entries) {
    const std::int32_t process = entry.process.load(std::memory_order_relaxed);  // [entry]
    if (process == 0 || process == process_) continue;
    const std::uint64_t said_at = entry.said_at_ns.load(std::memory_order_relaxed);  // [said]
    if (is_older(said_at, kSilentNs, now_ns)) continue;
    policy::Program &other = others_[count++];
    other.process = process;
    other.begun_ns = entry.begun_ns.load(std::memory_order_relaxed);  // [said]
    unpack(entry.said.load(std::memory_order_relaxed), other);        // [said]
  }
  return {others_.data(), count};
}

void Programs::leave() noexcept {
  Entry *const own = std::exchange(own_, nullptr);
  if (own == nullptr) return;
  std::int32_t process = process_;
  own->process.compare_exchange_strong(process, 0, std::memory_order_relaxed);  // [entry]
}

}  // namespace nopal
