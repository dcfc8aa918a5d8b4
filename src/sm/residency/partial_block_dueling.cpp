// Policy 'partial-block-dueling': a duel between partial-block and partial-block-reuse. Only
// partial-block admits more warps than whole blocks would have, and it is used only while that
// pays. The first multiprocessor of a kind (multiprocessors with equal parameters; see
// gpu/sm_group.h) always behaves as partial-block, the second as partial-block-reuse. The others
// behave as that one of the two which has executed more instructions ('SM dueling' of WarpMan;
// Xiang et al., Warp-Level Divergence in GPUs, section 6.1). The paper does not say over how many
// cycles the two are compared.

#include "sm/residency/partial_block_admission.h"

namespace heddle::sm {
namespace {

struct DuelingParameters {
  std::uint32_t interval = 10000;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "duel_interval", interval, {.unit = "cycles", .least = 1, .most = 1000000000},
        "length of the comparison of two multiprocessors, of which one admits more warps than "
        "whole blocks would have");
  }
  static void storage(config::StorageList& list) {
    add_workload_buffer(list);
    list.add({.name = "duel_counters",
              .bits = "",
              .meaning = "instructions of two multiprocessors since the last comparison",
              .source = "Xiang et al., section 6.1, do not give their size"});
  }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.allocates_by_warp = true, .duel_interval = Cycles(interval)};
  }
};

class PartialBlockDueling final : public PartialBlocks {
 public:
  using PartialBlocks::PartialBlocks;

  void follow(DuelSide side, Cycle at) override {
    const bool admits_more = side == DuelSide::first;
    if (admits_more && !admits_more_) limit_since_ = at;
    admits_more_ = admits_more;
  }

 protected:
  std::uint32_t max_warps(const BlockNeeds& needs, bool) const override {
    return admits_more_ ? warp_slots() : warps_of_whole_blocks(needs);
  }
  Cycle limit_since() const override { return limit_since_; }

 private:
  bool admits_more_ = true;  ///< Whether more warps are admitted than whole blocks would have.
  Cycle limit_since_;        ///< See limit_since().
};

const ResidencyRegistry::Entry partial_block_dueling_entry{
    "partial-block-dueling",
    "as partial-block or partial-block-reuse, whichever executes more on two other "
    "multiprocessors",
    [](const DuelingParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockDueling>(description);
    }};

}  // namespace
}  // namespace heddle::sm
