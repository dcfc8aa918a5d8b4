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
  void issue(WarpSlot warp, const IssueTable&, const IssueInfo&, const Issued& issued) override {
    wait(warp, issued.done, issued.cause);
  }
  void complete(WarpSlot warp, const IssueTable&, const IssueInfo&, std::uint32_t,
                Cycle done) override {
    under_way_[warp].at = done;
  }
  Readiness ready(WarpSlot warp, const IssueTable&, const IssueInfo&, LaneMask, Cycle) override {
    return under_way_[warp];
  }
  bool overlaps() const override { return false; }

 protected:
  void wait(WarpSlot warp, Cycle until, StallCause cause) {
    under_way_[warp] = {.at = until, .cause = cause};
  }

 private:
  std::array<Readiness, kMostWarps> under_way_{};
};

}  // namespace heddle::sm
