// Resources by warps, in no more than whole blocks would have: what warps that have ended leave
// goes to warps of a block that is there in part, and what no whole block fits into stays empty.
// What Xiang et al., Warp-Level Divergence in GPUs, section 6.1, call 'temp': blocks are there in
// part, and fragments are not used.

#include "sm/residency/partial_blocks.h"

namespace heddle::sm {
namespace {

struct ReuseParameters {
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const { return {.by_warps = true}; }
};

class PartialBlockReuse final : public PartialBlocks {
 public:
  using PartialBlocks::PartialBlocks;

 protected:
  std::uint32_t most_warps(const BlockNeeds& needs, bool) const override {
    return warps_of_whole_blocks(needs);
  }
};

const ResidencyRegistry::Entry partial_block_reuse_entry{
    "partial-block-reuse", "by warps; one block in part, in what others of whole blocks have freed",
    [](const ReuseParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockReuse>(description);
    }};

}  // namespace
}  // namespace heddle::sm
