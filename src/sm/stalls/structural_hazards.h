#pragma once

// Structural hazards: whether a ready warp finds space in the resources that its next instruction
// needs. These are operand collectors, arithmetic units, queues to memory, and entries of a shared
// scoreboard.

#include <array>

#include "base/cycle.h"
#include "sm/dependence/dependence.h"
#include "sm/ids.h"
#include "sm/memory/load_store_unit.h"
#include "sm/operands/operands.h"
#include "sm/stalls/resource.h"
#include "sm/units/execution_units.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// An arithmetic unit, and the resource for which warps contend there.
struct UnitResource {
  Resource resource;
  UnitKind unit;
};
inline constexpr std::array kUnitResources = {
    UnitResource{Resource::integer, UnitKind::integer},
    UnitResource{Resource::fp32, UnitKind::fp32},
    UnitResource{Resource::fp64, UnitKind::fp64},
    UnitResource{Resource::special, UnitKind::special},
};

/// A queue to memory, and the path that begins with it.
struct MemoryResource {
  Resource resource;
  MemoryPath path;
};
inline constexpr std::array kMemoryResources = {
    MemoryResource{Resource::global, MemoryPath::global},
    MemoryResource{Resource::shared, MemoryPath::shared},
    MemoryResource{Resource::constant, MemoryPath::constant},
    MemoryResource{Resource::texture, MemoryPath::texture},
};
static_assert(kUnitResources.size() + kMemoryResources.size() + 1 == kResources);

class StructuralHazards {
 public:
  StructuralHazards(const WarpTable& warps, const Operands& operands, const ExecutionUnits& units,
                    const LoadStoreUnit& memory, Dependence* shared_dependence = nullptr)
      : warps_(warps),
        operands_(operands),
        units_(units),
        memory_(memory),
        dependence_(shared_dependence),
        read_latency_(operands.read_latency()) {}

  /// The warps of `ready` for whose next instruction there is no space at `now`. Entries of a
  /// shared scoreboard are not considered: see stuck_behind_results().
  WarpSet stuck(WarpSet ready, Cycle now) const;
  /// Whether there is space at `now` for an arithmetic instruction of the wrong path, which is not
  /// the warp's next instruction.
  bool has_room_on_wrong_path(WarpSlot warp, const IssueTable& table, const IssueInfo& info,
                              Cycle now) const {
    return !operands_full(now) && !(ExecutionUnits::has(info.unit) && is_taken(info.unit, now)) &&
           (dependence_ == nullptr || dependence_->has_room(warp, table, info, now));
  }
  /// Whether no operand collector is free, so that no instruction can issue.
  bool operands_full(Cycle now) const { return operands_.free_from(now) > now; }
  /// The warps of `ready` without a free entry of a shared scoreboard, because of other warps'
  /// results in flight.
  WarpSet stuck_behind_results(WarpSet ready, Cycle now) const {
    return dependence_ == nullptr ? 0 : dependence_->stuck(ready, now);
  }
  /// Counts the cycles of warps that are stuck behind results.
  void count_behind_results(std::uint64_t warp_cycles) const {
    dependence_->count_stuck(warp_cycles);
  }
  /// The first cycle after `now` in which a ready warp may find space, if the queues to memory stay
  /// as they are.
  Cycle next_room(Cycle now) const;
  /// Whether a queue to memory that a ready warp needs accepts an instruction.
  bool has_room_for_memory() const;

  /// Warps without space, by what each needs.
  struct ThrottledWarps {
    WarpSet math = 0;  ///< An arithmetic unit, or none of these resources.
    WarpSet mio = 0;   ///< The scratchpad, constants or textures.
    WarpSet lg = 0;    ///< Local or global memory.
  };
  ThrottledWarps throttled(WarpSet stuck) const {
    const WarpSet lg = stuck & warps_.ready_for(Resource::global);
    const WarpSet mio =
        stuck & (warps_.ready_for(Resource::shared) | warps_.ready_for(Resource::constant) |
                 warps_.ready_for(Resource::texture));
    return {.math = stuck & ~lg & ~mio, .mio = mio, .lg = lg};
  }

 private:
  /// Whether the unit is busy when an instruction that issues at `now` would enter it.
  bool is_taken(UnitKind unit, Cycle now) const {
    return units_.free_from(unit) > now + read_latency_;
  }

  const WarpTable& warps_;
  const Operands& operands_;
  const ExecutionUnits& units_;
  const LoadStoreUnit& memory_;
  Dependence* dependence_;  ///< Null if warps do not share scoreboard entries.
  Cycles read_latency_;     ///< From the issue until the operands are read.
};

}  // namespace heddle::sm
