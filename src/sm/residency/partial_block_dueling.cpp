// More warps than whole blocks would have where that pays: one multiprocessor always lets them in,
// as partial-block does, one never, as partial-block-reuse, and the others do as the one that has
// executed more. Xiang et al., Warp-Level Divergence in GPUs,
// section 6.1; how long the two are compared is not in it.

#include "sm/residency/partial_blocks.h"

namespace heddle::sm {
namespace {

struct DuelingParameters {
  std::uint32_t interval = 10000;

  void declare(config::Declarations& parameters) {
    parameters.number(
        "duel_interval", interval, {.unit = "cycles", .least = 1, .most = 1000000000},
        "for so long two multiprocessors are compared, of which one lets in more warps than "
        "whole blocks would have");
  }
  static void storage(config::StorageList& list) {
    add_workload_buffer(list);
    list.add({.name = "duel_counters",
              .bits = "",
              .meaning = "what two multiprocessors have executed since the last comparison",
              .source = "Xiang et al., section 6.1, say nothing of their size"});
  }
  ResidencyProperties properties(const ResidencyDescription&) const {
    return {.by_warps = true, .duel_interval = Cycles(interval)};
  }
};

class PartialBlockDueling final : public PartialBlocks {
 public:
  using PartialBlocks::PartialBlocks;

  void follow(DuelSide side, Cycle at) override {
    const bool lets_in = side == DuelSide::first;
    if (lets_in && !lets_in_) since_ = at;
    lets_in_ = lets_in;
  }

 protected:
  std::uint32_t most_warps(const BlockNeeds& needs, bool) const override {
    return lets_in_ ? places() : warps_of_whole_blocks(needs);
  }
  Cycle limit_since() const override { return since_; }

 private:
  bool lets_in_ = true;
  Cycle since_;
};

const ResidencyRegistry::Entry partial_block_dueling_entry{
    "partial-block-dueling",
    "by warps; one block in part, beyond what whole blocks would have if that pays elsewhere",
    [](const DuelingParameters&, const ResidencyDescription& description) {
      return std::make_unique<PartialBlockDueling>(description);
    }};

}  // namespace
}  // namespace heddle::sm
