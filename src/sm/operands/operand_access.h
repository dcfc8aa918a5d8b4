#pragma once

#include <span>

#include "base/cycle.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

/// The pipeline's access to the operand policy. It chooses, for each event of the pipeline, among
/// the interfaces that the policy has.
class OperandAccess {
 public:
  explicit OperandAccess(Operands& policy)
      : file_(policy),
        levels_(policy.interfaces().levels),
        control_(policy.interfaces().control),
        active_set_(policy.interfaces().active_set) {}

  Cycle free_from(Cycle now) const { return file_.free_from(now); }
  /// Reads the sources of a pass: see OperandLevels. `static_warps`: all static warps of the
  /// instruction. `number`: the number of the pass, from 0 on.
  Cycle read_sources(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps,
                     const Pass& pass, std::size_t number, Cycle now) {
    return levels_ == nullptr ? file_.read_accessed(issued, now)
                              : levels_->read_sources({issued, static_warps, pass, number}, now);
  }
  Cycle write_results(const IssuedInstruction& issued, Cycle done) {
    return levels_ == nullptr ? file_.write_accessed(issued, done)
                              : levels_->write_results(issued, done);
  }
  /// Whether registers can be accessed in one lane. The levels above a register file have entries
  /// of all lanes.
  bool accesses_single_lanes() const { return levels_ == nullptr; }
  /// The observer of changes of the active set; may be null.
  ActiveSetObserver* active_set() const { return active_set_; }
  bool observes_control() const { return control_ != nullptr; }
  /// See ControlObserver. May be called only if observes_control().
  void observe_control(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps,
                       Cycle now) {
    control_->observe_control(issued, static_warps, now);
  }

 private:
  Operands& file_;
  OperandLevels* levels_;          ///< Null if there are none above the register file.
  ControlObserver* control_;       ///< May be null.
  ActiveSetObserver* active_set_;  ///< May be null.
};

}  // namespace heddle::sm
