// See races.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "races.h"

#include "places.h"

namespace nopal::race {

namespace {

/// The frames from the access to the active thing where both part.
std::vector<Frame> stack_of(const Finding &finding) {
  std::vector<Frame> result;
  const std::span<const Active> active = finding.strands->active();
  const Active &last = active[finding.parting.active];
  std::size_t inner = active.size();
  auto code = reinterpret_cast<Address>(finding.here.code);
  const void *frame = finding.here.frame;
  while (true) {
    Frame own{code, nullptr, 0};
    while (inner - 1 > finding.parting.active && active[inner - 1].frame == frame) {
      --inner;
      if (active[inner].kind == ActiveKind::kFunction || active[inner].kind == ActiveKind::kLoop)
        continue;
      own.site = active[inner].site;
      own.iteration = active[inner].iteration;
    }
    result.push_back(own);
    if (frame == last.frame || !frame) break;
    const void *const *const chain = static_cast<const void *const *>(frame);
    if (chain[0] <= frame) break;  // code that keeps no frame pointer
    code = reinterpret_cast<Address>(chain[1]);
    frame = chain[0];
    if (last.frame && frame > last.frame) break;
  }
  shorten(result);
  return result;
}

/// The innermost frame of the later access's stack that reaches beyond the byte.
Owner owner_of(const Finding &finding) {
  if (!finding.is_on_stack) return {};
  auto code = reinterpret_cast<Address>(finding.here.code);
  const void *frame = finding.here.frame;
  Address callee = 0;
  long callee_offset = 0;
  constexpr Address kLinkage = 2 * sizeof(void *);  // the caller's frame pointer, and where to go
  while (reinterpret_cast<Address>(frame) + kLinkage <= finding.byte) {
    const void *const *const chain = static_cast<const void *const *>(frame);
    if (chain[0] <= frame) return {};
    callee = code;
    callee_offset = static_cast<long>(finding.byte - reinterpret_cast<Address>(frame));
    code = reinterpret_cast<Address>(chain[1]);
    frame = chain[0];
  }
  return {code, static_cast<long>(finding.byte - reinterpret_cast<Address>(frame)), callee,
          callee_offset};
}

}  // namespace

void Races::add(const Finding &finding) {
  // Each worker has its own.
  if (is_thread_local(finding.byte) || is_emulated_thread_local(finding.byte)) return;
  const auto later = static_cast<Place>(reinterpret_cast<Address>(finding.here.code));
  const auto key = std::tuple(finding.former, finding.was_write, later, is_write(finding.kind));
  const auto found = known_.find(key);
  if (found != known_.end()) {
    ++found->second->count;
    return;
  }
  const Active &part = finding.strands->active()[finding.parting.active];
  Race race{};
  race.what = finding;
  race.what.strands = nullptr;
  race.was_update = finding.was_write && updates_.contains(finding.former);
  race.function = part.site;
  race.parts_in_loop = part.kind == ActiveKind::kLoop;
  race.stack = stack_of(finding);
  race.later = race.stack.back().code;
  if (finding.kind != AccessKind::kValue)
    race.earlier = Detector::get().trail.stack(finding.time, finding.former, &part + 1);
  else if (!race.what.parting.former)
    race.what.parting.former = part.site;  // one of several of that function
  if (!race.what.parting.former && !race.earlier.empty())
    race.what.parting.former = race.earlier.back().site;
  race.owner = owner_of(finding);
  if (race.owner.code == 0) race.block = block_of(finding.byte);
  races_.push_back(race);
  known_[key] = &races_.back();
}

Races &races() {
  static auto *const own = new Races;
  return *own;
}

}  // namespace nopal::race
