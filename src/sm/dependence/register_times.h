#pragma once

#include <cstdint>

#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

/// When each register of a warp can be read. A dependence policy that records this implements the
/// interface, so that a warp that runs ahead (sm/lookahead) can begin with a copy.
class RegisterTimes {
 public:
  RegisterTimes() = default;
  RegisterTimes(const RegisterTimes&) = delete;
  RegisterTimes& operator=(const RegisterTimes&) = delete;
  virtual ~RegisterTimes() = default;

  /// The first cycle in which an instruction that reads the register or predicate may issue;
  /// never() while it waits for an instruction whose completion time is not known yet. `entry`: its
  /// number in the IssueTable of the warp's program.
  virtual Cycle available_from(WarpSlot warp, std::uint16_t entry) const = 0;
};

}  // namespace heddle::sm
