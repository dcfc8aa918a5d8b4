// Policy 'partial-block-threshold': partial blocks add warps only while few are resident.
// Additional warps then do not thrash the caches and DRAM row buffers ('heuristic' of WarpMan;
// Xiang et al., Warp-Level Divergence in GPUs, section 6.1).
//
// In one reading, the threshold stops all partial blocks, also those that only take the places of
// ended warps. In the other ('partial_block_reuse'), these go on, as with the duel, whose
// multiprocessors all have 'temp' (Xiang, Toward Efficient SIMT Execution, section 3.6.1): the
// heuristic limits the warps that WarpMan adds (section 3.4).

#include <algorithm>

#include "sm/residency/partial_block_admission.h"

namespace heddle::sm {
namespace {

struct ThresholdParameters {
  std::uint32_t warps = 36;
  bool reuses_above = false;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "partial_block_warps", warps, {.least = 1, .most = 1024},
        "warps of a block that is resident in part start only below this number of resident warps");
    parameters.flag("partial_block_reuse", reuses_above,
                    "whether above that number, they still start in the places of warps that have "
                    "ended: up to as many as whole blocks would have");
  }
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

class PartialBlockThreshold final : public PartialBlocks {
 public:
  PartialBlockThreshold(const ResidencyDescription& multiprocessor,
                        const ThresholdParameters& parameters)
      : PartialBlocks(multiprocessor), parameters_(parameters) {}

 protected:
  std::uint32_t max_warps(const BlockNeeds& needs, bool in_part) const override {
    if (!in_part) return warp_slots();
    if (!parameters_.reuses_above) return parameters_.warps;
    return std::max(parameters_.warps, warps_of_whole_blocks(needs));
  }

 private:
  ThresholdParameters parameters_;
};

const ResidencyRegistry::Entry partial_block_threshold_entry{
    "partial-block-threshold",
    "resources are allocated to warps; one block in part, up to a number of resident warps",
    [](const ThresholdParameters& parameters, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockThreshold>(description, parameters);
    }};

}  // namespace
}  // namespace heddle::sm
