// Blocks are admitted as a whole, but resources are freed warp by warp: registers and slot of a
// warp when it ends, the rest when its block ends.
//
// This is one reading of WarpMan's 'temp' (Xiang et al., Warp-Level Divergence in GPUs, section
// 6.1): blocks are never resident in part, and a block may use whatever space ended warps have
// freed once it is enough for all of it. partial_block_reuse.cpp is the other reading.

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
