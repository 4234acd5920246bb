// The pedigree of the strand that a thread runs, as far as the runtime must know it: an exception
// that is kept in a frame takes the strand along that threw it.
//
// Called by exceptions.cpp and fork.cpp. What a pedigree is: abi/nopal_pedigree.h. Checked by
// tests/dprng.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_FRAME_PEDIGREE_H
#define NOPAL_FRAME_PEDIGREE_H

namespace nopal::pedigree {

/// The exception in flight is kept in a frame: remembers the calling thread's strand.
void keep(const void *exception) noexcept;
/// It is raised again: the calling thread runs the strand that was remembered.
void restore(const void *exception) noexcept;
/// It is destroyed.
void forget(const void *exception) noexcept;

/// Around a fork, so that the new process finds the list unlocked.
void lock_list() noexcept;
void unlock_list() noexcept;

}  // namespace nopal::pedigree

#endif
