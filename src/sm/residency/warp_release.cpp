// Policy 'warp-release': blocks are admitted as a whole, but resources are freed warp by warp. The
// registers and the slot of a warp are freed when it ends, the other resources when its block ends.
//
// This is one reading of WarpMan's 'temp' (Xiang et al., Warp-Level Divergence in GPUs, section
// 6.1): blocks are never resident in part, but a block may use the space that ended warps have
// freed, as soon as it suffices for the whole block. partial_block_reuse.cpp has the other reading.

#include "sm/residency/whole_blocks.h"

namespace heddle::sm {
namespace {

struct WarpReleaseParameters {
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

class WarpRelease final : public WholeBlocks {
 public:
  using WholeBlocks::WholeBlocks;

  void warp_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.warps(needs, 1), at);
  }
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.without_warps(needs), at);
  }
};

const ResidencyRegistry::Entry warp_release_entry{
    "warp-release", "blocks are admitted as a whole; a warp's resources are freed when it ends",
    [](const WarpReleaseParameters&, const ResidencyDescription& description) {
      return std::make_unique<WarpRelease>(description);
    }};

}  // namespace
}  // namespace heddle::sm
