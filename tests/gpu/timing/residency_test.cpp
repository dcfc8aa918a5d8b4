// How many blocks a multiprocessor holds, and which resource limits them. The expected numbers are
// Table 2 of Xiang et al., Warp-Level Divergence in GPUs, for the machine of its Table 1.

#include "sm/residency/residency.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/timing/probe.h"

namespace heddle::gpu::test {
namespace {

/// A row of the table. `registers` is the number of registers of a block. The registers per thread
/// are this number divided by the block's threads, rounded to a whole number.
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
    // With the table's 3068 registers, 8 blocks would fit. Section 3.1 says that 7 blocks leave 512
    // of 32768 registers, which makes 4608.
    {"ConvolutionTexture", 0, 6, 7, 4608},
};

/// The number of blocks that fit, allocated one after another.
std::uint32_t blocks_that_fit(const sm::ResidencyDescription& multiprocessor,
                              const sm::BlockNeeds& needs) {
  const auto residency = sm::make_residency(multiprocessor);
  std::uint32_t blocks = 0;
  while (residency->fits(needs)) {
    residency->admit_block(needs);
    ++blocks;
  }
  return blocks;
}

TEST(Occupancy, MatchesThePapersTable2) {
  const sm::ResidencyDescription warpman = load_machine("warpman").sm.residency;
  for (const Row& row : kTable2) {
    const std::uint32_t threads = row.warps * 32;
    const sm::BlockNeeds needs{.warps = row.warps,
                               .registers_per_thread = (row.registers + threads / 2) / threads,
                               .shared_bytes = row.shared_bytes};
    EXPECT_EQ(occupancy_of(warpman, needs).blocks, row.blocks) << row.benchmark;
    EXPECT_EQ(blocks_that_fit(warpman, needs), row.blocks) << row.benchmark;
  }
}

TEST(Occupancy, IsLimitedByTheScarcestResource) {
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

TEST(Occupancy, MatchesTheBlocksThatRunAtOnce) {
  // Twelve equal blocks of one warp run on a multiprocessor that holds three.
  const Probe probe{.body = clock(0) + repeat(40, "mad.lo.u32 %r1, %r1, %r1, %lane;\n") + clock(1),
                    .keep = {"%r1"}};
  for (const std::string limit : {"sm.blocks=3", "sm.warps=3"}) {
    const ProbeRun run(probe, {limit, "dispatch.latency=40"}, 1, 12);
    EXPECT_EQ(run.chip().last_launch().occupancy.blocks, 3) << limit;
    // The number of running blocks changes only at begins and ends.
    std::uint32_t most = 0;
    for (std::uint32_t block = 0; block < 12; ++block) {
      std::uint32_t concurrent = 0;
      for (std::uint32_t other = 0; other < 12; ++other) {
        const bool overlaps = run.stamp(0, 0, other) <= run.stamp(0, 0, block) &&
                              run.stamp(0, 0, block) <= run.stamp(1, 0, other);
        concurrent += overlaps ? 1 : 0;
      }
      most = std::max(most, concurrent);
    }
    EXPECT_EQ(most, 3) << limit;
  }
}

TEST(Occupancy, RejectsABlockThatDoesNotFit) {
  EXPECT_THROW(ProbeRun({.body = clock(0) + clock(1)}, {"sm.warps=2"}, 3), InputError);
}

}  // namespace
}  // namespace heddle::gpu::test
