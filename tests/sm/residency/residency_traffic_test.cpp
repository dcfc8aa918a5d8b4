// Blocks start and end under each residency policy, in any order that their barriers allow. After
// every event, the tests compare the allocation with a model of the resident warps and blocks.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "config/declarations.h"
#include "config/set_parameter.h"
#include "sm/residency/residency.h"

namespace heddle::sm {
namespace {

constexpr std::uint64_t kRegistersPerWarp = 1280;

struct Block {
  std::uint32_t warps = 0;
  std::uint32_t started = 0;
  std::uint32_t live = 0;  ///< Started warps that have not ended.
};

class Traffic {
 public:
  Traffic(const ResidencyDescription& description, unsigned seed)
      : description_(description), residency_(make_residency(description)), random_(seed) {}

  /// Runs all blocks to their end. With `barriers`, no warp ends before all warps of its block have
  /// started.
  void run(std::uint32_t blocks, bool barriers) {
    for (std::uint32_t next = 0; next < blocks || !blocks_.empty();) {
      ++now_;
      while (next < blocks && admit_next_block()) ++next;
      ASSERT_FALSE(blocks_.empty()) << "a block was never admitted";
      end_any_warp(barriers);
      if (testing::Test::HasFatalFailure()) return;
    }
    check();
    EXPECT_EQ(residency_->allocated().registers, 0U);
    EXPECT_EQ(residency_->allocated().warps, 0U);
    EXPECT_EQ(residency_->allocated().shared_bytes, 0U);
  }
  bool had_partial_block() const { return had_partial_block_; }

 private:
  static BlockNeeds needs_of(std::uint32_t warps) {
    return {.warps = warps, .registers_per_thread = 35, .shared_bytes = 1000};
  }

  bool admit_next_block() {
    const BlockNeeds needs = needs_of(next_warps_);
    if (!residency_->fits(needs)) return false;
    EXPECT_EQ(partial_blocks(), 0) << "at most one block may be resident in part";
    residency_->admit_block(needs);
    blocks_.push_back({.warps = next_warps_});
    start(blocks_.back());
    EXPECT_GT(blocks_.back().started, 0U);
    next_warps_ = 1 + random_() % 9;
    check();
    return true;
  }
  void start(Block& block) {
    const std::uint32_t waiting = block.warps - block.started;
    const std::uint32_t admitted = residency_->admit_warps(needs_of(block.warps), waiting, now_);
    ASSERT_LE(admitted, waiting);
    block.started += admitted;
    block.live += admitted;
  }
  void end_any_warp(bool barriers) {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (block.live > 0 && !(barriers && block.started < block.warps)) candidates.push_back(i);
    }
    ASSERT_FALSE(candidates.empty()) << "no warp can end";
    const std::size_t number = candidates[random_() % candidates.size()];
    Block& block = blocks_[number];
    const BlockNeeds needs = needs_of(block.warps);
    --block.live;
    residency_->warp_ended(needs, now_);
    if (block.live == 0 && block.started == block.warps) {
      residency_->block_ended(needs, now_);
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(number));
    }
    for (Block& each : blocks_) {
      if (each.started < each.warps) start(each);
    }
    check();
  }
  std::ptrdiff_t partial_blocks() const {
    return std::count_if(blocks_.begin(), blocks_.end(),
                         [](const Block& block) { return block.started < block.warps; });
  }
  void check() {
    had_partial_block_ = had_partial_block_ || partial_blocks() > 0;
    const bool allocates_by_warp = properties_of(description_).allocates_by_warp;
    std::uint64_t warps = 0;
    for (const Block& block : blocks_) warps += allocates_by_warp ? block.live : block.warps;
    const Allocation& allocated = residency_->allocated();
    EXPECT_EQ(allocated.warps, warps);
    EXPECT_EQ(allocated.registers, warps * kRegistersPerWarp);
    EXPECT_EQ(allocated.blocks, blocks_.size());
    EXPECT_EQ(allocated.shared_bytes, blocks_.size() * 1024);
    EXPECT_LE(allocated.warps, description_.warps);
    EXPECT_LE(allocated.registers, description_.registers);
    EXPECT_LE(allocated.blocks, description_.blocks);
    EXPECT_LE(allocated.shared_bytes, description_.shared_bytes);
  }

  ResidencyDescription description_;
  std::unique_ptr<Residency> residency_;
  std::mt19937 random_;
  Cycle now_;
  std::vector<Block> blocks_;
  std::uint32_t next_warps_ = 4;
  bool had_partial_block_ = false;
};

ResidencyDescription multiprocessor_of(const std::string& policy, const std::string& setting) {
  ResidencyDescription description;
  config::Declarations parameters;
  ResidencyPolicyParameters{description}.declare(parameters);
  description.policy = policy;
  description.warps = 12;
  description.blocks = 5;
  description.registers = 10 * kRegistersPerWarp + 100;
  description.register_unit = 256;
  description.shared_bytes = 4500;
  if (!setting.empty()) config::set_parameter(parameters, setting);
  return description;
}

struct Policy {
  std::string name;
  std::string setting;
  bool admits_partial_blocks = true;
};

TEST(ResidencyTraffic, NeverExceedsCapacityAndReleasesEverythingOnce) {
  for (const Policy& policy :
       {Policy{"block", "", false}, Policy{"warp-release", "", false}, Policy{"partial-block", ""},
        Policy{"partial-block-reuse", ""}, Policy{"partial-block-dueling", ""},
        Policy{"partial-block-threshold", ""},
        Policy{"partial-block-threshold", "partial_block_warps=8"},
        // The threshold may be less than a block's number of warps. Blocks must still end.
        Policy{"partial-block-threshold", "partial_block_warps=3"},
        Policy{"partial-block-threshold", "partial_block_reuse=yes"}}) {
    for (const bool barriers : {false, true}) {
      SCOPED_TRACE(policy.name + " " + policy.setting + (barriers ? ", barriers" : ""));
      bool had_partial_block = false;
      for (unsigned seed = 1; seed <= 20; ++seed) {
        Traffic traffic(multiprocessor_of(policy.name, policy.setting), seed);
        traffic.run(200, barriers);
        if (HasFatalFailure()) return;
        had_partial_block = had_partial_block || traffic.had_partial_block();
      }
      EXPECT_EQ(had_partial_block, policy.admits_partial_blocks);
    }
  }
}

}  // namespace
}  // namespace heddle::sm
