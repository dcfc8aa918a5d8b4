// Blocks of two launches start and end. The test compares ResidentBlocks with a model that counts
// every cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "sm/launched_grid.h"
#include "sm/residency/resident_blocks.h"

namespace heddle::sm {
namespace {

class ResidentBlocksTraffic {
 public:
  explicit ResidentBlocksTraffic(unsigned seed) : random_(seed) {
    small_.grid.needs.registers_per_thread = 35;  // A warp needs 1120 and gets 1280.
    small_.grid.needs.shared_bytes = 1000;        // A block gets 1024.
    large_.grid.needs.registers_per_thread = 40;  // A warp needs 1280.
    for (HardwareWarpId hardware_warp = 0; hardware_warp < description_.warps; ++hardware_warp)
      free_hardware_warps_.insert(hardware_warp);
  }

  void run(std::uint64_t cycles) {
    residents_.begin_counting(now_);
    for (std::uint64_t i = 0; i < cycles; ++i) {
      if (random_() % 3 == 0) try_to_admit(random_() % 2 == 0 ? small_.grid : large_.grid);
      for (HardwareWarpId hardware_warp = 0; hardware_warp < description_.warps; ++hardware_warp)
        arrive_or_end(hardware_warp);
      count_cycle();
      ++now_;
    }
    residents_.count_until(now_);
    CounterList counters;
    residents_.declare(counters);
    for (const Counter& counter : counters.all()) {
      ASSERT_GT(*counter.value, 0u) << counter.name;
      if (counter.name == "sm.underutilisation_octaves") {
        // The value of each block is rounded.
        ASSERT_NEAR(static_cast<double>(*counter.value), octaves_,
                    1.01 * static_cast<double>(expected_["sm.ended_blocks"]));
      } else {
        ASSERT_EQ(*counter.value, expected_[counter.name]) << counter.name;
      }
    }
  }

 private:
  struct StaticWarpState {
    std::uint64_t block = 0;
    bool has_arrived = false;
  };
  struct Block {
    const Grid* grid = nullptr;
    std::set<WarpSlot> hardware_warps{}, live{};
    std::map<WarpSlot, std::uint64_t> lifetimes{};  ///< The cycles of each of its warps so far.
  };

  static constexpr std::uint64_t kRegistersPerWarp = 1280;  ///< In both launches.

  void try_to_admit(const Grid& grid) {
    std::uint64_t warps = grid.needs.warps, registers = grid.needs.warps * kRegistersPerWarp;
    std::uint64_t shared = grid.needs.shared_bytes > 0 ? 1024 : 0;
    for (const auto& [index, block] : blocks_) {
      warps += block.grid->needs.warps;
      registers += block.grid->needs.warps * kRegistersPerWarp;
      shared += block.grid->needs.shared_bytes > 0 ? 1024 : 0;
    }
    const bool fits = blocks_.size() < description_.blocks && warps <= description_.warps &&
                      registers <= description_.registers && shared <= description_.shared_bytes;
    ASSERT_EQ(residents_.fits(grid), fits) << "cycle " << now_.number;
    if (!fits) return;
    const AdmittedBlock admitted{.grid = &grid, .index = next_index_++, .at = now_};
    residents_.admit_block(admitted, now_);
    residents_.create_admitted_blocks();
    const std::uint32_t number = residents_.starting().front().block_slot;
    residents_.clear_starting();
    Block& block = blocks_[admitted.index];
    block.grid = &grid;
    for (std::uint32_t w = 0; w < grid.needs.warps; ++w) {
      ASSERT_FALSE(free_hardware_warps_.empty());
      const WarpSlot lowest = *free_hardware_warps_.begin();
      ASSERT_EQ(residents_[number].hardware_warps[w], lowest);
      ASSERT_EQ(residents_.hardware_warp(lowest).warp, w);
      free_hardware_warps_.erase(lowest);
      static_warps_[lowest] = {.block = admitted.index};
      block.hardware_warps.insert(lowest);
      block.live.insert(lowest);
    }
  }

