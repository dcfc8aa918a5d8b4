#pragma once

#include "sm/ids.h"
#include "sm/stalls/wait_reason.h"

namespace heddle::sm {

/// Says when a warp that leaves the active set loses its values above the main register file: when
/// it begins to wait or, if warps keep values at barriers, when it begins another long wait.
class LossAtWait {
 public:
  explicit LossAtWait(bool keeps_at_barriers) : keeps_at_barriers_(keeps_at_barriers) {}

  /// The active warp begins to wait. Returns whether it loses its values.
  bool suspended(WarpSlot warp, WaitReason reason) {
    if (!keeps_at_barriers_ || reason != WaitReason::barrier) return true;
    keeping_ |= set_of(warp);
    return false;
  }
  /// The suspended warp begins another long wait. Returns whether it loses its values now.
  bool waits_again(WarpSlot warp, WaitReason reason) {
    if ((keeping_ & set_of(warp)) == 0 || reason == WaitReason::barrier) return false;
    keeping_ &= ~set_of(warp);
    return true;
  }
  /// The warp is active again, or has ended.
  void forget(WarpSlot warp) { keeping_ &= ~set_of(warp); }

 private:
  bool keeps_at_barriers_;
  WarpSet keeping_ = 0;  ///< The suspended warps that have kept their values.
};

}  // namespace heddle::sm
