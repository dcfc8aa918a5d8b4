#include "gpu/half_blocks.h"

#include <algorithm>
#include <stdexcept>

#include "sm/residency/residency.h"

namespace heddle::gpu::test {
namespace {

using sm::BlockNeeds;

struct HalfBlocksParameters {
  sm::ResidencyProperties properties(const sm::ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

/// Throws if more is allocated than is available.
class HalfBlocks final : public sm::Residency {
 public:
  explicit HalfBlocks(const sm::ResidencyDescription& description)
      : Residency(description), description_(description) {}

  bool fits(const BlockNeeds& needs) const override {
    return pool_.has_space(pool_.without_warps(needs)) &&
           pool_.count_fitting_warps(needs) >= half_of(needs);
  }
  Cycle space_since(const BlockNeeds& needs) const override {
    sm::Allocation half = pool_.without_warps(needs);
    half += pool_.warps(needs, half_of(needs));
    return pool_.space_since(half);
  }
  void admit_block(const BlockNeeds& needs) override { allocate(pool_.without_warps(needs)); }
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle) override {
    const std::uint32_t wanted = waiting == needs.warps ? half_of(needs) : 1;
    const std::uint32_t admitted = std::min(wanted, pool_.count_fitting_warps(needs));
    allocate(pool_.warps(needs, admitted));
    return admitted;
  }
  void warp_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.warps(needs, 1), at);
  }
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.without_warps(needs), at);
  }
  sm::Occupancy occupancy(const BlockNeeds& needs) const override {
    sm::Occupancy found{.blocks = 0, .limit = sm::ResidencyLimit::warps};
    for (HalfBlocks empty(description_); empty.fits(needs); ++found.blocks) {
      empty.admit_block(needs);
      empty.admit_warps(needs, needs.warps, Cycle());
    }
    return found;
  }

 private:
  void allocate(const sm::Allocation& wanted) {
    if (!pool_.has_space(wanted)) throw std::logic_error("more is allocated than is available");
    pool_.allocate(wanted);
  }
  static std::uint32_t half_of(const BlockNeeds& needs) { return (needs.warps + 1) / 2; }

  sm::ResidencyDescription description_;
};

const sm::ResidencyRegistry::Entry half_blocks_entry{
    "half-blocks", "half of a block's warps at once, the others as warps end",
    [](const HalfBlocksParameters&, const sm::ResidencyDescription& description) {
      return std::make_unique<HalfBlocks>(description);
    }};

}  // namespace
}  // namespace heddle::gpu::test
