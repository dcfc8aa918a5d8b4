#include "gpu/half_blocks.h"

#include <algorithm>
#include <stdexcept>

#include "sm/residency/residency.h"

namespace heddle::gpu::test {
namespace {

using sm::BlockNeeds;

struct HalfBlocksParameters {
  sm::ResidencyProperties properties(const sm::ResidencyDescription&) const {
    return {.by_warps = true};
  }
};

/// It throws where more is taken than there is, or something is given back twice or never.
class HalfBlocks final : public sm::Residency {
 public:
  explicit HalfBlocks(const sm::ResidencyDescription& description) : has_(description) {}

  bool fits(const BlockNeeds& needs) const override {
    return blocks_ < has_.blocks && shared_bytes_ + needs.shared_bytes <= has_.shared_bytes &&
           room_for_warps(needs) >= half_of(needs);
  }
  void take(const BlockNeeds& needs) override {
    ++blocks_;
    shared_bytes_ += needs.shared_bytes;
  }
  std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting) override {
    const std::uint32_t wanted = waiting == needs.warps ? half_of(needs) : 1;
    const std::uint32_t admitted = std::min(wanted, room_for_warps(needs));
    warps_ += admitted;
    registers_ += admitted * registers_of(needs);
    expect(warps_ <= has_.warps && registers_ <= has_.registers, "more is taken than there is");
    return admitted;
  }
  void warp_ended(const BlockNeeds& needs) override {
    expect(warps_ >= 1 && registers_ >= registers_of(needs), "a warp's is given back twice");
    --warps_;
    registers_ -= registers_of(needs);
  }
  void block_ended(const BlockNeeds& needs) override {
    expect(blocks_ >= 1 && shared_bytes_ >= needs.shared_bytes, "a block's is given back twice");
    --blocks_;
    shared_bytes_ -= needs.shared_bytes;
    expect(blocks_ > 0 || (warps_ == 0 && registers_ == 0 && shared_bytes_ == 0),
           "something is given back never");
  }
  std::uint32_t registers_taken() const override { return registers_; }
  sm::Occupancy occupancy(const BlockNeeds& needs) const override {
    sm::Occupancy found{.blocks = 0, .limit = sm::ResidencyLimit::warps};
    for (HalfBlocks empty(has_); empty.fits(needs); ++found.blocks) {
      empty.take(needs);
      empty.admit_warps(needs, needs.warps);
    }
    return found;
  }

 private:
  static void expect(bool holds, const char* otherwise) {
    if (!holds) throw std::logic_error(otherwise);
  }
  static std::uint32_t half_of(const BlockNeeds& needs) { return (needs.warps + 1) / 2; }
  static std::uint32_t registers_of(const BlockNeeds& needs) {
    return needs.registers_per_thread * 32;
  }
  std::uint32_t room_for_warps(const BlockNeeds& needs) const {
    return std::min(has_.warps - warps_, (has_.registers - registers_) / registers_of(needs));
  }

  sm::ResidencyDescription has_;
  std::uint32_t blocks_ = 0;
  std::uint32_t warps_ = 0;
  std::uint32_t registers_ = 0;
  std::uint32_t shared_bytes_ = 0;
};

const sm::ResidencyRegistry::Entry entry{
    "half-blocks", "half of a block's warps at once, then one for one",
    [](const HalfBlocksParameters&, const sm::ResidencyDescription& description) {
      return std::make_unique<HalfBlocks>(description);
    }};

}  // namespace
}  // namespace heddle::gpu::test
