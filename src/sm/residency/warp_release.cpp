// Whole blocks come, warps go: the registers and the place of a warp are free when it has ended,
// the rest when its block has. What Xiang et al., Warp-Level Divergence in GPUs, section 6.1, call
// 'temp'.

#include "sm/residency/residency.h"

namespace heddle::sm {
namespace {

struct WarpReleaseParameters {
  ResidencyProperties properties(const ResidencyDescription&) const { return {.by_warps = true}; }
};

class WarpRelease final : public Residency {
 public:
  using Residency::Residency;

  bool fits(const BlockNeeds& needs) const override { return pool_.has_room(pool_.block(needs)); }
  Cycle room_since(const BlockNeeds& needs) const override {
    return pool_.room_since(pool_.block(needs));
  }
  void take(const BlockNeeds& needs) override { pool_.allocate(pool_.block(needs)); }
  std::uint32_t admit_warps(const BlockNeeds&, std::uint32_t waiting, Cycle) override {
    return waiting;
  }
  void warp_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.warps(needs, 1), at);
  }
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.frame(needs), at);
  }
};

const ResidencyRegistry::Entry entry{
    "warp-release", "whole blocks come; what a warp has is free when it ends",
    [](const WarpReleaseParameters&, const ResidencyDescription& description) {
      return std::make_unique<WarpRelease>(description);
    }};

}  // namespace
}  // namespace heddle::sm
