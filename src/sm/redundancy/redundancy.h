#pragma once

// The interface of policies that exploit redundancy: computations that are equal in several lanes
// or warps go through their unit once, in part, or not at all. Examples are uniform vectors, scalar
// register files and reuse of results.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/operands/register_selection.h"
#include "sm/redundancy/fault.h"
#include "sm/redundancy/pass_values.h"
#include "sm/redundancy/redundancy_description.h"
#include "sm/residency/static_warp_observer.h"

namespace heddle::sm {

/// How a pass issues. (A pass is a set of threads in different lanes that go through a unit
/// together.) The default is a normal pass.
struct Plan {
  static constexpr std::uint32_t kAllSlices = 32;  ///< No unit has more slices per warp.
  static constexpr std::uint32_t kAllLanes = 32;

  /// How many slices of the pass occupy the unit, at most (see units/slices.h). Results have the
  /// latency of all slices. If 0, the pass skips the unit. A pass of a load or of a texture
  /// instruction then skips memory; other numbers have no effect on it. Stores and atomics cannot
  /// skip memory.
  std::uint32_t slices = kAllSlices;
  /// In how many lanes the unit computes the pass, at most: no more than there are threads for
  /// which the guard holds. The unit's energy depends on it; its time depends on `slices`. Not used
  /// if the pass skips the unit, nor for accesses to memory.
  std::uint32_t computed_lanes = kAllLanes;
  /// Latency from operands to results if the unit is skipped. If other passes of the same load
  /// access memory, the load completes with them.
  Cycles skip_latency{1};
  /// The registers that are read from the register file and written to it. The others book no bank
  /// and are not counted there. A memory instruction writes its results once, for all its passes:
  /// the registers that any of them writes.
  AccessedRegisters accessed{};
  /// Those of `accessed` of which only one lane is accessed. If several passes of a memory
  /// instruction write a result, all must write one lane. Levels of registers above a register file
  /// access all lanes.
  OneLaneRegisters one_lane{};
  Cycles source_latency{};  ///< Latency, from issue, of sources that are not read from the file.
  /// Register moves that issue before the pass, one issue slot each. A move is computed in all
  /// lanes of the warp, active or not.
  std::uint32_t copies = 0;
  /// If present, the time from the instruction's last pass to the scheduler's next instruction, in
  /// place of `schedule.interval`; at least one cycle. If several passes have one, the longest
  /// counts.
  std::optional<Cycles> interval{};

  bool skips_unit() const { return slices == 0; }
};

/// A policy affects only the timing of passes. It cannot change the values that are computed,
/// except for an injected fault. It counts what it skips.
class Redundancy : public StaticWarpObserver {
 public:
  Redundancy() = default;
  Redundancy(const Redundancy&) = delete;
  Redundancy& operator=(const Redundancy&) = delete;
  virtual ~Redundancy() = default;

  /// Threads start in a warp slot. `static_warps`: the static warps to which they belong, with the
  /// hardware warps that these keep until ended(). The divergence policy may move threads to other
  /// slots later; PassValues has the static warps of each pass.
  virtual void started(WarpSlot /*warp*/, std::span<const StaticWarp> /*static_warps*/,
                       Cycle /*now*/) {}
  void ended(HardwareWarpId /*hardware_warp*/, Cycle /*at*/) override {}

  /// Plans a pass of an instruction that issues at `now`. Arithmetic instructions and all accesses
  /// to memory are planned; control and chip-wide instructions are not. All passes of an
  /// instruction are planned, in order, before the first is executed. Destination registers still
  /// have their old values.
  virtual Plan plan(const PassValues& before, Cycle now) = 0;
  /// Reports that the planned pass with this number has gone through a unit, and that its results
  /// exist from `at` on. Called for arithmetic instructions, before observe_executed().
  virtual void observe_computed(std::size_t /*pass*/, Cycle /*at*/) {}
  /// Reports that a pass of an instruction of any kind has been executed at `now`. Destination
  /// registers contain the results, except those of an atomic on global memory, which arrive later.
  /// For a memory access, `after` also has the addresses.
  virtual void observe_executed(const PassValues& after, Cycle now) = 0;
  virtual void declare(CounterList& counters) = 0;

  /// Injects a fault before the first launch; `sm` is the number of this multiprocessor. Returns
  /// whether the policy detects errors; if not, it injects nothing.
  virtual bool inject(FaultInjection& /*injection*/, std::uint32_t /*sm*/) { return false; }
};

struct RedundancySeam {
  using Policy = Redundancy;
  using Description = RedundancyDescription;
  using Place = RedundancyDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using RedundancyRegistry = config::PolicyRegistry<RedundancySeam>;

/// Makes the policy that the description names for each of `sub_cores` sub-cores, with an observer
/// of values around it if the description asks for one. Null if every instruction is computed
/// normally and none is observed.
std::unique_ptr<Redundancy> make_redundancy(const RedundancyDescription& description,
                                            std::uint32_t sub_cores = 1);

}  // namespace heddle::sm
