#pragma once

// Structural hazards of a sub-core: whether the next instruction of a ready warp finds space in the
// resources that it needs. The resources are operand collectors, arithmetic units, queues to
// memory, and entries of a shared scoreboard.

#include <array>

#include "base/cycle.h"
#include "sm/dependence/shared_entries.h"
#include "sm/ids.h"
#include "sm/instructions/resource.h"
#include "sm/memory/load_store_unit.h"
#include "sm/operands/operands.h"
#include "sm/units/execution_units.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// An arithmetic unit, as a resource for which warps contend.
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

/// The queue at the beginning of a path to memory, as a resource for which warps contend.
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
  /// `own`: the warp slots of the sub-core.
  StructuralHazards(WarpSet own, const WarpTable& warps, const Operands& operands,
                    const ExecutionUnits& units, const LoadStoreUnit& memory,
                    SharedEntries* shared_entries = nullptr)
      : own_(own),
        warps_(warps),
        operands_(operands),
        units_(units),
        memory_(memory),
        shared_entries_(shared_entries),
        read_latency_(operands.read_latency()) {}

  /// The warp slots of the sub-core.
  WarpSet warps() const { return own_; }
  /// The members of `ready`, which must be ready, whose next instruction finds no space at `now`.
  /// Entries of a shared scoreboard are not considered: see stuck_behind_results().
  WarpSet stuck_warps(WarpSet ready, Cycle now) const;
  /// Whether an instruction that is not the next one of the warp's normal context finds space at
  /// `now`: one on a wrong path (sm/branch/wrong_paths.h) or ahead (sm/lookahead).
  bool has_space_for(WarpSlot warp, const IssueTable& table, const IssueInfo& info,
                     Cycle now) const {
    if (info.resource != Resource::none &&
        (are_collectors_full(now) || !has_space(info.resource, now))) {
      return false;
    }
    return shared_entries_ == nullptr || shared_entries_->has_space(warp, table, info, now);
  }
  /// Whether no operand collector is free, so that no instruction can issue.
  bool are_collectors_full(Cycle now) const { return operands_.free_from(now) > now; }
  /// The members of `ready` that need an entry of a shared scoreboard and find none free, because
  /// of results in flight of other warps. Empty if no scoreboard is shared.
  WarpSet stuck_behind_results(WarpSet ready, Cycle now) const {
    return shared_entries_ == nullptr ? 0 : shared_entries_->stuck_warps(ready, now);
  }
  /// Counts cycles of warps in stuck_behind_results(), which must not have been empty.
  void count_behind_results(std::uint64_t warp_cycles) const {
    shared_entries_->count_stuck(warp_cycles);
  }
  /// The first cycle after `now` in which a ready warp may find space, if the queues to memory do
  /// not change; never() if there is none.
  Cycle next_space(Cycle now) const;
  /// Whether any queue to memory that a ready warp of the sub-core needs accepts an instruction.
  bool has_space_for_memory() const;

  /// Warps that find no space, by the resource that each needs.
  struct ThrottledWarps {
    WarpSet math = 0;  ///< Arithmetic units. Also warps that need none of the resources.
    WarpSet mio = 0;   ///< The queues of the scratchpad, the constant cache and the texture unit.
    WarpSet lg = 0;    ///< The queue to local and global memory.
  };
  ThrottledWarps throttled(WarpSet stuck) const {
    const WarpSet lg = stuck & warps_.ready_for(Resource::global);
    const WarpSet mio =
        stuck & (warps_.ready_for(Resource::shared) | warps_.ready_for(Resource::constant) |
                 warps_.ready_for(Resource::texture));
    return {.math = stuck & ~lg & ~mio, .mio = mio, .lg = lg};
  }

 private:
  /// Whether the resource has space for an instruction that issues at `now`. True of
  /// Resource::none.
  bool has_space(Resource resource, Cycle now) const;
  /// Whether the unit is still busy when an instruction that issues at `now` would enter it.
  bool is_taken(UnitKind unit, Cycle now) const {
    return units_.free_from(unit) > now + read_latency_;
  }

  WarpSet own_;
  const WarpTable& warps_;
  const Operands& operands_;
  const ExecutionUnits& units_;
  const LoadStoreUnit& memory_;
  SharedEntries* shared_entries_;  ///< Null if warps do not share scoreboard entries.
  Cycles read_latency_;            ///< From the issue until the operands are read.
};

}  // namespace heddle::sm
