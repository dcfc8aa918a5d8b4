#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sm/memory/memory_pass.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// The lanes and addresses of each pass of a memory instruction whose passes contain threads of
/// several static warps. A pass is a set of threads in different lanes that go through a unit
/// together; a static warp is 32 threads of a block with consecutive numbers.
class GatheredPasses {
 public:
  /// Collects the lanes and addresses of the memory instruction that the static warps have just
  /// executed. `passes`: the number of its passes.
  void gather(std::span<const StaticWarp> static_warps, std::size_t passes);
  /// The pass with this number, from 0 on, as the memory stage takes it.
  MemoryPass pass(std::size_t number, MemoryAction action) const {
    const GatheredPass& gathered = passes_[number];
    return {.action = action,
            .lanes = gathered.lanes,
            .addresses = &gathered.addresses,
            .hardware_warps = &gathered.hardware_warps};
  }

 private:
  struct GatheredPass {
    LaneMask lanes{};
    memory::LaneAddresses addresses{};
    std::array<std::uint8_t, 32> hardware_warps{};  ///< The hardware warp of each lane.
  };
  std::vector<GatheredPass> passes_;
};

}  // namespace heddle::sm
