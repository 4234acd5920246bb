/* Memory for the temporaries of an algorithm, in huge pages where there are any.
 *
 * Who calls it: sort.h. Checked by tests/algorithm/buffer.cpp.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_ALGORITHM_BUFFER_H
#define CILK_ALGORITHM_BUFFER_H

#include "parts.h"

#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace cilk {

namespace detail {

/// Memory for `n` objects that do not live yet; null if there is none.
///
/// From 2 MiB on it is in huge pages, if the system gives them to those that ask. As a rule a
/// buffer is new to the process, and on a virtual machine a third of a sort's time were page
/// faults. Whole huge pages take at most 2 MiB more. The memory is operator new's, so that tools
/// know it; the advice stays with the pages until they are unmapped.
template <class T>
class raw_buffer {
 public:
  explicit raw_buffer(count n) {
    std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
    if (bytes >= kHugePage) {
      alignment_ = std::align_val_t{std::max(alignof(T), kHugePage)};
      bytes = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    }
    memory_ = static_cast<T *>(::operator new(bytes, alignment_, std::nothrow));
#if defined(MADV_HUGEPAGE)
    if (memory_ != nullptr && bytes >= kHugePage) (void)madvise(memory_, bytes, MADV_HUGEPAGE);
#endif
  }
  raw_buffer(const raw_buffer &) = delete;
  raw_buffer &operator=(const raw_buffer &) = delete;
  ~raw_buffer() { ::operator delete(memory_, alignment_); }
  T *get() const noexcept { return memory_; }

 private:
  static constexpr std::size_t kHugePage = std::size_t{2} << 20;
  std::align_val_t alignment_{std::max(alignof(T), std::size_t{64})};
  T *memory_;
};

}  // namespace detail

}  // namespace cilk

#endif
