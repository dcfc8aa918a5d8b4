#pragma once

#include <array>

#include "sm/dependence/dependence.h"

namespace heddle::sm {

/// Base class of policies that do not track registers. A warp has at most one instruction in
/// flight; its next instruction waits until that one is done. Such a policy has the property
/// is_one_at_a_time.
class OneAtATime : public Dependence {
 public:
  void start(WarpSlot warp, const IssueTable&) override {
    readiness_[warp] = {Cycle(0), WaitReason::fixed_latency_result};
  }
  void issue(WarpSlot warp, const IssueTable&, const IssueInfo&, const Issued& issued) override {
    wait(warp, issued.done, issued.reason);
  }
  void complete(WarpSlot warp, const IssueTable&, const IssueInfo&, std::uint32_t,
                Cycle done) override {
    readiness_[warp].at = done;
  }
  Readiness ready(WarpSlot warp, const IssueTable&, const IssueInfo&, LaneMask, Cycle) override {
    return readiness_[warp];
  }

 protected:
  /// The warp's next instruction waits until `until`.
  void wait(WarpSlot warp, Cycle until, WaitReason reason) {
    readiness_[warp] = {.at = until, .reason = reason};
  }

 private:
  std::array<Readiness, kMaxWarps> readiness_{};
};

}  // namespace heddle::sm
