// How many blocks a multiprocessor takes: Table 2 of Xiang et al., Warp-Level Divergence in GPUs,
// on the machine of its Table 1, and what limits them otherwise.

#include "sm/residency/residency.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// The registers of a block as the table has them: of a thread they are so many over its threads,
/// rounded, as compilers give whole ones.
struct Row {
  std::string benchmark;
  std::uint32_t shared_bytes, warps, blocks, registers;
};

const Row kTable2[] = {
    {"MonteCarlo", 0, 12, 4, 7680},
    {"RadixSort", 4096, 16, 2, 11776},
    {"SortingNetworks", 8192, 16, 3, 8704},
    {"HotSpot", 3072, 8, 3, 8960},
    {"PathFinder", 2048, 8, 6, 3228},
    {"SRad", 4096, 16, 3, 2560},
    {"Stencil", 0, 32, 1, 17408},
    {"RayTracing", 0, 6, 2, 12288},
    {"MatrixMultiply", 2048, 8, 5, 6144},
    {"NeuralNetwork", 0, 8, 5, 6114},
    {"B+Tree", 0, 16, 3, 5632},
    {"Histogram", 4096, 16, 3, 10240},
    // Of the table's 3068 there would be room for 8; but section 3.1 tells that 7 blocks leave 512
    // registers of 32768, which makes 4608.
    {"ConvolutionTexture", 0, 6, 7, 4608},
};

/// As many as fit one after another.
std::uint32_t taken_up(const sm::ResidencyDescription& multiprocessor,
                       const sm::BlockNeeds& needs) {
  const auto residency = sm::make_residency(multiprocessor);
  std::uint32_t blocks = 0;
  while (residency->fits(needs)) {
    residency->take(needs);
    ++blocks;
  }
  return blocks;
}

TEST(BlocksOfAMultiprocessor, AreThoseOfThePapersTable) {
  const sm::ResidencyDescription warpman = load_machine("warpman").sm.residency;
  for (const Row& row : kTable2) {
    const std::uint32_t threads = row.warps * 32;
    const sm::BlockNeeds needs{.warps = row.warps,
                               .registers_per_thread = (row.registers + threads / 2) / threads,
                               .shared_bytes = row.shared_bytes};
    EXPECT_EQ(occupancy_of(warpman, needs).blocks, row.blocks) << row.benchmark;
    EXPECT_EQ(taken_up(warpman, needs), row.blocks) << row.benchmark;
  }
}

TEST(BlocksOfAMultiprocessor, AreLimitedByWhatRunsOutFirst) {
  const sm::ResidencyDescription warpman = load_machine("warpman").sm.residency;
  const auto limit = [&](const sm::BlockNeeds& needs) {
    return occupancy_of(warpman, needs).limit;
  };
  EXPECT_EQ(limit({.warps = 8, .registers_per_thread = 35}), sm::ResidencyLimit::registers);
  EXPECT_EQ(limit({.warps = 1, .registers_per_thread = 16, .shared_bytes = 16384}),
            sm::ResidencyLimit::shared_memory);
  EXPECT_EQ(limit({.warps = 16, .registers_per_thread = 16}), sm::ResidencyLimit::warps);
  EXPECT_EQ(limit({.warps = 1, .registers_per_thread = 16}), sm::ResidencyLimit::blocks);
}

TEST(BlocksOfAMultiprocessor, AreAsManyAtOnceAsTheChipRuns) {
  // 12 blocks of a warp each, which stay as long as the slowest, on a multiprocessor for three.
  const Probe probe{.body = clock(0) + repeat(40, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") + clock(1),
                    .keep = {"%r1"}};
  for (const std::string limit : {"sm.blocks=3", "sm.warps=3"}) {
    const ProbeRun run(probe, {limit, "dispatch.latency=40"}, 1, 12);
    EXPECT_EQ(run.chip().last().occupancy.blocks, 3) << limit;
    // A change of the number at work for each begin and end.
    std::uint32_t most = 0;
    for (std::uint32_t block = 0; block < 12; ++block) {
      std::uint32_t beside = 0;
      for (std::uint32_t other = 0; other < 12; ++other) {
        const bool there = run.stamp(0, 0, other) <= run.stamp(0, 0, block) &&
                           run.stamp(0, 0, block) <= run.stamp(1, 0, other);
        beside += there ? 1 : 0;
      }
      most = std::max(most, beside);
    }
    EXPECT_EQ(most, 3) << limit;
  }
}

TEST(BlocksOfAMultiprocessor, ThatDoNotFitAreRefused) {
  EXPECT_THROW(ProbeRun({.body = clock(0) + clock(1)}, {"sm.warps=2"}, 3), InputError);
}

}  // namespace
}  // namespace heddle::gpu::test
