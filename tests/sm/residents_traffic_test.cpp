// Blocks of two launches come and go: what is resident against an account that counts every cycle.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "sm/launched_grid.h"
#include "sm/residents.h"

namespace heddle::sm {
namespace {

class ResidentsTraffic {
 public:
  explicit ResidentsTraffic(unsigned seed) : random_(seed) {
    small_.grid.needs.registers_per_thread = 35;  // 1120 a warp: 1280 are given.
    small_.grid.needs.shared_bytes = 1000;        // 1024 are given.
    large_.grid.needs.registers_per_thread = 40;  // 1280 a warp.
    for (WarpSlot home = 0; home < description_.warps; ++home) free_.insert(home);
  }

  void run(std::uint64_t cycles) {
    residents_.begin_counting(now_);
    for (std::uint64_t i = 0; i < cycles; ++i) {
      if (random_() % 3 == 0) take(random_() % 2 == 0 ? small_.grid : large_.grid);
      for (WarpSlot home = 0; home < description_.warps; ++home) arrive_or_end(home);
      count_cycle();
      ++now_;
    }
    residents_.count_until(now_);
    CounterList counters;
    residents_.declare(counters);
    for (const Counter& counter : counters.all()) {
      ASSERT_GT(*counter.value, 0u) << counter.name;
      if (counter.name == "sm.underutilisation_octaves") {
        // Each block's are rounded.
        ASSERT_NEAR(static_cast<double>(*counter.value), octaves_,
                    1.01 * static_cast<double>(counted_["sm.ended_blocks"]));
      } else {
        ASSERT_EQ(*counter.value, counted_[counter.name]) << counter.name;
      }
    }
  }

 private:
  struct Row {
    std::uint64_t block = 0;
    bool has_come = false;
  };
  struct Block {
    const Grid* grid = nullptr;
    std::set<WarpSlot> homes{}, live{};
    std::map<WarpSlot, std::uint64_t> lived{};  ///< Cycles of each of its warps.
  };

  static constexpr std::uint64_t kRegisters = 1280;  ///< Given to a warp of either launch.

  void take(const Grid& grid) {
    std::uint64_t warps = grid.needs.warps, registers = grid.needs.warps * kRegisters;
    std::uint64_t shared = grid.needs.shared_bytes > 0 ? 1024 : 0;
    for (const auto& [index, block] : blocks_) {
      warps += block.grid->needs.warps;
      registers += block.grid->needs.warps * kRegisters;
      shared += block.grid->needs.shared_bytes > 0 ? 1024 : 0;
    }
    const bool fits = blocks_.size() < description_.blocks && warps <= description_.warps &&
                      registers <= description_.registers && shared <= description_.shared_bytes;
    ASSERT_EQ(residents_.fits(grid), fits) << "cycle " << now_.number;
    if (!fits) return;
    const TakenBlock taken{.grid = &grid, .index = next_++, .at = now_};
    residents_.take(taken, now_);
    residents_.make_taken_blocks();
    const std::uint32_t number = residents_.starting().front().resident;
    residents_.all_started();
    Block& block = blocks_[taken.index];
    block.grid = &grid;
    for (std::uint32_t w = 0; w < grid.needs.warps; ++w) {
      ASSERT_FALSE(free_.empty());
      const WarpSlot lowest = *free_.begin();
      ASSERT_EQ(residents_[number].homes[w], lowest);
      ASSERT_EQ(residents_.home(lowest).warp, w);
      free_.erase(lowest);
      rows_[lowest] = {.block = taken.index};
      block.homes.insert(lowest);
      block.live.insert(lowest);
    }
  }

  void arrive_or_end(WarpSlot home) {
    const auto found = rows_.find(home);
    if (found == rows_.end()) return;
    Row& row = found->second;
    if (!row.has_come) {
      if (random_() % 4 != 0) return;
      row.has_come = true;
      return residents_.arrive(home, now_);
    }
    if (random_() % 20 != 0) return;
    Block& block = blocks_[row.block];
    block.live.erase(home);
    WarpSet expected = 0;
    if (block.live.empty()) {
      for (const WarpSlot mine : block.homes) {
        expected |= set_of(mine);
        ASSERT_TRUE(free_.insert(mine).second) << "it comes back once";
      }
      count_waste(block);
      blocks_.erase(row.block);
    }
    rows_.erase(found);
    ASSERT_EQ(residents_.end_row(home, now_), expected);
    ASSERT_EQ(residents_.blocks(), blocks_.size());
  }

  void count_waste(const Block& block) {
    std::uint64_t longest = 0;
    std::uint64_t idle = 0;
    for (const auto& [home, lived] : block.lived) longest = std::max(longest, lived);
    for (const auto& [home, lived] : block.lived) idle += longest - lived;
    const std::uint64_t millionths = idle * 1000000 / (longest * block.homes.size());
    ++counted_["sm.ended_blocks"];
    counted_["sm.underutilisation"] += millionths;
    octaves_ -= 1024 * std::log2(std::max(1e-3, 1e-6 * static_cast<double>(millionths)));
  }

  void count_cycle() {
    std::uint64_t registers = 0;
    for (const auto& [index, block] : blocks_) {
      registers += block.grid->needs.warps * kRegisters;
    }
    ASSERT_LE(registers, description_.registers);
    counted_["sm.register_cycles"] += registers;
    counted_["sm.resident_block_cycles"] += blocks_.size();
    counted_["sm.active_cycles"] += blocks_.empty() ? 0 : 1;
    for (const auto& [home, row] : rows_) {
      if (!row.has_come) continue;
      ++counted_["sm.resident_warp_cycles"];
      ++blocks_[row.block].lived[home];
    }
  }

  std::mt19937 random_;
  LaunchedGrid small_{"ret;", 32}, large_{"ret;", 96};
  const ResidencyDescription description_{.warps = 10,
                                          .blocks = 5,
                                          .registers = 10240,  // Eight warps'.
                                          .register_unit = 256,
                                          .shared_bytes = 3072};  // Three small blocks'.
  exec::EpochStores stores_;
  Residents residents_{description_, 0, 1, stores_};
  std::set<WarpSlot> free_;
  std::map<WarpSlot, Row> rows_;  ///< Those that have not ended, by home.
  std::map<std::uint64_t, Block> blocks_;
  std::map<std::string, std::uint64_t> counted_;
  double octaves_ = 0;  ///< Of waste below the whole, in 1/1024.
  std::uint64_t next_ = 0;
  Cycle now_{500};
};

TEST(ResidentsTraffic, IsCountedAndHousedAsCycleByCycle) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    ResidentsTraffic(seed).run(4000);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace heddle::sm
