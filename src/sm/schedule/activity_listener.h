#pragma once

#include "sm/ids.h"

namespace heddle::sm {

/// Is notified of changes to the active set of a scheduling policy, immediately and once for each
/// change. Policies that choose from all warps report nothing.
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
  /// The warp has ended, or its threads have been formed into other warps. The core reports this
  /// itself, whatever the policy.
  virtual void ended(WarpSlot warp) = 0;
};

}  // namespace heddle::sm
