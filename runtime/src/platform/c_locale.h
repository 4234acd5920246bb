// Numbers of reports with a point, whatever the program has said by setlocale.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_PLATFORM_C_LOCALE_H
#define NOPAL_PLATFORM_C_LOCALE_H

#include <locale.h>

namespace nopal {

/// While it lives, the calling thread writes numbers as the "C" locale does. Cost: nothing to speak
/// of.
class CLocale {
 public:
  CLocale() noexcept : c_(newlocale(LC_NUMERIC_MASK, "C", nullptr)) {
    if (c_ != nullptr) before_ = uselocale(c_);
  }
  ~CLocale() {
    if (c_ == nullptr) return;
    uselocale(before_);
    freelocale(c_);
  }
  CLocale(const CLocale &) = delete;
  CLocale &operator=(const CLocale &) = delete;

 private:
  locale_t c_, before_ = nullptr;
};

}  // namespace nopal

#endif
