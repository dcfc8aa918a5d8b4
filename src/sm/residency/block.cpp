// Whole blocks: a block is let in when all it needs is free, and gives it back when its last warp
// has ended.

#include <limits>

#include "sm/residency/residency.h"

namespace heddle::sm {
namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

class BlockResidency final : public Residency {
 public:
  explicit BlockResidency(const ResidencyDescription& description) : has_(description) {}

  bool fits(const BlockNeeds& needs) const override {
    return blocks_ < has_.blocks && warps_ + needs.places() <= has_.warps &&
           registers_ + registers_of(needs) <= has_.registers &&
           shared_bytes_ + shared_of(needs) <= has_.shared_bytes;
  }
  void take(const BlockNeeds& needs) override {
    ++blocks_;
    warps_ += needs.places();
    registers_ += registers_of(needs);
    shared_bytes_ += shared_of(needs);
  }
  std::uint32_t admit_warps(const BlockNeeds&, std::uint32_t waiting) override { return waiting; }
  void warp_ended(const BlockNeeds&) override {}
  void block_ended(const BlockNeeds& needs) override {
    --blocks_;
    warps_ -= needs.places();
    registers_ -= registers_of(needs);
    shared_bytes_ -= shared_of(needs);
  }
  std::uint32_t registers_taken() const override { return static_cast<std::uint32_t>(registers_); }

  Occupancy occupancy(const BlockNeeds& needs) const override {
    Occupancy found{.blocks = std::numeric_limits<std::uint32_t>::max(),
                    .limit = ResidencyLimit::blocks};
    const auto apply = [&](ResidencyLimit limit, std::uint64_t has, std::uint64_t takes) {
      if (takes == 0 || has / takes >= found.blocks) return;
      found = {.blocks = static_cast<std::uint32_t>(has / takes), .limit = limit};
    };
    apply(ResidencyLimit::registers, has_.registers, registers_of(needs));
    apply(ResidencyLimit::shared_memory, has_.shared_bytes, shared_of(needs));
    apply(ResidencyLimit::warps, has_.warps, needs.places());
    apply(ResidencyLimit::blocks, has_.blocks, 1);
    return found;
  }

 private:
  std::uint64_t registers_of(const BlockNeeds& needs) const {
    const std::uint64_t warp = std::uint64_t{needs.registers_per_thread} * 32;
    return round_up(warp, has_.register_unit) * needs.warps;
  }
  std::uint64_t shared_of(const BlockNeeds& needs) const {
    return round_up(needs.shared_bytes, has_.shared_unit);
  }

  ResidencyDescription has_;
  std::uint32_t blocks_ = 0;
  std::uint32_t warps_ = 0;
  std::uint64_t registers_ = 0;
  std::uint64_t shared_bytes_ = 0;
};

const ResidencyRegistry::Entry entry{"block", "by whole blocks",
                                     [](const ResidencyDescription& description) {
                                       return std::make_unique<BlockResidency>(description);
                                     }};

}  // namespace
}  // namespace heddle::sm
