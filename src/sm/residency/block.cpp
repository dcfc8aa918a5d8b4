// Whole blocks: a block is let in when all it needs is free, and gives it back when its last warp
// has ended.

#include "sm/residency/residency.h"

namespace heddle::sm {
namespace {

class BlockResidency final : public Residency {
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
  void warp_ended(const BlockNeeds&, Cycle) override {}
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.block(needs), at);
  }
};

const ResidencyRegistry::Entry entry{"block", "by whole blocks",
                                     [](const ResidencyDescription& description) {
                                       return std::make_unique<BlockResidency>(description);
                                     }};

}  // namespace
}  // namespace heddle::sm
