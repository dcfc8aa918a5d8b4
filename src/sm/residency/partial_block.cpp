// Policy 'partial-block' (WarpMan): resources are allocated to warps, and a block is admitted in
// part if there is space for one of its warps ('temp+spatial' in Xiang et al., Warp-Level
// Divergence in GPUs, section 6.1).

#include "sm/residency/partial_block_admission.h"

namespace heddle::sm {
namespace {

struct PartialBlockParameters {
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

const ResidencyRegistry::Entry partial_block_entry{
    "partial-block", "resources are allocated to warps; one block may be resident in part",
    [](const PartialBlockParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlocks>(description);
    }};

}  // namespace
}  // namespace heddle::sm
