// Policy 'partial-block-reuse': resources are allocated to warps, but never to more warps than
// whole blocks would have. Resources that ended warps have freed go to the warps of a partially
// resident block. Space that is left on a multiprocessor full of whole blocks (a fragment) stays
// empty.
//
// This is one reading of WarpMan's 'temp' (Xiang et al., Warp-Level Divergence in GPUs, section
// 6.1): blocks may be resident in part, but fragments are not used. warp_release.cpp has the other
// reading.

#include "sm/residency/partial_block_admission.h"

namespace heddle::sm {
namespace {

struct ReuseParameters {
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

class PartialBlockReuse final : public PartialBlocks {
 public:
  using PartialBlocks::PartialBlocks;

 protected:
  std::uint32_t max_warps(const BlockNeeds& needs, bool) const override {
    return warps_of_whole_blocks(needs);
  }
};

const ResidencyRegistry::Entry partial_block_reuse_entry{
    "partial-block-reuse",
    "resources are allocated to warps; one block in part, in what ended warps have freed",
    [](const ReuseParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockReuse>(description);
    }};

}  // namespace
}  // namespace heddle::sm
