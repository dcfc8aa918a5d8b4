#pragma once

#include <array>

#include "sm/dependence/dependence.h"

namespace heddle::sm {

/// Looks at no registers: a warp has one instruction under way, and the next one waits for it.
class OneAtATime : public Dependence {
 public:
  void start(WarpSlot warp, const IssueTable&) override {
    under_way_[warp] = {Cycle(0), StallCause::wait};
  }
  void issue(WarpSlot warp, const IssueTable&, const IssueInfo&, Cycle, Cycle done,
             StallCause cause) override {
    under_way_[warp] = {done, cause};
  }
  void complete(WarpSlot warp, const IssueTable&, const IssueInfo&, Cycle done) override {
    under_way_[warp].at = done;
  }
  Readiness ready(WarpSlot warp, const IssueTable&, const IssueInfo&) const override {
    return under_way_[warp];
  }

 private:
  std::array<Readiness, kMostWarps> under_way_{};
};

}  // namespace heddle::sm
