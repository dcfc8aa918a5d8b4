#pragma once

// The interfaces that an operand policy may have in addition to Operands. Each has one concern. A
// plain register file has none of them.

#include <span>

#include "base/cycle.h"
#include "sm/operands/issued_instruction.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// Serves the operands of whole instructions, from levels of registers above a register file. A
/// policy with this interface is called for instructions instead of Operands::read() and write().
class OperandLevels {
 public:
  /// As Operands::read(), for the sources of a pass that issues. Called for each pass, in order of
  /// issue.
  virtual Cycle read_sources(const IssuedPass& issued, Cycle now) = 0;
  /// As Operands::write(), for the results of an instruction: of a pass, at issue, if their time is
  /// known then; otherwise of the whole instruction, when memory has responded.
  virtual Cycle write_results(const IssuedInstruction& issued, Cycle done) = 0;

 protected:
  ~OperandLevels() = default;
};

/// Observes instructions whose operands are not read and written through the policy.
class ControlObserver {
 public:
  /// Reports an executed control instruction, or a chip-wide one, which is executed between epochs.
  virtual void observe_control(const IssuedInstruction& issued,
                               std::span<const StaticWarp> static_warps, Cycle now) = 0;

 protected:
  ~ControlObserver() = default;
};

/// Observes the active set of a two-level scheduler. Other schedulers neither activate nor suspend
/// warps. A warp is suspended when it starts. A suspended warp reads no registers, but data from
/// memory may be written to its registers.
class ActiveSetObserver {
 public:
  /// The warp may issue from `now` on.
  virtual void activated(WarpSlot, Cycle /*now*/) {}
  /// The warp was active. It does not issue from `now` on. `reason`: what it waits for.
  virtual void suspended(WarpSlot, WaitReason /*reason*/, Cycle /*now*/) {}
  /// The warp is suspended, and begins another long wait before it has been activated.
  virtual void waits_again(WarpSlot, WaitReason /*reason*/, Cycle /*now*/) {}
  /// The warp has ended or, with dynamic warp formation, its threads continue in other warps.
  /// Called with any scheduler, for active and for suspended warps.
  virtual void ended(WarpSlot, Cycle /*now*/) {}

 protected:
  ~ActiveSetObserver() = default;
};

/// The interfaces of a policy; null for those that it does not have. They belong to the policy.
struct OperandInterfaces {
  OperandLevels* levels = nullptr;
  ControlObserver* control = nullptr;
  ActiveSetObserver* active_set = nullptr;
};

}  // namespace heddle::sm
