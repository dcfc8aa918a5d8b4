// A block in part only as long as few warps are there, so that more do not fight over caches and
// rows of memory. What Xiang et al., Warp-Level Divergence in GPUs, section 6.1, call 'heuristic'.

#include "sm/residency/partial_blocks.h"

namespace heddle::sm {
namespace {

struct ThresholdParameters {
  std::uint32_t warps = 36;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "partial_block_warps", warps, {.least = 1, .most = 1024},
        "with so many resident, no more warps of a block that is there in part start");
  }
  static void storage(config::StorageList& list) { add_workload_buffer(list); }
  ResidencyProperties properties(const ResidencyDescription&) const { return {.by_warps = true}; }
};

class PartialBlockThreshold final : public PartialBlocks {
 public:
  PartialBlockThreshold(const ResidencyDescription& has, std::uint32_t warps)
      : PartialBlocks(has), warps_(warps) {}

 protected:
  std::uint32_t most_warps(const BlockNeeds&, bool in_part) const override {
    return in_part ? warps_ : places();
  }

 private:
  std::uint32_t warps_;
};

const ResidencyRegistry::Entry partial_block_threshold_entry{
    "partial-block-threshold", "by warps; one block in part, up to a number of warps",
    [](const ThresholdParameters& own, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockThreshold>(description, own.warps);
    }};

}  // namespace
}  // namespace heddle::sm
