#pragma once

// The CoreView of a simulated multiprocessor. (Tests have others.)

#include <vector>

#include "base/cycle.h"
#include "sm/memory/load_store_unit.h"
#include "sm/schedule/core_view.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

class LiveCoreView final : public CoreView {
 public:
  /// `completions`: the list to which memory appends the accesses that have completed.
  LiveCoreView(const Cycle& now, const WarpTable& warps, LoadStoreUnit& memory,
               std::vector<MemoryCompletion>& completions)
      : now_(now), warps_(warps), memory_(memory), completions_(completions) {}

  WarpSet ready() const override { return warps_.ready(); }
  WarpSet waiting_for(WaitReason reason) const override { return warps_.waiting_for(reason); }
  WarpSet ready_to_access_memory() const override { return warps_.ready_for(Resource::global); }
  WarpSet ready_to_load() const override;
  CacheCounts l1() const override;

 private:
  const Cycle& now_;
  const WarpTable& warps_;
  LoadStoreUnit& memory_;
  std::vector<MemoryCompletion>& completions_;
};

}  // namespace heddle::sm
