// Policy 'block': a block is admitted when all resources that it needs are free. They are released
// when its last warp has ended.

#include "sm/residency/whole_blocks.h"

namespace heddle::sm {
namespace {

class BlockResidency final : public WholeBlocks {
 public:
  using WholeBlocks::WholeBlocks;

  void warp_ended(const BlockNeeds&, Cycle) override {}
  void block_ended(const BlockNeeds& needs, Cycle at) override {
    pool_.release(pool_.block(needs), at);
  }
};

const ResidencyRegistry::Entry block_entry{
    "block", "resources are allocated to whole blocks, and freed when a block ends",
    [](const ResidencyDescription& description) {
      return std::make_unique<BlockResidency>(description);
    }};

}  // namespace
}  // namespace heddle::sm
