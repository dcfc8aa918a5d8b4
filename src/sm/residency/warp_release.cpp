// Whole blocks come, warps go: the registers and the place of a warp are free when it has ended,
// the rest when its block has. The other reading of what Xiang et al., Warp-Level Divergence in
// GPUs, section 6.1, call 'temp' (partial_block_reuse.cpp): blocks are never there in part, and
// fragments count as soon as ends of warps have made whole blocks' room of them.

#include "sm/residency/whole_blocks.h"

namespace heddle::sm {
namespace {

struct WarpReleaseParameters {
  ResidencyProperties properties(const ResidencyDescription&) const { return {.by_warps = true}; }
};

class WarpRelease final : public WholeBlocks {
 public:
  using WholeBlocks::WholeBlocks;

  void warp_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.warps(needs, 1), at);
  }
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.frame(needs), at);
  }
};

const ResidencyRegistry::Entry warp_release_entry{
    "warp-release", "whole blocks come; what a warp has is free when it ends",
    [](const WarpReleaseParameters&, const ResidencyDescription& description) {
      return std::make_unique<WarpRelease>(description);
    }};

}  // namespace
}  // namespace heddle::sm
