#pragma once

// The interface of policies that exploit redundancy: computations that are equal in several lanes
// or warps go through their unit once, in part, or not at all. Examples are uniform vectors, scalar
// register files and reuse of results.

#include <cstdint>
#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/redundancy/pass_values.h"
#include "sm/redundancy/redundancy_description.h"

namespace heddle::sm {

/// How a pass of an arithmetic instruction executes. (A pass is a set of threads in different lanes
/// that go through a unit together.) The default is a normal pass.
struct Plan {
  static constexpr std::uint32_t kAllSlices = 32;  ///< No unit has more slices per warp.

  /// How many slices of the pass go through the unit, at most (see units/slices.h). If 0, the pass
  /// skips the unit.
  std::uint32_t slices = kAllSlices;
  Cycles skip_latency{1};    ///< Latency from operands to results if the unit is skipped.
  std::uint32_t copies = 0;  ///< Register moves that issue before the pass, one issue slot each.
  Cycles hold_cycles{};      ///< Cycles after the last pass in which the scheduler does not issue.
};

/// A policy affects only the timing of passes. It cannot change the values that are computed.
class Redundancy {
 public:
  Redundancy() = default;
  Redundancy(const Redundancy&) = delete;
  Redundancy& operator=(const Redundancy&) = delete;
  virtual ~Redundancy() = default;

  /// Plans a pass of an arithmetic instruction. All passes of an instruction are planned, in order,
  /// before the first is executed. Destination registers still hold their old values.
  virtual Plan plan(const PassValues& before) = 0;
  /// Reports that a pass of an instruction of any kind has been executed. Destination registers
  /// contain the results, except those of an atomic on global memory, which arrive later. For a
  /// memory access, `after` also has the addresses.
  virtual void observe_executed(const PassValues& after) = 0;
  virtual void declare(CounterList& counters) = 0;
};

struct RedundancySeam {
  using Policy = Redundancy;
  using Description = RedundancyDescription;
  using Place = RedundancyDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using RedundancyRegistry = config::PolicyRegistry<RedundancySeam>;

/// Makes the policy that the description names; null if every instruction is computed normally.
std::unique_ptr<Redundancy> make_redundancy(const RedundancyDescription& description);

}  // namespace heddle::sm
