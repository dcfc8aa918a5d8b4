#pragma once

#include "sm/schedule/core_view.h"

namespace heddle::sm::test {

/// A core whose state a test sets: nothing is ready and nothing waits by default.
class FakeCore final : public CoreView {
 public:
  WarpSet ready_warps = 0;
  ByWaitReason<WarpSet> waiting{};
  WarpSet accessing = 0;
  WarpSet loading = 0;
  CacheCounts counts;

  WarpSet ready() const override { return ready_warps; }
  WarpSet waiting_for(WaitReason reason) const override { return waiting[reason]; }
  WarpSet ready_to_access_memory() const override { return accessing; }
  WarpSet ready_to_load() const override { return loading; }
  CacheCounts l1() const override { return counts; }
};

/// A core for schedulers that do not inspect it.
inline const CoreView& unseen_core() {
  static const FakeCore core;
  return core;
}

}  // namespace heddle::sm::test
