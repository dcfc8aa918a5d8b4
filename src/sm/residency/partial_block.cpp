// Resources by warps, and a block in part wherever there is room for a warp of it. What Xiang et
// al., Warp-Level Divergence in GPUs, section 6.1, call 'temp+spatial'.

#include "sm/residency/partial_blocks.h"

namespace heddle::sm {
namespace {

struct PartialBlockParameters {
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const { return {.by_warps = true}; }
};

const ResidencyRegistry::Entry partial_block_entry{
    "partial-block", "by warps; one block may be there in part",
    [](const PartialBlockParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlocks>(description);
    }};

}  // namespace
}  // namespace heddle::sm