  void arrive_or_end(HardwareWarpId hardware_warp) {
    const auto found = static_warps_.find(hardware_warp);
    if (found == static_warps_.end()) return;
    StaticWarpState& static_warp = found->second;
    if (!static_warp.has_arrived) {
      if (random_() % 4 != 0) return;
      static_warp.has_arrived = true;
      return residents_.start_static_warp(hardware_warp, now_);
    }
    if (random_() % 20 != 0) return;
    Block& block = blocks_[static_warp.block];
    block.live.erase(hardware_warp);
    WarpSet expected = 0;
    if (block.live.empty()) {
      for (const WarpSlot mine : block.hardware_warps) {
        expected |= set_of(mine);
        ASSERT_TRUE(free_hardware_warps_.insert(mine).second)
            << "a hardware warp may be freed only once";
      }
      count_waste(block);
      blocks_.erase(static_warp.block);
    }
    static_warps_.erase(found);
    ASSERT_EQ(residents_.end_static_warp(hardware_warp, now_), expected);
    ASSERT_EQ(residents_.blocks(), blocks_.size());
  }

  void count_waste(const Block& block) {
    std::uint64_t longest = 0;
    std::uint64_t idle = 0;
    for (const auto& [hardware_warp, lifetime] : block.lifetimes) {
      longest = std::max(longest, lifetime);
    }
    for (const auto& [hardware_warp, lifetime] : block.lifetimes) idle += longest - lifetime;
    const std::uint64_t millionths = idle * 1000000 / (longest * block.hardware_warps.size());
    ++expected_["sm.ended_blocks"];
    expected_["sm.underutilisation"] += millionths;
    octaves_ -= 1024 * std::log2(std::max(1e-3, 1e-6 * static_cast<double>(millionths)));
  }

  void count_cycle() {
    std::uint64_t registers = 0;
    std::uint64_t shared_bytes = 0;
    for (const auto& [index, block] : blocks_) {
      registers += block.grid->needs.warps * kRegistersPerWarp;
      shared_bytes += block.grid == &small_.grid ? 1024 : 0;
    }
    ASSERT_LE(registers, description_.registers);
    expected_["sm.register_cycles"] += registers;
    expected_["sm.shared_byte_cycles"] += shared_bytes;
    expected_["sm.resident_block_cycles"] += blocks_.size();
    expected_["sm.active_cycles"] += blocks_.empty() ? 0 : 1;
    for (const auto& [hardware_warp, static_warp] : static_warps_) {
      if (!static_warp.has_arrived) continue;
      ++expected_["sm.resident_warp_cycles"];
      ++blocks_[static_warp.block].lifetimes[hardware_warp];
    }
  }

  std::mt19937 random_;
  LaunchedGrid small_{"ret;", 32}, large_{"ret;", 96};
  const ResidencyDescription description_{.warps = 10,
                                          .blocks = 5,
                                          .registers = 10240,  // For eight warps.
                                          .register_unit = 256,
                                          .shared_bytes = 3072};  // For three small blocks.
  exec::EpochStores stores_;
  ResidentBlocks residents_{description_, 0, 1, stores_};
  std::set<WarpSlot> free_hardware_warps_;
  std::map<WarpSlot, StaticWarpState>
      static_warps_;  ///< Static warps that have not ended, by hardware warp.
  std::map<std::uint64_t, Block> blocks_;
  std::map<std::string, std::uint64_t> expected_;
  double octaves_ = 0;  ///< The sum of -1024 * log2(wasted share) over blocks.
  std::uint64_t next_index_ = 0;
  Cycle now_{500};
};

TEST(ResidentBlocksTraffic, MatchesCountsCycleByCycle) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    ResidentBlocksTraffic(seed).run(4000);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::sm
