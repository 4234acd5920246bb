// Which spawns' continuations were lately stolen from a worker, by frame.
//
// The child of a stolen continuation does not know which spawn of its function it came from: the
// thief may have named the next one in the frame. So the thief leaves a note with its victim. The
// statistics use it, to say whose child ran long; nothing else relies on it. A member of each
// Worker. Checked by tests/unit/busy_test.cpp.
//
// Edges (tag: writer -> reader, and what the reader may then rely on):
//   [note] relaxed: a hint. Two thieves may write the same entry; then its site may belong to
//       another frame.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_WORKER_STOLEN_SITES_H
#define NOPAL_WORKER_STOLEN_SITES_H

#include "../../abi/nopal_abi.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace nopal {

class StolenSites {
 public:
  /// A thief that has just taken the continuation in `frame`.
  void note(const nopal_frame *frame, const nopal_site *site) noexcept {
    Note &note = notes_[place_of(frame)];
    note.frame.store(frame, std::memory_order_relaxed);  // [note]
    note.site.store(site, std::memory_order_relaxed);    // [note]
  }
  /// The site of the last note on `frame`, or null. Any thread; the frame may be gone.
  const nopal_site *find(const nopal_frame *frame) const noexcept {
    const Note &note = notes_[place_of(frame)];
    if (note.frame.load(std::memory_order_relaxed) != frame) return nullptr;  // [note]
    return note.site.load(std::memory_order_relaxed);                         // [note]
  }

 private:
  struct Note {
    std::atomic<const nopal_frame *> frame{nullptr};
    std::atomic<const nopal_site *> site{nullptr};
  };
  static constexpr int kPlaceBits = 4;
  static std::size_t place_of(const nopal_frame *frame) noexcept {
    return (reinterpret_cast<std::uintptr_t>(frame) * 0x9e3779b97f4a7c15u) >> (64 - kPlaceBits);
  }
  std::array<Note, 1u << kPlaceBits> notes_;
};

}  // namespace nopal

#endif
