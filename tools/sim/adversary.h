// The adversary of Remark 2 in the paper on localized work stealing: decides each general steal.
#pragma once

#include <memory>

#include "policies.h"

namespace nopal::sim {

/// Steal-backs remain those of `inner`. For the program remark2 alone.
std::unique_ptr<PolicySet> make_adversary(std::unique_ptr<PolicySet> inner);

}  // namespace nopal::sim
