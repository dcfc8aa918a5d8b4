#pragma once

#include "sm/ids.h"

namespace heddle::sm {

/// Is notified of changes to the warps that a policy chooses from, where it has a set of active
/// ones: at once, and once for each change. A policy that chooses from all warps has nothing to
/// report.
class ActivityListener {
 public:
  ActivityListener() = default;
  ActivityListener(const ActivityListener&) = delete;
  ActivityListener& operator=(const ActivityListener&) = delete;
  virtual ~ActivityListener() = default;

  /// The warp may issue from now on.
  virtual void activated(WarpSlot warp) = 0;
  /// The warp was active, and will not issue before it is activated again.
  virtual void suspended(WarpSlot warp) = 0;
  /// The warp has ended, or its threads go on as other warps. The core reports that itself,
  /// whatever the policy.
  virtual void ended(WarpSlot warp) = 0;
};

}  // namespace heddle::sm
