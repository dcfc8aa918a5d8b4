#pragma once

// Whether there is room for what ready warps need: operand collectors, arithmetic units, queues to
// memory, entries of a scoreboard that they share.

#include <array>

#include "base/cycle.h"
#include "sm/dependence/dependence.h"
#include "sm/ids.h"
#include "sm/memory/load_store_unit.h"
#include "sm/operands/operands.h"
#include "sm/resource.h"
#include "sm/units/execution_units.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// An arithmetic unit, and what warps that wait for it contend for.
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

/// A queue to memory, and the path that starts with it.
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

  /// Those of `ready` for whose next instruction there is no room at `now`, other warps' results
  /// apart.
  WarpSet stuck(WarpSet ready, Cycle now) const;
  /// Whether there is room at `now` for arithmetic that is not what the warp will execute next.
  bool has_room_in_vain(WarpSlot warp, const IssueTable& table, const IssueInfo& info,
                        Cycle now) const {
    return !operands_full(now) && !(ExecutionUnits::has(info.unit) && is_taken(info.unit, now)) &&
           (dependence_ == nullptr || dependence_->has_room(warp, table, info, now));
  }
  /// No instruction is taken up at all.
  bool operands_full(Cycle now) const { return operands_.free_from(now) > now; }
  /// Those that lack room because of other warps' results under way.
  WarpSet stuck_behind_results(WarpSet ready, Cycle now) const {
    return dependence_ == nullptr ? 0 : dependence_->stuck(ready, now);
  }
  /// So many of them were, for a cycle each.
  void count_behind_results(std::uint64_t warp_cycles) const {
    dependence_->count_stuck(warp_cycles);
  }
  /// The first cycle after `now` in which a warp that is ready may find room, if memory's queues
  /// stay as they are.
  Cycle next_room(Cycle now) const;
  /// Whether a queue to memory that a ready warp needs takes an instruction.
  bool has_room_for_memory() const;

  /// Warps that find no room, by what each needs.
  struct Throttled {
    WarpSet math = 0;  ///< An arithmetic unit, or nothing.
    WarpSet mio = 0;   ///< The scratchpad, constants or textures.
    WarpSet lg = 0;    ///< Local or global memory.
  };
  Throttled throttled(WarpSet stuck) const {
    const WarpSet lg = stuck & warps_.ready_for(Resource::global);
    const WarpSet mio =
        stuck & (warps_.ready_for(Resource::shared) | warps_.ready_for(Resource::constant) |
                 warps_.ready_for(Resource::texture));
    return {.math = stuck & ~lg & ~mio, .mio = mio, .lg = lg};
  }

 private:
  /// For what issues at `now`.
  bool is_taken(UnitKind unit, Cycle now) const {
    return units_.free_from(unit) > now + read_latency_;
  }

  const WarpTable& warps_;
  const Operands& operands_;
  const ExecutionUnits& units_;
  const LoadStoreUnit& memory_;
  Dependence* dependence_;  ///< Null where no warp hinders another one in it.
  Cycles read_latency_;     ///< Of operands.
};

}  // namespace heddle::sm
