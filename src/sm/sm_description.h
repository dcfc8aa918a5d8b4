#pragma once

// All parameters of a multiprocessor.

#include <cstdint>

#include "config/declarations.h"
#include "config/storage_list.h"
#include "sm/branch/branch_description.h"
#include "sm/dependence/dependence_description.h"
#include "sm/divergence/divergence_description.h"
#include "sm/front_end/front_end_description.h"
#include "sm/lookahead/lookahead_description.h"
#include "sm/memory/load_store_description.h"
#include "sm/operands/operands_description.h"
#include "sm/redundancy/redundancy_description.h"
#include "sm/residency/residency_description.h"
#include "sm/schedule/schedule_description.h"
#include "sm/storage/storage_description.h"
#include "sm/sub_cores/sub_core_description.h"
#include "sm/units/units_description.h"

namespace heddle::sm {

struct BarrierDescription {
  std::uint32_t latency = 4;  ///< In cycles, from the last warp's arrival to the first issue after.

  void declare(config::Declarations& parameters);
};

struct SmDescription {
  ResidencyDescription residency{};
  SubCoreDescription sub_cores{};
  DivergenceDescription divergence{};
  ScheduleDescription schedule{};
  FetchDescription fetch{};
  InstructionCacheDescription icache{};
  DependenceDescription dependence{};
  BranchDescription branch{};
  OperandDescription operands{};
  RedundancyDescription redundancy{};
  LookaheadDescription lookahead{};
  UnitsDescription units{};
  BarrierDescription barrier{};
  LoadStoreDescription memory{};
  StorageDescription launch_storage{};

  void declare(config::Declarations& parameters);
  /// The number of schedulers of all sub-cores.
  std::uint32_t schedulers() const { return sub_cores.count * schedule.schedulers; }
  /// The storage arrays of a multiprocessor.
  void storage(config::StorageList& list) const;
  /// Throws InputError for choices that exclude each other.
  void check() const;
};

}  // namespace heddle::sm
