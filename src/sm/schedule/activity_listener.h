#pragma once

#include "sm/ids.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// An interface that is notified of changes to the active set of a scheduling policy: the warps
/// from which the policy chooses. It is notified immediately, once for each change. Policies that
/// choose from all warps report no change.
class ActivityListener {
 public:
  ActivityListener() = default;
  ActivityListener(const ActivityListener&) = delete;
  ActivityListener& operator=(const ActivityListener&) = delete;
  virtual ~ActivityListener() = default;

  /// The warp has entered the active set.
  virtual void activated(WarpSlot warp) = 0;
  /// The warp has left the active set, because it begins to wait. It will not issue before it is
  /// activated again.
  virtual void suspended(WarpSlot warp, WaitReason reason) = 0;
  /// The warp is not in the active set, and begins another long wait.
  virtual void waits_again(WarpSlot warp, WaitReason reason) = 0;
  /// The warp has ended, or its threads have been formed into other warps. WarpSchedulers reports
  /// this, for every policy.
  virtual void ended(WarpSlot warp) = 0;
};

}  // namespace heddle::sm
