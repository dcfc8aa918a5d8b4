// Policy 'partial-block-threshold': a block is admitted in part only while few warps are resident.
// Additional warps then do not thrash the caches and DRAM row buffers ('heuristic' of WarpMan;
// Xiang et al., Warp-Level Divergence in GPUs, section 6.1).

#include "sm/residency/partial_block_admission.h"

namespace heddle::sm {
namespace {

struct ThresholdParameters {
  std::uint32_t warps = 36;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "partial_block_warps", warps, {.least = 1, .most = 1024},
        "warps of a block that is resident in part start only below this number of resident warps");
  }
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true};
  }
};

class PartialBlockThreshold final : public PartialBlocks {
 public:
  PartialBlockThreshold(const ResidencyDescription& multiprocessor, std::uint32_t warps)
      : PartialBlocks(multiprocessor), threshold_(warps) {}

 protected:
  std::uint32_t max_warps(const BlockNeeds&, bool in_part) const override {
    return in_part ? threshold_ : warp_slots();
  }

 private:
  std::uint32_t threshold_;  ///< A number of resident warps.
};

const ResidencyRegistry::Entry partial_block_threshold_entry{
    "partial-block-threshold",
    "resources are allocated to warps; one block in part, up to a number of resident warps",
    [](const ThresholdParameters& parameters, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockThreshold>(description, parameters.warps);
    }};

}  // namespace
}  // namespace heddle::sm
