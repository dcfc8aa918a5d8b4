#include "sm/hazards/structural_hazards.h"

#include <algorithm>
#include <cassert>

namespace heddle::sm {

WarpSet StructuralHazards::stuck_warps(WarpSet ready, Cycle now) const {
  assert((ready & ~warps_.ready()) == 0);
  if (are_collectors_full(now)) return ready & ~warps_.ready_for(Resource::none);
  WarpSet stuck = 0;
  // Ready warps need only a few different resources.
  for (WarpSet rest = ready; rest != 0;) {
    const Resource resource = warps_[first_of(rest)].needs;
    const WarpSet contenders = warps_.ready_for(resource);
    if (!has_space(resource, now)) stuck |= contenders;
    rest &= ~contenders;
  }
  return stuck & ready;
}

// Called several times in a cycle: searching the tables of units and queues here, instead of this
// switch, costs 2 % of all host instructions.
bool StructuralHazards::has_space(Resource resource, Cycle now) const {
  switch (resource) {
    case Resource::integer:
      return !is_taken(UnitKind::integer, now);
    case Resource::fp32:
      return !is_taken(UnitKind::fp32, now);
    case Resource::fp64:
      return !is_taken(UnitKind::fp64, now);
    case Resource::special:
      return !is_taken(UnitKind::special, now);
    case Resource::global:
      return memory_.accepts(MemoryPath::global);
    case Resource::shared:
      return memory_.accepts(MemoryPath::shared);
    case Resource::constant:
      return memory_.accepts(MemoryPath::constant);
    case Resource::texture:
      return memory_.accepts(MemoryPath::texture);
    case Resource::none:
      break;
  }
  return true;
}

Cycle StructuralHazards::next_space(Cycle now) const {
  const WarpSet behind = stuck_behind_results(warps_.ready() & own_, now);
  Cycle next = behind == 0 ? Cycle::never() : shared_entries_->next_space(behind, now);
  const Cycle soon = now + Cycles(1);
  for (const auto& [resource, unit] : kUnitResources) {
    if ((warps_.ready_for(resource) & own_ & ~behind) == 0) continue;
    const Cycle free = units_.free_from(unit);
    next = std::min(next,
                    free > soon + read_latency_ ? Cycle(free.number - read_latency_.count) : soon);
  }
  const Cycle operands = operands_.free_from(now);
  return operands > now ? std::min(next, operands) : next;
}

bool StructuralHazards::has_space_for_memory() const {
  return std::any_of(kMemoryResources.begin(), kMemoryResources.end(), [&](const auto& memory) {
    return (warps_.ready_for(memory.resource) & own_) != 0 && memory_.accepts(memory.path);
  });
}

}  // namespace heddle::sm
