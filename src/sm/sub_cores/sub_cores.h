#pragma once

// Sub-cores: the parts of a multiprocessor that issue instructions independently of each other.
// GPUs since Maxwell have four. A warp belongs to one sub-core, for good: its registers are there.
// Warps of different sub-cores meet only in what the multiprocessor has once: instruction cache,
// branch unit, load-store unit, scratchpad, barriers, and space for blocks.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sm/dependence/dependence.h"
#include "sm/front_end/front_end.h"
#include "sm/ids.h"
#include "sm/operands/operand_access.h"
#include "sm/operands/operands.h"
#include "sm/sm_description.h"
#include "sm/units/execution_units.h"

namespace heddle::sm {

/// What a sub-core has for its own warps, except for its schedulers
/// (sm/schedule/warp_schedulers.h).
struct SubCore {
  FrontEnd front_end;
  std::unique_ptr<Dependence> dependence;
  std::unique_ptr<Operands> operand_policy;
  ExecutionUnits units;
  OperandAccess operands{*operand_policy};
};

/// The sub-cores of a multiprocessor. They are equal.
class SubCores {
 public:
  SubCores(const SmDescription& description, InstructionCache& instruction_cache);

  std::uint32_t count() const { return static_cast<std::uint32_t>(sub_cores_.size()); }
  SubCore& operator[](std::uint32_t number) { return sub_cores_[number]; }
  /// The sub-core of a warp.
  SubCore& of(WarpSlot warp) { return *sub_core_of_[warp]; }
  /// The warp slots that belong to the sub-core with this number.
  WarpSet warps_of(std::uint32_t number) const;

  auto begin() { return sub_cores_.begin(); }
  auto end() { return sub_cores_.end(); }

 private:
  std::vector<SubCore> sub_cores_;
  std::array<SubCore*, kMaxWarps> sub_core_of_{};  ///< By warp slot.
};

}  // namespace heddle::sm
